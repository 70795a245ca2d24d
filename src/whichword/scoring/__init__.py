"""From stored relevances to hits: explain once, score many times.

takes      a Run and a pairing
gives      Judged: hits, ties and the most relevant word per document and method
begin at   run.py (the stored judgement or a fresh one), shard.py (one shard's arrays)
"""
