"""Render for page, notebook, terminal and LaTeX, by one renderer and one escape function for each.

takes      words and relevances
gives      a heat map in HTML, LaTeX or a terminal's codes
begin at   heatmap.py (shades), escape.py (the only ways into a page or terminal)
"""
