"""Our column beside the paper's."""

from dataclasses import replace
from pathlib import Path

from experiments.columns import save
from experiments.paper.blocks import Block, markdown
from experiments.paper.comparison import Compared
from experiments.paper.findings import readings, seeds, within_five
from experiments.paper.options import Options, Places
from experiments.paper.published import PublishedColumn
from experiments.paper.shown import Shown, read_shown
from experiments.paper.spec import Reproduction
from made_up import column, share

ROWS = {name: name for name in ("lrp", "occ_1", "omit_1", "last")}


def test_correlation_difference_and_cells_outside() -> None:
    result = column("C01", {"lrp": share(900), "occ_1": share(800), "omit_1": share(500), "last": share(10)})
    published = {"lrp": 0.92, "occ_1": 0.70, "omit_1": 0.71, "last": 0.9}
    one = Compared(result, published, ROWS)
    assert one.correlation == 0.5  # ranks 1 2 3 and 1 3 2; `last` is a baseline and does not count
    assert round(one.difference or 0, 6) == round((0.02 + 0.10 + 0.21) / 3, 6)
    assert one.outside == 3  # .92 is within .900 [.880 .917] when rounding is allowed for


def shown(results, published=None, seeds=None) -> Shown:
    spec = Reproduction({}, tuple(ROWS), (), Path("published.csv"), Path("results"))
    return Shown(spec, results, published or {}, {}, seeds or {})


def test_seeds_are_set_beside_the_interval() -> None:
    first, second, third = (
        column("C01", {"lrp": share(lrp), "occ_1": share(occ)}) for lrp, occ in ((900, 500), (800, 500), (400, 600))
    )
    published = {"C01": PublishedColumn("C01", "topic", "cnn", {"lrp": 0.6, "occ_1": 0.5})}
    (block,) = seeds(shown({"C01": first}, published, {"C01": [first, second, third]}))
    ((_, _, documents, number, deviation, largest, half, inside, correlation, each, mean),) = block.rows
    assert inside == "1, 0 of 2"  # .900 [.880 .917], .500 [.469 .531]
    assert documents == "1000 of 2000"
    assert each == "1.00 0.150; 1.00 0.100; -1.00 0.150"
    assert mean == "1.00 0.067"  # of .700 and .533
    assert (number, largest, correlation) == ("3", "0.500", "-1.00")
    assert float(deviation) == round((0.264575 + 0.057735) / 2, 3)
    assert 0.02 < float(half) < 0.03
    assert list(seeds(shown({"C01": first}))) == []


def test_seeds_are_those_of_one_kind_of_run(tmp_path: Path) -> None:
    """The kind with most seeds, a later one if there are as many; by number, the file's own first."""
    (tmp_path / "published.csv").write_text("column,game,model,method,accuracy\n")
    spec = Reproduction({}, tuple(ROWS), (), tmp_path / "published.csv", tmp_path)
    quick, full = ((True, 0), (True, 2)), ((False, 0), (False, 1))
    for name, played in {"C01": (*quick, (True, 10), *full), "C02": (*quick, *full)}.items():
        for short, seed in played:
            result = replace(column(name, {"lrp": share(100 * short + seed)}), seed=seed)
            save(result, Places(spec, Options(Path("data"), Path("out"), quick=short, seed=seed)).results)
    found = read_shown(spec, "quick", "full").seeds
    assert [one.figures["lrp"].hits for one in found["C01"]] == [100, 102, 110]
    assert [one.figures["lrp"].hits for one in found["C02"]] == [0, 1]
    assert list(read_shown(spec, "quick-seed2").seeds) == []


def test_groups_of_five_points_are_tested() -> None:
    """900 and 880 of 1,000, never alone: p < .001; 20 and 16 of 20: further away, yet p = .125."""
    near = column("C01", {"lrp": share(900), "occ_1": share(880)})
    far = column("C02", {"lrp": share(20, 20), "occ_1": share(16, 20)})
    (block,) = within_five(shown({"C01": near, "C02": far}))
    assert list(block.rows[0]) == ["C01", "lrp .90", "occ_1", "occ_1", "none"]
    assert list(block.rows[1]) == ["C02", "lrp 1.00", "none", "none", "occ_1"]


def test_a_row_of_the_paper_can_be_read_as_another_of_ours() -> None:
    """The paper has lrp over occ_3, as we have with windows dropped; and omission on the CNN as occlusion."""
    hits = {"lrp": 800, "occ_3": 900, "occ_3[edges=right]": 700, "omit_3": 850, "omit_3[edges=right]": 850}
    found = column("C01", {name: share(number) for name, number in hits.items()})
    rows = ("lrp", "occ_3", "omit_3")
    spec = Reproduction({}, rows, ("occ_3[edges=right]",), Path("published.csv"), Path("results"))
    published = PublishedColumn("C01", "topic", "cnn", {"lrp": 0.8, "occ_3": 0.6, "omit_3": 0.6})
    cnn, lstm = found, replace(found, network="lstm")
    (block,) = readings(Shown(spec, {"C01": cnn, "C02": lstm}, {"C01": published, "C02": published}, {}))
    differences = [[float(cell.split()[1]) for cell in row[1:]] for row in block.rows]
    assert differences == [[0.183, 0.183], [0.117, 0.117], [0.183, 0.183], [0.2, 0.183], [0.067, 0.117]]


def test_markdown_cells_cannot_break_the_table() -> None:
    made = markdown(Block("title", ["a"], [["grad_1_s_l2 .87 [.85 .89]"], ["x | <b>"]]))
    assert "| grad_1_s_l2 .87 [.85 .89] |" in made
    assert "| x | <b> |" not in made


def test_quick_is_a_tenth_but_not_too_few(tmp_path) -> None:
    quick = Options(tmp_path, tmp_path, quick=True)
    assert [quick.limit(n) for n in (116_377, 2001, 1500, 201, 200, 188)] == [11_638, 201, 200, 200, None, None]
    assert Options(tmp_path, tmp_path).limit(116_377) is None


def test_a_group_may_play_a_part_of_its_documents(tmp_path) -> None:
    full, quick = (Options(tmp_path, tmp_path, quick=quick) for quick in (False, True))
    assert [full.limit(n, 7554) for n in (27_000, 7555, 7554, 5000)] == [7554, 7554, None, None]
    assert [quick.limit(n, 7554) for n in (27_000, 7554, 1000, 150)] == [756, 756, 200, None]
