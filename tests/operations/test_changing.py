"""Values that are changed in place, and code that looks at values: right or refused, never silently wrong."""

import pytest
from changing_cases import NOT_TO_BE_FOLLOWED, RIGHT
from one_operation import TEXT, check, model_of
from torch import Tensor

import whichword


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_right(name: str) -> None:
    check(RIGHT[name])


@pytest.mark.parametrize("name", NOT_TO_BE_FOLLOWED)
def test_it_is_refused(name: str) -> None:
    check(NOT_TO_BE_FOLLOWED[name])


def through_data(x: Tensor) -> Tensor:
    h = x.tanh()
    h.data.mul_(2.0)
    return h


def through_detach(x: Tensor) -> Tensor:
    h = x.tanh()
    h.detach().mul_(2.0)
    return h


@pytest.mark.parametrize("operation", [through_data, through_detach])
def test_a_change_behind_the_back_of_torch_is_found_out(operation: object) -> None:
    with pytest.raises(whichword.InputError, match="changes values behind torch's back"):
        whichword.explain(model_of(operation), [TEXT], "lrp")
