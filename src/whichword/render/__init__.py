"""One renderer for page, notebook, terminal and LaTeX, and one escape function for each of them."""
