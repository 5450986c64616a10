"""Rewrite a question so that it fits one reading only: the smallest addition that sets a reading apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from expound.clarify.candidates import Candidate
from expound.clarify.clauses import words_of_answer
from expound.clarify.groups import JOINED
from expound.clarify.phrase_times import YEAR
from expound.clarify.phrases import NAMING, Phrase, phrases_for, signs_of_phrase
from expound.clarify.weights import weigh
from expound.models.telling_words import Evidenced, TellingWords
from expound.text.normal import normalize_answer
from expound.text.words import content_stems

# Of a reading's sentences the first say what sets it apart; later ones are on something else.
_CANDIDATES = 4
# What a title says of its own name goes before what a sentence happens to say: as many points of EDIT-F1 on the
# training questions as without it, and "Georgia (country)" reads better than a year (recipes/LOG.md).
_NAMED = 0.1
# What another sentence than the likeliest one says may be about something else: "Bride of Frankenstein, directed … in
# 1935" for who directed Frankenstein.
_LATER = 0.05
# How much the tagger counts beside the table, and how many words people add (recipes/LOG.md, "A tagger for
# additions").
_TOLD, _ADDED = 2.0, 2.0
# First phrases that are tried together with a second one.
_PAIRED = 6


def rewrite_all(
    question: str, readings: Sequence[Sequence[Candidate]], *, telling: TellingWords | None = None
) -> list[str | None]:
    """A question for each reading, all different; None for a reading that nothing sets apart.

    A reading is the candidates that give its answer, the best first. The additions are chosen together: no reading gets
    what is said of another one too, and no two get the same. `telling` is a tagger that has a say in what is added.
    """
    # First by what the question itself joins: "the PM and viceroy" needs no addition, only one of its own words.
    parts = [_by_part(question, reading[0], _others(reading, readings)) for reading in readings]
    options = [
        [] if part else _best_first(question, reading, _others(reading, readings), telling)
        for part, reading in zip(parts, readings, strict=True)
    ]
    texts = [part or (found[0].question if found else None) for part, found in zip(parts, options, strict=True)]
    return _once_each(texts, options)


def _others(reading: Sequence[Candidate], readings: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    return [other[0] for other in readings if other is not reading]


def _best_first(
    question: str, reading: Sequence[Candidate], others: Sequence[Candidate], telling: TellingWords | None
) -> list[Phrase]:
    """The phrases that tell a reading from the others, those that people would add first."""
    elsewhere = [said_of(other, [*reading[:1], *others], apart_from=reading[0].passage.title) for other in others]
    answers, titles = [other.answer for other in others], {other.passage.title for other in others}
    chances = [_chances_of(question, candidate, others, telling) for candidate in reading[:_CANDIDATES]]
    weights = {
        phrase: _weigh_phrase(question, phrase, elsewhere) - _LATER * (place > 0) + _TOLD * worth_of(phrase, told)
        for place, (candidate, told) in enumerate(zip(reading[:_CANDIDATES], chances, strict=True))
        for phrase in phrases_for(question, candidate, apart_from=answers)
        # What two readings have their page's title for is said of both, and a page on another answer is about that one.
        if not (phrase.is_of_title and (candidate.passage.title in titles or _names(candidate.passage.title, answers)))
    }
    ordered = sorted(weights, key=lambda phrase: -weights[phrase])
    alone = [phrase for phrase in ordered if _tells_apart(phrase, elsewhere)]
    # "The adult Simba in the 2019 film": where versions and roles cross, neither tells a reading from all others.
    return alone or [both for both in _pair_phrases(reading[0], ordered[:_PAIRED]) if _tells_apart(both, elsewhere)]


def _chances_of(
    question: str, candidate: Candidate, others: Sequence[Candidate], telling: TellingWords | None
) -> Mapping[str, float]:
    """By the tagger, for every word of a reading's evidence: would people add it?"""
    # A reading by itself is not told apart from any other.
    if telling is None or not candidate.sentence.text or not others:
        return {}
    said = frozenset(said_of_others(candidate, others))
    return telling.chances(
        Evidenced(
            question=question,
            answer=candidate.answer,
            title=candidate.passage.title,
            sentence=candidate.sentence.text,
            elsewhere=said,
        )
    )


def worth_of(phrase: Phrase, chances: Mapping[str, float]) -> float:
    """The EDIT-F1 that a phrase would have, by the chances of its words, if people add `_ADDED` words. 0 to 1."""
    return 2 * sum(chances.get(word, 0.0) for word in phrase.added) / (len(phrase.added) + _ADDED)


def _names(title: str, answers: Sequence[str]) -> bool:
    """Whether a title is the name of one of the answers: "Louis Philippe I" of Louis Philippe."""
    words = set(normalize_answer(title).split())
    return any(answer and set(answer.split()) <= words for answer in map(normalize_answer, answers))


def _weigh_phrase(question: str, phrase: Phrase, elsewhere: Sequence[set[str]]) -> float:
    weight = weigh("phrase", signs_of_phrase(question, phrase, is_shared=_is_shared(phrase, elsewhere)))
    return weight + _NAMED * (phrase.way in NAMING)


def said_of(candidate: Candidate, readings: Sequence[Candidate], *, apart_from: str = "") -> set[str]:
    """The words that are said of a reading: its title, its answer, and what its sentence says of no other answer.

    A title that is that of the other reading too, `apart_from`, says nothing of either.
    """
    others = [other.answer for other in readings if other is not candidate]
    said = words_of_answer(candidate.sentence.text, candidate.answer, others)
    title = candidate.passage.title if candidate.passage.title != apart_from else ""
    return said | set(normalize_answer(f"{title} {candidate.answer}").split())


def said_of_others(candidate: Candidate, others: Sequence[Candidate]) -> set[str]:
    """The words that are said of the other readings; of one without evidence, its answer."""
    found = [reading for reading in (candidate, *others) if reading.sentence.text]
    said = [said_of(other, found) for other in others if other.sentence.text]
    answers = {word for other in others for word in normalize_answer(other.answer).split()}
    return answers.union(*said)


def _is_shared(phrase: Phrase, elsewhere: Sequence[set[str]]) -> bool:
    return any(phrase.added & words for words in elsewhere)


def _tells_apart(phrase: Phrase, elsewhere: Sequence[set[str]]) -> bool:
    return not any(phrase.added <= words for words in elsewhere)


def _pair_phrases(candidate: Candidate, phrases: Sequence[Phrase]) -> list[Phrase]:
    """Two phrases in one question, the better pairs first."""
    return [
        replace(second, added=first.added | second.added)
        for first in phrases
        for second in phrases_for(first.question, candidate)
        if second.way != first.way and not second.added & first.added and _reads_well(second.question)
    ]


def _reads_well(question: str) -> bool:
    """Whether no year is said twice, "in the 2019 film in 2019", and no bracket follows another."""
    years = YEAR.findall(question)
    return len(set(years)) == len(years) and ") (" not in question


def _once_each(texts: Sequence[str | None], options: Sequence[Sequence[Phrase]]) -> list[str | None]:
    """Where two readings got the same question, the later one takes what it has next."""
    result: list[str | None] = []
    for text, found in zip(texts, options, strict=True):
        free = (phrase.question for phrase in found if phrase.question not in result)
        result.append(next(free, None) if text in result else text)
    # Counted once more: None may stand twice, and a text that two readings share sets neither of them apart.
    seen = Counter(result)
    return [text if seen[text] == 1 else None for text in result]


def _by_part(question: str, reading: Candidate, others: Sequence[Candidate]) -> str | None:
    """Of "the PM and viceroy" keep the part that this reading is about."""
    match = JOINED.search(question)
    if match is None or any(not content_stems(part) for part in match.groups()):
        return None
    here = [_says(part, reading) for part in match.groups()]
    if here[0] == here[1]:
        elsewhere = [any(_says(part, other) for other in others) for part in match.groups()]
        here = [not said for said in elsewhere]
    if here[0] == here[1]:
        return None
    return question[: match.start(1)] + match.group(1 if here[0] else 2) + question[match.end() :]


def _says(part: str, reading: Candidate) -> bool:
    return bool(set(content_stems(part)) & set(content_stems(reading.sentence.text)))
