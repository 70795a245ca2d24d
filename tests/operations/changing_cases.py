"""Values that a model changes in place, in all the ways in which people do that; and code that looks at values.

What is right has a twin that changes nothing. x is [1, 4, 6].
"""

import torch
from moving_cases import C
from one_operation import Case
from ruled_cases import W, b, chord, share
from torch import Tensor
from torch.nn import functional


def linear(x: Tensor) -> Tensor:
    return functional.linear(x, W, b)


def linear_twin(x: Tensor) -> Tensor:
    return linear(x) * share(linear(x)) + (linear(x) * (1.0 - share(linear(x)))).detach()


def relu_twin(x: Tensor) -> Tensor:
    """relu(W x + b) with epsilon: the slope of the chord, and epsilon at the sum."""
    return (linear(x) > 0) * linear_twin(x)


def relu_in_place(x: Tensor) -> Tensor:
    h = linear(x)
    h.relu_()
    return h


def relu_by_place(x: Tensor) -> Tensor:
    h = linear(x)
    functional.relu(h, True)
    return h


def relu_by_name(x: Tensor) -> Tensor:
    h = linear(x)
    functional.relu(input=h, inplace=True)
    return h


def threshold_by_place(x: Tensor) -> Tensor:
    h = linear(x)
    functional.threshold(h, 0.0, 0.0, True)
    return h


def arithmetic(x: Tensor) -> Tensor:
    h = linear(x)
    h += x
    h -= 1.0
    h *= 2.0
    h /= 3.0
    h.add_(C).masked_fill_(C > 0.5, 0.25)
    return h


def arithmetic_twin(x: Tensor) -> Tensor:
    return torch.where(C > 0.5, 0.25, (linear_twin(x) + x - 1.0) * 2.0 / 3.0 + C)


def word_vectors(x: Tensor) -> Tensor:
    """The vectors themselves: what is handed out is the model's to change."""
    x *= 2.0
    x[:, 0] += 1.0
    return x


def an_input_after_use(x: Tensor) -> Tensor:
    h = torch.tanh(x)
    x += 1.0
    return h


def a_result_after_use(x: Tensor) -> Tensor:
    h = torch.relu(linear(x))
    before = h.mean(1)
    h *= 3.0
    return before


def a_view(x: Tensor) -> Tensor:
    h = linear(x)
    first = h[:, 0]
    first.relu_()
    first += 1.0
    return h


def a_view_twin(x: Tensor) -> Tensor:
    h = linear_twin(x)
    return torch.cat([relu_twin(x)[:, :1] + 1.0, h[:, 1:]], 1)


def a_view_of_a_view(x: Tensor) -> Tensor:
    h = linear(x)
    h[:, 1:][:, 0] = x[:, 0]
    return h


def into_constants(x: Tensor) -> Tensor:
    h = C.clone()
    h[:, 0] += x[:, 1]
    h[:, 2].add_(1.0)
    return h


def word_by_word(x: Tensor) -> Tensor:
    states = torch.zeros(1, 4, 6, dtype=x.dtype)
    for t in range(4):
        states[:, t] = torch.tanh(x[:, t])
    return states


def an_old_view(x: Tensor) -> Tensor:
    h = linear(x)
    first = h[:, 0]
    h.relu_()
    return first


def exp_in_place(x: Tensor) -> Tensor:
    h = linear(x)
    h.exp_()
    return h


def control_flow(x: Tensor) -> Tensor:
    h = -x if x.sum().item() > 1e6 else x
    if bool((h > 1e6).any()) or h.abs().max() > 1e6 or h.argmax().item() < 0:
        return 2.0 * h
    return h


def scaled_by_a_number(x: Tensor) -> Tensor:
    return x * (1.0 / (1.0 + x.norm().item()))


RIGHT = {
    "relu_": Case(relu_in_place, relu_twin),
    "relu(h, True)": Case(relu_by_place, relu_twin),
    "relu(input=h, inplace=True)": Case(relu_by_name, relu_twin),
    "threshold(h, 0, 0, True)": Case(threshold_by_place, relu_twin),
    "+= -= *= /=": Case(arithmetic, arithmetic_twin),
    "the word vectors": Case(word_vectors, lambda x: 2.0 * x),
    "an input after use": Case(an_input_after_use, chord(torch.tanh)),
    "a result after use": Case(a_result_after_use, lambda x: relu_twin(x).mean(1)),
    "a view": Case(a_view, a_view_twin),
    "a view of a view": Case(
        a_view_of_a_view, lambda x: torch.cat([linear_twin(x)[:, :1], x[:, :1], linear_twin(x)[:, 2:]], 1)
    ),
    "into constants": Case(into_constants, lambda x: torch.cat([x[:, 1:2] + C[:, :1], C[:, 1:]], 1)),
    "word by word": Case(word_by_word, chord(torch.tanh)),
    "rows": Case(lambda x: torch.stack([torch.tanh(row) for row in x]), chord(torch.tanh)),
    "in a dictionary": Case(lambda x: torch.cat(list({"a": x, "b": C}.values()), 1), lambda x: torch.cat([x, C], 1)),
    "control flow": Case(control_flow, lambda x: x),
    "a number as a scale": Case(scaled_by_a_number, lambda x: x / (1.0 + x.norm().detach())),
    "a mask": Case(lambda x: x * (x > 0).double(), torch.relu),
}
NOT_TO_BE_FOLLOWED = {
    "an old view": Case(an_old_view, refused=True),
    "exp_": Case(exp_in_place, refused=True),
    "a comparison that is added": Case(lambda x: x + (x > 0).double(), refused=True),
    "a position that is added": Case(lambda x: x.sum(1) + x.argmax(1).double(), refused=True),
    "a number that is added": Case(lambda x: x + (1.0 - x.sum().item()) * 2.0, refused=True),
}
