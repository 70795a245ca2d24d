"""Write `relevances.npz`: every method on every kept network and document, through the public `explain`."""

from pathlib import Path

import numpy as np
from kept_cases import NETWORKS, documents, network, title

import whichword

if __name__ == "__main__":
    arrays: dict[str, np.ndarray] = {}
    for kind, both in NETWORKS:
        explanations = whichword.explain(network(kind, both), documents(), "all")
        name = title(kind, both)
        arrays[f"{name} scores"] = np.array([list(explanation.scores.values()) for explanation in explanations])
        for method in explanations[0].relevance:
            arrays[f"{name} {method}"] = np.concatenate([explanation.relevance[method] for explanation in explanations])
    np.savez_compressed(Path(__file__).with_name("relevances.npz"), **arrays)
    print(len(arrays), "arrays")
