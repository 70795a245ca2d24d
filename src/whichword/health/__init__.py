"""The health of methods: what is suspicious about relevances themselves, whatever game they play.

`examination` looks at relevances alone, as a run has them; `checkup` asks a model too.
"""
