"""The version, in a module without imports: setup and identities read it."""

__version__ = "0.1.0"
