"""The nouns: frozen records that every stage reads and writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


# Tuples and mappings throughout, no lists: what is frozen must not hold something that another stage could add to.
# Slots, because a corpus of millions of passages goes through these records one by one.
@dataclass(frozen=True, slots=True)
class Source:
    """Where a passage stands: its file or address, page, heading path ("Chapter > Section") and character offsets.

    The offsets count characters of the document's text as it was read.
    """

    file: str = ""
    page: int | None = None
    heading: str = ""
    url: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """One block of a passage: what it is and where its text stands there.

    `kind` is paragraph, item, code, table, definition, quotation or caption. `mark` is what the text lacks: the number
    or bullet of an item, the language of code, "header" for a table whose first line names the columns.
    """

    kind: str
    start: int
    end: int
    mark: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """A short stretch of one document, the unit of search and citation; without parts it is plain prose."""

    id: str
    text: str
    title: str = ""
    source: Source = Source()
    meta: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A retrieved passage: its number in the answer's source list and its retrieval score."""

    passage: Passage
    number: int
    score: float
    relevance: float | None = None
    """How well it answers by a ranker that has read it together with the question, as a logit; None if none has."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One reading of a question: the rewritten question and the aliases of its one short answer."""

    question: str
    answers: tuple[str, ...]
    citations: tuple[int, ...] = ()
    type: str = ""
    """What sets it apart, by AmbigQA's types (event, property, entity, answer type, time, sub-questions), if known."""
    confidence: float | None = None
    """How likely its answer is right, if whoever found it says so. 0 to 1."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with whatever is known about it.

    `annotations` are several people's sets of readings, where a benchmark keeps them apart; a single reading whose
    question is the question itself says that it is not ambiguous. `interpretations` is then one of these sets.
    """

    id: str
    text: str
    references: tuple[str, ...] = ()
    interpretations: tuple[Interpretation, ...] = ()
    evidence: tuple[Passage, ...] = ()
    annotations: tuple[tuple[Interpretation, ...], ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of the evidence: where it stands and how well it answers the question.

    `score` orders sentences; `similarity` (to the question) and `confidence` (that it answers it) lie between 0 and 1.
    """

    text: str
    number: int
    position: int
    score: float
    similarity: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Sentence:
    """An entry of an answer: what is shown, the verbatim source text, and the evidence numbers that prove it.

    `kind` is sentence, steps (items of a list), code or rows (of a table); all but sentences keep their lines.
    """

    text: str
    source_text: str
    citations: tuple[int, ...]
    kind: str = "sentence"


@dataclass(frozen=True, slots=True)
class Direct:
    """The answer in a word or two: a value, a name, a command; `confidence` is the share of such that are right."""

    text: str
    citations: tuple[int, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of an answer and the entries it is made of; `notes` say how it came about."""

    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    direct: Direct | None = None
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a system says to a question; when it abstains, `nearest` are the passages that come nearest."""

    id: str
    question: str
    system: str
    answer: Answer
    interpretations: tuple[Interpretation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    abstained: bool = False
    nearest: tuple[Evidence, ...] = ()
    question_kind: str = ""
    seconds: float = 0.0
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a text model is asked. With `schema`, a JSON schema as text, the reply is JSON of that shape."""

    text: str
    system: str = ""
    schema: str = ""
    max_tokens: int = 256


@dataclass(frozen=True, slots=True)
class Span:
    """What a reader found: the text between two characters of the context, or no text if it holds no answer.

    `score` is of the best span, whether it was given or not; `null_score` of there being none. Both are logits.
    """

    text: str
    start: int
    end: int
    score: float
    null_score: float


@dataclass(frozen=True, slots=True)
class Preference:
    """One person's choice between two answers to a question: `a`, `b` or `tie`."""

    id: str
    question: Question
    a: str
    b: str
    choice: str
    a_system: str = ""
    b_system: str = ""
    criterion: str = "overall"
    rater: str = ""
    domain: str = ""
    comment: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rating:
    """What one person said of one answer, or of a piece of it, by one criterion.

    `value` is what the file has; `grade` is its place on the scale, higher is better, and None where values have no
    order.
    """

    id: str
    question: Question
    answer: str
    value: Any
    grade: float | None = None
    system: str = ""
    criterion: str = "overall"
    rater: str = ""
    domain: str = ""
    comment: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgment:
    """What one person said about an item by one criterion: a choice between two answers, or a value for one.

    `a` and `b` name systems (of a rated answer only `a`), `choice` is `a`, `b` or `tie`, and `shown` (`ab` or `ba`)
    begins with the one on the left. Neither a choice nor a value: the question was left open. `seconds` is the active
    time of the rater on the item, the same in every judgment of that rater and item. `worker` is the id that a crowd
    platform gave the rater.
    """

    study: str
    form: str
    item: str
    question_id: str
    rater: str
    criterion: str
    a: str = ""
    b: str = ""
    choice: str | None = None
    value: Any = None
    shown: str = "ab"
    seconds: float | None = None
    domain: str = ""
    comment: str = ""
    at: str = ""
    worker: str = ""


@dataclass(frozen=True, slots=True)
class MetricResult:
    """A number with its interval, its value per question and the signature that says how it was made."""

    metric: str
    value: float
    low: float
    high: float
    n: int
    signature: str
    per_question: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same questions by one metric: a minus b, its interval, and how sure the sign is.

    `p_value` is of the paired permutation test; `p_holm` is corrected for all pairs of systems that were compared.
    """

    metric: str
    a: str
    b: str
    a_value: float
    b_value: float
    difference: float
    low: float
    high: float
    p_value: float
    p_holm: float
    wins: int
    ties: int
    losses: int
    n: int
    missing: int
    signature: str
    errors: int = 0
    """Questions that one of the systems failed on; like those that one has no answer to, they are not compared."""
