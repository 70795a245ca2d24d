"""How numbers are written: as in the paper, .87 for a share of hits."""

from whichword.statistics.intervals import Interval


def points(share: float | None) -> str:
    """.87, 1.00, -.12, or - where there is none."""
    return "-" if share is None else f"{share:.2f}".removeprefix("0").replace("-0.", "-.")


def interval(bounds: Interval | None) -> str:
    return "" if bounds is None else f"[{points(bounds.low)} {points(bounds.high)}]"


def count(hits: float) -> str:
    """Whole, or with one digit where hits are expectations."""
    return f"{hits:.0f}" if hits == int(hits) else f"{hits:.1f}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def rate(documents: float | None) -> str:
    """Documents per second: 3 digits, no exponent."""
    if documents is None:
        return "-"
    return f"{documents:.0f}" if documents >= 100 else f"{documents:.3g}"


def p_value(p: float) -> str:
    """p = .012, or p < .001."""
    return "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".", 1)
