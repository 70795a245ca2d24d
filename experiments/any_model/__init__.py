"""Models of other people's in the games: what docs/any-model.md gives figures of."""
