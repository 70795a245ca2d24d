"""Whole experiments, kept beside the package: what they need is `whichword` and a folder of corpora."""
