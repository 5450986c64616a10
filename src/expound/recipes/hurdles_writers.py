"""The generator of Krishna et al. 2021 on our own system: writers trained with found or with random documents.

Each is then asked with documents that were found, with random ones and with none; the paper swaps at this point alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from expound.answer.quoting import cite_nothing
from expound.audit.content import Content, content_by, content_share
from expound.audit.inputs import Inputs
from expound.audit.ngrams import overlap
from expound.audit.swap import of_others
from expound.corpus.library import open_corpora
from expound.datasets.leaks import without_leaks
from expound.datasets.predictions import PREDICTIONS, read_predictions
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.models.decoder import Decoding
from expound.models.torch_writer import TorchWriter, open_writer
from expound.models.writer_inputs import writer_source
from expound.recipes.batch_answers import answer_in_batches
from expound.recipes.kept_likelihoods import iter_likelihoods, keep_numbers
from expound.recipes.shape import Ingredients
from expound.recipes.systems import read_questions
from expound.recipes.writer_plans import untrained_writer
from expound.retrieve.given import Given
from expound.retrieve.single import Lexical
from expound.runs.answers import answer_all
from expound.score.results import Scorer
from expound.train.data.writer_files import WriterRow, write_writer_rows
from expound.train.description import TrainingFiles
from expound.train.loop import FIGURES
from expound.train.training_settings import WRITER, NumberFormat, WriterSettings
from expound.train.writer_bases import SMALL
from expound.train.writer_request import WriterRequest, train_writer
from expound.types import Passage, Prediction, Question

FOUND, RANDOM, NONE = "found", "random", "none"
UNTRAINED = "nothing"
"""In place of the documents that a writer was trained with: the base as it is."""
TIMES = 5  # how often Table 7's lower bound says the question
_SEED = 13  # as everywhere in training
AGAIN = 14  # of the writers that are trained once more, to see what chance does
_METRICS = ("KiltAnswer(kind='f1')", "KiltAnswer(kind='rouge_l')")


@dataclass(frozen=True)
class GeneratorSettings:
    """The sizes of the experiment. The paper's: 7 documents, 4,096 tokens with answers of 288, all of ELI5."""

    k: int = 3
    most_tokens: int = 350
    answer_words: int = 60
    questions: int = 40
    """Asked, unless --limit says how many."""
    written: int = 20
    """The first so many are answered. All have their references read: one pass takes a second, an answer five."""
    rows_a_question: int = 3
    """Training rows for each question that is asked: with fewer of these, whoever has little time trains less too."""
    top_p: float = 0.6
    """The better of the paper's two by ROUGE-L."""
    seed: int = _SEED
    """Of what is drawn in an answer."""
    precision: NumberFormat = NumberFormat.FLOAT32
    """What training is computed in."""
    base: str = SMALL

    @property
    def drawing(self) -> str:
        """What is not as usual in how answers are drawn, as part of a folder's name: one --out may hold several."""
        usual = GeneratorSettings()
        said = {"p": (self.top_p, usual.top_p), "n": (self.written, usual.written), "seed": (self.seed, usual.seed)}
        return "".join(f"-{name}{ours}" for name, (ours, theirs) in said.items() if ours != theirs)

    @property
    def reading(self) -> GeneratorSettings:
        """Without what matters to writing alone: references are read once, however answers are drawn."""
        usual = GeneratorSettings()
        return replace(self, top_p=usual.top_p, written=usual.written, seed=usual.seed)


@dataclass(frozen=True)
class WriterUse:
    """A writer by the documents that it was trained with, and the documents that it is given."""

    trained: str
    read: str
    seed: int = _SEED
    """The writer's training: which rows come first, and what its adapter starts from."""

    @property
    def name(self) -> str:
        """As a folder."""
        return f"{self.trained}-{self.read}"

    @property
    def is_read_only(self) -> bool:
        """Whether references are read and nothing is written: writing takes far longer."""
        return self.seed == AGAIN or self.trained == UNTRAINED

    @property
    def writer(self) -> str:
        """The folder of the writer itself."""
        return f"writer-{self.trained}" + (f"-{self.seed}" if self.seed != _SEED else "")


@dataclass(frozen=True)
class Experiment:
    """Questions with found and random documents, and what each writer makes of them."""

    questions: tuple[Question, ...]
    training: tuple[Question, ...]
    """Each with the documents that were found for it as its evidence, as the questions above."""
    given: Ingredients
    settings: GeneratorSettings
    content: Content = field(default_factory=lambda: content_by("auto"))
    known: dict[Any, dict[str, list[float]]] = field(default_factory=dict, repr=False, compare=False)
    """What was measured already."""

    @property
    def answered(self) -> tuple[Question, ...]:
        """The questions that are answered in writing."""
        return self.questions[: self.settings.written]

    def texts(self, reading: WriterUse) -> list[str]:
        """A writer's answers in the order of the answered; they are kept, and an interrupted row goes on there."""
        out = self.given.folder / f"{reading.name}{self.settings.drawing}" / PREDICTIONS
        spec = self._spec(reading, self.settings)
        answer_all(self.answered, self._answerer(reading), out, spec=spec, report=self.given.report)
        said = {prediction.id: prediction.answer.text for prediction in read_predictions(out)}
        return [said[question.id] for question in self.answered]

    def likelihoods(self, reading: WriterUse) -> list[float]:
        """Mean logarithm of the probability of a word of each first reference, cut as answers in training are.

        They are kept beside the answers: a recipe that was stopped reads no reference twice.
        """
        file = self.given.folder / reading.writer / f"likelihoods-{reading.read}.json"
        asked = [question.id for question in self.questions]
        spec = {**self._spec(reading, self.settings.reading), "questions": asked}
        return keep_numbers(file, spec, self._iter_likelihoods(reading))

    def _iter_likelihoods(self, reading: WriterUse) -> Iterator[float]:
        writer, documents = self.writer(reading), self.documents(reading.read)
        pairs = [
            (writer_source(writer.card, question.text, passages, writer.token_ends), question.references[0])
            for question, passages in zip(self.questions, documents, strict=True)
        ]
        yield from iter_likelihoods(writer, pairs, self.given, words=self.settings.answer_words)

    def _spec(self, reading: WriterUse, settings: GeneratorSettings) -> dict[str, Any]:
        # With the settings, so that what another size of the experiment left is not mixed in.
        return {"reading": reading.name, "settings": repr(settings), "seed": reading.seed}

    def documents(self, kind: str) -> list[tuple[Passage, ...]]:
        """What is given with every question."""
        found = [question.evidence for question in self.questions]
        if kind == NONE:
            return [() for _ in found]
        # Documents of other questions, not of no question: they are of the same length and kind, and only their topic
        # is wrong.
        return of_others(found, seed=_SEED) if kind == RANDOM else found

    def writer(self, reading: WriterUse) -> TorchWriter:
        """The writer that was trained with these documents; it is trained when it is first asked for."""
        if reading.trained == UNTRAINED:
            return self._base
        out = self.given.folder / reading.writer
        if not (out / FIGURES).is_file():
            self._train(reading, out)
        return open_writer(str(out / "model"))

    def random_answers(self) -> list[str]:
        """An answer to another question for each."""
        draw = random.Random(_SEED)
        return [draw.choice(self.training).references[0] for _ in self.answered]

    def copied_questions(self) -> list[str]:
        """Every question, five times."""
        return [" ".join([question.text] * TIMES) for question in self.answered]

    def scores(self, texts: Sequence[str]) -> dict[str, list[float]]:
        """F1 and ROUGE-L of every answer, as KILT counts them: the best reference counts."""
        answers = {
            question.id: Prediction(id=question.id, question=question.text, system="", answer=cite_nothing(text))
            for question, text in zip(self.answered, texts, strict=True)
        }
        inputs = Inputs(self.answered, answers, Scorer(_METRICS))
        return {name: inputs.of_each(result) for name, result in inputs.score(answers).items()}

    def overlaps(self, texts: Sequence[str]) -> dict[str, list[float]]:
        """What every answer has in common with found documents, with random ones and with its question, in percent."""
        shares: dict[str, list[float]] = {"content in question": self._content(texts, None)}
        for kind in (FOUND, RANDOM):
            documents = self.documents(kind)[: len(self.answered)]
            given = [[passage.text for passage in passages] for passages in documents]
            for n in (1, 2):
                shares[f"{n}-g in {kind}"] = [overlap(a, b, n) for a, b in zip(texts, given, strict=True)]
            shares[f"content in {kind}"] = self._content(texts, given)
        return shares

    def _content(self, texts: Sequence[str], given: Sequence[Sequence[str]] | None) -> list[float]:
        """Content words in documents and not in the question; without documents, in the question."""
        asked = [question.text for question in self.answered]
        if given is None:
            return [content_share(self.content, text, [question]) for text, question in zip(texts, asked, strict=True)]
        rows = zip(texts, given, asked, strict=True)
        return [content_share(self.content, text, inside, without) for text, inside, without in rows]

    def _answerer(self, reading: WriterUse) -> Callable[[Question], Prediction]:
        ids = [question.id for question in self.questions]
        given = [documents[: self.settings.k] for documents in self.documents(reading.read)]
        read = dict(zip(ids, given, strict=True))

        def write(batch: Sequence[Question]) -> list[str]:
            writer = self.writer(reading)
            card, ends = writer.card, writer.token_ends
            # The same seed for all: what differs between two rows is what was read.
            sizes = self.settings
            decoding = Decoding(
                beams=1, no_repeat=0, top_p=sizes.top_p, most_tokens=card.answer_tokens, seed=sizes.seed
            )
            return writer.write_all([writer_source(card, item.text, read[item.id], ends) for item in batch], decoding)

        return answer_in_batches(self.answered, write, read=read, system=reading.name)

    def _train(self, reading: WriterUse, out: Path) -> None:
        documents = [question.evidence for question in self.training]
        given = of_others(documents, seed=_SEED) if reading.trained == RANDOM else documents
        rows = [
            WriterRow(question.text, question.references[0], passages)
            for question, passages in zip(self.training, given, strict=True)
        ]
        file = out / "train.jsonl"
        write_writer_rows(file, rows)
        # Every row once: seen twice, a few hundred answers are soon known by heart.
        steps = max(1, len(rows) // WRITER.batch)
        request = WriterRequest(
            files=TrainingFiles((file,), ()),
            settings=replace(WRITER, steps=steps, threads=1, seed=reading.seed, precision=self.settings.precision),
            writing=self._writing,
            base=self.settings.base,
        )
        train_writer(request, out, report=self.given.report)

    @property
    def _writing(self) -> WriterSettings:
        sizes = self.settings
        return WriterSettings(
            input="hurdles", k=sizes.k, most_tokens=sizes.most_tokens, answer_words=sizes.answer_words
        )

    @cached_property
    def _base(self) -> TorchWriter:
        return untrained_writer(self.settings.base, self._writing)


def sizes_of(given: Ingredients) -> GeneratorSettings:
    """The sizes of the experiment, with those that the user chose."""
    usual = GeneratorSettings()
    return replace(
        usual,
        written=given.written or usual.written,
        top_p=given.top_p or usual.top_p,
        seed=given.seed,
        precision=given.precision,
    )


def set_up(given: Ingredients, settings: GeneratorSettings) -> Experiment:
    """The questions to ask and to learn from, each with the documents that are found for it."""
    if not given.train:
        raise UserError("the recipe hurdles-tables needs questions with answers to learn from: --train LAYOUT:PATH")
    finder = _Finder(given, settings.k)
    asked = finder.take(read_questions(replace(given, limit=0)), given.limit or settings.questions)
    # Else the writer could know the answers by heart, and documents would seem to matter even less.
    fresh = without_leaks(open_dataset(given.train), [open_dataset(given.dataset)])
    training = finder.take(fresh, settings.rows_a_question * len(asked))
    # Random documents are another question's.
    if len(asked) < 2 or len(training) < 2:
        raise UserError("fewer than two questions have both an answer and documents; name a corpus: --corpus NAME")
    return Experiment(questions=tuple(asked), training=tuple(training), given=given, settings=settings)


@dataclass(frozen=True)
class _Finder:
    """Documents of a question: those that words find in the corpora, or those that it comes with."""

    given: Ingredients
    k: int

    def take(self, questions: Iterable[Question], most: int) -> list[Question]:
        """The first so many questions with an answer and with documents, as their evidence."""
        # One of WebGPT's questions has an answer without a word.
        answered = (item for item in questions if item.references and item.references[0].strip())
        found = (replace(item, evidence=self._documents(item)) for item in answered)
        return list(islice((item for item in found if item.evidence), most))

    def _documents(self, question: Question) -> tuple[Passage, ...]:
        found = self._retriever.retrieve(question.text, k=self.k) if self._retriever else Given().retrieve_to(question)
        # Found pages may be empty, and a writer could not be trained with them.
        return tuple(item.passage for item in found if item.passage.text.strip())[: self.k]

    @cached_property
    def _retriever(self) -> Lexical | None:
        return Lexical(open_corpora(self.given.corpus)) if self.given.corpus else None
