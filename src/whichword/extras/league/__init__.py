"""The league: frozen suites of documents and models on which methods can be ranked, and the results checked."""
