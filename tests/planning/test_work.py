"""Shards of one size, by formula."""

from itertools import pairwise
from pathlib import Path

import pytest
import torch
from planted_corpus import tiny_network
from torch import nn

from whichword import wrap
from whichword.methods import MethodPlan, plan
from whichword.models.module import WORD_WEIGHTS
from whichword.networks import Network
from whichword.networks.checkpoint import load
from whichword.planning import items as item_measures
from whichword.planning.items import by_length
from whichword.planning.prepare import cuts, work
from whichword.types import Item


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Network:
    return load(tiny_network(Path(tmp_path_factory.mktemp("model")) / "lstm", "lstm"))


@pytest.fixture(scope="module")
def methods(model: Network) -> MethodPlan:
    return plan("all", model)


def test_every_document_is_in_one_shard_beside_its_neighbours_in_length() -> None:
    items = [Item(f"key{i}", ("w",) * ((7 * i) % 61)) for i in range(300)]
    rows = list(by_length(items))
    assert sorted(row for row, _ in rows) == list(range(300))
    assert all(items[row] == item for row, item in rows)
    lengths = [len(item.words) for _, item in rows]
    assert lengths == sorted(lengths)
    assert [row for row, item in rows if len(item.words) == 7] == [i for i in range(300) if (7 * i) % 61 == 7]


def test_more_than_a_window_is_put_in_order_window_by_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_measures, "WINDOW", 3)
    rows = by_length(Item(f"key{n}", ("w",) * n) for n in (5, 1, 4, 2, 9, 0, 3))
    assert [len(item.words) for _, item in rows] == [1, 4, 5, 0, 2, 9, 3]


def test_a_shard_is_full_but_not_too_full(methods: MethodPlan) -> None:
    costs, size = [work(methods, length) for length in sorted(5 + i % 40 for i in range(200))], 60_000
    groups = [costs[start:stop] for start, stop in pairwise(cuts(costs, size))]
    assert [cost for group in groups for cost in group] == costs
    assert len(groups) > 10
    assert all(sum(group) <= size for group in groups)
    assert all(sum(first) + second[0] > size for first, second in pairwise(groups))


def test_a_document_larger_than_a_shard_has_one_of_its_own_and_none_is_lost() -> None:
    assert cuts([3, 400, 500], 100) == [0, 1, 2, 3]
    assert cuts([1, 1], 100) == [0, 2]
    assert cuts([], 100) == [0]


class Wide(nn.Module):
    """Looks words up, adds them, and multiplies by 203,002 weights."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.inner, self.outer = nn.Embedding(50, 200), nn.Linear(200, 1000), nn.Linear(1000, 2)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        scores: torch.Tensor = self.outer(self.inner(self.table(ids).sum(1)))
        return scores


def test_a_word_of_a_large_module_costs_more(methods: MethodPlan) -> None:
    model = wrap(Wide().eval(), classes=("a", "b"), vocabulary=[f"w{i}" for i in range(50)])
    assert model.word_cost == 203_002 // WORD_WEIGHTS == 4
    assert work(methods, 10, 4) == 4 * (work(methods, 10) - 1) + 1


def test_windows_cost_the_square_and_passes_are_shared(model: Network) -> None:
    def cost(length: int, *names: str) -> int:
        return work(plan(names, model), length)

    assert cost(200, "omit_1") > 3 * cost(100, "omit_1")
    assert cost(200, "lrp") < 2.1 * cost(100, "lrp")
    assert cost(100, "grad_int_s_l2", "grad_1_p_dot") == cost(100, "grad_int_s_l2")
    assert cost(100, "grad_int_s_l2[steps=100]") > 1.9 * cost(100, "grad_int_s_l2")
    assert cost(100, "grad_1_s_l2") < 0.1 * cost(100, "grad_int_s_l2")
    assert cost(10, "limsse_bb", "limsse_ms_s") > 1.5 * cost(10, "limsse_bb")
