"""The shapes a plug-in can take. Many in, as many out, same order: batch size never changes a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from expound.types import (
    Answer,
    Evidence,
    Interpretation,
    Passage,
    Prediction,
    Prompt,
    Question,
    ScoredSentence,
    Span,
)

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    import numpy as np
    import numpy.typing as npt

    Vectors: TypeAlias = npt.NDArray[np.float32]
    Numbers: TypeAlias = npt.NDArray[np.float64]


class Dataset(Protocol):
    """A benchmark file, read one question at a time."""

    def __iter__(self) -> Iterator[Question]: ...


class Embedder(Protocol):
    """Texts to unit vectors."""

    name: str

    def embed(self, texts: Sequence[str]) -> Vectors: ...


class Ranker(Protocol):
    """How well each text answers the question: one logit each."""

    name: str

    def rank(self, question: str, texts: Sequence[str]) -> list[float]: ...


class Reader(Protocol):
    """Questions and contexts to the span of each context that answers its question, if one does."""

    @property
    def name(self) -> str: ...

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]: ...


class ContextRead(Protocol):
    """A context that was read with a question: the score of any span of it, as a logit, and of there being none."""

    @property
    def null_score(self) -> float: ...

    def best(self, most: int) -> list[Span]: ...

    def score(self, start: int, end: int) -> float: ...


# Checked at run time, here and below, only where generic code asks a part what it can do; the other shapes are for type
# checkers and for people.
@runtime_checkable
class CloseReader(Protocol):
    """A reader that gives the score of every span, not only the best one."""

    def read_closely(self, pairs: Sequence[tuple[str, str]]) -> Sequence[ContextRead]: ...


OnText: TypeAlias = Callable[[int, str], None]
"""Called with the number of a prompt and the next piece of its reply, as it is written."""


class TextModel(Protocol):
    """A language model: as many texts as prompts, in the same order; the same prompt always gets the same text.

    `capability` is what it can be trusted with: a `reader` picks from what it is shown, a `writer` writes freely.
    """

    @property
    def name(self) -> str: ...

    @property
    def capability(self) -> str: ...

    def complete(self, prompts: Sequence[Prompt], *, on_text: OnText | None = None) -> list[str]: ...

    def weigh(self, prompts: Sequence[Prompt], options: Sequence[str]) -> list[tuple[float, ...]]:
        """How probable each option is as the beginning of the reply; what none of them has is not shared out."""
        ...

    def fits(self, prompt: Prompt) -> bool:
        """Whether the prompt and its reply have room in the model's context."""
        ...


class SentenceScorer(Protocol):
    """The sentences of the evidence, each with a score for the question; and how near any texts are to it."""

    def score(self, question: str, evidence: Sequence[Evidence]) -> list[ScoredSentence]: ...

    def similarities(self, question: str, texts: Sequence[str]) -> list[float]: ...


class Retriever(Protocol):
    """A question to its best passages, best first, numbered from 1."""

    def retrieve(self, question: str, *, k: int) -> list[Evidence]: ...


class Clarifier(Protocol):
    """A question and its evidence to the readings of the question; none when there is only one.

    One with `only_of_articles = True` is not asked about manuals, notes and the like.
    """

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]: ...


class Answerer(Protocol):
    """A question, its evidence and its readings to a paragraph; an empty one is an abstention."""

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation]
    ) -> Answer: ...


@runtime_checkable
class InformedRetriever(Retriever, Protocol):
    """A retriever that looks at the whole record of a question: the passages that a dataset gives with it.

    Of a question alone it may make nothing: its `retrieve` then says where the part can be used.
    """

    def retrieve_to(self, question: Question, *, k: int) -> list[Evidence]: ...


@runtime_checkable
class FollowingRetriever(Retriever, Protocol):
    """A retriever that knows what stands behind a passage in its document: the rest of its section, and those below."""

    def passages_behind(self, passage: Passage) -> list[Passage]: ...


@runtime_checkable
class InformedClarifier(Protocol):
    """A clarifier that looks at the whole record of a question, gold readings included: an ablation or a bound."""

    def clarify_to(self, question: Question, evidence: Sequence[Evidence]) -> list[Interpretation]: ...


@runtime_checkable
class ExplainingClarifier(Protocol):
    """A clarifier that can say what it weighed and why something was left out, as names with remarks."""

    def explain(self, question: str, evidence: Sequence[Evidence]) -> dict[str, str]: ...


@runtime_checkable
class Abstainer(Protocol):
    """An answerer that can tell from the evidence alone that it will not answer, before a text model is asked."""

    def abstains_from(self, question: str, evidence: Sequence[Evidence]) -> bool: ...


@runtime_checkable
class ContinuingAnswerer(Protocol):
    """An answerer that goes on with what stands behind the evidence, for questions where that may be needed."""

    def may_continue(self, question: str, evidence: Sequence[Evidence]) -> bool: ...

    def answer(
        self,
        question: str,
        evidence: Sequence[Evidence],
        interpretations: Sequence[Interpretation],
        behind: Sequence[Evidence] = (),
    ) -> Answer: ...


@runtime_checkable
class InformedAnswerer(Protocol):
    """An answerer that looks at the whole record of a question, references included: a baseline or a bound."""

    def answer_to(
        self, question: Question, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation]
    ) -> Answer: ...


class Supports(Protocol):
    """How far a passage supports a sentence, 0 to 1."""

    def __call__(self, passage: str, sentence: str) -> float: ...


class Metric(Protocol):
    """A number per question, whose mean is the result; not a number where a question cannot be scored.

    May also have `options`, a mapping of names to texts, for its signature; and `looks_at`, of what its number is made,
    if not of the answer's text alone (`expound.score.looks_at`). One that looks at a reader's answers finds them in
    `prediction.meta["short_answers"]` (`ReadMetric`).
    """

    @property
    def name(self) -> str: ...

    def count(self, question: Question, prediction: Prediction) -> float: ...


class PooledMetric(Protocol):
    """A result that is not a mean: counts per question first, divides last.

    `pool` gets a row of counts per question and, in each row of `weights`, how often each question is taken; it returns
    one value per row of weights. All intervals and tests are made of such weights. `each` gives the value of every
    question by itself.
    """

    @property
    def name(self) -> str: ...

    def count(self, question: Question, prediction: Prediction) -> tuple[float, ...]: ...

    def pool(self, counts: Numbers, weights: Numbers) -> Numbers: ...

    def each(self, counts: Numbers) -> Numbers: ...


AnyMetric: TypeAlias = Metric | PooledMetric


@runtime_checkable
class ReadMetric(Protocol):
    """A metric that looks at what a reader reads off an answer: its numbers are told with the reader's name."""

    def read_by(self, name: str) -> AnyMetric: ...
