"""reporting/page."""
