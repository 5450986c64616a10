"""What kind of short answer a question asks for, and the strings of that kind in a sentence."""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import Literal

AnswerType = Literal["person", "place", "date", "number", "name", "explanation"]

MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})"
DATE = re.compile(
    rf"\b(?:\d{{1,2}} {MONTH}(?:,? {_YEAR})?|{MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,? {_YEAR})?|{MONTH},? {_YEAR}"
    rf"|(?:early|mid|late|spring|summer|autumn|fall|winter)[ -](?:of )?{_YEAR}s?|{_YEAR}s?\b"
    r"|\d{1,2}(?:st|nd|rd|th) century)"
)
_NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen"
)
_NUMBER = re.compile(
    rf"(?<![\w.])[$£€]?\d[\d,]*(?:\.\d+)?(?:[ -](?:hundred|thousand|million|billion|trillion|percent|%))?%?(?![\w])"
    rf"|\b(?:{_NUMBER_WORDS})(?:[- ](?:{_NUMBER_WORDS}))*\b",
    re.IGNORECASE,
)
# What may stand in lower case within a name: "Leonardo da Vinci", "Earl of Sandwich".
_CONNECTORS = "of|of the|de|de la|da|del|della|di|du|la|le|van|van der|von|der|den|al|bin|ibn|y|zo|&"
_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĴĶĹĻĽĿŁŃŅŇŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽ"
_CAPITAL = rf"(?:[a-z]?[{_UPPER}][\w’'.-]*[\w]|[{_UPPER}]\.|[{_UPPER}]{{1,3}})"
_NAME = re.compile(rf"(?<!\w){_CAPITAL}(?:(?: (?:{_CONNECTORS}))? (?:{_CAPITAL}|[IVX]+\b))*")
# Words that only have a capital because a sentence begins with them.
_OPENERS = frozenset(
    """
    the a an in on at by for from with after before during since until when while although though as if however but and
    or so yet it he she they we you i his her its their our this that these those there here some many most several both
    each every all other others another one two three four five six seven eight nine ten first second third later then
    also additionally moreover furthermore thus therefore because despite among between of to not no his its
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    """.split()
)

# Capitalised words that make an institution, a work or an event of a name.
_NOT_PEOPLE = re.compile(
    r"\d|^(?:The|A|An|List|History) |^(?:King|Queen|Emperor|President|Minister) of\b|\b(?:University|College|School|"
    r"Company|Party|War|Battle|Club|Band|League|Cup|Series|Season|Award|Awards|Act|Treaty|Island|River|City|County|Park|"
    r"Museum|Bridge|Tower|Church|Records|Bowl|Team|Games|Championship|Station|Stadium|States|Kingdom|Empire|Army|Navy|"
    r"Court|Code|Law|Street|Lake|Mountain|Railway|Congress|National|Association|Fort|Book|House|Day|Music|Opera|Theatre|"
    r"Theater|Building|Center|Centre|Revolution|Movement|Society|Committee|Council|Conference|Union|Republic|Festival)\b"
)
_ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|final|last"
_VERBS = frozenset(
    "is are was were do does did has have had can could will would should kind type sort of the a".split()
)
_PLACES = "city|country|state|county|town|place|location|continent|region|island|river|street|stadium|village|nation"
_PATTERNS: tuple[tuple[AnswerType, re.Pattern[str]], ...] = (
    ("date", re.compile(r"\b(when|(what|which) (year|date|day|month|century|decade|era)|what time)\b")),
    ("number", re.compile(
        r"\b(how (many|much|long|old|tall|far|high|big|large|deep|fast|often|heavy|hot|cold|wide|few)"
        r"|what (is|was) the (number|population|percentage|amount|total|age|score|price|cost|height|length|speed"
        r"|(world|olympic|national) record|distance|temperature|depth|weight|width)"
        r"|what (percentage|number|age|episode|temperature|percent))\b")),
    ("place", re.compile(rf"\b(where|(what|which) (\w+ )?({_PLACES})|what (is|was) the (capital|birthplace))\b")),
    ("person", re.compile(r"\b(who|whom|whose|(what|which) (actor|actress|singer|player|king|queen|person))\b")),
    ("explanation", re.compile(r"\b(why|how|explain|what (makes|causes|happens|caused))\b")),
)  # fmt: skip


def expected_type(question: str) -> AnswerType:
    """The kind of short answer that a question asks for, by its question word; the earliest one decides."""
    text = question.lower()
    found = [
        (match.start(), order, kind)
        for order, (kind, pattern) in enumerate(_PATTERNS)
        if (match := pattern.search(text))
    ]
    # "How many people who …" asks for a number: the first question word decides.
    return min(found)[2] if found else "name"


def typed_strings(kind: AnswerType, sentence: str, *, context: str = "") -> list[str]:
    """The distinct strings of a kind in a sentence, in order; an explanation has none."""
    if kind == "explanation":
        return []
    if kind == "date":
        return list(dict.fromkeys(match.group() for match in DATE.finditer(sentence)))
    if kind == "number":
        # A year is a date, and no count of anything.
        return list(dict.fromkeys(match.group() for match in _NUMBER.finditer(_without_dates(sentence))))
    return names(sentence, context=context)


def number_word(number: int) -> str:
    """ "four" for 4; empty above twenty.

    >>> number_word(4), number_word(21)
    ('four', '')
    """
    # Twenty words of the list are the numbers from one to twenty.
    words = ["zero", *_NUMBER_WORDS.split("|")[:20]]
    return words[number] if number < len(words) else ""


def counted_strings(noun: str, sentence: str) -> list[str]:
    """ "season 5", "the fifth season", "Chapter IV": what a question for a numbered thing asks for."""
    # Singular and plural: "how many seasons" and "season 5".
    stem = re.escape(noun.removesuffix("s"))
    numbered = rf"\b{stem}s? (?:\d+|[IVX]+\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b)"
    ordinal = rf"\b(?:\d+(?:st|nd|rd|th)|{_ORDINALS}) {stem}\b"
    return list(dict.fromkeys(match.group() for match in re.finditer(f"{numbered}|{ordinal}", sentence, re.IGNORECASE)))


def asked_noun(question: str) -> str:
    """The noun right after what or which: "season" of "what season does …"; empty if there is none."""
    match = re.search(r"\b(?:what|which) ([a-z]+)\b", question.lower())
    return match.group(1) if match and match.group(1) not in _VERBS else ""


def names(sentence: str, *, context: str = "") -> list[str]:
    """Capitalised names in a sentence, in order; a word that only opens the sentence is not one.

    A single word that opens the sentence counts if it stands capitalised within a sentence here or in the context.
    """
    found = []
    for match in _NAME.finditer(sentence):
        name = _without_opener(match.group())
        # "May" and "Will" open sentences; "NATO" has capitals in any place.
        only_opens = match.start() == 0 and " " not in name and not name[1:2].isupper()
        if len(name) > 1 and not (only_opens and not _stands_within(name, f"{sentence} {context}")):
            found.append(name)
    return list(dict.fromkeys(found))


def _stands_within(name: str, text: str) -> bool:
    return re.search(rf"[a-z,;] {re.escape(name)}\b", text) is not None


def is_person_like(name: str) -> bool:
    """Whether a name could be a person's: two to five words, the last one capitalised, none an institution's."""
    words = name.split(" ")
    return 2 <= len(words) <= 5 and not _NOT_PEOPLE.search(name) and words[-1][:1].isupper()


def _without_opener(name: str) -> str:
    return " ".join(dropwhile(lambda word: word.lower() in _OPENERS, name.split(" ")))


def _without_dates(sentence: str) -> str:
    # Blanks of the same length: places in the sentence stay right.
    return DATE.sub(lambda match: " " * len(match.group()), sentence)
