"""Pages of the documentation that a command writes."""
