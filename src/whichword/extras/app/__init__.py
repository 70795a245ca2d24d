"""The web app: explain typed texts, change words and watch the scores, browse runs. On this machine only."""
