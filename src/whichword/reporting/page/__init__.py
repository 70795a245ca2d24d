"""The report: one HTML file that opens offline.

takes      tables and runs
gives      sections of HTML, and data that the page's scripts draw
begin at   page.py (the order of the sections), data.py (what the scripts get)
"""
