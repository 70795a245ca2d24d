"""A claim: words, the test that decides it, and how many of the test's outcomes must be as claimed."""

from dataclasses import dataclass

from experiments.paper.evidence import Evidence
from experiments.paper.outcomes import Decision, Quantifier
from experiments.paper.trials import Trial


@dataclass(frozen=True)
class Claim:
    """``about`` is the paragraph of the discussion (section 5.1 unless it says otherwise)."""

    key: str
    about: str
    text: str
    trial: Trial
    quantifier: Quantifier

    def decide(self, evidence: Evidence) -> Decision:
        outcomes = tuple(self.trial.outcomes(evidence))
        return Decision(self.quantifier([outcome.state for outcome in outcomes]), outcomes)
