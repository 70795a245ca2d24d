"""What the methods of a family share: all of them in one go, and one by one."""

from benchmarks.timing import seconds
from benchmarks.workloads import FAMILIES, Workload

Sharing = dict[str, dict[str, tuple[float, float]]]  # network -> family -> seconds together, one by one


def measure(workload: Workload, turns: int) -> dict[str, tuple[float, float]]:
    """CPU seconds of one document; the shortest of some turns."""
    one, found = workload.first(1), {}
    for family, methods in FAMILIES.items():
        if one.defined(methods):
            together, each = one.ours(*methods), [one.ours(name) for name in methods]
            times = [(seconds(together), sum(seconds(alone) for alone in each)) for _ in range(turns)]
            found[family] = (min(a for a, _ in times), min(b for _, b in times))
    return found


def table(sharing: Sharing) -> str:
    head = ("network", "family", "together, ms", "one by one, ms", "ratio")
    rows = [
        f"| {network} | {family} | {1000 * a:.3g} | {1000 * b:.3g} | {b / a:.2f} |"
        for network, families in sharing.items()
        for family, (a, b) in families.items()
    ]
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *rows])
