"""The plain lines of a run's progress: what the methods of a line take is what its time says."""

from whichword.cli.progress import _clock, _together
from whichword.playing.progress import Line


def test_methods_that_share_passes_are_told_as_what_they_take_together() -> None:
    lines = [Line(name, 10, 100, 200.0, 30.0) for name in ("omit_1", "omit_3", "occ_1", "occ_3")]
    assert _together(lines) == "  50 documents per second, 2:00 left: omit_1, omit_3, occ_1, occ_3"


def test_a_method_alone_and_one_that_nobody_has_measured() -> None:
    assert _together([Line("lrp", 10, 100, 200.0, 61.0)]) == "  200 documents per second, 1:01 left: lrp"
    assert _together([Line("lrp", 0, 100, None, None)]) == "  - documents per second, ? left: lrp"


def test_the_lines_add_up_to_what_is_left() -> None:
    groups = [[Line("a", 1, 2, 5.0, 12.0), Line("b", 1, 2, 5.0, 12.0)], [Line("c", 1, 2, 9.0, 36.0)]]
    assert [_together(group).split(", ")[1].split(" ")[0] for group in groups] == ["0:24", "0:36"]
    assert _clock(60.0) == "1:00"
