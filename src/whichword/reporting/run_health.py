"""The health of a run's methods, from its stored relevances."""

from whichword.health.examination import Examination
from whichword.health.findings import Health
from whichword.method_names import BASELINES
from whichword.reporting.page_reading import Explained, explained
from whichword.runs.plan import Pairing
from whichword.runs.run import Prediction, Run
from whichword.types import Item


def run_health(run: Run, pairing: Pairing) -> tuple[Health, ...]:
    """Every method of the pairing; documents that failed have no relevances and say nothing."""
    examination = Examination(pairing.labels)
    items, predictions = run.items(pairing.set), run.predictions(pairing.id)
    for document in explained(run, pairing):
        item = items[document.index]
        if item.key in predictions:
            add_document(examination, document, item, predictions[item.key])
    return examination.health()


def add_document(examination: Examination, document: Explained, item: Item, prediction: Prediction) -> None:
    """Relevances may go by the words, and by the class that is explained."""
    words = [(word, prediction.predicted) for word in item.words]
    examination.add(document.phi, document.notes, prediction.seen, words)


def health_remarks(run: Run, pairing: Pairing) -> tuple[str, ...]:
    """A line per complaint, then what is no fault; baselines are as they are on purpose."""
    healths = [health for health in run_health(run, pairing) if health.method not in BASELINES]
    complaints = [f"health of {health.method}: {line}" for health in healths for line in health.complaints]
    remarks = [f"{health.method}: {remark}" for health in healths for remark in health.remarks]
    return (*(complaints or ["health: nothing suspicious in any method"]), *remarks)
