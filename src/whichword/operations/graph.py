"""The last look before relevance goes back: every node between the score and the word vectors is linear, or ours.

Functions that no mode sees (scripted ones, custom autograd functions, vmap) would pass the ordinary gradient on.
"""

from collections.abc import Collection
from typing import Any

from torch import Tensor

from whichword.operations.walls import NoRuleError

_LINEAR = """
    Add Sub Rsub Neg View UnsafeView ReshapeAlias Alias Transpose T Permute Movedim Expand Repeat RepeatInterleave Slice
    Select Index IndexSelect Gather Take MaskedSelect Diagonal Split SplitWithSizes UnsafeSplit Chunk Unbind Stack Cat
    Squeeze Unsqueeze Clone ToCopy Copy CopySlices AsStrided Mean Sum Cumsum MaskedFill Where ConstantPadNd Flip Roll
    Tril Triu Unfold Im2Col Col2Im Convolution SlowConv2D MkldnnConvolution AdaptiveAvgPool2D AvgPool2D IndexPut
    IndexPutImpl IndexAdd IndexCopy Scatter ScatterAdd Topk Sort NativeBatchNorm Contiguous AccumulateGrad Positive
    SliceScatter SelectScatter PackPaddedSequence Reshape Flatten Unflatten AvgPool1D
"""
_PRODUCTS = "Mul Div Mm Bmm Addmm Addbmm Baddbmm Mv Dot Matmul Linear Addcmul Einsum Addmv"
LINEAR, PRODUCTS = frozenset(_LINEAR.split()), frozenset(_PRODUCTS.split())
OURS = frozenset(["_WithSlopeBackward", "_WallBackward", "_SoftmaxGradientBackward"])


def check(s: Tensor, halved: Collection[Any] = ()) -> None:
    """Walk from s [B, K] to the word vectors; `NoRuleError` names a node that is neither linear nor ours."""
    allowed = {id(node) for node in halved}
    waiting, seen = [s.grad_fn], set()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if node.name() == "_WallBackward":
            continue  # nothing passes it
        _check_node(node, id(node) in allowed)
        waiting += [following for following, _ in node.next_functions]


def between(result: Tensor, inputs: Collection[Tensor]) -> list[Any]:
    """The nodes of one operation: from its result to, and without, those of its inputs."""
    ends = {id(tensor.grad_fn) for tensor in inputs}
    waiting, nodes = [result.grad_fn], []
    while waiting:
        node = waiting.pop()
        if node is not None and id(node) not in ends:
            nodes.append(node)
            waiting += [following for following, _ in node.next_functions]
    return nodes


def _check_node(node: Any, halved: bool) -> None:
    name = node.name()
    if name in OURS or (name == "torch::autograd::AccumulateGrad"):
        return
    kind = name.rpartition("::")[2].removesuffix("Backward").rstrip("0123456789").removesuffix("Backward")
    if kind in PRODUCTS:
        moving = sum(following is not None for following, _ in _factors(node, kind))
        if moving > 1 and not halved:
            raise NoRuleError(f"no relevance rule for a product of two values that both depend on the words ({name})")
        return
    if kind not in LINEAR and name.rpartition("::")[2] not in ("CopyBackwards", "CopySlices", "AccumulateGrad"):
        raise NoRuleError(f"no relevance rule for {name}: it was computed by something that cannot be seen into")


def _factors(node: Any, kind: str) -> list[Any]:
    """The inputs that are multiplied; what is only added comes first in addmm and the like."""
    inputs = list(node.next_functions)
    return inputs[1:] if kind.startswith(("Add", "Badd")) else inputs[:2] if kind == "Linear" else inputs
