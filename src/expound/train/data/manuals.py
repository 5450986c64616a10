"""Make questions of the headings of software manuals: a heading asks, the text under it answers."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from expound.datasets.document_parts import Part, part_by_id
from expound.train.data.document_sets import DocumentCase
from expound.train.data.page_passages import PagePassage, page_passages


@dataclass(frozen=True)
class ManualRules:
    """How much of a manual is taken: a project of many pages would drown the others."""

    questions: int = 80
    """Headings that are questions."""
    headings: int = 36
    """Other headings, two thirds of which can be asked with "how"."""
    passages: int = 4000
    fewest_words: int = 8
    """A shorter passage answers nothing."""
    heading_words: int = 18
    """Longer than this a line that begins like a question is a sentence."""
    bare_heading_words: int = 9
    fewest_uses: int = 3
    """So often a verb must stand in the manuals to be taken as the base form of an "-ing"."""
    page_characters: int = 400
    """A shorter page is a stub."""


RULES = ManualRules()
_PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|ISC)\b", re.I)
_RESTRICTED = re.compile(r"GPL|General Public|Mozilla|MPL|proprietary|non-?commercial|CC-BY|EPL|EUPL", re.I)
# They end like verbs, but "mailing list" is nothing to do.
_NOUNS = frozenset({"mailing", "networking", "streaming", "caching", "routing", "meeting", "programming"})
_NUMBERING = re.compile(r"^(?:Q\s*[:.)]|(?:\d+\.)+\d*|\d+[.)]|[ivx]+\.|FAQ\s*\d*:)\s*", re.I)
_GENERIC = re.compile(
    r"^(introduction|overview|notes?|examples?|usage|see also|references?|changelog|change log|history|summary|"
    r"contents|table of contents|"
    r"license|licence|contributing|contributors|authors|credits|acknowledge?ments?|links|resources|next steps?|"
    r"prerequisites|requirements|background|motivation|description|parameters|arguments|returns|raises|attributes|"
    r"methods|functions|classes|api|reference|faq|questions|misc(ellaneous)?|other|warning|tip|conclusion|features|"
    r"details|options|advanced|basic|general|what'?s new.*|version .*|v?\d+(\.\d+)*.*|.*release notes.*|.*\bapi\b.*)$",
    re.I,
)


@dataclass(frozen=True)
class Manual:
    """The pages of one project as they were packed."""

    project: str
    licence: str
    pages: tuple[tuple[str, str], ...]


def manual_of(record: dict[str, Any]) -> Manual | None:
    """A project whose metadata name a permissive licence and no other; nothing else may be trained on."""
    # Wherever a project says it: packages fill in different fields.
    words = " ".join([record["licence"], record["licence_text"], *record["classifiers"]])
    # A second licence beside a permissive one means that parts are under it.
    if not _PERMISSIVE.search(words) or _RESTRICTED.search(words):
        return None
    pages = tuple((name, text) for name, text in record["docs"] if len(text) > RULES.page_characters and is_guide(name))
    return Manual(record["package"], words, pages) if pages else None


def is_guide(name: str) -> bool:
    """Whether a page is written for users: no lists of functions, changes or people."""
    return not re.search(
        r"(^|/)(api|apidoc|reference|autoapi|generated|_?templates?|changes?|changelog\w*|history|news|releases?|whatsnew|"
        r"authors|contributors|licen[cs]es?|translations?|requirements\w*|security|code_of_conduct|[a-z]{2}[_-][A-Z]{2})(/|\.|$)",
        name,
        re.I,
    )


def manual_cases(
    manual: Manual, verbs: Counter[str], *, rng: random.Random
) -> tuple[list[DocumentCase], list[PagePassage]]:
    """Questions of a project and its passages; question-shaped headings stand in no passage."""
    passages = list(drop_short(p for name, text in manual.pages for p in page_passages(name, manual.project, text)))
    passages = passages[: RULES.passages]
    part, found = part_by_id(f"manual:{manual.project}"), []
    # The first passage of each section: reversed, the earliest stays in the dictionary.
    openings = {(p.document, p.section): number for number, p in reversed(list(enumerate(passages)))}
    for (document, _), number in sorted(openings.items(), key=lambda item: item[1]):
        heading = _NUMBERING.sub("", passages[number].path[-1] if passages[number].path else "")
        if question := question_of(heading, manual.project, verbs, rng=rng):
            around = tuple(related_places(passages, number, document))
            kind = "faq" if is_question(heading) else "heading"
            found.append(
                DocumentCase(
                    question=question,
                    kind=kind,
                    origin=f"manual_{kind}",
                    collection=f"manual:{manual.project}",
                    positives=(number,),
                    neutral=around,
                    part=part,
                )
            )
    return thin_cases(found, part, rng=rng), passages


def question_of(heading: str, project: str, verbs: Counter[str], *, rng: random.Random) -> str:
    """The question that a heading answers; empty for one that says nothing."""
    heading = re.sub(r"[`*_]{1,2}(.+?)[`*_]{1,2}", r"\1", heading).strip(" :.")
    words = heading.split()
    # One word names a subject and asks nothing.
    if not 1 < len(words) <= RULES.heading_words or _GENERIC.match(heading) or not heading.isascii():
        return f"how do i install {project}" if re.fullmatch(r"install(ation|ing)", heading, re.I) else ""
    if is_question(heading):
        return heading
    if len(words) > RULES.bare_heading_words:
        return ""
    verb = base_form(words[0], verbs)
    # A verb in lower case at the start is the middle of something.
    if verb and words[0][:1].isupper():
        return " ".join([rng.choice(("how do i", "how to", "how can i", "how do you")), verb, *words[1:]])
    return heading


def is_question(heading: str) -> bool:
    """Whether a heading is worded as a question, or as "How to …"."""
    long_enough = 3 <= len(heading.split()) <= RULES.heading_words
    return long_enough and (heading.endswith("?") or bool(re.match(r"(how|why|what)\b", heading, re.I)))


def base_form(word: str, verbs: Counter[str]) -> str:
    """ "configure" of "Configuring", by which form the manuals use most; empty if it is no such word."""
    lower = word.lower()
    if not lower.endswith("ing") or len(lower) < 6 or lower in _NOUNS:
        return ""
    stem = lower.removesuffix("ing")
    # "Running": one of the doubled letters belongs to the ending.
    forms = [stem, f"{stem}e", *([stem[:-1]] if stem[-1] == stem[-2] else [])]
    best = max(forms, key=lambda form: verbs[form])
    return best if verbs[best] >= RULES.fewest_uses else ""


def count_words(manuals: Iterable[Manual]) -> Counter[str]:
    """How often the manuals use each word."""
    return Counter(word for m in manuals for _, text in m.pages for word in re.findall(r"[a-z]+", text))


def related_places(passages: Sequence[PagePassage], right: int, document: str) -> Iterator[int]:
    """Other passages of the section and of those below it: they may answer as well."""
    path = passages[right].path
    for number, passage in enumerate(passages):
        is_below = passage.document == document and passage.path[: len(path)] == path
        # Sections of the same name on other pages answer the same question.
        is_same_name = passage.path[-1:] == path[-1:]
        if number != right and (is_below or is_same_name):
            yield number


def drop_short(passages: Iterable[PagePassage]) -> Iterator[PagePassage]:
    """Drop repeated and very short passages."""
    seen: set[str] = set()
    for passage in passages:
        if len(passage.text.split()) >= RULES.fewest_words and passage.text not in seen:
            seen.add(passage.text)
            yield passage


def thin_cases(cases: Sequence[DocumentCase], part: Part, *, rng: random.Random) -> list[DocumentCase]:
    """A limited number of each kind, so that large manuals do not drown small ones."""
    questions = [case for case in cases if case.kind == "faq"]
    # To measure by, only what a person worded as a question.
    headings = [case for case in cases if case.kind == "heading"] if part == "train" else []
    # Most headings that ask nothing are left out: nobody asks like that.
    how = [case for case in headings if case.question.startswith("how ")]
    rest = [case for case in headings if not case.question.startswith("how ")]
    for some in (questions, how, rest):
        rng.shuffle(some)
    return questions[: RULES.questions] + how[: RULES.headings * 2 // 3] + rest[: RULES.headings // 3]
