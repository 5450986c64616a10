"""Readers of the transformers library: a tiny random model, asked through the same windows and post-processing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expound.errors import UserError
from expound.models.hub_reader import HubReader
from expound.models.reader_windows import MOST_TOKENS, WindowCutter
from expound.models.span_search import Read, best_span

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

PAIRS = [
    ("who built the tower ?", "the tower was built by mira . " * 90),
    ("who burnt the mill ?", "the old mill stands near the wall ."),
    ("", "the mill"),
    ("who", ""),
    ("who " * 100, "mira"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A span model with random weights and its tokenizer."""
    from expound.train.smoke import write_tiny_base

    folder = write_tiny_base(tmp_path_factory.mktemp("hub"))
    torch.manual_seed(3)
    model = transformers.BertForQuestionAnswering.from_pretrained(str(folder))
    torch.nn.init.normal_(model.qa_outputs.weight)
    model.save_pretrained(str(folder))
    return folder


def test_windows_are_cut_as_our_own_reader_cuts_them(folder: Path) -> None:
    from expound.models.hub_reader import HubCutter

    ours = WindowCutter(folder / "tokenizer.json").windows(PAIRS)
    theirs = HubCutter(transformers.AutoTokenizer.from_pretrained(str(folder))).windows(PAIRS)
    assert max(len(window.ids) for windows in theirs for window in windows) == MOST_TOKENS
    assert [[(w.ids, w.offsets) for w in windows] for windows in theirs] == [
        [(w.ids, w.offsets) for w in windows] for windows in ours
    ]


def test_the_answer_follows_from_the_logits_of_the_model(folder: Path) -> None:
    reader = HubReader(str(folder))
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
    model = transformers.AutoModelForQuestionAnswering.from_pretrained(str(folder)).eval()
    question, context = PAIRS[1]
    inputs = tokenizer(question, context, return_tensors="pt")
    with torch.no_grad():
        logits = model(**inputs)
    (window,) = WindowCutter(folder / "tokenizer.json").windows([(question, context)])[0]
    read = Read(window, logits.start_logits[0].numpy(), logits.end_logits[0].numpy())
    for threshold in (-np.inf, 0.0, np.inf):
        (span,) = HubReader(str(folder), threshold).read([(question, context)])
        assert span.text == best_span(context, [read], threshold=threshold).text
    assert reader.read([(question, context)])[0].null_score == pytest.approx(
        float(logits.start_logits[0, 0] + logits.end_logits[0, 0]), abs=1e-5
    )


def test_neither_order_nor_company_changes_an_answer(folder: Path) -> None:
    reader = HubReader(str(folder))
    together = [span.text for span in reader.read(PAIRS)]
    assert [span.text for span in reader.read(PAIRS[::-1])] == together[::-1]
    assert [reader.read([pair])[0].text for pair in PAIRS] == together


def test_its_name_is_the_model_and_its_repr_makes_it_again() -> None:
    reader = HubReader("some/reader")
    assert reader.name == "some/reader"
    assert eval(repr(reader)) == reader


def test_a_model_that_is_not_there_is_named_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no reader") as caught:
        HubReader(str(tmp_path / "nothing")).read([("who", "mira")])
    assert "\n" not in str(caught.value)


def test_pickled_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    torch.save({}, tmp_path / "pytorch_model.bin")
    with pytest.raises(UserError, match="safetensors"):
        HubReader(str(tmp_path)).read([("who", "mira")])
