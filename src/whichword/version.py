"""The version, for whoever writes it down."""

__version__ = "0.1.0"
