"""Words planted into a corpus so that they alone decide: networks whose explanation is known."""
