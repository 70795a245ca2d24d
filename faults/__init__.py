"""Faults on purpose: a sample in `make test`; `make faults` tries many and writes docs/reliability.md."""

from faults.counting import count, size

__all__ = ["count", "size"]
