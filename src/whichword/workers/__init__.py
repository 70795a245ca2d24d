"""Who computes shards: this process, others on this machine, or Ray's.

takes      an Assignment (plan and models) and names of shards
gives      each shard in bytes, or why there is none
begin at   tasks.py (what an executor is), shard.py (how a shard is computed), processes.py (workers that may be killed)
"""
