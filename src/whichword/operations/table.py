"""Torch's operations and their rules. A call's name, without underscores and aliases, is looked up; what is not here
may only become part of a weight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whichword.operations import functions, products, recurrent, sums, walls
from whichword.operations.calls import Call

Rule = Callable[[Call], Any]

_NAMES: dict[Rule, str] = {
    # linear in the one value that depends on the words, which only moves: the gradient itself
    sums.plain: """
        view reshape view_as reshape_as flatten unflatten ravel transpose permute t swapaxes swapdims movedim moveaxis
        squeeze unsqueeze expand expand_as repeat repeat_interleave tile broadcast_to narrow select split
        split_with_sizes chunk tensor_split unbind unfold getitem index_select gather take_along_dim masked_select
        diagonal flip roll tril triu mean sum cumsum topk sort get:T get:mT
        adaptive_avg_pool1d avg_pool1d adaptive_avg_pool2d avg_pool2d pad_sequence
    """,
    sums.packed: "_pack_padded_sequence _pad_packed_sequence",
    # the same value, entry by entry
    sums.same: "contiguous clone to type type_as float double half bfloat16 neg negative positive cpu",
    sums.added: "add sub subtract rsub where masked_fill index_fill",
    sums.joined: """
        cat concat concatenate stack hstack vstack dstack column_stack index_put index_add index_copy scatter
        scatter_add
    """,
    sums.padded: "pad",
    sums.written: "setitem",
    sums.copied: "copy_",
    sums.filled: "fill_ zero_",
    functions.activation: """
        relu tanh elu selu celu leaky_relu prelu threshold _threshold hardtanh relu6 clamp clamp_min clamp_max clip
        softsign tanhshrink softshrink hardshrink erf atan arctan log_sigmoid softplus
    """,
    functions.self_gated: "gelu silu mish hardswish",
    functions.sigmoid: "sigmoid special_expit hardsigmoid",
    functions.softmax: "softmax",
    functions.layer_norm: "layer_norm",
    functions.rms_norm: "rms_norm",
    functions.batch_norm: "batch_norm",
    functions.dropout: functions.DROPOUTS,
    functions.maximum: "max amax",
    functions.max_pool: """
        max_pool1d max_pool1d_with_indices adaptive_max_pool1d adaptive_max_pool1d_with_indices
        max_pool2d max_pool2d_with_indices adaptive_max_pool2d adaptive_max_pool2d_with_indices
    """,
    products.linear: "linear conv1d conv2d conv3d conv_transpose1d conv_transpose2d",
    products.added_product: "addmm addmv baddbmm",
    products.matrix: "matmul mm bmm mv dot inner einsum tensordot",
    products.elementwise: "mul multiply",
    products.quotient: "div divide true_divide",
    products.glu: "glu",
    products.addcmul: "addcmul",
    products.lerp: "lerp",
    recurrent.sequence: "lstm gru rnn_tanh rnn_relu",
    recurrent.cell: "lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell",
    functions.attention: "scaled_dot_product_attention",
    functions.entered: "multi_head_attention_forward normalize",
    walls.number: "item",
    walls.leaves_torch: "tolist numpy py:array py:float py:int py:complex set:data",
    walls.shape_only: """
        new_zeros new_ones new_empty new_full new_tensor zeros_like ones_like empty_like full_like rand_like randn_like
        register_hook retain_grad requires_grad_
    """,
    walls.unknown: "get:data",  # a property, but one with values
}
# properties and what Python asks, where the table has nothing else to say
KINDS: dict[str, Rule] = {"get": walls.shape_only, "set": walls.shape_only, "py": walls.number}
TABLE: dict[str, Rule] = {name: rule for rule, names in _NAMES.items() for name in names.split()}


def rule_for(call: Call) -> Rule:
    """Return the rule of a call; an in-place one is the plain one, whose result is put back."""
    name = call.name
    if name in TABLE and (name.endswith("_") or not call.in_place):  # copy_ has a rule of its own
        return TABLE[name]
    kind = name.partition(":")[0]
    if kind in KINDS:
        return KINDS[kind]
    rule = TABLE.get(name.removesuffix("_"), walls.unknown)
    return (lambda changed: sums.in_place(changed, rule)) if call.in_place else rule
