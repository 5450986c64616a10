"""Build the reader's training files in the SQuAD 2.0 layout, without any evaluation question.

Every answerable question comes with unanswerable ones: the same question where the sentence with the answer is taken
out, where another passage on the subject stands, or with a word of the question changed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expound.records import read_json
from expound.train.answer_spans import find_answers, mentions, without_answers
from expound.train.candidates import PassageIndex
from expound.train.labels import usable_answers
from expound.train.leaks import BLOCKED_SOURCES, LeakGuard, without_leaks
from expound.train.near_misses import near_miss
from expound.train.sources import DataFiles, Example, evaluation_questions, iter_ambignq, iter_jsonl, iter_nq_open
from expound.train.squad import Reading, golds
from expound.train.texts import clean_question, contains_answer, normalise, pair_text


@dataclass(frozen=True)
class ReaderRules:
    """How much of each kind to make."""

    held_out_articles: int = 5
    """SQuAD articles, the last of the file, for the final figure."""
    dev_articles: int = 1
    dev_asqa: int = 150
    """ASQA questions, with all their readings, to choose the threshold on."""
    passages: int = 8
    """Best passages in which an answer is looked for."""
    coverage: float = 0.5
    """Share of the question's word rarity that a passage must cover to count as its evidence."""
    near_misses: float = 0.4
    """Share of the answerable SQuAD questions that are also asked wrongly."""
    other_passages: float = 0.35
    """Share of the answerable questions that are also asked of a passage without the answer."""


@dataclass(frozen=True)
class ReaderData:
    """The files of a reader: broad and close to its use to train on, two to choose on, one for the final figure."""

    squad: list[Reading]
    asqa: list[Reading]
    nq_gold: list[Reading]
    distant: list[Reading]
    dev_squad: list[Reading]
    dev_asqa: list[Reading]
    test_squad: list[Reading]

    def files(self) -> dict[str, list[Reading]]:
        """Name and content of each file."""
        return {f"{name}.json": value for name, value in vars(self).items()}


def build_reader_data(files: DataFiles, rules: ReaderRules, *, seed: int, keep_out: Iterable[str] = ()) -> ReaderData:
    """Build everything; the questions in `keep_out` are not trained on either."""
    rng = random.Random(seed)
    guard = reading_guard(files, keep_out)
    articles = read_json(files.squad)["data"]
    test_from = len(articles) - rules.held_out_articles
    dev_from = test_from - rules.dev_articles
    asqa = [record for record in read_json(files.asqa_train) if not guard.blocks(record["ambiguous_question"])]
    rng.shuffle(asqa)
    dev_asqa, asqa = asqa[: rules.dev_asqa], asqa[rules.dev_asqa :]
    for record in dev_asqa:
        guard.add(record["ambiguous_question"])
        for pair in record["qa_pairs"]:
            guard.add(pair["question"])
    index = PassageIndex(_passages_without(articles[dev_from:], files.passages), skip_sources=BLOCKED_SOURCES)
    gold = iter_gold_paragraphs(files.nq_gold_paragraphs)
    maker = ReadingMaker(index, guard, rules, rng)
    return ReaderData(
        squad=list(maker.from_squad(articles[:dev_from])),
        asqa=list(maker.from_asqa(asqa)),
        nq_gold=list(maker.from_gold(gold)),
        distant=list(maker.from_passages(distant_examples(files))),
        dev_squad=list(iter_squad(articles[dev_from:test_from])),
        dev_asqa=[reading for record in dev_asqa for reading in iter_asqa_readings(record)],
        test_squad=list(iter_squad(articles[test_from:])),
    )


def _passages_without(articles: Sequence[dict[str, Any]], passages: Path) -> Iterator[dict[str, Any]]:
    """The passages that are not of these SQuAD articles, of which the Wikipedia file has some too."""
    titles = {article["title"].replace("_", " ") for article in articles}
    contexts = {paragraph["context"] for article in articles for paragraph in article["paragraphs"]}
    for passage in iter_jsonl(passages):
        if passage["title"].replace("_", " ") not in titles and passage["text"] not in contexts:
            yield passage


def reading_guard(files: DataFiles, keep_out: Iterable[str] = ()) -> LeakGuard:
    """Blocks every evaluation question; several wordings in one text, parted by a bar, count each."""
    asked = (*evaluation_questions(files), *keep_out)
    return LeakGuard(part for question in asked for part in (question, *question.split("|")))


class ReadingMaker:
    """Makes readings of the training questions, drawing on one index, guard and random state."""

    def __init__(self, index: PassageIndex, guard: LeakGuard, rules: ReaderRules, rng: random.Random) -> None:
        self._index, self._guard, self._rules, self._rng = index, guard, rules, rng

    def from_squad(self, articles: Sequence[dict[str, Any]]) -> Iterator[Reading]:
        """SQuAD questions, some of them also asked wrongly or of another paragraph of the article."""
        for article in articles:
            contexts = [paragraph["context"] for paragraph in article["paragraphs"]]
            for reading in iter_squad([article]):
                if self._guard.blocks(reading.question):
                    continue
                yield reading
                if reading.answers and self._rng.random() < self._rules.near_misses:
                    missed = near_miss(reading, spare=self._rng.sample(contexts, 1), rng=self._rng)
                    if missed:
                        yield missed
                if reading.answers and self._rng.random() < self._rules.other_passages:
                    yield from self._elsewhere(reading, contexts)

    def from_asqa(self, records: Sequence[dict[str, Any]]) -> Iterator[Reading]:
        """ASQA readings on the human answer, on what is left of it, on another answer and on the bare question."""
        answers = [record["annotations"][0]["long_answer"] for record in records]
        for record in records:
            readings = [r for r in iter_asqa_readings(record) if not self._guard.blocks(r.question)]
            for pair, reading in self._paired(record, readings):
                yield reading
                rest = without_answers(reading.context, pair["short_answers"])
                if rest and not mentions(rest, pair["short_answers"]):
                    yield replace(reading, context=rest, answers=())
                elif self._rng.random() < self._rules.other_passages:
                    yield from self._elsewhere(reading, answers)
            for reading in readings[:1]:
                yield replace(reading, context=record["ambiguous_question"], answers=())

    def from_gold(self, readings: Iterable[tuple[Example, Reading]]) -> Iterator[Reading]:
        """NQ questions on their gold paragraph, on what is left of it, and on another passage."""
        for example, reading in readings:
            if self._guard.blocks(example.question) or not reading.answers:
                continue
            yield reading
            rest = without_answers(reading.context, example.answers)
            if len(rest.split()) > 30 and self._rng.random() < self._rules.other_passages:
                yield replace(reading, context=rest, answers=())
            elif self._rng.random() < self._rules.other_passages:
                yield from self._found(example, answered=False)

    def from_passages(self, examples: Iterable[Example]) -> Iterator[Reading]:
        """Questions on a passage of the corpus that holds the answer and enough words of the question."""
        for example in without_leaks(examples, self._guard):
            answered = list(self._found(example, answered=True))
            yield from answered
            if answered and self._rng.random() < self._rules.other_passages:
                yield from self._found(example, answered=False)

    def _found(self, example: Example, *, answered: bool) -> Iterator[Reading]:
        """The best passage with the answer, or the best without it."""
        answers = usable_answers(example)
        for passage in self._index.search(example.question, self._rules.passages) if answers else ():
            context = pair_text(passage.title, passage.text)
            has = contains_answer(normalise(context), answers)
            spans = find_answers(passage.text, example.answers) if has else ()
            about = self._index.coverage(example.question, self._index.words(context)) >= self._rules.coverage
            if answered and spans and about:
                yield Reading(example.question, passage.text, spans, passage.title)
                return
            if not answered and not has:
                yield Reading(example.question, context, (), passage.title)
                return

    def _elsewhere(self, reading: Reading, contexts: Sequence[str]) -> Iterator[Reading]:
        """The question on the one of six random contexts that shares most with it, if that has no answer."""
        texts = [gold.text for gold in reading.answers]
        drawn = self._rng.sample(contexts, min(6, len(contexts)))
        others = [context for context in drawn if context != reading.context and not find_answers(context, texts)]
        if others:
            best = max(others, key=lambda text: self._index.coverage(reading.question, self._index.words(text)))
            yield replace(reading, context=best, answers=(), id="")

    @staticmethod
    def _paired(record: dict[str, Any], readings: Sequence[Reading]) -> Iterator[tuple[dict[str, Any], Reading]]:
        pairs = {pair["question"]: pair for pair in record["qa_pairs"]}
        return ((pairs[reading.question], reading) for reading in readings)


def iter_squad(articles: Iterable[dict[str, Any]]) -> Iterator[Reading]:
    """The questions of SQuAD articles as they are."""
    for article in articles:
        for paragraph in article["paragraphs"]:
            for qa in paragraph["qas"]:
                yield Reading(qa["question"], paragraph["context"], golds(qa), article["title"], qa["id"])


def iter_asqa_readings(record: dict[str, Any]) -> Iterator[Reading]:
    """The disambiguated questions on the long answer; those it answers only in other words are left out."""
    context = record["annotations"][0]["long_answer"]
    for pair in record["qa_pairs"]:
        found = find_answers(context, pair["short_answers"])
        if found or not mentions(context, pair["short_answers"]):
            yield Reading(pair["question"], context, found, record["ambiguous_question"])


def iter_gold_paragraphs(path: Path) -> Iterator[tuple[Example, Reading]]:
    """NQ questions on their gold paragraph."""
    for record in iter_jsonl(path):
        question, context = clean_question(record["question"]), record["gold_text"]
        spans = find_answers(context, record["answers"])
        example = Example(question, tuple(record["answers"]), "nq_gold")
        yield example, Reading(question, context, spans, record["gold_title"])


def distant_examples(files: DataFiles) -> Iterator[Example]:
    """Questions with answers but no context: AmbigNQ's readings and single answers, then NQ-open."""
    for record in read_json(files.ambignq_train):
        for note in record["annotations"]:
            for pair in note.get("qaPairs", []):
                yield Example(pair["question"], tuple(pair["answer"]), "ambignq")
    yield from iter_ambignq(files.ambignq_train)
    yield from iter_nq_open(files.nq_open_train)
