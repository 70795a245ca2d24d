"""A use of every operation that has a rule of its own, and a twin whose ordinary gradient is what the rule says.

x is [1, 4, 6]; what is returned has the text first.
"""

import math
from collections.abc import Callable

import torch
from moving_cases import C
from torch import Tensor
from torch.nn import functional

W = torch.linspace(-2.0, 2.0, 36, dtype=torch.float64).view(6, 6).cos()
b = W[0] * 0.7
MEAN, VAR = W[1] * 0.4, W[2].square() + 0.3
KERNEL = torch.linspace(-1.0, 3.0, 6 * 4 * 3, dtype=torch.float64).view(6, 4, 3).sin()  # over the words as channels
Operation = Callable[[Tensor], Tensor]


EPS = 0.1  # large, so that nobody overlooks it


def share(z: Tensor) -> Tensor:
    """What epsilon leaves of a sum's relevance."""
    return (z / (z + EPS * torch.where(z < 0, -z.new_ones(()), z.new_ones(())))).detach()


def chord(f: Operation) -> Operation:
    """f(z)/z instead of the slope."""
    return lambda x: x * (f(x) / x).detach()


def with_epsilon(f: Operation) -> Operation:
    return lambda x: f(x) * share(f(x))


ACTIVATIONS: dict[str, Operation] = {
    "relu": lambda x: x.relu(),
    "tanh": lambda x: x.tanh(),
    "elu": lambda x: functional.elu(x),
    "selu": lambda x: functional.selu(x),
    "celu": lambda x: functional.celu(x),
    "leaky_relu": lambda x: functional.leaky_relu(x),
    "prelu": lambda x: functional.prelu(x, C[0, 0, :1].abs()),
    "threshold": lambda x: torch.threshold(x, 0.1, 0.2),
    "_threshold": lambda x: functional.threshold(x, 0.1, 0.2),
    "hardtanh": lambda x: functional.hardtanh(x, -0.3, 0.3),
    "relu6": lambda x: functional.relu6(x),
    "clamp": lambda x: x.clamp(-0.3, 0.3),
    "clamp_min": lambda x: x.clamp_min(-0.3),
    "clamp_max": lambda x: x.clamp_max(0.3),
    "clip": lambda x: x.clip(-0.3, 0.3),
    "softsign": lambda x: functional.softsign(x),
    "tanhshrink": lambda x: functional.tanhshrink(x),
    "softshrink": lambda x: functional.softshrink(x, 0.1),
    "hardshrink": lambda x: functional.hardshrink(x, 0.1),
    "erf": lambda x: x.erf(),
    "atan": lambda x: x.atan(),
    "arctan": lambda x: x.arctan(),
    "log_sigmoid": lambda x: functional.logsigmoid(x),
    "softplus": lambda x: functional.softplus(x),
    "gelu": lambda x: functional.gelu(x),
    "silu": lambda x: functional.silu(x),
    "mish": lambda x: functional.mish(x),
    "hardswish": lambda x: functional.hardswish(x),
    "sigmoid": lambda x: x.sigmoid(),
    "special_expit": lambda x: torch.special.expit(x),
    "hardsigmoid": lambda x: functional.hardsigmoid(x),
}
SUMS: dict[str, Operation] = {
    "linear": lambda x: functional.linear(x, W, b),
    "conv1d": lambda x: functional.conv1d(x, KERNEL, b),
    "conv2d": lambda x: functional.conv2d(x[:, None], KERNEL[:, None], b),
    "conv3d": lambda x: functional.conv3d(x[:, None, None], KERNEL[:, None, None], b),
    "conv_transpose1d": lambda x: functional.conv_transpose1d(x, KERNEL.transpose(0, 1), b),
    "conv_transpose2d": lambda x: functional.conv_transpose2d(x[:, None], KERNEL[None], b),
    "addmm": lambda x: torch.addmm(b, x[0], W, beta=0.5, alpha=2.0)[None],
    "addmv": lambda x: torch.addmv(b[:4], x[0], b)[None],
    "baddbmm": lambda x: torch.baddbmm(C, x, W[None]),
    "matmul": lambda x: x @ W,
    "mm": lambda x: torch.mm(x[0], W)[None],
    "bmm": lambda x: torch.bmm(x, W[None]),
    "mv": lambda x: torch.mv(x[0], b)[None],
    "dot": lambda x: torch.dot(x[0, 0], b)[None],
    "inner": lambda x: torch.inner(x, W),
    "einsum": lambda x: torch.einsum("npe,ef->npf", x, W),
    "tensordot": lambda x: torch.tensordot(x, W, dims=1),
}


def norm(x: Tensor) -> Tensor:
    scale = (x.var(-1, unbiased=False, keepdim=True) + 1e-5).rsqrt().detach()
    return (x - x.mean(-1, keepdim=True)) * scale * W[1] + b


def rms(x: Tensor) -> Tensor:
    return x * (x.square().mean(-1, keepdim=True) + 1e-3).rsqrt().detach() * W[1]


def pooled(x: Tensor) -> Tensor:
    """The first of all that reach the maximum, in windows of two."""
    pairs = x.unfold(-1, 2, 2)
    first = (pairs[..., 0] >= pairs[..., 1]).detach()
    return torch.where(first, pairs[..., 0], pairs[..., 1])


def doubled(x: Tensor) -> Tensor:
    """Every word twice: all maxima are reached twice."""
    return torch.cat([x, x], 1)


def attention(x: Tensor) -> Tensor:
    return functional.scaled_dot_product_attention(x, x, x, is_causal=True)


def attention_twin(x: Tensor) -> Tensor:
    scores = (x @ x.mT / math.sqrt(6.0)).masked_fill(torch.ones(4, 4).tril() == 0, -torch.inf)
    z = torch.softmax(scores, -1).detach() @ x
    return z * share(z)


OTHERS: dict[str, tuple[Operation, Operation]] = {
    "layer_norm": (lambda x: functional.layer_norm(x, (6,), W[1], b), norm),
    "rms_norm": (lambda x: functional.rms_norm(x, (6,), W[1], 1e-3), rms),
    "batch_norm": (
        lambda x: functional.batch_norm(x.mT, MEAN, VAR, W[1], b),
        lambda x: (x.mT - MEAN[:, None]) / (VAR[:, None] + 1e-5).sqrt() * W[1][:, None] + b[:, None],
    ),
    # where attention=attnlrp: half to each factor, and softmax by its ordinary gradient
    "softmax": (lambda x: x * x.softmax(-1), lambda x: x * x.softmax(-1) / 2),
    "max": (lambda x: doubled(x).max(1).values, lambda x: x.gather(1, x.argmax(1, keepdim=True))[:, 0]),
    "amax": (lambda x: doubled(x).amax(1), lambda x: x.gather(1, x.argmax(1, keepdim=True))[:, 0]),
    "max_pool1d": (lambda x: functional.max_pool1d(x, 2), pooled),
    "max_pool1d_with_indices": (lambda x: functional.max_pool1d(x, 2, return_indices=True)[0], pooled),
    "adaptive_max_pool1d": (lambda x: functional.adaptive_max_pool1d(x, 3), pooled),
    "adaptive_max_pool1d_with_indices": (
        lambda x: functional.adaptive_max_pool1d(x, 3, return_indices=True)[0],
        pooled,
    ),
    "max_pool2d": (lambda x: functional.max_pool2d(x[:, None], (1, 2)), pooled),
    "max_pool2d_with_indices": (lambda x: functional.max_pool2d(x[:, None], (1, 2), return_indices=True)[0], pooled),
    "adaptive_max_pool2d": (lambda x: functional.adaptive_max_pool2d(x[:, None], (4, 3)), pooled),
    "adaptive_max_pool2d_with_indices": (
        lambda x: functional.adaptive_max_pool2d(x[:, None], (4, 3), return_indices=True)[0],
        pooled,
    ),
    "mul": (lambda x: (2.0 * x) * x.sigmoid(), lambda x: 2.0 * x * x.sigmoid().detach()),
    "multiply": (lambda x: torch.multiply(x.tanh(), x), lambda x: x.tanh().detach() * x),
    "div": (lambda x: x / x.norm(), lambda x: x / x.norm().detach()),
    "divide": (lambda x: torch.divide(x, x.norm()), lambda x: x / x.norm().detach()),
    "true_divide": (lambda x: torch.true_divide(x, x.norm()), lambda x: x / x.norm().detach()),
    "glu": (lambda x: functional.glu(x), lambda x: x[..., :3] * x[..., 3:].sigmoid().detach()),
    "addcmul": (
        lambda x: torch.addcmul(C, x, x.sigmoid(), value=0.5),
        lambda x: C + 0.5 * x * x.sigmoid().detach(),
    ),
    # where a constant is weighted with it, a sigmoid is an activation
    "lerp": (
        lambda x: torch.lerp(x, C, x.sigmoid()),
        lambda x: x * (1.0 - x.sigmoid().detach()) + C * chord(torch.sigmoid)(x),
    ),
    "scaled_dot_product_attention": (attention, attention_twin),
    "normalize": (lambda x: functional.normalize(x, dim=-1), lambda x: x / x.norm(dim=-1, keepdim=True).detach()),
}
