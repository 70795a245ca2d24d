"""One answer for several decisions, or none."""

from decision_cases import first_hits

from whichword.statistics import for_all
from whichword.statistics.decision import decide

COSTS = {"a": 1.0, "b": 0.1, "c": 0.5}
A = decide(first_hits({"a": 950, "b": 600, "c": 600}, 1000), COSTS)
B = decide(first_hits({"a": 600, "b": 950, "c": 600}, 1000), COSTS)
BOTH = decide(first_hits({"a": 950, "b": 949, "c": 600}, 1000), COSTS)
NOTHING = decide(first_hits({"a": 20, "b": 20, "c": 20}), COSTS)


def test_one_decision_is_itself():
    assert for_all([A], COSTS) is A


def test_the_same_method_everywhere():
    both = for_all([A, A], COSTS)
    assert (both.status, both.choice, both.group) == ("decided", "a", ("a",))
    assert both.avoid == ("b", "c")


def test_a_method_that_is_good_in_both():
    both = for_all([BOTH, A], COSTS)
    assert (both.status, both.choice, both.group) == ("tied", "a", ("a",))
    assert both.avoid == ("c",)  # b is in the group of one of them


def test_methods_that_contradict_each_other_are_no_choice():
    apart = for_all([A, B], COSTS)
    assert (apart.status, apart.choice, apart.group, apart.needed) == ("undecided", None, (), None)
    assert apart.avoid == ("c",)


def test_a_model_that_shows_nothing_is_no_reason_to_name_a_method_for_it():
    assert for_all([A, NOTHING], COSTS).choice is None
