"""Make questions of the headings of software manuals: a heading asks, the text under it answers."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from expound.train.document_pages import PagePassage, page_passages
from expound.train.document_sets import Case, Part, part_of

# A project of many pages would drown the others.
MOST_QUESTIONS = 80
MOST_HEADINGS = 36
MOST_PASSAGES = 4000
_FEWEST_WORDS = 22

_PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|ISC)\b", re.I)
_RESTRICTED = re.compile(r"GPL|General Public|Mozilla|MPL|proprietary|non-?commercial|CC-BY|EPL|EUPL", re.I)
_QUESTION = re.compile(
    r"^(how|why|what|what's|when|where|which|who|can|could|do|does|did|is|are|should|will|may|must|am|has|have)\b", re.I
)
# They end like verbs, but "mailing list" is nothing to do.
_NOUNS = frozenset({"mailing", "networking", "streaming", "caching", "routing", "meeting", "programming"})
# Longer than this a line that begins like a question is a sentence.
_MOST_HEADING_WORDS = 18
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
    words = " ".join([record["licence"], record["licence_text"], *record["classifiers"]])
    if not _PERMISSIVE.search(words) or _RESTRICTED.search(words):
        return None
    pages = tuple((name, text) for name, text in record["docs"] if len(text) > 400 and is_guide(name))
    return Manual(record["package"], words, pages) if pages else None


def is_guide(name: str) -> bool:
    """Whether a page is written for users: no lists of functions, changes or people."""
    return not re.search(
        r"(^|/)(api|apidoc|reference|autoapi|generated|_?templates?|changes?|changelog\w*|history|news|releases?|whatsnew|"
        r"authors|contributors|licen[cs]es?|translations?|requirements\w*|security|code_of_conduct|[a-z]{2}[_-][A-Z]{2})(/|\.|$)",
        name,
        re.I,
    )


def manual_cases(manual: Manual, verbs: Counter[str], *, rng: random.Random) -> tuple[list[Case], list[PagePassage]]:
    """Questions of a project and its passages; question-shaped headings stand in no passage."""
    passages = list(unique(p for name, text in manual.pages for p in page_passages(name, manual.project, text)))
    passages = passages[:MOST_PASSAGES]
    part, found = part_of(f"manual:{manual.project}"), []
    openings = {(p.document, p.section): number for number, p in reversed(list(enumerate(passages)))}
    for (document, section), number in sorted(openings.items(), key=lambda item: item[1]):
        heading = _NUMBERING.sub("", passages[number].path[-1] if passages[number].path else "")
        if question := asked(heading, manual.project, verbs, rng=rng):
            around = tuple(related(passages, number, document, section))
            kind = "faq" if is_question(heading) else "heading"
            found.append(Case(question, kind, f"manual_{kind}", f"manual:{manual.project}", (number,), around, part))
    return thinned(found, part, rng=rng), passages


def asked(heading: str, project: str, verbs: Counter[str], *, rng: random.Random) -> str:
    """The question that a heading answers; empty for one that says nothing."""
    heading = re.sub(r"[`*_]{1,2}(.+?)[`*_]{1,2}", r"\1", heading).strip(" :.")
    words = heading.split()
    if not 1 < len(words) <= _MOST_HEADING_WORDS or _GENERIC.match(heading) or not heading.isascii():
        return f"how do i install {project}" if re.fullmatch(r"install(ation|ing)", heading, re.I) else ""
    if is_question(heading):
        return heading
    if len(words) > 9:
        return ""
    verb = base_form(words[0], verbs)
    if verb and words[0][:1].isupper():
        return " ".join([rng.choice(("how do i", "how to", "how can i", "how do you")), verb, *words[1:]])
    return heading


def is_question(heading: str) -> bool:
    """Whether a heading is worded as a question, or as "How to …"."""
    long_enough = 3 <= len(heading.split()) <= _MOST_HEADING_WORDS
    return long_enough and (heading.endswith("?") or bool(re.match(r"(how|why|what)\b", heading, re.I)))


def base_form(word: str, verbs: Counter[str]) -> str:
    """ "configure" of "Configuring", by which form the manuals use most; empty if it is no such word."""
    lower = word.lower()
    if not lower.endswith("ing") or len(lower) < 6 or lower in _NOUNS:
        return ""
    stem = lower.removesuffix("ing")
    forms = [stem, f"{stem}e", *([stem[:-1]] if stem[-1] == stem[-2] else [])]
    best = max(forms, key=lambda form: verbs[form])
    return best if verbs[best] >= 3 else ""


def count_words(manuals: Iterable[Manual]) -> Counter[str]:
    """How often the manuals use each word."""
    return Counter(word for m in manuals for _, text in m.pages for word in re.findall(r"[a-z]+", text))


def related(passages: Sequence[PagePassage], right: int, document: str, section: int) -> Iterator[int]:
    """Other passages of the section and of those below it: they may answer as well."""
    path = passages[right].path
    for number, passage in enumerate(passages):
        is_below = passage.document == document and passage.path[: len(path)] == path
        is_same_name = passage.path[-1:] == path[-1:]
        if number != right and (is_below or is_same_name):
            yield number


def unique(passages: Iterable[PagePassage]) -> Iterator[PagePassage]:
    """Drop repeated and very short passages."""
    seen: set[str] = set()
    for passage in passages:
        if len(passage.text.split()) >= 8 and passage.text not in seen:
            seen.add(passage.text)
            yield passage


def thinned(cases: Sequence[Case], part: Part, *, rng: random.Random) -> list[Case]:
    """A limited number of each kind, so that large manuals do not drown small ones."""
    questions = [case for case in cases if case.kind == "faq"]
    headings = [case for case in cases if case.kind == "heading"] if part == "train" else []
    # Most headings that ask nothing are left out: nobody asks like that.
    how = [case for case in headings if case.question.startswith("how ")]
    rest = [case for case in headings if not case.question.startswith("how ")]
    for some in (questions, how, rest):
        rng.shuffle(some)
    return questions[:MOST_QUESTIONS] + how[: MOST_HEADINGS * 2 // 3] + rest[: MOST_HEADINGS // 3]
