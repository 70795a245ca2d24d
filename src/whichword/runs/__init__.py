"""A run's folder: planned first, committed shard by shard, resumed after a kill (docs/runs.md).

    takes      a plan; shards as they are made
    gives      Run: the plan, items, predictions and relevances, verified against their receipts
    begin at   plan.py (what is computed), shards.py (how it is stored), run.py (how it is read)

Reading a run needs neither torch nor a model.
"""
