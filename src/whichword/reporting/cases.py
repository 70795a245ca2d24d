"""What was decided: one case for every model that played a game on a corpus, all parts of the game together."""

from collections.abc import Iterator, Mapping

from whichword.games import recalled
from whichword.reporting.case import Case
from whichword.runs.plan import Pairing
from whichword.runs.run import Run
from whichword.runs.verdicts import StoredVerdict, stored_verdicts
from whichword.scoring.judged import Judged
from whichword.scoring.judging import judge
from whichword.scoring.outcomes import outcomes_of
from whichword.statistics.decision import MARGIN, Costs, Decision, decide


def judgements(run: Run) -> dict[str, Judged]:
    """All pairings, by name."""
    return {pairing.id: judge(run, pairing.id) for pairing in run.plan.pairings}


def cases_of(run: Run, name: str, judged: Mapping[str, Judged], margin: float = MARGIN) -> Iterator[Case]:
    """All cases of one run, which is called ``name``; ``judged`` by pairing."""
    stored = stored_verdicts(run.folder, run.plan.run)
    for pairing in run.plan.pairings:
        played = run.plan.set(pairing.set)
        seconds = {method: cost.seconds for method, cost in run.costs(pairing.id).items()}
        verdict = stored.get(pairing.id) or StoredVerdict(_decision(run, pairing, judged, seconds, margin), {})
        about = (name, pairing.model, run.plan.corpus_name(played), played.game)
        silent = _silent(played.game, judged[pairing.id], verdict.decision)
        yield Case(*about, verdict.decision, seconds, played.items, played.available, verdict.unplayed, silent)


def _silent(game: str, judged: Judged, decision: Decision | None) -> str:
    """A game that never decides alone, or one that would choose a method although noise does not make it fall."""
    if not recalled(game).decides:
        return f"{game} never decides: it stands beside other games"
    if decision is None or decision.choice is None:  # what would tell more is said by the decision itself
        return ""
    troubles = [noise.why for noise in judged.degraded.values()]
    return f"{game} cannot judge this model: {troubles[0]}" if troubles and all(troubles) else ""


def _decision(
    run: Run, pairing: Pairing, judged: Mapping[str, Judged], seconds: Costs, margin: float
) -> Decision | None:
    outcomes = outcomes_of(judged[pairing.id], run.items(pairing.set))
    return decide(outcomes, seconds, margin) if len(outcomes.hits) and outcomes.methods else None
