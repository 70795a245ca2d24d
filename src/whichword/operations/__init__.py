"""Relevance rules on modules that were not written in the words of `rules`: torch's operations, in one table.

    takes      calls of torch functions, as a user's own module makes them
    gives      the same values, with another way back
    begin at   table.py (which function has which rule), calls.py (what a rule sees of a call), products.py

The module runs as it is, inside a mode that sees every call of a torch function. Nothing is patched, hooked or copied;
the mode is the thread's own and ends with the call.
"""
