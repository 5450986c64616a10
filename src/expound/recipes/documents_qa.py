"""Questions to manuals, FAQ pages, policies, papers and tables: does the answer say what the gold sentences say?

The set's documents become files, the files a corpus, and every question with gold sentences is asked of all of it.
An answer is good if six tenths of the content words of the first two gold sentences stand in it: in a section the
answer mostly comes first, and what follows may be background.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from expound import resources
from expound.corpus.read import can_read
from expound.datasets.document_parts import part_of, project_of
from expound.datasets.fields import WRONG, fields, items, reason, text, texts
from expound.errors import BadInput, UserError
from expound.recipes.corpora import recipe_corpus
from expound.recipes.document_answers import Asked, Trial, ask_all
from expound.recipes.document_table import document_recipe
from expound.recipes.shape import Ingredients
from expound.records import read_lines
from expound.text.inline import render_inline
from expound.text.normal import normalize_answer
from expound.text.words import content_stems

HALVES = ("choose", "decide", "all", "train")
# In a section the answer mostly comes first, and what follows may be background.
_OPENING = 2
# Read by eye, an answer with six tenths of the content words says the same in other words (LOG.md, software FAQ pages).
_ENOUGH = 0.6
_SEED = 15  # that of the samples in recipes/README.md, which can be had again
# Written as Markdown, whatever the origin's file was called.
_RENDERED = (".yml", ".yaml")
_KNOWN = (*_RENDERED, ".md", ".rst", ".adoc", ".texi", ".txt")
_MARKDOWN = re.compile(r"(?m)^#{1,4} \S|^\|.*\|$|`[^`\n]+`|\]\(http")
_ODD = re.compile(r"[^\w.+-]+")


@dataclass(frozen=True)
class GoldSentences:
    """The sentences that answer, and short answers if the set has them."""

    sentences: tuple[str, ...]
    short_answers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Code and the whole section: a direct answer may come from there."""

    def is_good(self, text: str) -> bool:
        """Whether most of what the first sentences say is there."""
        return _share(self.sentences[:_OPENING], text) >= _ENOUGH

    def recall(self, text: str) -> float:
        """Share of the content words of all gold sentences that stand in the text."""
        return _share(self.sentences, text)

    def names(self, direct: str, text: str) -> bool:
        """Whether a direct answer is one of the short answers; where there are none, whether the gold has it."""
        said = f" {normalize_answer(direct)} "
        # One inside the other will do: "25 seconds" answers what the set gives as "25".
        if self.short_answers:
            known = [f" {normalize_answer(short)} " for short in self.short_answers]
            return any(said in short or short in said for short in known if short.strip())
        return bool(said.strip()) and said in f" {normalize_answer(' '.join((*self.sentences, *self.others)))} "


def ask_set(given: Ingredients) -> list[Asked]:
    """Ask the questions of a set whose documents are in that half; all of the set's documents are searched."""
    name, half = given.set_name, given.half
    check_half(half, HALVES)
    records = _records(given.data, name)
    documents = {document["id"]: document for document in _documents(given.data, name, records)}
    if not documents:
        raise UserError(f"{given.data} has the questions of {name} without its documents: {name}_documents.jsonl.gz")
    where = resources.home_folder("recipes", "documents-qa") / name
    files = write_documents(where, documents)
    # All documents are searched, and only questions with gold sentences are asked: others cannot be judged.
    usable = [record for record in records if record["gold_sentences"] and _is_known(record, files)]
    trials = [_trial(name, record, files) for record in usable if half in ("all", _part(name, record))]
    if not trials:
        raise UserError(f"the half {half!r} of {name} has no question with gold sentences: try --half all")
    corpus = recipe_corpus(f"documents-{name}", where, report=given.report)
    return list(ask_all(sample(trials, given.limit), corpus, given))


def check_half(half: str, halves: Sequence[str]) -> None:
    """Refuse what is no part of the documents."""
    if half not in halves:
        raise UserError(f"--half is one of {', '.join(halves)}, not {half!r}")


def sample(trials: Sequence[Trial], limit: int) -> list[Trial]:
    """So many of the questions, the same every time; all without a limit."""
    return random.Random(_SEED).sample(list(trials), limit) if 0 < limit < len(trials) else list(trials)


# -- documents as files


def write_documents(folder: Path, documents: Mapping[str, Mapping[str, Any]]) -> dict[str, Path]:
    """The documents as files below a folder, which is made anew; the file of each by id."""
    # Made anew: a file of an earlier version of the set would be searched along with the others.
    shutil.rmtree(folder, ignore_errors=True)
    files = {}
    for identifier, document in documents.items():
        text = without_questions(document)
        file = folder / file_name(identifier, text)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        files[identifier] = file
    return files


def without_questions(document: Mapping[str, Any]) -> str:
    """The text without the headings that are the questions: with them any search finds the answer."""
    text: str = document["text"]
    # From the end, so that the places of those before stay what they are.
    for start, end in reversed(document.get("question_heading_spans", [])):
        text = text[:start] + text[end:]
    return text


def file_name(identifier: str, text: str) -> str:
    """A path with the document's own suffix; where it has none that can be read, what the text looks like."""
    parts = [_ODD.sub("-", part).strip("-.") or "-" for part in PurePosixPath(identifier).parts if part != "/"]
    path = PurePosixPath(*parts)
    suffix = path.suffix.lower()
    if suffix and suffix not in _RENDERED and can_read(Path(path)):
        return str(path)
    stem = str(path)[: -len(suffix)] if suffix in _KNOWN else str(path)
    return f"{stem}{'.md' if suffix in _RENDERED or _MARKDOWN.search(text) else '.txt'}"


# -- questions


def _records(folder: Path, name: str) -> list[dict[str, Any]]:
    if not folder.is_dir():
        raise UserError(f"there is no folder {folder}: --data names the folder with the sets")
    file = folder / f"{name}.jsonl.gz"
    if not file.exists():
        names = sorted(path.name.removesuffix(".jsonl.gz") for path in folder.glob("*.jsonl.gz"))
        known = [item for item in names if not item.endswith("_documents")]
        raise UserError(f"{folder} has no set {name!r}; it has: {', '.join(known) or 'none, check --data'}")
    return list(_read(file, _check_question))


def _documents(folder: Path, name: str, records: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The set's documents: in a file of their own, or with the questions."""
    file = folder / f"{name}_documents.jsonl.gz"
    if file.exists():
        return _read(file, _check_document)
    return (document for record in records for document in record["documents"] if "text" in document)


def _read(file: Path, check: Callable[[Mapping[str, Any]], None]) -> Iterator[dict[str, Any]]:
    for number, record in read_lines(file):
        try:
            check(record)
        except WRONG as error:
            raise BadInput(f"{file}, line {number}: no record of a set of documents ({reason(error)})") from error
        yield record


def _check_question(record: Mapping[str, Any]) -> None:
    """Say what a question lacks before anything is made of it."""
    for name in ("id", "question", "kind"):
        text(record[name])
    texts(record["gold_sentences"] or [])
    texts(record["short_answers"] or [])
    text(record["answer"] or "")
    fields(record["meta"])
    if not [text(fields(document)["id"]) for document in items(record["documents"])]:
        raise ValueError("no documents")


def _check_document(document: Mapping[str, Any]) -> None:
    text(document["id"])
    text(document["text"])


def _is_known(record: Mapping[str, Any], files: Mapping[str, Path]) -> bool:
    return any(document["id"] in files for document in record["documents"])


def _part(name: str, record: Mapping[str, Any]) -> str:
    # By the first document alone: a question must not stand in two parts.
    return part_of(name, record["documents"][0]["id"])


def _trial(name: str, record: Mapping[str, Any], files: Mapping[str, Path]) -> Trial:
    document = record["documents"][0]["id"]
    file = files[document].name
    sentences = tuple(render_inline(sentence, file) for sentence in record["gold_sentences"])
    code = record["meta"].get("gold_code") or ()
    judge = GoldSentences(
        sentences=sentences,
        short_answers=tuple(record["short_answers"] or ()),
        others=(*([code] if isinstance(code, str) else code), render_inline(record["answer"] or "", file)),
    )
    group = record["meta"].get("repo") or (project_of(document) if name == "docfaq" else name)
    return Trial(id=record["id"], question=record["question"], kind=record["kind"], group=group, judge=judge)


def _share(sentences: Sequence[str], text: str) -> float:
    wanted = content_stems(" ".join(sentences))
    present = set(content_stems(text))
    return sum(stem in present for stem in wanted) / len(wanted) if wanted else 0.0


RECIPE = document_recipe("documents-qa", "documents-qa, {set_name} ({half})", ask_set)
