"""Torch's operations and their rules. A call's name, without underscores and aliases, is looked up; what is not here
may only become part of a weight.
"""

from collections.abc import Callable
from typing import Any

from whichword.operations import composites, products, recurrent, rules_of
from whichword.operations.calls import Call

Rule = Callable[[Call], Any]

_NAMES: dict[Rule, str] = {
    # linear in the one value that depends on the words: the gradient itself
    rules_of.plain: """
        view reshape view_as reshape_as flatten unflatten ravel transpose permute t swapaxes swapdims movedim moveaxis
        squeeze unsqueeze expand expand_as repeat repeat_interleave tile broadcast_to broadcast_tensors contiguous clone
        to type type_as float double half bfloat16 cuda cpu alias detach_copy narrow select slice split split_with_sizes
        chunk tensor_split unbind unfold fold getitem index index_select gather take_along_dim masked_select diagonal
        flip roll rot90 tril triu neg negative positive mean sum nansum cumsum pad constant_pad_nd atleast_1d atleast_2d
        atleast_3d get:T get:mT get:H get:mH hsplit vsplit dsplit squeeze_copy copy real topk sort adaptive_avg_pool1d
        avg_pool1d adaptive_avg_pool2d avg_pool2d interpolate upsample pad_sequence channel_shuffle pixel_shuffle
        _pack_padded_sequence _pad_packed_sequence index_fill
    """,
    rules_of.added: """
        add sub subtract rsub radd iadd isub where masked_fill cat concat concatenate stack hstack vstack dstack
        column_stack setitem index_put index_add index_copy scatter scatter_add
    """,
    rules_of.activation: """
        relu tanh elu selu celu leaky_relu rrelu prelu threshold hardtanh relu6 clamp clamp_min clamp_max clip softsign
        tanhshrink softshrink hardshrink erf atan arctan logsigmoid softplus
    """,
    rules_of.self_gated: "gelu silu swish mish hardswish",
    rules_of.sigmoid: "sigmoid expit hardsigmoid",
    rules_of.softmax: "softmax _softmax",
    rules_of.layer_norm: "layer_norm",
    rules_of.rms_norm: "rms_norm",
    rules_of.batch_norm: "batch_norm",
    rules_of.maximum: "max amax",
    rules_of.max_pool: "max_pool1d max_pool1d_with_indices adaptive_max_pool1d adaptive_max_pool1d_with_indices",
    rules_of.dropout: "dropout alpha_dropout feature_dropout dropout1d dropout2d dropout3d feature_alpha_dropout",
    rules_of.passive: """
        size stride dim ndimension numel nelement item tolist numpy argmax argmin argsort
        eq ne lt le gt ge isnan isinf isfinite all any equal allclose is_floating_point is_complex is_contiguous
        element_size storage_offset data_ptr is_same_size is_nonzero count_nonzero nonzero get_device is_inference
        new_zeros new_ones new_empty new_full new_tensor zeros_like ones_like empty_like full_like rand_like randn_like
        bincount searchsorted bucketize register_hook retain_grad requires_grad_ py:float py:int py:bool py:index py:len
        py:complex py:format py:repr py:str py:hash py:contains py:array
        get:shape get:dtype get:device get:ndim get:requires_grad get:is_leaf get:grad_fn get:layout get:names
        get:is_cuda get:is_sparse get:is_quantized get:is_meta get:is_mps get:is_nested get:itemsize get:nbytes
        get:is_xpu get:is_mkldnn get:is_cpu get:output_nr get:_version get:grad
    """,
    products.linear: """
        linear conv1d conv2d conv3d conv_transpose1d conv_transpose2d addmm addbmm baddbmm addmv
    """,
    products.matrix: "matmul rmatmul mm bmm mv dot vdot inner einsum tensordot chain_matmul",
    products.elementwise: "mul multiply rmul imul",
    products.quotient: "div divide true_divide truediv itruediv rdiv rtruediv",
    products.glu: "glu",
    products.addcmul: "addcmul",
    products.lerp: "lerp",
    recurrent.sequence: "lstm gru rnn_tanh rnn_relu",
    recurrent.cell: "lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell",
    composites.attention: "scaled_dot_product_attention",
    composites.entered: "multi_head_attention_forward normalize",
}
TABLE: dict[str, Rule] = {name: rule for rule, names in _NAMES.items() for name in names.split()}


def rule_for(call: Call) -> Rule:
    """The rule of a call; an in-place one is the plain one, whose result is put back."""
    name = call.name
    rule = TABLE.get(name)
    if rule is None and name.endswith("_") and name[:-1] in TABLE:
        return lambda changed: rules_of.in_place(changed, TABLE[name[:-1]])
    if rule is not None and call.kwargs.get("inplace"):
        return lambda changed: rules_of.in_place(changed, rule)
    return rule or rules_of.unknown
