"""Relevance rules on modules that were not written in the words of `rules`: torch's operations, in one table.

The user's own module runs as it is, inside a mode that sees every call of a torch function. Nothing is patched,
hooked or copied; the mode is the thread's own and ends with the call.
"""
