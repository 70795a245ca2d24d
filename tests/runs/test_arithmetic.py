"""Another processor rounds otherwise: that is noticed, refused by name, and, where it is allowed, said.

Children with ATEN_CPU_CAPABILITY=default really compute with other instructions.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from planted_corpus import tiny_network
from plug_in import child

from whichword.errors import InputError
from whichword.networks.arithmetic import arithmetic
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.verify import verify
from whichword.reporting import table
from whichword.reporting.page.page import protocol
from whichword.runs.identity import ARITHMETIC
from whichword.runs.run import Run, mixture, open_run
from whichword.runs.store import Store
from whichword.workers.shard import Assignment, Bench

OTHER = {"ATEN_CPU_CAPABILITY": "default"}
METHODS = ("lrp", "omit_1", "grad_1_s_dot")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was begun with other instructions, and stopped after two shards."""
    base = tmp_path_factory.mktemp("other")
    model = tiny_network(base / "cnn", "cnn")
    body = {"models": {"cnn": str(model)}, "game": "hybrid", "methods": METHODS, "out": str(base / "run"), "stop": 2}
    assert json.loads(child("evaluating.py", json.dumps(body), **OTHER)) == {"stopped": True}
    if Store.open(base / "run").plan.identity[ARITHMETIC] == arithmetic():
        pytest.skip("this processor has no other instructions than the plainest")
    return base


@pytest.fixture
def copied_begun(begun: Path, tmp_path: Path) -> Path:
    shutil.copytree(begun / "run", tmp_path / "run")
    return tmp_path / "run"


def spec_of(begun: Path) -> Spec:
    play = Play(("cnn",), ("planted",), ("hybrid",), METHODS, limit=20)
    return Spec({"cnn": str(begun / "cnn")}, (play,), shard_words=2000)


@pytest.fixture
def finished(begun: Path, copied_begun: Path) -> Run:
    """The rest was computed here."""
    return evaluate(spec_of(begun), copied_begun, mixed=True).run


def test_it_is_the_same_in_every_process_and_with_any_number_of_threads(tmp_path: Path) -> None:
    code = tmp_path / "print.py"
    code.write_text("from whichword.networks.arithmetic import arithmetic\nprint(arithmetic())\n")
    for threads in ("1", "2"):
        assert child(str(code), OMP_NUM_THREADS=threads, MKL_NUM_THREADS=threads).strip() == arithmetic()


@pytest.mark.parametrize(
    "variables",
    [OTHER, {"MKL_CBWR": "COMPATIBLE"}, {"ONEDNN_MAX_CPU_ISA": "SSE41"}, {"OPENBLAS_CORETYPE": "Nehalem"}],
    ids=lambda variables: next(iter(variables)),
)
def test_every_library_that_computes_is_seen(variables: dict[str, str], tmp_path: Path) -> None:
    code = tmp_path / "print.py"
    code.write_text("from whichword.networks.arithmetic import arithmetic\nprint(arithmetic())\n")
    if not arithmetic().startswith("AVX"):
        pytest.skip("this processor has no other instructions than the plainest")
    assert child(str(code), **variables).strip() != arithmetic()


def test_whether_the_kernels_are_compiled_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from whichword.base import kernels

    with_them = arithmetic()
    monkeypatch.setattr(kernels, "library", lambda: None)
    arithmetic.cache_clear()
    try:
        assert " no kernels " in arithmetic()
        assert with_them.split()[-1] != arithmetic().split()[-1] or " no kernels " in with_them
    finally:
        arithmetic.cache_clear()


def test_a_resume_with_another_arithmetic_is_refused_by_name(begun: Path, copied_begun: Path) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(spec_of(begun), copied_begun)
    told = str(caught.value)
    assert (
        f"what changed: arithmetic (was DEFAULT {' '.join(_planned(copied_begun).split()[1:])}, is {arithmetic()})"
        in told
    )
    assert told.count("(was") == 1
    assert "--mixed" in told


def _planned(folder: Path) -> str:
    return Store.open(folder).plan.identity[ARITHMETIC]


def test_other_changes_are_refused_in_a_mixed_run_too(begun: Path, copied_begun: Path) -> None:
    changed = Spec(spec_of(begun).models, spec_of(begun).plays, seed=1, shard_words=2000)
    with pytest.raises(InputError, match=r"what changed: seed \(was 0, is 1\)") as caught:
        evaluate(changed, copied_begun, mixed=True)
    assert "arithmetic" not in str(caught.value)


def test_a_worker_with_another_arithmetic_is_refused_by_name(begun: Path, copied_begun: Path) -> None:
    plan, models = Store.open(copied_begun).plan, spec_of(begun).models
    with pytest.raises(InputError, match=r"since the run was planned: arithmetic \(was DEFAULT "):
        Bench(Assignment(plan, models))
    Bench(Assignment(plan, models, mixed=True))


def test_receipts_say_who_computed_what(finished: Run) -> None:
    planned, names = _planned(finished.folder), list(finished.plan.shards)
    assert len(names) > 3
    assert [finished.store.receipt(name).arithmetic for name in names] == [planned] * 2 + [arithmetic()] * (
        len(names) - 2
    )
    assert finished.arithmetics == {planned: 2, arithmetic(): len(names) - 2}


def test_verify_table_and_protocol_say_that_a_run_is_mixed(finished: Run) -> None:
    told = f"mixed: 2 shards by {_planned(finished.folder)}, {len(finished.plan.shards) - 2} shards by {arithmetic()}"
    assert verify(finished.folder).mixture == told
    results = table([finished.folder])
    rows: list[dict[str, Any]] = json.loads(results.to("json"))
    assert {row["arithmetic"] for row in rows} == {told}
    assert told in results.to("text")
    assert ("computed", told) in protocol([("run", finished)])[0].facts


def test_a_run_by_one_arithmetic_is_not_called_mixed(made: Run) -> None:
    assert made.arithmetics == {arithmetic(): len(made.plan.shards)}
    assert mixture(made.arithmetics) == verify(made.folder).mixture == ""
    rows: list[dict[str, Any]] = json.loads(table([made.folder]).to("json"))
    assert {row["arithmetic"] for row in rows} == {arithmetic()}
    assert "mixed" not in table([made.folder]).to("text")
    assert ("arithmetic", arithmetic()) in protocol([("run", made)])[0].facts
    assert open_run(made.folder).plan.identity[ARITHMETIC] == arithmetic()
