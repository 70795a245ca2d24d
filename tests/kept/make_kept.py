"""Write `relevances.npz`: every method on every kept network and document, through the public `explain`."""

from pathlib import Path

import numpy as np
from kept_cases import NETWORKS, documents, network, title

import whichword

if __name__ == "__main__":
    found: dict[str, np.ndarray] = {}
    for kind, both in NETWORKS:
        explanations = whichword.explain(network(kind, both), documents(), "all")
        name = title(kind, both)
        found[f"{name} scores"] = np.array([list(each.scores.values()) for each in explanations])
        for method in explanations[0].relevance:
            found[f"{name} {method}"] = np.concatenate([each.relevance[method] for each in explanations])
    np.savez_compressed(Path(__file__).with_name("relevances.npz"), **found)
    print(len(found), "arrays")
