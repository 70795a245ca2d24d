"""The one error a user can cause."""


class InputError(ValueError):
    """Bad input, said in one line: the command line prints it and ends with code 2, without a traceback."""
