"""Relevances that were made elsewhere: read in any of their forms, laid onto words, judged like any others."""
