"""Make a run from start to end, verify it, merge its parts.

takes      a Spec and a folder
gives      an evaluated Run; what is missing or damaged in one; parts of it merged
begin at   make.py, verify.py
"""
