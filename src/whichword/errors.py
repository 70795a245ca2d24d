"""The one error a user can cause."""


class InputError(ValueError):
    """Bad input, said in one line: the command line prints it and ends with code 2, without a traceback."""


class FailedCallError(InputError):
    """A model that is asked elsewhere gave no answer, however often it was asked; another document may fare better."""
