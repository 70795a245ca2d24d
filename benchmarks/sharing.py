"""What the methods of a family share: all of them in one call of `explain`, and one by one."""

from benchmarks.tables import table_of
from benchmarks.timing import seconds
from benchmarks.workloads import FAMILIES, Workload

Sharing = dict[str, dict[str, tuple[float, float]]]  # network -> family -> seconds together, one by one


def measure(workload: Workload, turns: int) -> dict[str, tuple[float, float]]:
    """CPU seconds per document, of a quarter of the documents; the shortest of some turns."""
    quarter, families = workload.first(len(workload.texts) // 4), {}
    for family, methods in FAMILIES.items():
        if len(quarter.defined(methods)) == len(methods):
            together, alone = quarter.ours(*methods), [quarter.ours(method) for method in methods]
            times = [(seconds(together), sum(map(seconds, alone))) for _ in range(turns)]
            shortest = (min(first for first, _ in times), min(second for _, second in times))
            families[family] = (shortest[0] / len(quarter.texts), shortest[1] / len(quarter.texts))
    return families


def table(sharing: Sharing) -> str:
    rows = [
        (network, family, f"{1000 * together:.3g}", f"{1000 * alone:.3g}", f"{alone / together:.2f}")
        for network, families in sharing.items()
        for family, (together, alone) in families.items()
    ]
    return table_of(("network", "family", "together, ms", "one by one, ms", "ratio"), rows)
