"""The health of methods: what is suspicious about relevances themselves, whatever game they play.

takes      relevances, and a model where one can be asked
gives      complaints: one sentence each, with the figure behind it
begin at   findings.py (what is complained about), examination.py (relevances alone), checkup.py (asks a model too)
"""
