"""A writer that tells answers apart: what it is given, and what becomes of what it writes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from expound.models import question_rewriter
from expound.models.question_rewriter import GivenAnswer, QuestionRewriter, parts_of
from expound.models.writer_card import WriterCard


class _Told:
    """Writes what it was told to, and remembers what it has read."""

    card = WriterCard(k=5)

    def __init__(self, *written: str) -> None:
        self.written = list(written)
        self.read: list[str] = []

    def token_ends(self, text: str) -> Sequence[int]:
        return range(1, len(text) + 1)

    def write(self, source: str, decoding: object) -> str:
        self.read.append(source)
        return self.written.pop(0)


def _rewrite(monkeypatch: pytest.MonkeyPatch, writer: _Told, given: Sequence[GivenAnswer]) -> list[str]:
    monkeypatch.setattr(question_rewriter, "open_writer", lambda folder: writer)
    return QuestionRewriter("folder").rewrite("who ruled?", given)


def test_every_answer_gets_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = _Told("who ruled in 1830? | who ruled in Rome?")
    given = [GivenAnswer("Ann", "Rulers", "Ann ruled in 1830."), GivenAnswer("Bo")]
    assert _rewrite(monkeypatch, writer, given) == ["who ruled in 1830?", "who ruled in Rome?"]
    assert writer.read == ["who ruled?\nAnn (Rulers: Ann ruled in 1830.)\nBo"]


@pytest.mark.parametrize("written", ["who ruled in 1830?", "who ruled in 1830? | ", "who ruled in 1830? |  | more"])
def test_what_is_not_written_stays_as_it_was_asked(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    given = [GivenAnswer("Ann"), GivenAnswer("Bo")]
    assert _rewrite(monkeypatch, _Told(written), given) == ["who ruled in 1830?", "who ruled?"]


def test_many_answers_are_told_apart_in_several_rows() -> None:
    given = [GivenAnswer(str(number)) for number in range(11)]
    assert [len(part) for part in parts_of(given)] == [4, 3, 4]
    assert [one for part in parts_of(given) for one in part] == given
    assert not parts_of([])
