"""Shards of one size, by formula."""

from itertools import pairwise
from pathlib import Path

import pytest
from planted_corpus import tiny_network

from whichword.experiment.work import shards, work
from whichword.methods import MethodPlan, plan
from whichword.networks import Network
from whichword.networks.checkpoint import load


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Network:
    return load(tiny_network(Path(tmp_path_factory.mktemp("model")) / "lstm", "lstm"))


@pytest.fixture(scope="module")
def methods(model: Network) -> MethodPlan:
    return plan("all", model)


def test_every_document_is_in_one_shard_beside_its_neighbours_in_length(methods: MethodPlan) -> None:
    lengths = [(7 * i) % 61 for i in range(300)]
    found = list(shards(methods, lengths, 60_000))
    assert sorted(index for group in found for index in group) == list(range(300))
    flat = [lengths[index] for group in found for index in group]
    assert flat == sorted(flat)
    assert len(found) > 10


def test_a_shard_is_full_but_not_too_full(methods: MethodPlan) -> None:
    lengths = [5 + i % 40 for i in range(200)]
    size = 60_000
    found = [[work(methods, lengths[i]) for i in group] for group in shards(methods, lengths, size)]
    assert all(sum(group) <= size for group in found)
    assert all(sum(first) + second[0] > size for first, second in pairwise(found))


def test_a_document_larger_than_a_shard_has_one_of_its_own_and_none_is_lost(methods: MethodPlan) -> None:
    assert list(shards(methods, [400, 3, 500], 10_000)) == [[1], [0], [2]]
    assert list(shards(methods, [0, 0], 10_000)) == [[0, 1]]
    assert list(shards(methods, [], 10_000)) == []


def test_windows_cost_the_square_and_passes_are_shared(model: Network) -> None:
    def cost(length: int, *names: str) -> int:
        return work(plan(names, model), length)

    assert cost(200, "omit_1") > 3 * cost(100, "omit_1")
    assert cost(200, "lrp") < 2.1 * cost(100, "lrp")
    assert cost(100, "grad_int_s_l2", "grad_1_p_dot") == cost(100, "grad_int_s_l2")
    assert cost(100, "grad_int_s_l2[steps=100]") > 1.9 * cost(100, "grad_int_s_l2")
    assert cost(100, "grad_1_s_l2") < 0.1 * cost(100, "grad_int_s_l2")
    assert cost(10, "limsse_bb", "limsse_ms_s") > 1.5 * cost(10, "limsse_bb")
