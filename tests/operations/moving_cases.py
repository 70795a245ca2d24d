"""A use of every operation that only moves or adds numbers. x is [1, 4, 6]; what is returned has the text first."""

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

C = torch.linspace(-1.0, 1.0, 24, dtype=torch.float64).view(1, 4, 6).sin() + 0.3
POSITIVE = C > 0
ROWS = torch.tensor([2, 0, 2])


def written(x: Tensor) -> Tensor:
    y = C.clone()
    y[:, 1:3] = x[:, :2]
    y[:, 3] = 0.7
    return y


def copied(x: Tensor) -> Tensor:
    y = C.clone()
    y[:, 2].copy_(x[:, 0])
    y[:, 3].copy_(C[:, 0])
    return y


def half_filled(x: Tensor) -> Tensor:
    y = x * 1.0
    y[:, 1].fill_(0.4)
    return y


def half_zeroed(x: Tensor) -> Tensor:
    y = x * 1.0
    y[:, 1].zero_()
    return y


def packed(x: Tensor) -> Tensor:
    return pack_padded_sequence(x, torch.tensor([4]), batch_first=True).data[None]


def unpacked(x: Tensor) -> Tensor:
    return pad_packed_sequence(pack_padded_sequence(x, torch.tensor([4]), batch_first=True), batch_first=True)[0]


MOVING = {
    "view": lambda x: x.view(1, 24),
    "reshape": lambda x: x.reshape(1, 24),
    "view_as": lambda x: x.view_as(C),
    "reshape_as": lambda x: x.reshape_as(C),
    "flatten": lambda x: x.flatten(1),
    "unflatten": lambda x: x.unflatten(2, (2, 3)),
    "ravel": lambda x: x.ravel()[None],
    "transpose": lambda x: x.transpose(1, 2),
    "permute": lambda x: x.permute(0, 2, 1),
    "t": lambda x: x[0].t()[None],
    "swapaxes": lambda x: x.swapaxes(1, 2),
    "swapdims": lambda x: x.swapdims(1, 2),
    "movedim": lambda x: x.movedim(2, 1),
    "moveaxis": lambda x: x.moveaxis(2, 1),
    "squeeze": lambda x: x.squeeze(0)[None],
    "unsqueeze": lambda x: x.unsqueeze(1),
    "expand": lambda x: x[:, :1].expand(1, 4, 6),
    "expand_as": lambda x: x[:, :1].expand_as(x),
    "repeat": lambda x: x.repeat(1, 2, 1),
    "repeat_interleave": lambda x: x.repeat_interleave(2, 1),
    "tile": lambda x: x.tile((1, 2, 1)),
    "broadcast_to": lambda x: x[:, :1].broadcast_to((1, 4, 6)),
    "narrow": lambda x: x.narrow(1, 1, 2),
    "select": lambda x: x.select(1, 2),
    "split": lambda x: x.split(3, 1)[0],
    "split_with_sizes": lambda x: x.split_with_sizes([1, 3], 1)[1],
    "chunk": lambda x: x.chunk(2, 2)[1],
    "tensor_split": lambda x: x.tensor_split(2, 1)[1],
    "unbind": lambda x: x.unbind(1)[2],
    "unfold": lambda x: x.unfold(1, 2, 1),
    "getitem": lambda x: x[:, 1:3],
    "index_select": lambda x: x.index_select(1, ROWS),
    "gather": lambda x: x.gather(1, torch.zeros(1, 2, 6, dtype=torch.long) + 3),
    "take_along_dim": lambda x: x.take_along_dim(torch.zeros(1, 2, 6, dtype=torch.long) + 3, 1),
    "masked_select": lambda x: x.masked_select(POSITIVE)[None],
    "diagonal": lambda x: x.diagonal(0, 1, 2),
    "flip": lambda x: x.flip(1),
    "roll": lambda x: x.roll(1, 1),
    "tril": lambda x: x.tril(),
    "triu": lambda x: x.triu(),
    "mean": lambda x: x.mean(1),
    "sum": lambda x: x.sum(1),
    "cumsum": lambda x: x.cumsum(1),
    "topk": lambda x: x.topk(2, 1).values,
    "sort": lambda x: x.sort(1).values,
    "get:T": lambda x: x[0].T[None],
    "get:mT": lambda x: x.mT,
    "adaptive_avg_pool1d": lambda x: functional.adaptive_avg_pool1d(x, 2),
    "avg_pool1d": lambda x: functional.avg_pool1d(x, 2),
    "adaptive_avg_pool2d": lambda x: functional.adaptive_avg_pool2d(x[:, None], 2),
    "avg_pool2d": lambda x: functional.avg_pool2d(x[:, None], 2),
    "_pack_padded_sequence": packed,
    "_pad_packed_sequence": unpacked,
    "pad_sequence": lambda x: pad_sequence([x[0], x[0, :2]], batch_first=True).flatten(1)[:1],
    "contiguous": lambda x: x.mT.contiguous(),
    "clone": lambda x: x.clone(),
    "to": lambda x: x.to(torch.float64, copy=True),
    "type": lambda x: x.type(torch.float64),
    "type_as": lambda x: x.type_as(C),
    "float": lambda x: x.float().double(),
    "double": lambda x: x.double(),
    "half": lambda x: x.half().double(),
    "bfloat16": lambda x: x.bfloat16().double(),
    "neg": lambda x: -x,
    "negative": lambda x: x.negative(),
    "positive": lambda x: x.positive(),
    "cpu": lambda x: x.cpu(),
}
ADDING = {
    "add": lambda x: 0.5 + x + C,
    "sub": lambda x: C - x - 0.5,
    "subtract": lambda x: torch.subtract(x, C),
    "rsub": lambda x: 1.0 - x,
    "where": lambda x: torch.where(POSITIVE, x, 0.3),
    "masked_fill": lambda x: x.masked_fill(POSITIVE, 0.6),
    "index_fill": lambda x: x.index_fill(1, ROWS[:1], 0.2),
    "cat": lambda x: torch.cat([x, C], 1),
    "concat": lambda x: torch.concat([C, x], 1),
    "concatenate": lambda x: torch.concatenate([C, x], 1),
    "stack": lambda x: torch.stack([x, C], 1),
    "hstack": lambda x: torch.hstack([x, C]),
    "vstack": lambda x: torch.vstack([x[0], C[0]])[None],
    "dstack": lambda x: torch.dstack([x, C]),
    "column_stack": lambda x: torch.column_stack([x, C]),
    "index_put": lambda x: x.index_put((torch.tensor([0]), torch.tensor([2])), C[:, 0]),
    "index_add": lambda x: x.index_add(1, ROWS, C[:, :3]),
    "index_copy": lambda x: x.index_copy(1, ROWS[:2], C[:, :2]),
    "scatter": lambda x: x.scatter(1, torch.zeros(1, 1, 6, dtype=torch.long), C[:, :1]),
    "scatter_add": lambda x: x.scatter_add(1, torch.zeros(1, 1, 6, dtype=torch.long), C[:, :1]),
    "pad": lambda x: functional.pad(x, (0, 0, 1, 0), value=0.25),
    "setitem": written,
    "copy_": copied,
    "fill_": half_filled,
    "zero_": half_zeroed,
}
