"""The two forms of a verb, singular and plural: looked up in what a corpus has, never guessed.

A language model can be asked about a sentence only if both are known; networks that say a number need neither.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

from whichword.types import NUMBERS

_SINGULARS = {"are": "is", "were": "was", "have": "has", "do": "does"}


def with_s(word: str) -> str:
    """The regular spelling of English nouns and verbs: watch -> watches, carry -> carries, annoy -> annoys."""
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return word + "es"
    return word[:-1] + "ies" if word[-1:] == "y" and word[-2:-1] not in tuple("aeou") else word + "s"


def singular_of(plural: str) -> str:
    """The third person of an English verb: are -> is, watch -> watches."""
    return _SINGULARS.get(plural) or with_s(plural)


class VerbForms:
    """Which forms a corpus has of which verb; a sighting is (verb, number, form), ``verb`` whatever tells verbs apart.

    Forms that lean on the word before them ('s, 're) are none that may follow a space, and are not counted.
    """

    def __init__(self, sightings: Iterable[tuple[Hashable, str, str]]) -> None:
        counts: dict[tuple[Hashable, str], Counter[str]] = {}
        for verb, number, form in sightings:
            if _stands_alone(form):
                counts.setdefault((verb, number), Counter())[form] += 1
        self._most_frequent = {key: min(seen, key=lambda form: (-seen[form], form)) for key, seen in counts.items()}

    def facts(self, verb: Hashable, number: str, form: str) -> Mapping[str, str]:
        """The sentence's own form under its number, the verb's most frequent other form under the other; or nothing."""
        (other,) = set(NUMBERS) - {number}
        if (verb, other) not in self._most_frequent or not _stands_alone(form):
            return {}
        forms = {number: form, other: self._most_frequent[verb, other]}
        return {name: forms[name] for name in NUMBERS}


def _stands_alone(form: str) -> bool:
    return form[:1].isalpha()
