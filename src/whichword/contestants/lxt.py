"""AttnLRP of the library lxt: named, so that whoever looks for it reads why it is not here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from whichword.contestants.peer import FAMILY
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import Ruled


@METHODS.register("lxt:attnlrp", family=FAMILY)
@dataclass(frozen=True)
class LxtAttnLRP:
    """AttnLRP of lxt: never defined, because lxt changes the classes of transformers for everybody in the process."""

    foreign: ClassVar[bool] = True
    needs: ClassVar[type] = Ruled

    def refuses(self, model: Any) -> str:
        return (
            "lxt replaces functions of transformers' modules for the whole process, so every other method would be of "
            "another model; lrp[attention=attnlrp] has its rules with nothing replaced"
        )

    def explain(self, model: Any, questions: Questions) -> Answer:
        raise NotImplementedError(self.refuses(model))
