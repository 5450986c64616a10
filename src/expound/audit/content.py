"""What a text is about: its nouns, names and numbers as lemmas, by spaCy where it is installed, else by rule."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from sys import intern
from typing import TypeAlias

from expound.errors import UserError
from expound.text.spacy_pipeline import has_spacy, open_spacy
from expound.text.words import STOP_WORDS

Content: TypeAlias = Callable[[str], tuple[str, ...]]
"""A text to its content words in order, each as often as it stands there."""

BY = ("auto", "spacy", "rules")
_KINDS = frozenset(("NOUN", "PROPN", "NUM"))

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d(?:[\d,.]*\d)?")
# Common words that are no nouns; with the endings below they keep most verbs, adjectives and adverbs out.
_NO_NOUNS = frozenset(
    """
    able across actually add again against ago allow allowed allows almost alone along already although always among
    ancient another anyone anything appear appears aren't around avoid away back bad based basically became because
    become becomes began behind believe best better big bigger black break bright bring brings broken build built buy
    call called came can't cannot carry cause caused causes certain cheap choose chosen clear close cold come comes
    coming common complete complex contain contains continue could couldn't create creates cut dark deep depend
    depends detect determine didn't different difficult doesn't don't done dont driven due early easier easily easy
    eat either else enough ensure especially etc even ever every everyone everything exactly exist exists expensive
    explain extremely fall far fast faster feel feels felt finally find first follow foreign forward found free fresh
    full furthermore gave general get gets getting give given gives go goes going gone good got great grow grows half
    happen happened happens hard harder he's hear heard held help helps hence high higher hit hold hot however huge
    i'm i've identify important improve include includes including increase increases instead involve involves is
    isn't it's itself keep keeps kept knew know known knows large larger last late later lead least leave leaves left
    less let let's lets like likely little live lives long longer look looks lose lost low lower made main mainly
    major make makes making may maybe mean means might move moves multiple must myself natural near nearly need needed
    needs never new next nothing occur occurs offer often old older open original others overall paid pay per perhaps
    physical popular possible pretty prevent prevents produce produces protect provide provides put quick quickly
    quite rather reach read ready real really receive reduce reduces refer release remain remember remove require
    required requires right run runs safe said saw say saying says secure see seek seem seems seen sell sent several
    shall she's short show shown shows similar simple simply since single slow slowly small smaller social sold
    someone something sometimes soon special spend start started starts stay still stop stops strong stuck sure take
    taken takes taking tell tend tends thank that's themselves there's therefore they're thing things think third
    though thought throughout thus tiny today together told took toward towards true try trying turn turned turns
    understand unique unless unlike upon use used useful uses using usually want wanted wants warm wasn't watch we're
    well went whatever whereas whether white whole whom whose why wide within without won't worse worst wouldn't
    written wrong yes yet you'll you're young
    """.split()
)
# What mostly ends adverbs, adjectives and verbs; exceptions stand below.
_NO_NOUN_ENDINGS = re.compile(r"(?:ly|ful|ous|ible|able|ive|i[sz](?:e|ed|ing)|ify|al|ic|less|ate|ing|ed|est)$")
_NOUNS_ALL_THE_SAME = frozenset(
    """
    family supply assembly italy july vegetable table cable archive motive olive animal metal signal hospital material
    chemical capital journal rival festival music traffic topic logic republic plastic fabric magic climate state rate
    date plate debate candidate chocolate pirate king ring spring string wing building morning evening meeting training
    engineering advertising painting bed seed speed feed weed breed test forest interest
    nest chest west request contest exercise noise price promise surprise premise enterprise size prize disease
    """.split()
)
# What follows these is a noun, whatever it ends in.
_NAMES_A_THING = frozenset("a an the this that these those its his her their our my your of each every no".split())
_STANDS_BEFORE_VERBS = frozenset(
    "to can could will would may might must shall should not cannot i you he she it we they who which don't".split()
)


def content_by(name: str) -> Content:
    """The content words by that name: `spacy`, `rules`, or `auto`, which is spaCy if it is installed."""
    if name not in BY:
        raise UserError(f"no content words by {name!r}; there are: {', '.join(BY)}")
    if name == "rules" or (name == "auto" and not has_spacy()):
        return rule_content
    if not has_spacy():
        raise UserError("content words by spaCy need the extra nlp: pip install 'expound[nlp]', or use --content rules")
    return spacy_content


@lru_cache(maxsize=4096)
def rule_content(text: str) -> tuple[str, ...]:
    """Names, numbers and words that look like nouns.

    >>> rule_content("The Danube flows slowly through ten old cities.")
    ('danube', 'flow', 'ten', 'city')
    """
    found, before = [], ""
    for match in _WORD.finditer(text):
        word = match.group()
        # At the start of a sentence the word before belongs to another one.
        if _is_content(word, "" if _opens_sentence(text, match.start()) else before):
            found.append(_lemma(word))
        before = word.lower()
    return tuple(found)


# Tagging is slow, and every passage is looked at several times.
@lru_cache(maxsize=20_000)
def spacy_content(text: str) -> tuple[str, ...]:
    """Lemmas of the words that spaCy tags as nouns, proper nouns or numbers."""
    tagged = open_spacy("parser", "ner")(text)
    return tuple(intern(token.lemma_.lower()) for token in tagged if token.pos_ in _KINDS and not token.is_space)


def content_name(content: Content) -> str:
    """How the content words were found, for the page."""
    return "spaCy" if content is spacy_content else "rules"


def content_share(content: Content, text: str, inside: Sequence[str], without: str = "") -> float:
    """Share of a text's content words that stand in other texts, but not in `without`; in percent."""
    own = content(text)
    if not own or not any(inside):
        return math.nan
    # What the question says already is no proof that the passages were used.
    there = set(chain.from_iterable(map(content, inside))) - set(content(without) if without else ())
    return 100 * sum(word in there for word in own) / len(own)


def _is_content(word: str, before: str) -> bool:
    """Whether a word is a number or looks like a noun, by itself and by the word before it."""
    lowered = word.lower().replace("’", "'")
    if word[0].isdigit():
        return True
    if lowered in STOP_WORDS or lowered in _NO_NOUNS or len(lowered) < 3:
        return False
    # A capital within a sentence is a name.
    if word[0].isupper() and before:
        return True
    if before in _STANDS_BEFORE_VERBS:
        return False
    return lowered in _NOUNS_ALL_THE_SAME or before in _NAMES_A_THING or not _NO_NOUN_ENDINGS.search(lowered)


def _opens_sentence(text: str, start: int) -> bool:
    # Past quotation marks and brackets.
    last = text[max(0, start - 3) : start].rstrip(" \"'“‘(")
    return not last or last[-1] in ".!?:\n"


def _lemma(word: str) -> str:
    """The singular of a noun, roughly."""
    lowered = word.lower().replace("’", "'").removesuffix("'s").replace(",", "")
    if len(lowered) > 4 and lowered.endswith("ies"):
        return lowered[:-3] + "y"
    if len(lowered) > 4 and lowered.endswith(("sses", "ches", "shes", "xes", "uses")):
        return lowered[:-2]
    return (
        lowered[:-1]
        if len(lowered) > 3 and lowered.endswith("s") and not lowered.endswith(("ss", "us", "is"))
        else lowered
    )
