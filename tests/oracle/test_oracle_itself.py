"""The oracle obeys the laws that follow from the formulas, so that agreement with it means something."""

import numpy as np
import pytest
from oracle_limsse import bb_loss, limsse_ms
from oracle_methods import METHODS, Document, perturbation
from oracle_networks import OracleNetwork, read
from oracle_propagation import Ledger, deeplift, lrp
from oracle_random import KINDS, random_arrays, random_document, random_network, windows_differ

EVERY = [*KINDS, ("linear", False)]
GATED = [pair for pair in KINDS if pair[0] != "cnn"]
LENGTHS = (1, 2, 5, 6, 13)
SIX = ("grad_1_s_dot", "grad_int_s_dot", "occ_1", "omit_1", "limsse_ms_s")


def documents(network: OracleNetwork, lengths: tuple[int, ...] = LENGTHS) -> list[Document]:
    return [Document(network, network.embed(random_document(T, seed=3)), T % 3) for T in lengths]


def every_pair(pairs: list[tuple[str, bool]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("kind", "two"), pairs)


@every_pair(EVERY)
def test_a_stack_of_documents_reads_like_each_alone(kind: str, two: bool) -> None:
    network = random_network(kind, bidirectional=two)
    stack = np.random.default_rng(0).normal(size=(4, 7, 3))
    alone = [read(network, E).s for E in stack]
    np.testing.assert_allclose(read(network, stack).s, alone, rtol=0, atol=1e-13)


@pytest.mark.parametrize(("kind", "word"), [("cnn", 3), ("qgru", 1), ("qlstm", 1)])
def test_kernel_row_0_meets_the_latest_word_that_is_seen(kind: str, word: int) -> None:
    """Row 0 multiplies e_(t+2) in the CNN and e_t in the Q-networks: at t = 1 the words 3 and 1."""
    arrays = random_arrays(kind, bias=False, E=1, H=1)
    arrays["forward.V"] = np.array([2.0, 0.0, 0.0, 0.0, 0.0]).reshape(5, 1, 1)
    E = np.zeros((5, 1))
    E[word - 1] = 1.0
    gp = read(OracleNetwork(kind, arrays), E).values[0]["gp"]
    assert [float(x[0]) for x in gp[1:]] == [2.0, 0.0, 0.0, 0.0, 0.0]


def test_the_reset_gate_is_inside_the_product_of_the_gru() -> None:
    """One step from a start of zeros, then g'_2 = V e_2 + U (r_2 * h_1) + b, written out."""
    network = random_network("gru")
    E = network.embed([4, 9])
    a, v = network.of("forward."), read(network, E).values[0]
    expected = a["V"] @ E[1] + a["U"] @ (v["r"][2] * v["h"][1]) + a["b"]
    np.testing.assert_allclose(v["gp"][2], expected, rtol=0, atol=1e-15)


def test_the_cnn_keeps_the_largest_g_and_its_first_place() -> None:
    v = read(random_network("cnn"), random_network("cnn").embed([3, 1, 4, 1, 5, 9])).values[0]
    np.testing.assert_array_equal(v["h"][0], np.stack(v["g"][1:]).max(axis=0))
    assert [v["g"][t][d] for d, t in enumerate(v["argmax"][0])] == list(v["h"][0])


@every_pair(EVERY)
def test_an_empty_document_scores_the_bias_and_explains_nothing(kind: str, two: bool) -> None:
    network = random_network(kind, bidirectional=two)
    empty = Document(network, network.embed([]), 1)
    np.testing.assert_array_equal(read(network, empty.E).s, network.arrays["readout_b"])
    defined = [m for name, m in METHODS.items() if name != "decomp" or kind not in ("cnn", "linear")]
    assert all(m(empty).shape == (0,) for m in defined)


@every_pair(EVERY)
@pytest.mark.parametrize("epsilon", [1e-3, 1e-6])
def test_lrp_balances(kind: str, two: bool, epsilon: float) -> None:
    for x in documents(random_network(kind, bidirectional=two)):
        phi, ledger = lrp(x.network, x.E, x.k, epsilon)
        assert phi.sum() + ledger.bias_share + ledger.epsilon_share == pytest.approx(x.s, abs=1e-10)
        assert ledger.bias_share != 0.0
        assert ledger.epsilon_share != 0.0


@pytest.mark.parametrize(("total", "quotient"), [(-2.0, -0.4), (2.0, 0.4), (0.0, 2.0)])
def test_esign_pushes_away_from_zero_and_is_positive_at_zero(total: float, quotient: float) -> None:
    ledger = Ledger(0.5)
    assert ledger.divide(1.0, total) == pytest.approx(quotient)


@every_pair(GATED)
def test_decomp_sums_to_the_score_without_bias(kind: str, two: bool) -> None:
    for x in documents(random_network(kind, bidirectional=two)):
        b_k = x.network.arrays["readout_b"][x.k]
        assert METHODS["decomp"](x).sum() == pytest.approx(x.s - b_k, abs=1e-12)


@every_pair(EVERY)
@pytest.mark.parametrize("output", ["s", "p"])
def test_gradients_equal_central_differences(kind: str, two: bool, output: str) -> None:
    network = random_network(kind, bidirectional=two)
    (x,) = documents(network, (7,))
    for t, d in [(0, 0), (3, 2), (6, 1)]:
        step = np.zeros_like(x.E)
        step[t, d] = 1e-5
        up, down = (getattr(read(network, x.E + sign * step), output)[x.k] for sign in (1, -1))
        assert x.grad_1[output][t, d] == pytest.approx((up - down) / 2e-5, abs=1e-6 * abs(up) + 1e-8)


@every_pair(EVERY)
def test_integrated_gradients_add_up_to_nearly_the_difference(kind: str, two: bool) -> None:
    (x,) = documents(random_network(kind, bidirectional=two), (9,))
    change = x.s - read(x.network, 0.0 * x.E).s[x.k]
    assert METHODS["grad_int_s_dot"](x).sum() == pytest.approx(change, abs=0.1 * abs(change) + 0.02)


def test_gradients_of_a_linear_network_are_known_in_closed_form() -> None:
    """With two classes p is a sigmoid of the difference; the mean runs over alpha = 1/50 .. 50/50."""
    network = OracleNetwork("linear", random_arrays("linear", K=2))
    (x,) = documents(network, (4,))  # length 4 asks for class 1
    w, b = network.arrays["w"][1] - network.arrays["w"][0], np.diff(network.arrays["readout_b"])[0]
    p = 1 / (1 + np.exp(-(np.arange(1, 51) / 50 * (x.E.sum(axis=0) @ w) + b)))
    np.testing.assert_allclose(METHODS["grad_int_p_dot"](x), x.E @ w * np.mean(p * (1 - p)), rtol=1e-12)
    np.testing.assert_allclose(METHODS["grad_1_p_dot"](x), x.E @ w * p[-1] * (1 - p[-1]), rtol=1e-12)
    np.testing.assert_allclose(METHODS["grad_1_s_l2"](x), np.linalg.norm(network.arrays["w"][1]), rtol=1e-12)


def test_every_method_of_a_linear_network_gives_the_words_own_score() -> None:
    network = random_network("linear", bias=False)
    for x in documents(network):
        scores = x.E @ network.arrays["w"][x.k]
        for name in SIX:
            np.testing.assert_allclose(METHODS[name](x), scores, rtol=0, atol=1e-10, err_msg=name)
        for tiny in (lrp(network, x.E, x.k, 1e-13)[0], deeplift(network, x.E, x.k, 1e-13)[0]):
            np.testing.assert_allclose(tiny, scores, rtol=0, atol=1e-10)


def test_lrp_is_gradient_times_input_on_a_cnn_without_bias() -> None:
    for x in documents(random_network("cnn", bias=False)):
        np.testing.assert_allclose(lrp(x.network, x.E, x.k, 1e-13)[0], METHODS["grad_1_s_dot"](x), rtol=0, atol=1e-8)


def test_deeplift_sums_to_the_difference_on_a_cnn() -> None:
    for x in documents(random_network("cnn")):
        change = x.s - read(x.network, 0.0 * x.E).s[x.k]
        assert deeplift(x.network, x.E, x.k, 1e-12)[0].sum() == pytest.approx(change, abs=1e-8)


@pytest.mark.parametrize("kind", ["lstm", "qlstm"])
def test_deeplift_rescale_differs_and_equals_lrp_where_the_reference_is_zero(kind: str) -> None:
    (x,) = documents(random_network(kind), (5,))
    assert np.abs(METHODS["deeplift"](x) - deeplift(x.network, x.E, x.k, rescale=True)[0]).max() > 1e-4
    (y,) = documents(random_network(kind, bias=False), (5,))
    for rescale in (False, True):
        np.testing.assert_allclose(
            deeplift(y.network, y.E, y.k, rescale=rescale)[0], METHODS["lrp"](y), rtol=0, atol=1e-12
        )


@pytest.mark.parametrize("kind", ["gru", "lstm", "qgru", "qlstm"])
def test_a_bidirectional_network_with_one_silent_direction_is_the_other_one(kind: str) -> None:
    both = random_arrays(kind, bidirectional=True, seed=5)
    both["w"][:, :4] = 0.0  # the read-out ignores the forward half
    single = {f"forward.{n[9:]}": a for n, a in both.items() if n.startswith("backward.")}
    single |= {"embedding": both["embedding"], "readout_b": both["readout_b"], "w": both["w"][:, 4:]}
    E = np.random.default_rng(1).normal(size=(8, 3))
    x, y = Document(OracleNetwork(kind, both, True), E, 0), Document(OracleNetwork(kind, single), E[::-1], 0)
    for name in ("decomp", "lrp", "deeplift", "grad_1_s_dot", "omit_3", "occ_7"):
        np.testing.assert_allclose(METHODS[name](x), METHODS[name](y)[::-1], rtol=0, atol=1e-12, err_msg=name)


def test_windows_longer_than_the_document_clear_it_all() -> None:
    (x,) = documents(random_network("lstm"), (3,))
    change = x.s - x.network.arrays["readout_b"][x.k]
    inner = perturbation(x, 40, occlude=False)
    assert inner[1] == pytest.approx(change * 38 / 40 + one_word_left(x), abs=1e-12)


def one_word_left(x: Document) -> float:
    """The two of the middle word's forty windows that leave the first, or the last, of three words alone."""
    return sum(x.s - read(x.network, E).s[x.k] for E in (x.E[:1], x.E[2:])) / 40


def test_edges_right_drops_what_starts_before_the_document() -> None:
    (x,) = documents(random_network("gru"), (6,))
    right = perturbation(x, 3, occlude=True, right=True)
    clipped = perturbation(x, 3, occlude=True)
    np.testing.assert_allclose(right[2:], clipped[2:], rtol=0, atol=1e-15)
    occluded = np.concatenate([np.zeros((3, 3)), x.E[3:]])
    assert right[0] == pytest.approx((x.s - read(x.network, occluded).s[x.k]) / 3, abs=1e-14)


def test_limsse_counts_are_repeated_draws() -> None:
    (x,) = documents(random_network("cnn"), (4,))
    sub = x.substrings
    draws = [(1, 1), (1, 1), (2, 3), (4, 1), (3, 2), (3, 2), (2, 1)]
    rows = [sub.spans.index(d) for d in draws]
    counts = {d: draws.count(d) for d in draws}
    from_draws = np.linalg.lstsq(sub.z[rows], sub.s[rows], rcond=None)[0]
    np.testing.assert_allclose(limsse_ms(sub, "s", counts), from_draws, rtol=0, atol=1e-12)


def test_limsse_draws_lengths_evenly_and_labels_the_first_maximum() -> None:
    (x,) = documents(random_network("lstm"), (7,))
    sub = x.substrings
    chance = dict(zip(sub.spans, sub.probability, strict=True))
    assert chance[(2, 1)] == pytest.approx(1 / 6 / 7)
    assert chance[(2, 6)] == pytest.approx(1 / 6 / 2)
    label = [float(read(x.network, x.E[a - 1 : a - 1 + n]).f == x.k) for a, n in sub.spans]
    assert list(sub.label) == label


@every_pair(KINDS)
def test_limsse_bb_is_a_minimum(kind: str, two: bool) -> None:
    for x in documents(random_network(kind, bidirectional=two), (1, 13)):
        sub = x.substrings
        v, weights = METHODS["limsse_bb"](x), sub.probability * 3000
        assert sub.probability.sum() == pytest.approx(1.0, abs=1e-14)
        residual = sub.z.T @ (weights * (1 / (1 + np.exp(-sub.z @ v)) - sub.label)) + v
        assert np.abs(residual).max() < 1e-10
        moved = v + 1e-3 * np.random.default_rng(0).normal(size=x.T)
        assert bb_loss(sub, weights, moved) > bb_loss(sub, weights, v)


def test_repeated_windows_are_noticed() -> None:
    assert windows_differ([1, 1, 1, 1, 1])
    assert not windows_differ([1, 1, 1, 1, 1, 1])
