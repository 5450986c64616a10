"""The tagger: words and tags in, spans out; what is beyond the last token gets no tag."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import BadRecord, UserError
from expound.train.data.tag_files import TaggedText, read_tagged, write_tagged
from expound.train.description import TrainingFiles
from expound.train.kinds.tagger_kind import TaggerKind, describe_tagger, iter_spans, tag_figures
from expound.train.loop import train
from expound.train.smoke import iter_tagged
from expound.train.training_settings import TAGGER, TaggerSettings


def test_spans_begin_with_b_and_end_where_the_kind_changes() -> None:
    tags = ["B-A", "I-A", "B-A", "O", "I-B", "B-C"]
    assert list(iter_spans(tags)) == [("A", 0, 1), ("A", 2, 2), ("B", 4, 4), ("C", 5, 5)]
    assert list(iter_spans(["KEPT", "KEPT", "O"])) == [("KEPT", 0, 1)]
    assert list(iter_spans([])) == []


@given(st.lists(st.sampled_from(["O", "B-A", "I-A", "B-B"]), min_size=1, max_size=9))
def test_a_text_tagged_as_it_should_be_is_perfect(tags: list[str]) -> None:
    text = TaggedText(tuple("w" for _ in tags), tuple(tags))
    assert tag_figures([text], [tags]) == {"accuracy": 1.0, "f1": 1.0, "whole": 1.0}


def test_figures_count_words_spans_and_texts() -> None:
    texts = [TaggedText(("a", "b"), ("B-A", "I-A")), TaggedText(("a", "b"), ("O", "B-A"))]
    figures = tag_figures(texts, [["B-A", "O"], ["O", "B-A"]])
    assert figures == {"accuracy": 0.75, "f1": 0.5, "whole": 0.5}


def test_tagged_texts_come_back_as_they_were_written(tmp_path: Path) -> None:
    texts = list(iter_tagged())
    write_tagged(tmp_path / "tags.jsonl", texts)
    assert read_tagged([tmp_path / "tags.jsonl"]) == texts


@pytest.mark.parametrize(
    "record", [{}, {"words": ["a"]}, {"words": ["a", "b"], "tags": ["O"]}, {"words": [], "tags": []}, {"words": "ab"}]
)
def test_a_line_without_as_many_tags_as_words_is_named(tmp_path: Path, record: dict[str, object]) -> None:
    (tmp_path / "tags.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(BadRecord, match=r"tags\.jsonl, line 1: a tagged text has `words` and as many `tags`"):
        read_tagged([tmp_path / "tags.jsonl"])


@pytest.mark.parametrize("texts", [[], [TaggedText(("a",), ("O",))]])
def test_texts_of_a_single_tag_are_refused(tmp_path: Path, texts: list[TaggedText]) -> None:
    write_tagged(tmp_path / "tags.jsonl", texts)
    with pytest.raises(UserError, match="at least two different tags" if texts else "has no tagged texts"):
        describe_tagger(TrainingFiles((tmp_path / "tags.jsonl",), ()), tmp_path, TaggerSettings())


def test_words_beyond_the_last_token_get_no_tag(base: Path) -> None:
    text = TaggedText(("tower",) * 50, ("B-A",) * 50)
    kind = TaggerKind([text, TaggedText(("town",), ("O",))], [], base, TaggerSettings(most_tokens=12))
    (tags,) = kind.tag(kind.new_model(), [text])
    assert len(tags) == 50
    assert set(tags[9:]) == {"O"}
    assert [len(item.row.ids) for item in kind.draw(None)] == [12, 4]  # type: ignore[arg-type]  # nothing is random


def test_it_learns_names_of_one_word_and_of_two(base: Path, tmp_path: Path) -> None:
    texts = list(iter_tagged())
    kind = TaggerKind(texts[::2], texts[1::2], base)
    assert kind.tags == ["O", "B-PERSON"]
    kind = TaggerKind(texts[:48], texts[48:], base)
    figures = train(kind, replace(TAGGER, steps=40, learning_rate=3e-3, threads=1, measure_every=20), tmp_path / "run")
    assert figures["f1"] > 0.9
    assert json.loads((tmp_path / "run" / "tags.json").read_text()) == ["O", "B-PERSON", "I-PERSON"]
    names = json.loads((tmp_path / "run" / "model" / "config.json").read_text())["id2label"]
    assert list(names.values()) == ["O", "B-PERSON", "I-PERSON"]


def test_the_exported_tagger_says_what_the_model_says(base: Path, tmp_path: Path) -> None:
    from expound.models.embedder import open_session
    from expound.train.bases import load_base

    texts = list(iter_tagged())
    kind = TaggerKind(texts, [], base)
    train(kind, replace(TAGGER, steps=5, threads=1), tmp_path / "run")
    model = load_base(tmp_path / "run" / "model", "TokenClassification").eval()
    session = open_session(tmp_path / "run" / "tagger.onnx", 1)
    row = kind.draw(None)[0].row  # type: ignore[arg-type]  # nothing is random
    inputs = kind._encoder.pad([row])
    logits = session.run(["logits"], {name: value.numpy() for name, value in inputs.items()})[0]
    assert abs(logits - model(**inputs).logits.detach().numpy()).max() < 0.1
