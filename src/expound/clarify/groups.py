"""Candidates with the same answer together: what a question's readings are made of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from expound.clarify.candidates import Candidate
from expound.clarify.settings import FOUNDING, Founding
from expound.clarify.sides import in_figures
from expound.text.normal import normalize_answer
from expound.text.words import content_stems
from expound.types import Interpretation

JOINED = re.compile(r"\b(?:the|was|were|is|are) ((?!the\b)(?:\w+ )?\w+) and (\w+)\b")
"""Two things asked for at once: "the prime minister and viceroy"."""
# The letters that related words share: ruler and ruled, direct and director.
_SAME_WORD = 4
# What stands behind a country and is not the country. No "University" or "River": Harvard is Harvard University.
_OF_ITS_OWN = re.compile(
    r"(?:['’]s)?(?: [\w'’-]+){0,2} "
    r"(?:Air Force|Army|Congress|Constitution|Court|Embassy|Government|Navy|Parliament|Senate)",
    re.IGNORECASE,
)
# A reading shows its best source and one that confirms it.
_CITED = 2


def group_candidates(
    question: str, candidates: Sequence[Candidate], *, founding: Founding = FOUNDING, are_read: bool = False
) -> list[list[Candidate]]:
    """Candidates with the same answer together, best group first; if none is sure enough, the best one alone.

    `are_read` says that a model or a reader found the answers, not their form: the question may be said in other words.
    """
    find = _read_founders if are_read else _founders
    # Some reading there must be for an answer to be had at all, even where nothing is sure.
    founders = find(question, candidates, founding) or list(candidates[:1])
    groups: list[list[Candidate]] = []
    for candidate in founders:
        _join(groups, candidate, may_found=True)
    # The other sentences found no reading, but what they say of one may set it apart.
    for candidate in candidates:
        if candidate not in founders:
            _join(groups, candidate, may_found=False)
    return groups


def make_readings(
    question: str, questions: Sequence[str | None], groups: Sequence[Sequence[Candidate]]
) -> list[Interpretation]:
    """A reading for each group whose question is set apart; if one is left, the best answer, as it was asked."""
    found = [
        Interpretation(text, _aliases(group), _citations(group))
        for text, group in zip(questions, groups, strict=True)
        if text is not None
    ]
    if len(found) > 1 or not groups:
        return found
    return [Interpretation(question, _aliases(groups[0]), _citations(groups[0]))]


def _founders(
    question: str, candidates: Sequence[Candidate], founding: Founding, *, unsaid: int = 0
) -> list[Candidate]:
    """The candidates whose sentences are sure enough and leave none of the question's words out that others have.

    A sentence on the red kettle is no reading of a question for the blue one, however alike they are. `unsaid` words
    may be missing nevertheless.
    """
    best = max((candidate.sentence.confidence for candidate in candidates), default=0.0)
    sure = [c for c in candidates if c.sentence.confidence >= max(founding.least, founding.of_best * best)]
    # The title counts as said: a sentence of the article on Simba need not name him.
    said = [words_said(question, f"{c.passage.title} {c.sentence.text}") for c in sure]
    return [candidate for candidate, count in zip(sure, said, strict=True) if count >= max(said) - unsaid]


def _read_founders(question: str, candidates: Sequence[Candidate], founding: Founding) -> list[Candidate]:
    """Founders among read answers: the surest may say one word otherwise; where several say all names, only those.

    A page on what is asked for tells of other things too: a film of Batman also has a Joker.
    """
    names = names_asked(question)
    # Names as they are written: a sentence without one speaks of somebody else.
    named = [c for c in candidates if names and all(name in c.sentence.text for name in names)]
    # Two at least: a single sentence with all names founds no ambiguity, and would shut out every other.
    heard = named if len(named) > 1 else list(candidates)
    best = max((c.sentence.confidence for c in heard), default=0.0)
    literal, loose = _founders(question, heard, founding), _founders(question, heard, founding, unsaid=1)
    surest = [c for c in loose if c.sentence.confidence >= founding.with_other_words * best]
    # A word may be said otherwise, a name may not.
    known = _known_names(question, candidates)
    return [c for c in heard if c in literal or (c in surest and all(name in _said(c) for name in known))]


def _known_names(question: str, candidates: Sequence[Candidate]) -> list[str]:
    """The words of a question, in lower case, that some sentence writes as a name: people ask without capitals."""
    text = " ".join(candidate.sentence.text for candidate in candidates)
    words = [word for word in re.findall(r"\w+", question.lower()) if content_stems(word)]
    return [word for word in words if re.search(rf"[a-z,] {re.escape(word.capitalize())}\b", text)]


def _said(candidate: Candidate) -> str:
    return f"{candidate.passage.title} {candidate.sentence.text}".lower()


def names_asked(question: str) -> list[str]:
    """The words of a question that are names, by their capital.

    >>> names_asked("Who played Batman in The Dark Knight?")
    ['Batman', 'Dark', 'Knight']
    """
    # The first word has a capital in any case.
    words = re.findall(r"\w+", question)[1:]
    return [word for word in words if word[0].isupper() and content_stems(word)]


def _join(groups: list[list[Candidate]], candidate: Candidate, *, may_found: bool) -> None:
    for group in groups:
        # With all of a group, not with one: "Louis" would join Louis XVI and Louis Philippe into one reading.
        if all(same_answer(candidate.answer, other.answer) for other in group):
            group.append(candidate)
            return
    if may_found:
        groups.append([candidate])


def words_said(question: str, text: str) -> int:
    """How many of the question's content words stand in the text, in this or a related form (ruler, ruled).

    Of two things joined by "and", such as "the PM and viceroy", neither is demanded: each may be a reading's own.
    """
    joined = {stem for pair in JOINED.findall(question) for part in pair for stem in content_stems(part)}
    # By their beginnings: stems keep "ruler" and "ruled" apart.
    present = {stem[:_SAME_WORD] for stem in content_stems(text)}
    return sum(stem[:_SAME_WORD] in present for stem in content_stems(question) if stem not in joined)


def same_answer(one: str, other: str) -> bool:
    """Whether two strings name the same thing: equal, or the words of one within the other's.

    >>> same_answer("Charles", "Charles X"), same_answer("United States", "United States Constitution")
    (True, False)
    """
    if _is_of_it(one, other) or _is_of_it(other, one):
        return False
    # "Season eight" and "season 8" are one.
    first, second = set(in_figures(normalize_answer(one))), set(in_figures(normalize_answer(other)))
    return bool(first and second) and (first <= second or second <= first)


def _is_of_it(name: str, longer: str) -> bool:
    """Whether a name goes on to be that of something else: its constitution, its senate."""
    return longer.startswith(name) and _OF_ITS_OWN.fullmatch(longer[len(name) :]) is not None


def _aliases(group: Sequence[Candidate]) -> tuple[str, ...]:
    """The fullest form first."""
    forms = dict.fromkeys(candidate.answer for candidate in group)
    return tuple(sorted(forms, key=lambda form: -len(form)))


def _citations(group: Sequence[Candidate]) -> tuple[int, ...]:
    # In rising order, as numbers are read.
    return tuple(sorted({candidate.sentence.number for candidate in group[:_CITED]}))
