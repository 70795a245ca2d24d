"""What is kept beside the columns: panels of judges, how often models are right, distances from a known truth."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.modern.spec import Folders, Modern, Sitting
from whichword.reporting.judges import agreement
from whichword.reporting.judges_text import as_json
from whichword.runs.run import Run
from whichword.runs.sealed import commit, sweep
from whichword.statistics.summaries import narrow_sibling


def keep_panel(modern: Modern, folders: Folders, sitting: Sitting, run: Run) -> None:
    """What `whichword agree` says of the run, and the same without windows of several words."""
    (body,), narrow = json.loads(as_json(agreement([run.folder]))), None
    shared = body["concord"]["methods"]
    single_words = [method for method in shared if narrow_sibling(method) is None]
    if 3 <= len(single_words) < len(shared):
        (narrow,) = json.loads(as_json(agreement([run.folder], set(single_words).__contains__)))
    slim = {"narrow": narrow and narrow["concord"], "documents": run.plan.sets[0].items}
    keep(modern.results, f"panels/{sitting.name}", body | slim)


def keep_right(modern: Modern, folders: Folders, sitting: Sitting, spelling: str) -> None:
    """On how many documents of the corpus's test part, of those that it takes, the model says what the label says."""
    from whichword import explain, load
    from whichword.corpora import read_corpus

    test, model = read_corpus(folders.fill(sitting.corpus), data=folders.data, seed=modern.seed).test, load(spelling)
    documents = list(islice((document for document in test if not model.refusal(document)), 400))
    explanations = explain(model, documents, "random", stream=True)
    expected = [sitting.classes.get(document.label, document.label) for document in documents]
    right = sum(explanation.target == label for explanation, label in zip(explanations, expected, strict=True))
    keep(modern.results, f"right/{sitting.name}", {"right": right, "total": len(documents)})


def keep_truth(modern: Modern, sitting: Sitting, run: Run, folder: Path) -> None:
    """How far each method is from idf(x_t) W[k, x_t] in the run's stored relevances."""
    keep(modern.results, f"truth/{sitting.name}", distances(run, folder))


def keep(folder: Path, name: str, body: Any) -> None:
    commit(folder, f"{name}.json", (json.dumps(body, indent=1, ensure_ascii=False) + "\n").encode("utf8"))
    sweep(folder)


def read_kept(folder: Path, kind: str) -> dict[str, Any]:
    """What was kept of a kind, by the sitting's name."""
    return {path.stem: json.loads(path.read_text(encoding="utf8")) for path in sorted((folder / kind).glob("*.json"))}


# ---------------------------------------------------------------------------------------------------------------------


def distances(run: Run, folder: Path) -> dict[str, dict[str, float]]:
    """Method -> mean cosine with the truth, and the share of documents with the same most relevant word."""
    (pairing,) = run.plan.pairings
    truths = dict(_truths(run, folder))
    pairs: dict[str, list[tuple[float, float]]] = {}
    for stored in run.relevances(pairing.id):
        truth = truths[stored.key]
        if np.ptp(truth) and len(stored.values):
            pairs.setdefault(stored.method, []).append((_cosine(stored.values, truth), _same(stored.values, truth)))
    means = {method: np.mean(values, 0).tolist() for method, values in pairs.items()}
    return {method: {"cosine": cosine, "same word": same} for method, (cosine, same) in means.items()}


def _truths(run: Run, folder: Path) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Key -> the share of every word in the score of the predicted class: a row of the network's embedding."""
    from whichword import load

    (pairing,) = run.plan.pairings
    network: Any = load(str(folder))
    shares = network.embedding.detach().double().numpy()  # [V, K]
    predictions = run.predictions(pairing.id)
    for item in run.items(pairing.set):
        k = network.about.classes.index(predictions[item.key].predicted)
        yield item.key, shares[network.read(item).ids, k]


def _cosine(values: NDArray[np.floating[Any]], truth: NDArray[np.float64]) -> float:
    sizes = float(np.linalg.norm(values) * np.linalg.norm(truth))
    return float(values @ truth) / sizes if sizes else 0.0


def _same(values: NDArray[np.floating[Any]], truth: NDArray[np.float64]) -> float:
    """Whether the most relevant word is one of those with the largest share."""
    return float(truth[int(np.argmax(values))] >= truth.max() - 1e-9)
