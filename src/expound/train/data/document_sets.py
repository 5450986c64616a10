"""Questions to manuals, FAQ pages, policies, papers and tables, with the passages of their documents and the gold."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from expound.datasets.document_parts import Part, part_by_id, project_of, project_part
from expound.train.data.file_shapes import ABOUT_DOCUMENTS, DOCUMENT, iter_shaped
from expound.train.data.label_texts import normalise
from expound.train.data.page_passages import PagePassage, page_passages

Scope = Literal["document", "project", "set"]


@dataclass(frozen=True)
class SetRule:
    """How a set is used: where its questions look, what its gold is, and what may be trained on."""

    name: str
    scope: Scope
    """Whose passages are candidates. A question such as "What was the revenue?" means one document."""
    gold: Literal["opening", "each"]
    """Sections as gold: their first two sentences must be there. Evidence lines: one of them must."""
    most_for_training: int = 10_000
    """Policies and templates have few different questions; these shares kept FAQ pages the largest part (LOG.md)."""


# What the licences allow to train shipped weights on.
SETS = (
    SetRule("docfaq", "project", "opening"),
    SetRule("emanual", "set", "opening"),
    SetRule("awsdocs_qa", "set", "each"),
    SetRule("tatqa", "document", "each", 200),
    SetRule("fetaqa", "set", "each", 140),
    SetRule("covidqa", "document", "each", 250),
    SetRule("pubmedqa", "set", "opening", 30),
    SetRule("medquad_subset", "set", "opening", 160),
    SetRule("policyqa", "document", "each", 80),
    SetRule("conditionalqa_dev", "set", "each"),
)

_STOP = frozenset(
    "the a an of in on at to for from by with and or is are was were be been it its this that you your can will as if "
    "not do does have has had we our i they their there which when what how all any but so may "
    "should must than then".split()
)


@dataclass(frozen=True)
class GoldRules:
    """When a passage holds the gold: shares of the content words of a gold sentence (LOG.md, ordering passages)."""

    of_opening: float = 0.6
    """Of the first two sentences of a section: a passage may end before the second does."""
    of_sentence: float = 0.8
    """Of one evidence sentence, which mostly stands in the passage as it is."""
    near_the_fullest: float = 0.15
    """A page says similar things in several places: only what holds nearly as much as the fullest is right."""
    of_another: float = 0.7
    """Of any gold sentence: such a passage is a part of the answer, neither right nor wrong."""
    doubtful_below: float = 0.2
    """So little short of enough a passage is neither right nor wrong."""
    fewest_words: int = 4
    """Shorter gold sentences stand everywhere."""


RULES = GoldRules()


@dataclass(frozen=True)
class DocumentCase:
    """A question with the collection that it is asked of, and which passages of it answer."""

    question: str
    kind: str
    origin: str
    collection: str
    positives: tuple[int, ...]
    """Places in the collection of passages that hold the gold."""
    neutral: tuple[int, ...]
    """Places of passages that hold other parts of the answer: neither right nor wrong."""
    part: Part


Collections = dict[str, list[PagePassage]]


def read_set(folder: Path, rule: SetRule) -> tuple[list[DocumentCase], Collections]:
    """All questions of a set that have gold in their collection, and the collections."""
    records = list(iter_shaped(folder / f"{rule.name}.jsonl.gz", ABOUT_DOCUMENTS))
    documents = dict(iter_documents(folder, rule, records))
    collections: Collections = defaultdict(list)
    place: dict[str, tuple[str, int, int]] = {}
    for key, document in documents.items():
        name = collection_name(rule, key)
        passages = page_passages(key, page_title(document), document["text"])
        place[key] = (name, len(collections[name]), len(passages))
        collections[name] += passages
    cases = (case_of(rule, record, collections, place) for record in records if is_usable(record, place))
    return [case for case in cases if case], dict(collections)


def iter_documents(
    folder: Path, rule: SetRule, records: Iterable[dict[str, Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The documents by id, question headings of FAQ pages removed."""
    path = folder / f"{rule.name}_documents.jsonl.gz"
    inline = (document for record in records for document in record["documents"])
    for document in iter_shaped(path, DOCUMENT) if path.exists() else inline:
        yield document["id"], {**document, "text": without_questions(document)}


def without_questions(document: dict[str, Any]) -> str:
    """The text without the headings that are the questions; an empty line stays in their place."""
    text: str = document["text"]
    # From the end, so that earlier places stay right.
    for start, end in reversed(document.get("question_heading_spans", [])):
        text = f"{text[:start]}\n{text[end:]}"
    return text


def page_title(document: dict[str, Any]) -> str:
    """A title for readers: the name of a project's page without its ending."""
    title: str = document["title"]
    found = re.fullmatch(r"([\w./-]+?)\.\w+ \((?:[\w.-]+/)([\w.-]+)\)", title)
    if found:
        return f"{found[2]} {found[1]}".replace("-", " ")
    # Titles that hold an identifier and nothing to read.
    return "" if re.match(r"(PubMed|annual report extract) ", title) else title.removesuffix(".md")


def collection_name(rule: SetRule, document: str) -> str:
    """The collection that a document belongs to."""
    if rule.scope == "document":
        return f"{rule.name}:{document}"
    if rule.scope == "project":
        return f"{rule.name}:{project_of(document)}"
    # Documents of a set that decide are searched among themselves.
    return f"{rule.name}:{part_by_id(document)}"


def is_usable(record: dict[str, Any], known: dict[str, Any]) -> bool:
    """Whether a question has gold in a document that is here."""
    return bool(record["gold_sentences"] and record["documents"]) and record["documents"][0]["id"] in known


def case_of(
    rule: SetRule, record: dict[str, Any], collections: Collections, place: dict[str, tuple[str, int, int]]
) -> DocumentCase | None:
    """The question with the passages of its document that hold the gold; nothing if none does."""
    document = record["documents"][0]["id"]
    name, start, size = place[document]
    passages = collections[name][start : start + size]
    right, other = label_passages(passages, record["gold_sentences"], rule.gold)
    # Nothing could be found: the question would count against every order alike, and teach nothing.
    if not right:
        return None
    part = project_part(project_of(document)) if rule.scope == "project" else part_by_id(document)
    # What is not permissive may measure, but its words must not get into shipped weights.
    if part == "train" and record["meta"].get("licence_class", "permissive") != "permissive":
        return None
    # Places count in the collection, labels in the document.
    moved = [tuple(start + number for number in numbers) for numbers in (right, other)]
    return DocumentCase(
        question=record["question"],
        kind=record["kind"],
        origin=rule.name,
        collection=name,
        positives=moved[0],
        neutral=moved[1],
        part=part,
    )


def label_passages(
    passages: Sequence[PagePassage], gold: Sequence[str], rule: Literal["opening", "each"]
) -> tuple[list[int], list[int]]:
    """Numbers of the passages that answer, and of those that hold something of the answer."""
    words = [content_words(passage.text) for passage in passages]
    sentences = [content_words(sentence) for sentence in gold]
    targets = [frozenset().union(*sentences[:2])] if rule == "opening" else long_enough(sentences)
    needed = RULES.of_opening if rule == "opening" else RULES.of_sentence
    best = [max(share_held(target, held) for target in targets) for held in words]
    right = [number for number, share in enumerate(best) if share >= needed]
    # A page's summary says the same with fewer words: only the fullest is right.
    if rule == "opening" and right:
        right = [number for number in right if best[number] >= max(best) - RULES.near_the_fullest]
    gold_words = long_enough(sentences)
    others = {n for n, held in enumerate(words) if any(share_held(s, held) >= RULES.of_another for s in gold_words)}
    doubtful = {number for number, share in enumerate(best) if share >= needed - RULES.doubtful_below}
    return right, sorted((others | doubtful) - set(right))


def long_enough(sentences: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Gold sentences of a few content words; the fullest if all are short."""
    full = [words for words in sentences if len(words) >= RULES.fewest_words]
    return full or [max(sentences, key=len)]


def content_words(text: str) -> frozenset[str]:
    """Distinct words that say something."""
    return frozenset(word for word in normalise(text).split() if word not in _STOP)


def share_held(target: frozenset[str], held: frozenset[str]) -> float:
    """Share of the target's words that are held. 0 to 1."""
    return len(target & held) / len(target) if target else 0.0
