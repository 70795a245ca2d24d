"""Run the command as ``python -m whichword``, where its folder is not on the path."""

from importlib import import_module

if __name__ == "__main__":
    import_module("whichword.cli").main()  # by name: an import statement would put this file above all layers
