"""Spell times and sizes as people write them."""


def duration(seconds: float) -> str:
    """Spell a time in two or three figures and a unit."""
    for length, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * length:  # 90 minutes say more than 1.5 hours
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1g} seconds" if 0.0 < seconds < 0.05 else f"{max(0.0, seconds):.1f} seconds"


def size(count: int) -> str:
    """Spell a number of bytes."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} bytes"
