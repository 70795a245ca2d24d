"""Judges made of dice: those that see the same truth agree, those that see nothing do not."""

import numpy as np
import pytest
from experiments.correlations import STEEP, Judges, trial

from whichword.errors import InputError
from whichword.statistics.judges import Ballot, concord, correlation_interval
from whichword.statistics.summaries import leads_by_width, narrow_sibling, spearman

METHODS = tuple(f"m{i}" for i in range(8))
SKILLS = np.linspace(0.2, 0.9, len(METHODS))


def ballot(judge, skills, seed, documents=300, sources=None):
    dice = np.random.default_rng(seed)
    scores = (dice.random((documents, len(skills))) < skills).astype(float)
    scores[::7] = np.nan
    return Ballot(judge, METHODS, scores, sources or tuple(f"d{i}" for i in range(documents)))


def test_two_judges_of_one_truth_agree_and_a_third_of_the_opposite_contradicts():
    told = concord([ballot("a", SKILLS, 0), ballot("b", SKILLS, 1), ballot("c", SKILLS[::-1], 2)])
    pairs = {(pair.first, pair.second): pair for pair in told.correlations}
    assert pairs["a", "b"].value > 0.9
    assert pairs["a", "b"].interval.low > 0.8
    assert pairs["a", "c"].value < -0.9
    losses = {(loss.judge, loss.other): loss for loss in told.losses}
    assert losses["a", "b"].loss < 0.1
    assert losses["a", "c"].loss > 0.5
    assert losses["a", "c"].interval.low > 0.4


def clearly_worse(told):
    """Pairs of judges of which each one's winner is shown to lose more than .02 by the other."""
    shown = {(loss.judge, loss.other) for loss in told.losses if loss.least > 0.02}
    return {pair for pair in shown if pair[::-1] in shown}


def test_a_judge_that_cannot_tell_methods_apart_seldom_contradicts():
    """39 items and methods that are equally good: its winner is drawn by lot, and surely loses by the other judge."""
    runs = [
        concord([ballot("few", np.full(8, 0.5), 2 * seed, 39), ballot("many", SKILLS, 2 * seed + 1, 400)], 400, seed)
        for seed in range(100)
    ]
    one_way = [any(loss.judge == "few" and loss.interval.low > 0.02 for loss in told.losses) for told in runs]
    assert np.mean(one_way) > 0.5  # what was called a contradiction
    assert sum(bool(clearly_worse(told)) for told in runs) <= 10  # 5 % and two standard errors


def test_opposite_judges_contradict_each_other():
    told = concord([ballot("a", SKILLS, 0), ballot("c", SKILLS[::-1], 2)])
    assert clearly_worse(told) == {("a", "c"), ("c", "a")}
    assert all(loss.least < loss.interval.low < loss.loss for loss in told.losses)
    assert told.losses[0].best == told.losses[1].winner


def test_the_correlation_is_that_of_the_tables():
    one, two = ballot("a", SKILLS, 0), ballot("b", SKILLS[[3, 1, 2, 0, 5, 4, 7, 6]], 1)
    assert concord([one, two]).correlations[0].value == pytest.approx(spearman(one.means, two.means))


def test_the_interval_lies_round_the_value_and_holds_the_truth_where_quantiles_of_draws_do_not():
    """Judges of one truth: its rank correlation is 1, which no draw of noisy documents exceeds or often reaches."""
    steep = Judges("the same truth, steep", 1.0, (STEEP, STEEP))
    played = [trial(steep, 200, np.random.default_rng(seed)) for seed in range(40)]
    assert all(t.ours.low <= t.percentile.low <= t.percentile.high <= t.ours.high for t in played)
    assert all(t.ours.low < t.seen < t.ours.high for t in played)
    assert np.mean([t.ours.high >= t.truth for t in played]) > 0.84  # 95 % less three standard errors of 40 trials
    assert np.mean([t.percentile.high >= t.truth for t in played]) < 0.1


def test_an_interval_stays_within_one():
    drawn = np.linspace(0.1, 0.8, 1001)
    told = correlation_interval(0.75, drawn)
    assert told.high == 1.0
    assert told.low == pytest.approx(0.1175)  # as far as the lower quantile


def test_documents_of_one_source_are_drawn_together():
    """Each source twice, with equal scores: the interval is that of the sources, not narrower."""
    few = ballot("a", SKILLS, 0, documents=60)
    doubled = Ballot("a", METHODS, np.concatenate([few.scores, few.scores]), few.sources * 2)
    other = ballot("b", SKILLS, 1, documents=60)
    once, twice = (concord([first, other]).correlations[0].interval for first in (few, doubled))
    assert twice.high - twice.low == pytest.approx(once.high - once.low, abs=1e-9)


def test_judges_that_cannot_be_compared():
    with pytest.raises(InputError, match="at least two judges"):
        concord([ballot("a", SKILLS, 0)])
    empty = Ballot("e", METHODS, np.full((3, len(METHODS)), np.nan), ("x", "y", "z"))
    with pytest.raises(InputError, match="e: no document counts"):
        concord([ballot("a", SKILLS, 0), empty])
    with pytest.raises(InputError, match="at least 3 methods"):
        concord([ballot("a", SKILLS, 0), ballot("b", SKILLS, 0).over(METHODS[:2])])


def test_windows():
    assert narrow_sibling("omit_7") == "omit_1"
    assert narrow_sibling("occ_3[edges=right]") == "occ_1[edges=right]"
    assert narrow_sibling("omit_1") is None
    assert narrow_sibling("lrp") is None


def test_a_lead_by_width_is_one_over_the_same_method_with_one_word():
    dice = np.random.default_rng(0)
    narrow = (dice.random(300) < 0.5).astype(float)
    wide = np.maximum(narrow, dice.random(300) < 0.5)
    narrow[0] = wide[0] = np.nan
    leads = leads_by_width({"omit_1": narrow, "omit_7": wide, "occ_7": wide, "lrp": wide})
    assert [(lead.wide, lead.narrow) for lead in leads] == [("omit_7", "omit_1")]
    assert leads[0].over.difference == pytest.approx(np.nanmean(wide) - np.nanmean(narrow))
    assert leads_by_width({"omit_1": wide, "omit_7": wide}) == []
