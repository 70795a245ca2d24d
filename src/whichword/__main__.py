"""``python -m whichword``: the command, where its folder is not on the path."""

from whichword.cli import main

if __name__ == "__main__":
    main()
