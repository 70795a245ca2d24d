"""extras/shortcuts."""
