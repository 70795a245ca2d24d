"""playing."""
