"""The games of 2018 on the models of 2026."""
