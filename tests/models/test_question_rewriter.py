"""A writer that tells answers apart: what it is given, and what becomes of what it writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from expound.errors import BadInput
from expound.models import gguf_writer, question_rewriter
from expound.models.question_rewriter import GivenAnswer, QuestionRewriter, parts_of
from expound.models.writer_card import WriterCard
from expound.types import Prompt


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


class _Model:
    """A text model that says what it was told to."""

    name, capability = "told", "toy"

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    def complete(self, prompts: Sequence[Prompt], *, on_text: object = None) -> list[str]:
        self.asked += prompts
        return [" who ruled in 1830? | who ruled in Rome?\n" for _ in prompts]


def _adapted(folder: Path, card: WriterCard, *, tokenizer: bool = True) -> str:
    (folder / "model").mkdir(parents=True)
    card.write(folder / "model")
    words = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    words.pre_tokenizer = Whitespace()
    if tokenizer:
        words.save(str(folder / "model" / "tokenizer.json"))
    return f"smollm2-135m+{folder}/adapter.gguf"


def test_an_adapter_is_asked_through_its_text_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    model = _Model()
    monkeypatch.setattr(gguf_writer, "open_text_model", lambda spec: model)
    spec = _adapted(tmp_path / "run", WriterCard(k=5, marker="rewrite: "))
    given = [GivenAnswer("Ann", "Rulers", "Ann ruled in 1830."), GivenAnswer("Bo")]
    assert QuestionRewriter(spec).rewrite("who ruled?", given) == ["who ruled in 1830?", "who ruled in Rome?"]
    assert model.asked[0].text == "rewrite: who ruled?\nAnn (Rulers: Ann ruled in 1830.)\nBo"


def test_an_adapter_without_what_it_was_taught_with_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no trained writer"):
        QuestionRewriter(f"smollm2-135m+{tmp_path}/adapter.gguf").rewrite("who?", [GivenAnswer("Ann")])
    with pytest.raises(BadInput, match="reads with an encoder"):
        QuestionRewriter(_adapted(tmp_path / "a", WriterCard(shape="seq2seq"))).rewrite("who?", [GivenAnswer("Ann")])


def test_an_adapter_without_its_tokenizer_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gguf_writer, "open_text_model", lambda spec: _Model())
    with pytest.raises(BadInput, match=r"no tokenizer\.json"):
        QuestionRewriter(_adapted(tmp_path, WriterCard(), tokenizer=False)).rewrite("who?", [GivenAnswer("Ann")])
