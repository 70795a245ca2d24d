"""Turn what a user asks for into a plan.

takes      a Spec (models, corpora, games, methods)
gives      Prepared: sets of items, pairings of models and sets, shards, the run's identity; and what it will cost
begin at   spec.py, prepare.py
"""
