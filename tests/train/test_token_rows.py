"""Rows of token ids: framed by a tokenizer's own marks, cut where they should be, the same as the product's."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.errors import BadInput
from expound.models.reader_windows import WindowCutter
from expound.models.row_encoder import TokenRow
from expound.train.token_rows import Encoder, EncoderCutter, run_in_chunks
from train.tinybert import write_base

CLS, SEP = 2, 3


@pytest.fixture
def base(tmp_path: Path) -> Path:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    return write_base(tmp_path / "base")


def test_a_long_pair_is_cut_on_its_second_side(base: Path) -> None:
    row = Encoder(base).pair("who " * 60, "tower " * 200, most_tokens=96, most_first=46)
    assert len(row.ids) == 96
    assert row.second_side == 46 + 2
    assert (row.ids[0], row.ids[47], row.ids[-1]) == (CLS, SEP, SEP)


def test_a_single_text_is_cut_at_its_end(base: Path) -> None:
    row = Encoder(base).single("tower " * 200, most_tokens=10)
    assert (len(row.ids), row.second_side, row.ids[0], row.ids[-1]) == (10, 10, CLS, SEP)


@pytest.mark.parametrize("context", ["", "the tower", "the old tower stands in the town . " * 20])
@pytest.mark.parametrize("question", ["who ?", "who built the tower " * 30])
def test_windows_are_those_of_the_product(base: Path, question: str, context: str) -> None:
    ours = EncoderCutter(Encoder(base), most_tokens=144, overlap=64)
    theirs = WindowCutter(base / "tokenizer.json", most_tokens=144, overlap=64)
    assert ours.windows([(question, context)]) == theirs.windows([(question, context)])


def test_windows_shorter_than_their_overlap_come_to_an_end(base: Path) -> None:
    cutter = EncoderCutter(Encoder(base), most_tokens=32, overlap=64)
    (windows,) = cutter.windows([("who built the tower " * 30, "the old tower stands . " * 20)])
    assert all(len(window.ids) <= 32 for window in windows)
    assert windows[-1].offsets[-1][1] == len("the old tower stands . " * 20) - 1


def test_every_word_has_the_place_of_its_first_token(base: Path) -> None:
    ids, places = Encoder(base).encode_words(["the", "old", "tower"])
    assert places == {0: 0, 1: 1, 2: 2}
    assert len(ids) == 3


def test_rows_are_padded_and_their_second_side_is_marked(base: Path) -> None:
    padded = Encoder(base).pad([TokenRow((2, 5, 3, 6, 3), 3), TokenRow((2, 5, 3), 3)])
    assert padded["input_ids"].tolist() == [[2, 5, 3, 6, 3], [2, 5, 3, 0, 0]]
    assert padded["attention_mask"].tolist() == [[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]
    assert padded["token_type_ids"].tolist() == [[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]


def test_results_come_in_the_order_of_their_rows(base: Path) -> None:
    import torch

    rows = [TokenRow(tuple(range(length)), length) for length in (9, 1, 30, 4, *range(40))]
    found = run_in_chunks(rows, lambda some: torch.tensor([len(row.ids) for row in some]))
    assert found.tolist() == [len(row.ids) for row in rows]


def test_a_tokenizer_without_marks_is_refused(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models

    Tokenizer(models.WordLevel({"a": 0, "?": 1}, unk_token="?")).save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(BadInput, match="puts no marks around texts"):
        Encoder(tmp_path).single("a", most_tokens=9)
