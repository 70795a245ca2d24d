"""The health of a run's methods, from its stored relevances."""

from whichword.experiment.plan import Pairing
from whichword.experiment.reading import Run
from whichword.health.examination import Examination
from whichword.health.findings import Health
from whichword.health.theorems import BASELINES
from whichword.reporting.page_reading import explained


def run_health(run: Run, pairing: Pairing) -> tuple[Health, ...]:
    """Every method of the pairing; documents that failed have no relevances and say nothing."""
    examination = Examination(pairing.labels)
    items, predictions = run.items(pairing.set), run.predictions(pairing.id)
    for document in explained(run, pairing):
        prediction = predictions.get(items[document.index].key)
        if prediction is not None:
            examination.add(document.phi, document.notes, prediction.seen)
    return examination.health()


def health_remarks(run: Run, pairing: Pairing) -> tuple[str, ...]:
    """A line per complaint; baselines are as they are on purpose."""
    ill = [health for health in run_health(run, pairing) if health.method not in BASELINES]
    lines = [f"health of {health.method}: {line}" for health in ill for line in health.complaints]
    return tuple(lines) or ("health: nothing suspicious in any method",)
