"""extras/audit."""
