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

from expound.train.data.answer_spans import find_answers, mentions, without_answers
from expound.train.data.dataset_files import (
    DataFiles,
    Factoid,
    evaluation_questions,
    iter_ambignq,
    iter_nq_open,
)
from expound.train.data.distant_labels import usable_answers
from expound.train.data.file_shapes import (
    AMBIGNQ,
    ASQA_TRAIN,
    NQ_GOLD,
    PASSAGE,
    SQUAD,
    iter_shaped,
    read_shaped,
)
from expound.train.data.label_texts import clean_question, contains_answer, normalise, pair_text
from expound.train.data.leak_guard import BLOCKED_SOURCES, LeakGuard, drop_leaks
from expound.train.data.near_misses import near_miss
from expound.train.data.passage_index import PassageIndex
from expound.train.data.squad_layout import SpanExample, iter_squad


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
    drawn_contexts: int = 6
    """Random contexts of which the one most like the question is taken: the best of all would often answer it."""
    fewest_words_left: int = 30
    """What is left of a paragraph without its answer; less would be told by its length alone."""


@dataclass(frozen=True)
class ReaderData:
    """The files of a reader: broad and close to its use to train on, two to choose on, one for the final figure."""

    squad: list[SpanExample]
    asqa: list[SpanExample]
    nq_gold: list[SpanExample]
    distant: list[SpanExample]
    dev_squad: list[SpanExample]
    dev_asqa: list[SpanExample]
    test_squad: list[SpanExample]

    def files(self) -> dict[str, list[SpanExample]]:
        """Name and content of each file."""
        return {f"{name}.json": value for name, value in vars(self).items()}


def build_reader_data(files: DataFiles, rules: ReaderRules, *, seed: int, keep_out: Iterable[str] = ()) -> ReaderData:
    """Build everything; the questions in `keep_out` are not trained on either."""
    rng = random.Random(seed)
    guard = guard_against(files, keep_out)
    articles = read_shaped(files.squad, SQUAD, layout="SQuAD 2.0")["data"]
    test_from = len(articles) - rules.held_out_articles
    dev_from = test_from - rules.dev_articles
    trained = read_shaped(files.asqa_train, ASQA_TRAIN, layout="ASQA's training records")
    asqa = [record for record in trained if not guard.blocks(record["ambiguous_question"])]
    rng.shuffle(asqa)
    # Before anything is made of them: held-out questions must not come back from other files.
    dev_asqa, asqa = asqa[: rules.dev_asqa], asqa[rules.dev_asqa :]
    for record in dev_asqa:
        # Also the question itself and its readings, wherever they stand.
        guard.add(record["ambiguous_question"])
        for pair in record["qa_pairs"]:
            guard.add(pair["question"])
    index = PassageIndex(_passages_without(articles[dev_from:], files.passages), skip_sources=BLOCKED_SOURCES)
    gold = iter_gold_paragraphs(files.nq_gold_paragraphs)
    maker = ExampleMaker(index, guard, rules, rng)
    return ReaderData(
        squad=list(maker.from_squad(articles[:dev_from])),
        asqa=list(maker.from_asqa(asqa)),
        nq_gold=list(maker.from_gold(gold)),
        distant=list(maker.from_passages(iter_distant_factoids(files))),
        dev_squad=list(iter_squad(articles[dev_from:test_from])),
        dev_asqa=[example for record in dev_asqa for example in iter_asqa_examples(record)],
        test_squad=list(iter_squad(articles[test_from:])),
    )


def _passages_without(articles: Sequence[dict[str, Any]], passages: Path) -> Iterator[dict[str, Any]]:
    """The passages that are not of these SQuAD articles, of which the Wikipedia file has some too."""
    titles = {article["title"].replace("_", " ") for article in articles}
    contexts = {paragraph["context"] for article in articles for paragraph in article["paragraphs"]}
    for passage in iter_shaped(passages, PASSAGE):
        if passage["title"].replace("_", " ") not in titles and passage["text"] not in contexts:
            yield passage


def guard_against(files: DataFiles, keep_out: Iterable[str] = ()) -> LeakGuard:
    """Blocks every evaluation question; several wordings in one text, parted by a bar, count each."""
    asked = (*evaluation_questions(files), *keep_out)
    return LeakGuard(part for question in asked for part in (question, *question.split("|")))


class ExampleMaker:
    """Makes examples of the training questions, drawing on one index, guard and random state."""

    def __init__(self, index: PassageIndex, guard: LeakGuard, rules: ReaderRules, rng: random.Random) -> None:
        self._index, self._guard, self._rules, self._rng = index, guard, rules, rng

    def from_squad(self, articles: Sequence[dict[str, Any]]) -> Iterator[SpanExample]:
        """SQuAD questions, some of them also asked wrongly or of another paragraph of the article."""
        for article in articles:
            contexts = [paragraph["context"] for paragraph in article["paragraphs"]]
            for example in iter_squad([article]):
                if self._guard.blocks(example.question):
                    continue
                yield example
                if example.answers and self._rng.random() < self._rules.near_misses:
                    # A name of another paragraph where this one has none.
                    missed = near_miss(example, spare=self._rng.sample(contexts, 1), rng=self._rng)
                    if missed:
                        yield missed
                if example.answers and self._rng.random() < self._rules.other_passages:
                    yield from self._elsewhere(example, contexts)

    def from_asqa(self, records: Sequence[dict[str, Any]]) -> Iterator[SpanExample]:
        """ASQA questions on the human answer, on what is left of it, on another answer and on the bare question."""
        answers = [record["annotations"][0]["long_answer"] for record in records]
        for record in records:
            examples = [r for r in iter_asqa_examples(record) if not self._guard.blocks(r.question)]
            for pair, example in self._pair_examples(record, examples):
                yield example
                rest = without_answers(example.context, pair["short_answers"])
                # A word of the answer is left: the rest may answer in other words.
                if rest and not mentions(rest, pair["short_answers"]):
                    yield replace(example, context=rest, answers=())
                elif self._rng.random() < self._rules.other_passages:
                    yield from self._elsewhere(example, answers)
            for example in examples[:1]:
                # A question alone answers nothing, and systems that repeat it are scored by this reader.
                yield replace(example, context=record["ambiguous_question"], answers=())

    def from_gold(self, pairs: Iterable[tuple[Factoid, SpanExample]]) -> Iterator[SpanExample]:
        """NQ questions on their gold paragraph, on what is left of it, and on another passage."""
        for factoid, example in pairs:
            # Where the answer is not in the gold paragraph word for word, nobody can say where it stands.
            if self._guard.blocks(factoid.question) or not example.answers:
                continue
            yield example
            rest = without_answers(example.context, factoid.answers)
            if len(rest.split()) > self._rules.fewest_words_left and self._rng.random() < self._rules.other_passages:
                yield replace(example, context=rest, answers=())
            elif self._rng.random() < self._rules.other_passages:
                yield from self._find_example(factoid, answered=False)

    def from_passages(self, factoids: Iterable[Factoid]) -> Iterator[SpanExample]:
        """Questions on a passage of the corpus that holds the answer and enough words of the question."""
        for factoid in drop_leaks(factoids, self._guard):
            answered = list(self._find_example(factoid, answered=True))
            yield from answered
            if answered and self._rng.random() < self._rules.other_passages:
                yield from self._find_example(factoid, answered=False)

    def _find_example(self, factoid: Factoid, *, answered: bool) -> Iterator[SpanExample]:
        """The best passage with the answer, or the best without it."""
        answers = usable_answers(factoid)
        for passage in self._index.search(factoid.question, self._rules.passages) if answers else ():
            context = pair_text(passage.title, passage.text)
            has = contains_answer(normalise(context), answers)
            spans = find_answers(passage.text, factoid.answers) if has else ()
            about = self._index.coverage(factoid.question, self._index.words(context)) >= self._rules.coverage
            # The answer alone is no evidence: a year or a name stands in many passages by chance.
            if answered and spans and about:
                yield SpanExample(question=factoid.question, context=passage.text, answers=spans, title=passage.title)
                return
            # By the looser test: an answer that is spelt otherwise would make an answerable question a wrong one.
            if not answered and not has:
                yield SpanExample(question=factoid.question, context=context, answers=(), title=passage.title)
                return

    def _elsewhere(self, example: SpanExample, contexts: Sequence[str]) -> Iterator[SpanExample]:
        """The question on the one of a few random contexts that shares most with it, if that has no answer."""
        texts = [gold.text for gold in example.answers]
        drawn = self._rng.sample(contexts, min(self._rules.drawn_contexts, len(contexts)))
        others = [context for context in drawn if context != example.context and not find_answers(context, texts)]
        if others:
            best = max(others, key=lambda text: self._index.coverage(example.question, self._index.words(text)))
            # Another context makes another example, so the old id must go.
            yield replace(example, context=best, answers=(), id="")

    @staticmethod
    def _pair_examples(
        record: dict[str, Any], examples: Sequence[SpanExample]
    ) -> Iterator[tuple[dict[str, Any], SpanExample]]:
        pairs = {pair["question"]: pair for pair in record["qa_pairs"]}
        return ((pairs[example.question], example) for example in examples)


def iter_asqa_examples(record: dict[str, Any]) -> Iterator[SpanExample]:
    """The disambiguated questions on the long answer; those it answers only in other words are left out."""
    context = record["annotations"][0]["long_answer"]
    for pair in record["qa_pairs"]:
        found = find_answers(context, pair["short_answers"])
        # With words of the answer but not the answer itself, nobody can say where it stands.
        if found or not mentions(context, pair["short_answers"]):
            yield SpanExample(
                question=pair["question"], context=context, answers=found, title=record["ambiguous_question"]
            )


def iter_gold_paragraphs(path: Path) -> Iterator[tuple[Factoid, SpanExample]]:
    """NQ questions on their gold paragraph."""
    for record in iter_shaped(path, NQ_GOLD):
        question, context = clean_question(record["question"]), record["gold_text"]
        spans = find_answers(context, record["answers"])
        factoid = Factoid(question, tuple(record["answers"]), "nq_gold")
        yield factoid, SpanExample(question=question, context=context, answers=spans, title=record["gold_title"])


def iter_distant_factoids(files: DataFiles) -> Iterator[Factoid]:
    """Questions with answers but no context: AmbigNQ's readings and single answers, then NQ-open."""
    for record in read_shaped(files.ambignq_train, AMBIGNQ, layout="AmbigNQ"):
        for note in record["annotations"]:
            for pair in note.get("qaPairs", []):
                yield Factoid(pair["question"], tuple(pair.get("answer", ())), "ambignq")
    yield from iter_ambignq(files.ambignq_train)
    yield from iter_nq_open(files.nq_open_train)
