"""Ask questions of documents and judge what comes: our answer beside the first passages that its search found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from expound.corpus.library import open_corpora
from expound.recipes.shape import Ingredients
from expound.retrieve.single import Lexical
from expound.score.debris import AnswerPiece, damages, pieces_of, prose_pieces
from expound.system import RETRIEVED, System, open_system
from expound.text.inline import render_inline
from expound.types import Evidence, Passage, Prediction, Question

OURS = "answer"
FIRST, PASSAGES = "first passage", "first passages"
BM25_FIRST, BM25_PASSAGES = "BM25: first passage", "BM25: first passages"
SYSTEMS = (OURS, FIRST, PASSAGES, BM25_FIRST, BM25_PASSAGES)
# How long the baselines' passages are where no answer was given that they could be as long as.
_WORDS_WITHOUT_ANSWERS = 80.0
# What a baseline quotes ends far earlier: ten passages are more words than any answer of ours has.
_KEPT_PASSAGES = 10
_NOT_PROSE = ("code", "rows")


class Judge(Protocol):
    """What is known of a question's answer."""

    def is_good(self, text: str) -> bool:
        """Whether a text answers the question."""

    def recall(self, text: str) -> float:
        """How much of what was to be said a text says. 0 to 1."""

    def names(self, direct: str, text: str) -> bool:
        """Whether the direct answer is the one that was asked for, given the whole answer."""


@dataclass(frozen=True)
class Trial:
    """A question to measure with; without a judge the documents do not hold its answer."""

    id: str
    question: str
    kind: str
    group: str
    judge: Judge | None


@dataclass(frozen=True)
class Outcome:
    """What a system made of a question. `direct` says whether the direct answer was right, if there was one."""

    is_answerable: bool
    is_silent: bool
    is_good: bool
    recall: float
    words: int
    prose_words: int
    damages: tuple[str, ...] = ()
    direct: bool | None = None


@dataclass(frozen=True)
class Asked:
    """A question with our prediction and the evidence that the baselines quote."""

    trial: Trial
    prediction: Prediction
    found: tuple[Evidence, ...]
    by_words: tuple[Evidence, ...]


Outcomes = Mapping[str, Sequence[Outcome]]
"""By system, in the order of the trials."""


def ask_all(trials: Sequence[Trial], corpus: str, given: Ingredients) -> Iterator[Asked]:
    """Every question to the default system over one corpus, without a text model."""
    # Also where one is installed: else the same command would measure another system on another machine.
    system, lexical = open_system([corpus], model="none"), Lexical(open_corpora([corpus]))
    for number, trial in enumerate(trials, start=1):
        yield _ask(trial, system, lexical)
        given.say(f"asking {corpus}", number, len(trials))


def _ask(trial: Trial, system: System, lexical: Lexical) -> Asked:
    question = Question(trial.id, trial.question)
    prediction = system.predict(question)
    # The prediction numbers its evidence by citation: the baselines need the order of the search.
    found = system.evidence(question)[:_KEPT_PASSAGES]
    # As many as the answerer sees, so that neither of the two rankings is cut earlier than the other.
    by_words = lexical.retrieve(trial.question, k=RETRIEVED)
    return Asked(trial, prediction, tuple(found), by_words=tuple(by_words[:_KEPT_PASSAGES]))


def outcomes_of(asked: Sequence[Asked]) -> dict[str, list[Outcome]]:
    """The outcomes of our answers and of the baselines, which are as long as our answers are on average."""
    # First ours: the baselines are cut to the same length, else the longer text would win.
    ours = [_our_outcome(item) for item in asked]
    words = mean_words(ours)
    outcomes: dict[str, list[Outcome]] = {name: [] for name in SYSTEMS}
    outcomes[OURS] = ours
    for item in asked:
        for first, more, evidence in ((FIRST, PASSAGES, item.found), (BM25_FIRST, BM25_PASSAGES, item.by_words)):
            outcomes[first].append(_outcome(item.trial, quote_passages(evidence[:1]), evidence=evidence))
            outcomes[more].append(_outcome(item.trial, within(quote_passages(evidence), words), evidence=evidence))
    return outcomes


def mean_words(outcomes: Sequence[Outcome]) -> float:
    """Words of an answer, code and rows among them, where there is one."""
    lengths = [outcome.words for outcome in outcomes if not outcome.is_silent]
    return sum(lengths) / len(lengths) if lengths else _WORDS_WITHOUT_ANSWERS


def _our_outcome(item: Asked) -> Outcome:
    answer, judge = item.prediction.answer, item.trial.judge
    if item.prediction.abstained:
        return Outcome(judge is not None, is_silent=True, is_good=False, recall=0.0, words=0, prose_words=0)
    direct = answer.direct
    # Where the documents hold no answer, a direct one is wrong whatever it says.
    is_right = None if direct is None else judge is not None and judge.names(direct.text, answer.text)
    return _outcome(item.trial, pieces_of(answer), text=answer.text, evidence=item.prediction.evidence, direct=is_right)


def _outcome(
    trial: Trial,
    pieces: Sequence[AnswerPiece],
    *,
    text: str = "",
    evidence: Sequence[Evidence] = (),
    direct: bool | None = None,
) -> Outcome:
    text = text or "\n".join(piece.text for piece in pieces)
    return Outcome(
        is_answerable=trial.judge is not None,
        # A search that finds nothing says nothing about refusing.
        is_silent=False,  # a baseline without a single hit has not refused to answer
        is_good=trial.judge is not None and trial.judge.is_good(text),
        recall=trial.judge.recall(text) if trial.judge else 0.0,
        words=len(text.split()),
        prose_words=sum(len(piece.text.split()) for piece in pieces if piece.kind not in _NOT_PROSE),
        damages=tuple(damages(pieces, evidence)),
        direct=direct,
    )


# -- passages quoted whole


def quote_passages(evidence: Sequence[Evidence]) -> list[AnswerPiece]:
    """Passages as a reader sees them, piece by piece."""
    return [piece for item in evidence for piece in _pieces(item.passage)]


def _pieces(passage: Passage) -> Iterator[AnswerPiece]:
    if not passage.parts:
        # Ready passages have no parts and are prose.
        yield from prose_pieces(render_inline(passage.text, passage.source.file), starts_line=True)
    for part in passage.parts:
        text = passage.text[part.start : part.end]
        if part.kind == "code":
            yield AnswerPiece(text, "code", starts_line=True)
        elif part.kind == "table":
            rows = (render_inline(line, passage.source.file) for line in text.splitlines())
            yield AnswerPiece("\n".join(rows), "rows", starts_line=True)
        else:
            yield from prose_pieces(render_inline(text, passage.source.file), starts_line=True)


def within(pieces: Sequence[AnswerPiece], words: float) -> list[AnswerPiece]:
    """The first sentences and lines up to about a number of words: the last one if half of it has room."""
    kept: list[AnswerPiece] = []
    for line in (line for piece in pieces for line in _lines(piece)):
        length = len(line.text.split())
        # The first piece in any case: a baseline must say something.
        # Half of it: whole sentences then come out as long as our answers in the mean, neither always longer nor
        # shorter.
        if kept and length / 2 > words:
            break
        kept.append(line)
        words -= length
    return kept


def _lines(piece: AnswerPiece) -> list[AnswerPiece]:
    """Code and rows by the line, since one block may be longer than an answer."""
    if piece.kind not in _NOT_PROSE:
        return [piece]
    return [replace(piece, text=line) for line in piece.text.splitlines() if line.strip()]
