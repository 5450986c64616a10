"""Ways to make a question ask for one answer only: phrases that the answer's own sentence and page offer.

What people add when they tell readings apart is most often a year, then the kind of work ("in the 1994 film"), a place
or the name of the page (AmbigNQ's training questions). Every phrase here stands in the evidence, whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from expound.clarify.candidates import Candidate
from expound.clarify.clauses import gap_between, words_of_answer
from expound.clarify.phrase_times import YEAR, add_time, in_the_past, iter_times, without_now
from expound.text.answer_types import expected_type, names
from expound.text.normal import normalize_answer
from expound.text.words import content_stems

_NUMBERED = re.compile(
    r"\b(?:[Ss]eason|[Ee]pisode|[Pp]art|[Vv]olume|[Cc]hapter) "
    r"(?:\d+|[IVX]+\b|one|two|three|four|five|six|seven|eight|nine|ten)\b"
)
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|final|original|\d+(?:st|nd|rd|th)) "
    r"(?:season|series|film|movie|episode|version|game|book|album)\b"
)
_BEFORE_NAME = re.compile(r"\b(?:([\w'’]+) )?(in|at|for|on|under|during) ((?:[Tt]he )?)(?=[A-Z])")
_WORKS = "film|series|album|song|novel|book|game|musical|show|movie|play"
_WORK = re.compile(rf"(?:{_WORKS}|season|band|opera|soundtrack)$", re.IGNORECASE)
_QUALIFIED = re.compile(r"(.+?) \((.+)\)")
# Of an article cut into sections: "Ann Lee - Early life" is the page on Ann Lee. What titles of 59,460 passages of
# Wikipedia have most often behind another title.
_SECTION = re.compile(
    r"(?: -)? (?:(?:Political )?[Cc]areer|Biography|(?:Early|Personal) life|Life(?: and career)?|Family|History|"
    r"Education|Death|Legacy|Background|Plot|Characters|(?:Series )?[Oo]verview|Further reading|Sources|Works|Books|"
    r"Publications|Honours|Development|Production|Reception)$"
)
# With what says nothing without it: "born 1985", the other end of "1998–2001".
_TOLD_YEARS = re.compile(r"(?:,? ?\b(?:born|died) )?\b\d{4}(?:[-–](?:\d{2}){1,2})?\b")
_WITH_COMMA = re.compile(r"([^,()]+), ([^,()]+)")
_WORK_WORD = re.compile(rf"\b(?:{_WORKS})s?\b", re.IGNORECASE)
# What has a noun behind it, so that no article may follow.
_BEFORE_NOUN = re.compile(r"\b(?:(?:the|a|an) (?:\w+ )?|many |much |what |which )$", re.IGNORECASE)
_WORK_ASKED = re.compile(
    r"\b(the) (?:(?:new|newest|latest|last|next|original|current) )?"
    r"(?=(?:(?!(?:in|of|on|at|for|to|from|first|second|third)\b)[\w'’]+ ){0,3}"
    rf"(?:{_WORKS})\b)",
    re.IGNORECASE,
)
_SEX = re.compile(r"\b((?:[Ww]om|[Mm])en['’]s)((?: [\w'’]+){1,2})")
_OPEN_END = re.compile(r"\b(?:in|on|at|of|to|from|for|with|by|about|is|are|was|were)$", re.IGNORECASE)
_WORD = re.compile(r"[\w'’-]+")
_POSSESSIVE = re.compile(r"['’]s?$")
# Words of a title that the question must have for the whole title to stand in their place.
_PIECE = 2
# Characters beyond which a phrase says nothing of the answer any more: about a clause.
_FAR = 120


@dataclass(frozen=True, slots=True)
class Phrase:
    """A question with a phrase added, and what speaks for it."""

    question: str
    way: str
    added: frozenset[str]
    """The words that the question did not have."""
    nearness: float
    """Of the phrase to the answer in their sentence, 0 to 1; 1 for what the title says."""
    is_of_title: bool = False


def phrases_for(question: str, candidate: Candidate, *, apart_from: Sequence[str] = ()) -> list[Phrase]:
    """Every way to add something of a candidate's sentence or title to the question, none of which says the answer.

    `apart_from` are other answers: what the sentence says of one of them is not said of this one.
    """
    found: dict[str, Phrase] = {}
    asked = set(normalize_answer(question).split())
    answer = set(normalize_answer(candidate.answer).split())
    own = words_of_answer(candidate.sentence.text, candidate.answer, apart_from)
    for way, said, text, place in _propose_phrases(question, candidate):
        if _contradicts(question, way, said):
            continue
        added = set(normalize_answer(said).split()) - asked
        # A phrase that says a word of the answer would give it away.
        if added and not added & answer and (place < 0 or added <= own):
            phrase = Phrase(text, way, frozenset(added), _nearness(candidate, place), is_of_title=place < 0)
            found.setdefault(normalize_answer(text), phrase)
    return list(found.values())


def _contradicts(question: str, way: str, said: str) -> bool:
    """Whether a phrase names another year, or another season or part, than the one that was asked about."""
    years, asked = YEAR.findall(said), YEAR.findall(question)
    # A whole date within the year that was asked is what makes it precise.
    if years and asked and way not in _NAMES_OF_PAGES:
        return not set(years) <= set(asked)
    is_part = way in _PARTS or _ORDINAL.fullmatch(f"{said.lower()} season") is not None
    return is_part and bool(_NUMBERED.search(question) or _ORDINAL.search(question))


def signs_of_phrase(question: str, phrase: Phrase, *, is_shared: bool) -> dict[str, float]:
    """What speaks for a phrase, as numbers by name."""
    kind = expected_type(question)
    family = "name" if phrase.way.startswith("name after") else _FAMILIES.get(phrase.way, phrase.way)
    return {
        phrase.way: 1.0,
        f"{family}, {kind} asked for": 1.0,
        f"{family}, nearness": phrase.nearness,
        # "What is the capital" asks of no year, "who sang" does.
        f"{family}, asked in the present": float(in_the_past(question) != question),
        "said of another reading too": float(is_shared),
    }


NAMING = frozenset({"qualifier", "kind of work", "fuller name", "year of the work"})
"""Ways by which a title names its page among others of the name: it was made to tell them apart."""
# Crossed with the kind that is asked for, single ways are too rare to weigh: there were 5,272 phrases in all.
_FAMILIES = {
    "year": "time",
    "date": "time",
    "title's year": "time",
    "lasting": "time",
    "span of years": "time",
    "season": "part",
    "title's season": "part",
    "year of the work": "kind",
    "fuller name": "kind",
    "women's or men's": "modifier",
    "page": "title",
    "other page": "title",
    "qualifier": "kind",
    "kind of work": "kind",
    "numbered part": "part",
    "ordinal": "part",
}

_PARTS = frozenset(way for way, family in _FAMILIES.items() if family == "part")
# The name of a page may have a year that is none of an event's: "2001: A Space Odyssey".
_NAMES_OF_PAGES = frozenset({"qualifier", "kind of work", "fuller name", "page", "other page"})

_Proposed = tuple[str, str, str, int]
"""A way, what it says, the question with it, and where it stands in the sentence, -1 for the title."""


def _propose_phrases(question: str, candidate: Candidate) -> Iterator[_Proposed]:
    yield from _of_title(question, candidate.passage.title, candidate.answer)
    sentence = candidate.sentence.text
    if expected_type(question) != "date":  # which is not told apart by a date
        for way, said, phrase, place in iter_times(sentence):
            yield way, said, _with(question, phrase, is_time=True), place
    yield from _modifiers(question, candidate)
    yield from _sexes(question, candidate)
    for match in _NUMBERED.finditer(sentence):
        part = match.group().lower()
        text = _in_place_of_new(question, part, part.split()[0], takes_article=True) or _with(question, f"in {part}")
        yield "numbered part", match.group(), text, match.start()
    for match in _ORDINAL.finditer(sentence):
        part = match.group()
        text = _in_place_of_new(question, part, part.split()[-1]) or _with(question, f"in the {part}")
        yield "ordinal", match.group(), text, match.start()
    yield from _names_after_prepositions(question, candidate)


def _of_title(question: str, title: str, answer: str) -> Iterator[_Proposed]:
    """The title's qualifier, its year, or the whole of it where the question has another name."""
    title = _SECTION.sub("", title)
    qualified = _QUALIFIED.fullmatch(title)
    name, qualifier = qualified.groups() if qualified else (title, "")
    qualifier = _shorten_qualifier(qualifier, question, answer)
    found = _find_name(name, question)
    if comma := _WITH_COMMA.fullmatch(title):
        place = _find_name(comma.group(1), question)
        if place:
            yield "qualifier", comma.group(2), question[: place.start()] + title + question[place.end() :], -1
            return
    if qualifier and found:
        yield "qualifier", qualifier, f"{question[: found.start()]}{name} ({qualifier}){question[found.end() :]}", -1
        head, shown = question[: found.start()], question[found.start() : found.end()]
        # "in the 1994 film The Lion King": not where the question has a word for it, or an article before the name.
        is_bare = head and not _WORK_WORD.search(question) and not _BEFORE_NOUN.search(head)
        if _WORK.search(qualifier) and is_bare:
            yield "kind of work", qualifier, f"{head}the {qualifier} {shown}{question[found.end() :]}", -1
    yield from _times_of_title(question, name, qualifier)
    if fuller := _with_fuller_name(question, name):
        yield "fuller name", name, fuller, -1
        return
    said, asked = normalize_answer(name).split(), set(normalize_answer(question).split())
    # A list is about no one of its entries.
    if said and not set(said) <= asked and not title.startswith("List of "):
        # A page that shares a name with the question is about what is asked; another one only speaks of it.
        is_near = bool(set(content_stems(name)) & set(content_stems(question)))
        # In brackets: "in History of the FIFA World Cup" had more points and read badly (recipes/LOG.md).
        yield "page" if is_near else "other page", name, _with(question, f"({name})"), -1


def _shorten_qualifier(qualifier: str, question: str, answer: str) -> str:
    """A title's qualifier without the year that is asked for, and without the season that the question has.

    >>> _shorten_qualifier("1998 film", "When was it released?", "13 November 1998")
    'film'
    >>> _shorten_qualifier("footballer, born 1985", "When was he born?", "1985")
    'footballer'
    """
    told = {*YEAR.findall(answer), *(part.lower() for part in _NUMBERED.findall(question))}
    kept = _NUMBERED.sub(lambda part: "" if part.group().lower() in told else part.group(), qualifier)
    without = _TOLD_YEARS.sub(lambda part: "" if told.intersection(YEAR.findall(part.group())) else part.group(), kept)
    return " ".join(without.split()).strip(" ,")


def _with_fuller_name(question: str, name: str) -> str:
    """The question with a title in the place of the piece of it that it has: "Clay Matthews Jr." for the name.

    Nothing where the title is more than a name: "History of the FIFA World Cup" says what is told of it.
    """
    words, asked = name.split(), set(normalize_answer(question).split())
    runs = ((start, end) for start in range(len(words)) for end in range(len(words), start, -1))
    # The longest piece first; a single word may be anything.
    for start, end in sorted(runs, key=lambda run: run[0] - run[1]):
        rest = [*words[:start], *words[end:]]
        found = _find_name(" ".join(words[start:end]), question)
        if len(content_stems(" ".join(words[start:end]))) < _PIECE or not rest or found is None:
            continue
        # A word of the rest that the question has elsewhere would stand there twice.
        is_name = all(word[0].isupper() or word[0].isdigit() for word in rest) and not asked & set(
            normalize_answer(" ".join(rest)).split()
        )
        text = f"{question[: found.start()]}{name}{question[found.end() :]}"
        return (without_now(text) if YEAR.search(name) else text) if is_name else ""
    return ""


def _times_of_title(question: str, name: str, qualifier: str) -> Iterator[_Proposed]:
    """The year or season of what a title names, and the year of a work before what the question calls it."""
    if work := _WORK_ASKED.search(question):
        for year in YEAR.findall(qualifier):
            text = f"{question[: work.end(1)]} {year} {question[work.end() :]}"
            yield "year of the work", year, text, -1
    # A question for a date is not told apart by one.
    if expected_type(question) == "date":
        return
    for way, said, phrase, _ in iter_times(name):
        if way in ("year", "season"):
            yield f"title's {way}", said, _with(question, phrase, is_time=True), -1


def _in_place_of_new(question: str, part: str, noun: str, *, takes_article: bool = False) -> str:
    """The question with "the new season" told: "the third season", "season 3"; nothing if it does not ask so."""
    # "Of season 3 of the series": a numbered part has no article.
    article = r"(?:\bthe )?" if takes_article else ""
    asked = re.compile(rf"{article}\b(?:new|newest|latest|last|next|current|this) {noun}\b(?! \d)", re.IGNORECASE)
    return asked.sub(part, question, count=1) if asked.search(question) else ""


def _find_name(name: str, question: str) -> re.Match[str] | None:
    """Where a name stands in a question, in any case and with any punctuation: people type neither."""
    words = r"\W+".join(map(re.escape, re.findall(r"\w+", name)))
    return re.search(rf"\b{words}\b(?! \()", question, re.IGNORECASE) if words else None


def _modifiers(question: str, candidate: Candidate) -> Iterator[_Proposed]:
    """A word beside one of the question's own words: "young Simba", "married informally"."""
    words = list(_WORD.finditer(candidate.sentence.text))
    ahead = ["", *(word.group() for word in words)]
    for (before, after), earlier in zip(pairwise(words), ahead, strict=False):
        if after.group().endswith("ly") and _may_modify(after.group()) and _stands(before.group(), question):
            text = _beside(question, before.group(), f"{{}} {after.group()}")
            yield "modifier", after.group(), text, after.start()
        # "At sea level water boils": what ends a name of two words is no word of the next.
        if _may_modify(before.group()) and not _may_modify(earlier) and _stands(after.group(), question, free=True):
            text = _beside(question, after.group(), f"{before.group()} {{}}")
            yield "modifier", before.group(), text, before.start()


def _sexes(question: str, candidate: Candidate) -> Iterator[_Proposed]:
    """ "Women's" or "men's" before the words of the question that they stand before in the evidence."""
    if re.search(r"\b(?:wo)?men['’]?s?\b", question, re.IGNORECASE):
        return
    for text, is_title in ((candidate.passage.title, True), (candidate.sentence.text, False)):
        for match in _SEX.finditer(text):
            # "Men's ice hockey" says nothing of an ice age: a word that another one follows stands for both.
            found = _find_name(match.group(2), question) or _find_name(match.group(2).split()[0], question)
            follows = content_stems(question[found.end() :].partition(" ")[2].partition(" ")[0]) if found else []
            if found and (not follows or len(found.group().split()) > 1):
                said = match.group(1).lower()
                rewritten = f"{question[: found.start()]}{said} {question[found.start() :]}"
                yield "women's or men's", said, rewritten, -1 if is_title else match.start()


def _may_modify(word: str) -> bool:
    """Whether a word may tell its neighbour apart: in small letters, with content, no form of a verb or plural."""
    has_form = re.fullmatch(r"[a-z]{4,}", word) is not None and not word.endswith(("ing", "ed", "s"))
    return has_form and bool(content_stems(word))


def _stands(word: str, question: str, *, free: bool = False) -> bool:
    """Whether a word with content stands in the question; `free`, so that another fits before it.

    Not at the edge of a quotation: what is quoted stays as it is. No word goes between "light" and "bulb".
    """
    found = re.search(rf"(?:(\w+) )?(?<!\")\b{re.escape(word)}\b(?!\")", question)
    if found is None or not content_stems(word):
        return False
    # "The fastest land animal": a word fits behind a superlative.
    return not free or not found.group(1) or not content_stems(found.group(1)) or found.group(1).endswith("est")


def _beside(question: str, word: str, form: str) -> str:
    return re.sub(rf"\b{re.escape(word)}\b", lambda found: form.format(found.group()), question, count=1)


def _names_after_prepositions(question: str, candidate: Candidate) -> Iterator[_Proposed]:
    sentence = candidate.sentence.text
    for match in _BEFORE_NAME.finditer(sentence):
        before, preposition, article = match.groups(default="")
        rest = sentence[match.end() :]
        found = names(f"x {rest}")
        # "Prisoner in Disguise" is one name; the first word of a sentence has its capital from there.
        within_name = before[:1].isupper() and match.start() > 0 and not candidate.answer.endswith(before)
        if found and rest.startswith(found[0]) and not within_name:
            name = _POSSESSIVE.sub("", found[0])
            addition = f"{preposition} {article.lower()}{name}"
            yield f"name after {preposition}", name, _with(question, addition), match.start(2)


def _nearness(candidate: Candidate, place: int) -> float:
    if place < 0:
        return 1.0
    answer = max(candidate.sentence.text.find(candidate.answer), 0)
    # A break counts: "in Europe in May and in Asia in August" does not say that it was in May in Asia.
    gap = gap_between(candidate.sentence.text, (answer, answer + len(candidate.answer)), (place, place))
    return 1 - min(1.0, gap / _FAR)


def _with(question: str, addition: str, *, is_time: bool = False) -> str:
    """The question with an addition at its end; in brackets after a preposition: "the tower it is in (in London)"."""
    asked = question.rstrip(" ?")
    if _OPEN_END.search(asked):
        return f"{asked} ({addition.strip('()')})?"
    return f"{add_time(asked, addition) if is_time else f'{asked} {addition}'}?"
