"""Generated English sentences with subject-verb agreement: what comes before the verb, its tags and its subject.

Between the subject and the verb stand prepositional phrases, relative clauses (of the subject and of the object),
participles, coordinations and adverbs, before the subject other phrases and clauses: the subject is neither the first
nor the last noun. A noun between subject and verb that has the other number is an attractor.

Beside them the two forms of a verb, singular and plural, for every corpus of sentences: looked up in what the corpus
has, never guessed. A language model can be asked about a sentence only if both are known.
"""

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from whichword.corpora.building import by_content
from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.errors import SettingError
from whichword.text.places import content_key
from whichword.types import NUMBERS, Corpus, Document

_SINGULARS = {"are": "is", "were": "was", "have": "has", "do": "does"}


def with_s(word: str) -> str:
    """Spell English nouns and verbs with -s by the rules: watch -> watches, carry -> carries, annoy -> annoys."""
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return word + "es"
    return word[:-1] + "ies" if word[-1:] == "y" and word[-2:-1] not in tuple("aeou") else word + "s"


def singular_of(plural: str) -> str:
    """Return the third person of an English verb: are -> is, watch -> watches."""
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
        """Return the sentence's own form and, under the other number, the verb's most frequent form; or nothing."""
        (other,) = set(NUMBERS) - {number}
        if (verb, other) not in self._most_frequent or not _stands_alone(form):
            return {}
        forms = {number: form, other: self._most_frequent[verb, other]}
        return {name: forms[name] for name in NUMBERS}


def _stands_alone(form: str) -> bool:
    return form[:1].isalpha()


_NOUNS = """
actor artist author baker banker barber builder butcher captain carpenter client coach colleague composer cook
cousin critic customer dancer dentist designer doctor driver editor engineer expert farmer father fisherman friend
gardener guard guest guide hunter inspector judge king lawyer leader librarian manager mayor mechanic minister
mother musician neighbour nurse officer owner painter parent partner passenger patient pilot player poet policeman
priest prince prisoner professor queen reporter sailor scientist singer sister soldier student surgeon tailor
teacher tenant thief tourist trader uncle visitor waiter widow winner witness worker writer animal bear bird cat
cow dog duck eagle elephant fox frog goat goose hawk horse lion monkey mouse owl rabbit rat snake spider tiger
turtle whale wolf bag barn basket bell bench bicycle boat book bottle box bridge brush bus cabin camera candle car
castle chair church city clock cloud coat coin computer cup curtain desk door engine factory fence field flag
flower forest fountain garden gate glass hammer harbour hat hill hotel house island jacket kettle key kitchen
knife ladder lake lamp leaf letter library map market mirror mountain museum newspaper office painting palace pen
picture piano plane plate pond radio river road roof room school shelf ship shirt shop spoon statue stone store
story street table telephone tent theatre ticket tower town train tree truck umbrella valley village wall watch
wheel window wire yard
"""
_IRREGULAR = {
    "fisherman": "fishermen", "policeman": "policemen", "goose": "geese", "mouse": "mice", "thief": "thieves",
    "wolf": "wolves", "knife": "knives", "leaf": "leaves", "shelf": "shelves", "piano": "pianos", "radio": "radios",
}  # fmt: skip
_VERBS = """
accept admire annoy answer appreciate approach avoid block carry catch chase choose collect confuse consider copy
cover cross defend describe destroy discover doubt draw enjoy examine expect fear find follow forget greet guard
hate hear help hide hold ignore impress inspect invite know leave like lose love mention miss move need notice
obey observe offer own paint praise prefer protect pull push reach recognize recommend remember repair replace
require respect reward scare see sell serve surprise surround touch trust understand use visit want warn watch
welcome
"""
_ADJECTIVES = """
active ancient angry bitter brave bright broken brown busy calm careful cheap clean clever cold common cruel
curious dark deep dirty dry eager early elegant empty expensive faithful famous fast foreign fresh friendly gentle
gloomy golden great green happy heavy honest huge hungry kind large lazy little lonely long loud lucky modern
narrow noisy old pale patient plain polite poor popular pretty proud quiet rare red rich rude sad serious sharp
short shy silent silver simple slow small smart soft strange strong tall thin tired ugly warm weak wet white wide
wild wise wooden yellow young
"""
_PARTICIPLES = (
    "admired avoided covered damaged described discovered followed guarded loved owned praised protected seen"
)
_ADVERBS = """
actually always apparently certainly clearly commonly definitely finally frequently generally hardly indeed never
normally obviously often probably rarely really seldom simply sometimes still suddenly surely usually
"""
_PREPOSITIONS = "above across against around behind below beside by in inside near of on opposite outside under with"
_CONJUNCTIONS = "after although because before if since unless until when whenever while"

DETERMINERS = (*[("the", "DT")] * 5, ("my", "PRP$"), ("your", "PRP$"), ("our", "PRP$"), ("their", "PRP$"), ("no", "DT"))
NUMBERED = {  # determiners that give the number away
    "singular": (("a", "DT"), ("this", "DT"), ("that", "DT"), ("every", "DT"), ("each", "DT"), ("one", "CD")),
    "plural": (("some", "DT"), ("these", "DT"), ("those", "DT"), ("many", "JJ"), ("several", "JJ"), ("two", "CD")),
}


# (singular, plural)
NOUNS = [(noun, _IRREGULAR.get(noun, with_s(noun))) for noun in _NOUNS.split()]
VERBS = [(with_s(verb), verb) for verb in _VERBS.split()]
ADJECTIVES = _ADJECTIVES.split()
ADVERBS = _ADVERBS.split()
PREPOSITIONS = _PREPOSITIONS.split()
CONJUNCTIONS = _CONJUNCTIONS.split()
PARTICIPLES = _PARTICIPLES.split()


# N: a noun phrase; V: a verb that agrees with the last noun, W: with the last but one, B: with two nouns together;
# P: a preposition, R: a participle, C: a conjunction, A: an adverb. Other words stand for themselves.
_AFTER = {  # what may follow the subject, by its number of nouns
    1: ("P N", "P N", "P N", "that V N", "that N V", "R by N"),
    2: ("P N and N", "P N that N V", "P N that V N", "that N P N W", "that N and N B", "R by N and N"),
}
_BEFORE = (*[""] * 8, "P N ,", "P N and N ,", "C N V ,", "C N V N ,", "A ,")
_TAGS = {"that": "WDT", "by": "IN", "and": "CC", ",": ","}

Tagged = tuple[str, str]


@CORPORA.register("grammar")
@dataclass(frozen=True)
class Grammar:
    """Distinct sentences, half of them singular.

    ``none``, ``one``, ``two`` and ``three`` are the shares of sentences with 0, 1, 2 and 3 or 4 attractors.
    """

    sentences: int = 12_000
    none: float = 0.6
    one: float = 0.2
    two: float = 0.12
    three: float = 0.08
    seed: int = 0

    about: ClassVar[CorpusAbout] = CorpusAbout(source="generated by whichword", licence="none needed")

    def read(self, data: Path | None, seed: int) -> Corpus:
        """Read parts (60/20/20 %) that are chosen by a hash of the sentence; the run's seed is not used."""
        if self.sentences < 1:
            raise SettingError("corpus grammar: the number of sentences must be positive")
        if min(self.none, self.one, self.two, self.three) < 0 or self.none + self.one + self.two + self.three <= 0:
            raise SettingError("corpus grammar: the shares none, one, two, three must not be negative, nor all zero")
        documents = [_document(draft) for draft in self._drafts()]
        record = {"source": "generated", "seed": str(self.seed), "accepted": str(len(documents))}
        return Corpus("grammar", NUMBERS, *by_content(documents, (60, 20, 20)), record)

    def _drafts(self) -> Iterator["_Draft"]:
        """Draw until there are as many different sentences as asked for."""
        rng = random.Random(f"grammar {self.seed}")  # the same whatever the run's seed
        seen: set[tuple[Tagged, ...]] = set()
        for attractors in self._attractors(rng):
            for _ in range(1_000):  # a sentence that there is already is drawn again
                draft = _Draft.drawn(rng, len(seen) % 2, attractors)  # singular and plural in turn
                if tuple(draft.tagged) not in seen:
                    break
            else:
                raise SettingError(
                    f"corpus grammar: there are not {self.sentences} different sentences with these shares"
                )
            seen.add(tuple(draft.tagged))
            yield draft

    def _attractors(self, rng: random.Random) -> list[int]:
        """Return the number of attractors of each sentence: exactly the shares, in random order."""
        shares = (self.none, self.one, self.two, self.three)
        ends = [round(self.sentences * sum(shares[: n + 1]) / sum(shares)) for n in range(4)]  # sums, so none is lost
        counts = [end - start for start, end in zip([0, *ends], ends, strict=False)]
        numbers = [n if n < 3 else rng.choice((3, 3, 4)) for n, count in enumerate(counts) for _ in range(count)]
        rng.shuffle(numbers)
        return numbers


@dataclass
class _Draft:
    """A sentence in the making."""

    rng: random.Random
    attractors: int
    tagged: list[Tagged] = field(default_factory=list)
    nouns: list[int] = field(default_factory=list)  # the numbers of the nouns so far
    subject: int = -1
    number: int = -1

    @classmethod
    def drawn(cls, rng: random.Random, number: int, attractors: int) -> "_Draft":
        draft = cls(rng, attractors, number=number)
        draft.add(rng.choice(_BEFORE), (rng.randrange(2) for _ in range(9)))  # more than there are nouns
        draft.add("N", iter([number]))
        draft.subject = len(draft.tagged) - 1  # the noun ends its phrase
        draft.follow()
        draft.add("A" if rng.random() < 0.3 else "", iter([]))
        return draft

    def follow(self) -> None:
        """Add the modifiers of the subject: ``attractors`` nouns of the other number, and some of the same."""
        between = self.attractors + self.rng.choice((0, 0, 0, 1, 1, 2) if self.attractors == 0 else (0, 0, 1))
        numbers = [1 - self.number] * self.attractors + [self.number] * (between - self.attractors)
        self.rng.shuffle(numbers)
        feed = iter(numbers)
        while between:
            size = self.rng.randint(1, min(2, between))  # patterns have one noun or two
            self.add(self.rng.choice(_AFTER[size]), feed)
            between -= size

    def add(self, template: str, numbers: Iterator[int]) -> None:
        for symbol in template.split():
            if symbol == "N":
                self.nouns.append(next(numbers))
            self.tagged.extend(_MAKERS[symbol](self) if symbol in _MAKERS else [(symbol, _TAGS[symbol])])

    def phrase(self) -> list[Tagged]:
        """Draw a determiner (one in eight tells the number), adjectives and the noun."""
        number = self.nouns[-1]
        marked = self.rng.random() < 0.125
        determiners = NUMBERED[NUMBERS[number]] if marked else DETERMINERS
        adjectives = self.rng.choices(ADJECTIVES, k=self.rng.choice((0, 0, 0, 0, 1, 1, 2)))
        noun = self.rng.choice(NOUNS)[number]
        determiner, tag = self.rng.choice(determiners)
        following = (*adjectives, noun)[0]  # which "a" or "an" depends on
        if determiner == "a" and (following[0] in "aeiou" or following == "honest"):  # a silent h
            determiner = "an"
        return [(determiner, tag), *((word, "JJ") for word in adjectives), (noun, ("NN", "NNS")[number])]

    def verb(self, number: int) -> list[Tagged]:
        return [(self.rng.choice(VERBS)[number], ("VBZ", "VBP")[number])]

    def one_of(self, words: Sequence[str], tag: str) -> list[Tagged]:
        return [(self.rng.choice(words), tag)]


_MAKERS = {
    "N": lambda draft: draft.phrase(),
    "V": lambda draft: draft.verb(draft.nouns[-1]),
    "W": lambda draft: draft.verb(draft.nouns[-2]),
    "B": lambda draft: draft.verb(1),
    "P": lambda draft: draft.one_of(PREPOSITIONS, "IN"),
    "R": lambda draft: draft.one_of(PARTICIPLES, "VBN"),
    "C": lambda draft: draft.one_of(CONJUNCTIONS, "IN"),
    "A": lambda draft: draft.one_of(ADVERBS, "RB"),
}


def sentence(rng: random.Random, name: str) -> Document:
    """Draw one sentence; ``name`` goes into its key, since repetitions are not looked for."""
    return _document(_Draft.drawn(rng, rng.randrange(2), rng.choice((0, 0, 0, 1, 2, 3))), name)


def _document(draft: _Draft, *name: str) -> Document:
    words, tags = zip(*draft.tagged, strict=True)
    label = NUMBERS[draft.number]
    key = content_key(" ".join(words), label, *name)
    return Document(
        key=key,
        words=words,
        label=label,
        tags=tags,
        subject=draft.subject,
        facts={"attractors": str(draft.attractors), **_verb(key)},
    )


def _verb(key: str) -> dict[str, str]:
    """Draw the verb that comes next, by the sentence's key: the draws of sentences are not disturbed."""
    return dict(zip(NUMBERS, random.Random(key).choice(VERBS), strict=True))
