"""From stored relevances to hits: explain once, score many times.

takes      a Run and a pairing of it
gives      Judged: hits, ties and the most relevant word per document and method; judged/pNN.parquet and its receipt
begin at   run.py: shards come in (shard.py: arrays, each table decoded once), hits go out (hits.py) in the set's order

Interim analyses need `hits.ShardScorer` alone: the hits of one shard of an incomplete run. Reports read `ShardArrays`
too. checks.py says whether stored hits are sound, outcomes.py what decisions are made from.
"""
