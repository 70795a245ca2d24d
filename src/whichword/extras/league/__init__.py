"""The league: frozen suites of documents and models on which anybody's methods can be ranked, and checked by others."""
