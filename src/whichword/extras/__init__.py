"""extras."""
