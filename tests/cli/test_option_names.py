"""One spelling of options: repetition and commas for names, former spellings that still work."""

import json
from pathlib import Path

import pytest
from command_runner import Runner
from hypothesis import given
from hypothesis import strategies as st

from whichword.cli.data import NETWORKS, network_names
from whichword.cli.options import names
from whichword.errors import InputError

NAME = st.from_regex(r"[a-z_0-9]{1,5}(\[[a-z=,0-9]{0,8}\])?", fullmatch=True)


@given(st.lists(st.lists(NAME, min_size=1, max_size=4), max_size=4))
def test_commas_and_repetition_give_the_same_names(groups: list[list[str]]) -> None:
    flat = [name for group in groups for name in group]
    assert names([", ".join(group) for group in groups], "--method") == flat
    assert names(flat, "--method") == flat


@pytest.mark.parametrize("value", ["", ",", "lrp,", ",lrp", "lrp, ,omit_1"])
def test_a_missing_name_is_refused(value: str) -> None:
    with pytest.raises(InputError, match="--method: a name is missing"):
        names(["random", value], "--method")


@pytest.mark.parametrize(
    "spelled",
    [
        ["-m", "lrp", "-m", "omit_1[edges=right]", "-m", "random"],
        ["-m", "lrp,omit_1[edges=right]", "--method", "random"],
        ["--method=lrp,omit_1[edges=right],random"],
        ["--methods", "lrp", "-m", "omit_1[edges=right]", "--methods", "random"],
    ],
)
def test_methods_are_spelled_the_same_in_explain_and_evaluate(
    run: Runner, model: Path, agreement_model: Path, tmp_path: Path, spelled: list[str]
) -> None:
    expected = ["lrp", "omit_1[edges=right]", "random"]
    done = run("explain", str(model), "a good film", "--json", *spelled)
    assert list(json.loads(done.stdout)["relevance"]) == expected
    place = ["--model", str(agreement_model), "--out", str(tmp_path / "run"), "--workers", "1", "--limit", "2"]
    assert run("evaluate", "--corpus", "grammar", *place, *spelled).returncode == 0
    plan = json.loads((tmp_path / "run" / "run.json").read_text())["body"]
    assert [method["label"] for method in plan["pairings"][0]["methods"]] == expected


def test_figure_takes_commas_too(run: Runner, run_folder: Path) -> None:
    from whichword import open_run

    place = ["figure", str(run_folder), "--document", open_run(run_folder).items("s00")[0].key]
    once = run(*place, "-m", "lrp,random")
    assert once.returncode == 0
    assert once == run(*place, "--method", "lrp", "-m", "random")
    assert once == run(*place, "--methods", "lrp,random")
    assert once != run(*place)


def test_models_corpora_and_games_may_be_listed(
    run: Runner, agreement_model: Path, model: Path, tmp_path: Path
) -> None:
    reviews = [f"a good film number {n},{('no', 'yes')[n % 2]}\n" for n in range(300)]
    for name in ("first", "second"):
        (tmp_path / f"{name}.csv").write_text("".join(["words,class\n", *reviews]))
    corpora = ",".join(f"{tmp_path}/{name}.csv[text=words,label=class]" for name in ("first", "second"))
    place = ["--out", str(tmp_path / "run"), "--workers", "1", "--limit", "1", "-m", "random", "--batch-words", "99"]
    done = run("evaluate", "--model", str(model), "--corpus", corpora, "--game", "hybrid,hybrid[sentences=3]", *place)
    assert done.returncode == 0, done.stderr
    plan = json.loads((tmp_path / "run" / "run.json").read_text())["body"]
    assert len(plan["sets"]) == 4
    assert {entry["game"] for entry in plan["sets"]} == {"hybrid", "hybrid[sentences=3]"}
    assert plan["settings"]["batch_words"] == 99


@pytest.mark.parametrize("spelling", ["--time-limit", "--budget"])
def test_the_time_limit_and_its_former_spelling(run: Runner, model: Path, spelling: str) -> None:
    call = ["explain", str(model), "a good film", "--json", "-m", "omit_1", spelling]
    assert run(*call, "60").returncode == 0
    refused = run(*call, "1e-9")
    assert refused.returncode == 2
    assert "more than 1e-09 seconds (most of it: omit_1" in refused.stderr


def test_the_names_of_networks_are_those_of_the_registry() -> None:
    from whichword import NETWORKS as REGISTRY

    assert network_names() == list(REGISTRY)
    assert set(NETWORKS) <= set(REGISTRY)
