"""The reader without its weights: windows, batches, odd texts and damaged files."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound import resources
from expound.errors import BadInput, Damaged
from expound.models.reader import READER_FILE, SpanReader, default_reader
from expound.models.reader_windows import WindowCutter
from expound.types import Span

QUESTION = "Who built it?"


def write_tokenizer(folder: Path) -> Path:
    """A tokenizer of single characters, with truncation and padding baked in as in the stock file."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    characters = [chr(code) for code in range(33, 127)]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *characters]
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"\S"), "isolated")
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding(length=128)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder / "tokenizer.json"


class FakeSession:
    """Likes digits, and the later the better; a window without one is null."""

    def __init__(self, digits: set[int]) -> None:
        self._digits = sorted(digits)

    def run(self, names: list[str], inputs: dict[str, Any]) -> list[Any]:
        assert names == ["start_logits", "end_logits"]
        is_digit = np.isin(inputs["input_ids"], self._digits) & (inputs["token_type_ids"] == 1)
        logits = np.where(is_digit, 5.0, -5.0) + np.arange(is_digit.shape[1]) / 1000
        logits[:, 0] = 0.0
        return [logits.astype(np.float32), logits.astype(np.float32)]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tokenizer(tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture(scope="module")
def read(tokenizer: Path) -> Callable[[list[tuple[str, str]]], list[Span]]:
    """A reader that looks for digits."""
    from tokenizers import Tokenizer

    vocabulary = Tokenizer.from_file(str(tokenizer)).get_vocab()
    reader = SpanReader(Path("none.onnx"), tokenizer)
    reader.__dict__["_session"] = FakeSession({vocabulary[digit] for digit in "0123456789"})
    return reader.read


def test_the_answer_is_a_piece_of_the_context(read: Callable[..., list[Span]]) -> None:
    (span,) = read([(QUESTION, "It was built in 7 days")])
    assert (span.text, span.start, span.end) == ("7", 16, 17)
    assert span.score > span.null_score


@pytest.mark.parametrize("context", ["", " ", "no digit"])
def test_nothing_to_find_is_no_answer(read: Callable[..., list[Span]], context: str) -> None:
    assert read([(QUESTION, context)])[0].text == ""


def test_no_pairs_have_no_answers(read: Callable[..., list[Span]]) -> None:
    assert read([]) == []


def test_an_empty_question_can_be_asked(read: Callable[..., list[Span]]) -> None:
    assert read([("", "built in 7 days")])[0].text == "7"


def test_a_question_longer_than_a_window_leaves_room_for_the_context(read: Callable[..., list[Span]]) -> None:
    assert read([("why " * 500, "built in 7 days")])[0].text == "7"


def test_an_answer_at_the_end_of_a_long_context_is_found(read: Callable[..., list[Span]]) -> None:
    context = "word " * 9_999 + "in 7"
    (span,) = read([(QUESTION, context)])
    assert (span.text, span.start) == ("7", len(context) - 1)


@pytest.mark.parametrize(
    "context", ["נבנה בשנת 7 בעיר", "🏰🏰 built 👷‍♀️ in 7 days 🎉", "e\u0301te\u0301 7", "\u202e7\u202c"]
)
def test_offsets_hold_in_any_script(read: Callable[..., list[Span]], context: str) -> None:
    (span,) = read([(QUESTION, context)])
    assert context[span.start : span.end] == span.text == "7"


_PAIRS = st.lists(st.tuples(st.text(max_size=30), st.text(alphabet="ab 7\u05d0🎉", max_size=900)), max_size=12)


@given(_PAIRS, st.randoms(use_true_random=False))
def test_neither_order_nor_company_changes_an_answer(
    read: Callable[..., list[Span]], pairs: list[tuple[str, str]], rng: random.Random
) -> None:
    alone = {pair: read([pair])[0] for pair in pairs}
    shuffled = rng.sample(pairs, len(pairs))
    assert read(shuffled) == [alone[pair] for pair in shuffled]


@given(st.text(max_size=60), st.text(max_size=2_000))
def test_windows_cover_every_token_in_order(tokenizer: Path, question: str, context: str) -> None:
    cutter = WindowCutter(tokenizer, most_tokens=100, overlap=10)
    (windows,) = cutter.windows([(question, context)])
    (whole,) = WindowCutter(tokenizer, most_tokens=10_000).windows([(question, context)])[0]
    assert all(len(window.ids) <= 100 for window in windows)
    joined = list(windows[0].offsets)
    for window in windows[1:]:
        assert list(window.offsets[:10]) == joined[-10:]
        joined += window.offsets[10:]
    assert tuple(joined) == whole.offsets


def test_a_damaged_file_is_named_in_one_line(tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "reader.onnx").write_bytes(b"half a model")
    for sha256 in ("0" * 64, ""):
        with pytest.raises((BadInput, Damaged), match=r"reader\.onnx") as caught:
            SpanReader(tmp_path / "reader.onnx", tokenizer, sha256=sha256).read([(QUESTION, "x")])
        assert "\n" not in str(caught.value)


def test_without_its_tokenizer_there_is_no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.resources.is_installed", lambda name: False)
    assert default_reader() is None


@pytest.fixture(scope="module")
def shipped() -> SpanReader:
    """The reader with its weights."""
    if not READER_FILE.exists():
        pytest.skip("the reader's file is not there")
    resources.ensure(["minilm-tokenizer"])
    reader = default_reader()
    assert isinstance(reader, SpanReader)
    return reader


@pytest.mark.slow
def test_the_shipped_reader_finds_plain_answers_and_knows_when_there_is_none(shipped: SpanReader) -> None:
    context = "The tower of Zorblax was built by Mira Okonedo in 1830. It stands near the harbour."
    asked = ("Who built the tower of Zorblax?", "When was the tower of Zorblax built?", "Who is the mayor of Paris?")
    who, when, mayor = shipped.read([(question, context) for question in asked])
    assert "Mira Okonedo" in who.text
    assert "1830" in when.text
    assert mayor.text == ""


@pytest.mark.slow
def test_the_shipped_reader_says_the_same_alone_and_in_company(shipped: SpanReader) -> None:
    contexts = ["Mira built it in 1830. " * n for n in (1, 3, 9, 40)] + ["", "שלום 1830", "🎉 " * 50]
    pairs = [(question, context) for context in contexts for question in ("Who built it?", "When was it built?", "")]
    together = shipped.read(pairs)
    assert [span.text for span in shipped.read(pairs[::-1])] == [span.text for span in together[::-1]]
    assert [shipped.read([pair])[0].text for pair in pairs] == [span.text for span in together]


def test_a_file_of_ones_own_is_another_reader(tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.onnx").write_bytes(b"one")
    (tmp_path / "other.onnx").write_bytes(b"two")
    mine, other = (SpanReader(tmp_path / name, tokenizer) for name in ("mine.onnx", "other.onnx"))
    shipped_like = SpanReader(tmp_path / "mine.onnx", tokenizer, sha256="0" * 64)
    assert (mine.name, shipped_like.name) == ("mine", "expound-minilm-l12")
    assert (
        len({mine.identity, other.identity, SpanReader(tmp_path / "mine.onnx", tokenizer, threshold=1).identity}) == 3
    )
