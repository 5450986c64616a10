"""Rewrite a question so that it fits one reading only: the smallest addition that sets a reading apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from expound.clarify.candidates import Candidate
from expound.clarify.groups import JOINED
from expound.text.answer_types import DATE, expected_type, names
from expound.text.normal import normalize_answer
from expound.text.words import content_stems

_DATE_PHRASE = re.compile(
    r"\b(?:[Uu]ntil|[Aa]fter|[Ff]rom|[Ss]ince|[Bb]efore|[Ii]n|[Oo]n|[Bb]y|[Bb]etween|[Dd]uring|of)"
    rf"(?: about| early| late)? (?:the (?=\d{{4}}s))?(?:{DATE.pattern})"
    rf"(?:(?: and| to| until| –|–)(?: his \w+ on)? ?(?:{DATE.pattern}))?"
)
_PLACE_PHRASE = re.compile(r"\b(?:in|at|for|of|with|on|under) (?:the )?(?=[A-Z])")
_WORD = re.compile(r"[\w'’-]+")
_POSSESSIVE = re.compile(r"['’]s?$")
# Of a reading's sentences the first say what sets it apart; later ones are on something else.
_CANDIDATES = 4
# First only sentences nearly as sure as the best of their reading are heard, then all.
_SURE = 0.7


def rewrite_all(question: str, readings: Sequence[Sequence[Candidate]]) -> list[str | None]:
    """A question for each reading, all different; None for a reading that nothing sets apart.

    A reading is the candidates that give its answer. Additions are made only where two readings still share a
    question, the most natural kind first.
    """
    texts = [question] * len(readings)
    # Twice: a sure sentence's date beats an unsure one's title, whichever way is the more natural.
    for share in (_SURE, 0.0):
        heard = [
            [c for c in reading if c.sentence.confidence >= share * reading[0].sentence.confidence]
            for reading in readings
        ]
        # From what changes the question least and reads best to what nearly always works.
        for way in (_by_part, _by_title, _by_modifier, _by_date, _by_name, _by_subject):
            texts = _apply(way, question, texts, heard)
    seen = Counter(texts)
    # Two readings with one question tell nobody which is meant.
    return [text if seen[text] == 1 and text != question else None for text in texts]


def _apply(way: _Way, question: str, texts: Sequence[str], readings: Sequence[Sequence[Candidate]]) -> list[str]:
    """Try a way on every reading that is not yet set apart, with what its candidates say."""
    seen = Counter(texts)
    result = list(texts)
    for place, reading in enumerate(readings):
        # Only those that still share a question: an addition too many makes a question that nobody would ask.
        if seen[texts[place]] > 1 or texts[place] == question:
            # The others' best sentence stands for them: rarer ones may say anything.
            others = [other[0] for other in readings if other is not reading]
            options = (way(texts[place], candidate, others) for candidate in reading[:_CANDIDATES])
            result[place] = next((option for option in options if option), texts[place])
    return result


_Way = Callable[[str, Candidate, Sequence[Candidate]], str | None]


def _by_part(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """Of "the PM and viceroy" keep the part that this reading is about."""
    match = JOINED.search(question)
    # "the and viceroy": without content on both sides there is nothing to choose between.
    if match is None or any(not content_stems(part) for part in match.groups()):
        return None
    here = [_says(part, reading) for part in match.groups()]
    # This sentence says both or neither; then what the others say decides, by exclusion.
    if here[0] == here[1]:
        elsewhere = [any(_says(part, other) for other in others) for part in match.groups()]
        here = [not said for said in elsewhere]
    if here[0] == here[1]:
        return None
    return question[: match.start(1)] + match.group(1 if here[0] else 2) + question[match.end() :]


def _says(part: str, reading: Candidate) -> bool:
    return bool(set(content_stems(part)) & set(content_stems(reading.sentence.text)))


def _by_title(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """ "The Lion King" becomes "The Lion King (1994 film)" where titles have qualifiers."""
    # Wikipedia's two ways to qualify a title: "Mercury (planet)" and "Springfield, Illinois".
    match = re.fullmatch(r"(.+) \(.+\)|([^()]+?), [^()]+", reading.passage.title)
    if match is None or all(other.passage.title == reading.passage.title for other in others):
        return None
    name = match.group(1) or match.group(2)
    # A name that has a bracket behind it already was qualified by another way.
    found = re.search(rf"\b{re.escape(name)}\b(?! \()", question, re.IGNORECASE)
    return question[: found.start()] + reading.passage.title + question[found.end() :] if found else None


def _by_modifier(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """A word beside one of the question's own words: "young Simba", "married informally", "legally married"."""
    # What all the other readings say as well does not tell this one apart.
    elsewhere = {word for other in others for word in _WORD.findall(other.sentence.text.lower())}
    shared = {word for word in elsewhere if all(word in other.sentence.text.lower() for other in others)}
    words = _WORD.findall(reading.sentence.text)
    for place, word in enumerate(words):
        if not _is_asked(word, question):
            continue
        before, after = words[place - 1] if place else "", words[place + 1] if place + 1 < len(words) else ""
        # An answer must not stand in its own question.
        if _qualifies(before, question, shared) and before not in reading.answer and _stands_free(word, question):
            return _beside(question, word, f"{before} {{}}")
        if after.endswith("ly") and _qualifies(after, question, shared):
            return _beside(question, word, f"{{}} {after}")
    return None


def _is_asked(word: str, question: str) -> bool:
    # Not at the edge of a quotation: what is quoted stays as it is.
    return bool(content_stems(word)) and re.search(rf"(?<!\")\b{re.escape(word)}\b(?!\")", question) is not None


def _stands_free(word: str, question: str) -> bool:
    """Whether a word could be put before it: "voice of Simba", but not "light bulb"."""
    found = re.search(rf"(\w+) {re.escape(word)}\b", question)
    return found is None or not content_stems(found.group(1))


def _qualifies(word: str, question: str, shared: set[str]) -> bool:
    """Whether a word tells its neighbour apart: in lower case, with content, not said of all the other readings."""
    # Participles and plurals are mostly verbs or nouns of their own, not qualifiers.
    has_form = re.fullmatch(r"[a-z]{4,}", word) is not None and not word.endswith(("ing", "ed", "s"))
    return has_form and bool(content_stems(word)) and word not in shared and word not in question.lower()


def _beside(question: str, word: str, form: str) -> str:
    found = re.search(rf"\b{re.escape(word)}\b", question)
    assert found is not None
    return question[: found.start()] + form.format(found.group()) + question[found.end() :]


def _by_date(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """ "…, until 2 August 1830?"; a question for a date is not told apart by one."""
    # "When did it open, in 1932?" gives the answer away.
    if expected_type(question) == "date":
        return None
    asked = normalize_answer(question)
    for match in _DATE_PHRASE.finditer(reading.sentence.text):
        phrase = match.group()
        date = normalize_answer(phrase)
        # A date that is asked for already, or that is the answer, sets nothing apart.
        if date in asked or normalize_answer(reading.answer) in date or set(date.split()) <= set(asked.split()):
            continue
        if not any(phrase in other.sentence.text for other in others):
            shown = phrase[0].lower() + phrase[1:]
            return _with(question, f" {shown}" if shown.startswith("of ") else f", {shown}")
    return None


def _by_name(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """ "… (Massachusetts)": a name in this sentence that no other reading has."""
    asked = normalize_answer(question)
    elsewhere = normalize_answer(
        " ".join(f"{other.passage.title} {other.sentence.text} {other.answer}" for other in others)
    )
    for match in _PLACE_PHRASE.finditer(reading.sentence.text):
        # `names` takes no first word for a name, whose capital may be the sentence's: an "x" stands before it.
        found = names("x " + reading.sentence.text[match.end() :])
        if not found or not reading.sentence.text[match.end() :].startswith(found[0]):
            continue
        shown = _POSSESSIVE.sub("", found[0])
        name, answer = normalize_answer(shown), normalize_answer(reading.answer)
        # Neither the answer nor a part of it may stand in the question.
        if name and name not in asked and name not in elsewhere and name not in answer and answer not in name:
            return _with(question, f" ({shown})")
    return None


def _by_subject(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """The document that gives the answer, when it is about something else than the others."""
    title = reading.passage.title
    normal = normalize_answer(title)
    if not normal or normal in normalize_answer(question) or normal in normalize_answer(reading.answer):
        return None
    # A list is the place where something stands, not what it is about.
    if title.startswith("List of "):
        return None
    if normalize_answer(reading.answer) in normal or any(other.passage.title == title for other in others):
        return None
    return _with(question, f" ({title})")


def _with(question: str, addition: str) -> str:
    return question.rstrip(" ?") + addition + "?"
