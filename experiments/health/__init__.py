"""Does health find what is wrong, and nothing where nothing is? On many models, with every own method."""
