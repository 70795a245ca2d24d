"""Load torch when it is first used: that takes two seconds, and half of the commands need none of it.

What only describes a computation (a method's settings, a batch, an edit) imports torch from here; what is computing
whenever it is imported (networks, rules, training) imports torch itself.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch as torch
    from torch import Tensor as Tensor
else:

    class _Torch:
        def __getattr__(self, name: str) -> Any:
            import torch  # the import that is put off

            self.__dict__.update(vars(torch))  # from now on as quick as the module itself
            return getattr(torch, name)

    torch, Tensor = _Torch(), Any
