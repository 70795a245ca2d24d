"""In the time there is: methods play round after round, and a look after each decides who goes on.

takes      Prepared, and a number of seconds
gives      a run with as many documents per method as the time allowed
begin at   rounds.py, then levels.py (who plays next), looks.py (what was shown so far)
"""
