"""Runs: plan first, commit shard by shard, resume what was killed (docs/runs.md).

Reading a run (`reading`, `judging`, `checking`) needs neither torch nor a model; making one (`runner`) does.
"""
