"""Our column beside the paper's."""

from made_up import column, share

from whichword.reproduction.comparison import Compared
from whichword.reproduction.options import Options

ROWS = {name: name for name in ("lrp", "occ_1", "omit_1", "last")}


def test_correlation_difference_and_cells_outside() -> None:
    result = column("C01", {"lrp": share(900), "occ_1": share(800), "omit_1": share(500), "last": share(10)})
    published = {"lrp": 0.92, "occ_1": 0.70, "omit_1": 0.71, "last": 0.9}
    one = Compared(result, published, ROWS)
    assert one.correlation == 0.5  # ranks 1 2 3 and 1 3 2; `last` is a baseline and does not count
    assert round(one.difference or 0, 6) == round((0.02 + 0.10 + 0.21) / 3, 6)
    assert one.outside == 3  # .92 is within .900 [.880 .917] when rounding is allowed for


def test_quick_is_a_tenth_but_not_too_few(tmp_path) -> None:
    quick = Options(tmp_path, tmp_path, quick=True)
    assert [quick.limit(n) for n in (116_377, 2001, 1500, 201, 200, 188)] == [11_638, 201, 200, 200, None, None]
    assert Options(tmp_path, tmp_path).limit(116_377) is None


def test_a_group_may_play_a_part_of_its_documents(tmp_path) -> None:
    full, quick = (Options(tmp_path, tmp_path, quick=quick) for quick in (False, True))
    assert [full.limit(n, 7554) for n in (27_000, 7555, 7554, 5000)] == [7554, 7554, None, None]
    assert [quick.limit(n, 7554) for n in (27_000, 7554, 1000, 150)] == [756, 756, 200, None]
