"""``python -m whichword``: the command, where its folder is not on the path. It has no part in the layers."""

from importlib import import_module

if __name__ == "__main__":
    import_module("whichword.cli").main()
