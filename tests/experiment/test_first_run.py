"""A run of the first format, made by the code of that time: every reader reads it, nobody computes for it."""

import json
import shutil
from pathlib import Path

import pytest
from planted_corpus import tiny_network
from typer.testing import CliRunner

from whichword.cli.app import app
from whichword.errors import InputError
from whichword.experiment.checking import digest, verify
from whichword.experiment.reading import open_run
from whichword.experiment.runner import evaluate
from whichword.experiment.spec import Play, Spec
from whichword.reporting import table
from whichword.reporting.page import report_page
from whichword.reporting.page_protocol import protocol

OLD = Path(__file__).parent / "first_run"
DIGEST = "a92807189bf8c4230a3ff176b3ad5c84d44ab60300f110b0044e39d71e3708fe"  # what that code said
UNSAID = "not defined for this network"


def test_it_verifies_and_its_digest_is_what_it_was() -> None:
    findings = verify(OLD)
    assert (findings.sound, findings.shards, findings.unplanned, findings.mixture) == (True, 4, (), "")
    assert digest(open_run(OLD)) == DIGEST


def test_models_and_reasons_are_built_from_the_old_fields() -> None:
    plan = open_run(OLD).plan
    cnn = plan.model("cnn")
    assert (cnn.spelling, cnn.about.name, cnn.about.dtype) == ("models/cnn", "cnn", "float32")
    assert cnn.about.facts == {"embedding": "4", "hidden": "5"}
    assert cnn.classes == ("apple", "brick", "cloud", "drum")
    assert plan.pairings[0].undefined == {"decomp": UNSAID}
    assert plan.settings == {"seed": 0, "batch_words": 4096, "shard_words": 1500}


def test_the_table_has_the_old_counts_and_what_methods_took_together() -> None:
    rows = json.loads(table([OLD]).to("json"))
    lrp = next(row for row in rows if (row["model"], row["method"]) == ("cnn", "lrp"))
    assert (lrp["hits"], lrp["total"], lrp["discarded"], lrp["arithmetic"]) == (3, 4, 1, None)
    assert lrp["seconds_alone_per_document"] is None
    assert lrp["seconds_together_per_document"] == pytest.approx(0.012971434000064619 / 5)
    assert lrp["documents_per_second"] == pytest.approx(385.4623937472982)
    decomp = next(row for row in rows if (row["model"], row["method"]) == ("cnn", "decomp"))
    assert (decomp["status"], decomp["reason"]) == ("n/a", UNSAID)
    text = table([OLD]).to("text")
    assert f"n/a: cnn: decomp ({UNSAID})" in text
    assert "first_run: methods were not timed alone" in text


def test_a_report_and_a_figure_are_made_of_it() -> None:
    assert f"decomp ({UNSAID})" in report_page([OLD])
    facts = dict(protocol([("old", open_run(OLD))])[0].facts)
    assert facts["not defined for cnn on planted as hybrid[sentences=3]"] == f"decomp ({UNSAID})"
    key = open_run(OLD).items("s00")[0].key
    drawn = CliRunner().invoke(app, ["figure", str(OLD), "--document", key, "-m", "lrp"])
    assert drawn.exit_code == 0, drawn.exception
    assert "lrp" in drawn.stdout


def test_evaluate_refuses_it_in_one_line(tmp_path: Path) -> None:
    shutil.copytree(OLD, tmp_path / "run")
    play = Play(("cnn",), ("planted",), ("hybrid[sentences=3]",), ("lrp",), 5)
    with pytest.raises(InputError, match=r"is a 'whichword run 1': it can be read, not resumed; give another --out$"):
        evaluate(Spec({"cnn": str(tiny_network(tmp_path / "cnn", "cnn"))}, (play,)), tmp_path / "run")


def test_a_damaged_receipt_of_it_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(OLD, tmp_path / "run")
    receipt = tmp_path / "run/shards/p00/00000.json"
    receipt.write_text(receipt.read_text().replace('"documents": ', '"documents": 1'))
    assert verify(tmp_path / "run").damaged_shards == 1
