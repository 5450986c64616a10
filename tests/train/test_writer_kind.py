"""Writers: they learn, go on to the same weights, are measured over words, and say what is wrong with a row."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.answer.trained_writer import TrainedWriter
from expound.errors import BadRecord, UserError
from expound.models.decoder import Decoding
from expound.models.engine import GREEDY
from expound.models.model_folder import load_tokenizer
from expound.models.torch_writer import TorchWriter, open_writer
from expound.models.transformers_text import TransformersText
from expound.models.word_guesses import guess_words
from expound.models.writer_card import read_card
from expound.models.writer_inputs import cut_tokens
from expound.train.checkpoint import trained_weights
from expound.train.data.writer_files import WriterRow, read_writer_rows, write_writer_rows
from expound.train.data.writer_tasks import TASKS
from expound.train.description import TrainingFiles
from expound.train.kinds.writer_kind import WriterKind, describe_writer
from expound.train.loop import fit
from expound.train.scratch_writer import sizes_of, write_scratch_base
from expound.train.training_settings import WRITER, NumberFormat, WriterSettings
from expound.train.writer_request import WriterRequest, rehearse_writer, train_writer
from expound.types import Evidence, Passage, Prompt
from train.test_loop import Interrupted

SETTINGS = replace(WRITER, steps=12, learning_rate=3e-3, batch=4, threads=1, checkpoint_every=1, measure_every=6)
WRITING = WriterSettings(lora=0, most_tokens=64, answer_words=12)
THINGS = ("tower", "market", "bridge", "harbour", "wall", "mill", "gate", "inn")


def town_rows() -> list[WriterRow]:
    """Who built what, with the sentence that says so."""
    said = [f"the {thing} was built by {name}" for thing in THINGS for name in ("mira", "olan")]
    return [WriterRow(f"who built {text.split()[1]} ?", text, (Passage("1", text, "Town"),)) for text in said]


def new_kind(folder: Path, writing: WriterSettings = WRITING, **changes: Any) -> WriterKind:
    """A tiny writer of the town, from nothing."""
    rows = town_rows()
    writing = replace(writing, **changes)
    base = write_scratch_base(folder, rows, sizes_of("tiny"), shape=writing.shape, seed=3)
    return WriterKind(rows, rows[:4], base, writing)


def losses(out: Path) -> list[float]:
    logged = map(json.loads, (out / "log.jsonl").read_text().splitlines())
    return [record["loss"] for record in logged if "loss" in record]


pytestmark = pytest.mark.usefixtures("has_torch", "has_peft")


@pytest.fixture
def has_peft(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the test where adapters cannot be made; one thread, since more wait for each other on a busy machine."""
    pytest.importorskip("peft")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    pytest.importorskip("torch").set_num_threads(1)


# --- learning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [{}, {"lora": 4}, {"loss": "all"}, {"shape": "seq2seq"}, {"shape": "seq2seq", "k": 1, "tasks": TASKS}],
    ids=["full", "lora", "all tokens", "seq2seq", "multi-task"],
)
def test_the_loss_falls(tmp_path: Path, changes: dict[str, Any]) -> None:
    kind = new_kind(tmp_path / "base", **changes)
    before = kind.measure(kind.new_model())
    run = fit(kind, replace(SETTINGS, steps=40, log_every=10), tmp_path / "run")
    found = losses(tmp_path / "run")
    assert found[-1] < found[0]
    assert run.figures["word_perplexity"] < before["word_perplexity"]


def test_only_the_adapter_is_trained_and_kept(tmp_path: Path) -> None:
    kind = new_kind(tmp_path / "base", lora=2)
    assert all("lora_" in name for name in trained_weights(kind.new_model()))


@pytest.mark.parametrize(
    ("precision", "changes"),
    [
        (NumberFormat.FLOAT32, {"lora": 2}),
        (NumberFormat.BFLOAT16, {"lora": 2}),
        (NumberFormat.FLOAT32, {"shape": "seq2seq", "k": 1, "tasks": ("qd-a", "mask")}),
    ],
)
def test_a_run_that_was_interrupted_ten_times_ends_with_the_same_weights(
    tmp_path: Path, precision: NumberFormat, changes: dict[str, Any]
) -> None:
    kind = new_kind(tmp_path / "base", **changes)
    settings = replace(SETTINGS, precision=precision)
    whole = _weights(fit(kind, settings, tmp_path / "whole").model)

    class Stopped(WriterKind):
        def loss(self, model: Any, batch: Any) -> Any:
            steps.append(len(batch))
            if len(steps) == 2:
                raise Interrupted
            return super().loss(model, batch)

    for _ in range(10):
        steps: list[int] = []
        with pytest.raises(Interrupted):
            fit(Stopped(kind.rows, kind.dev, kind.base, kind.settings), settings, tmp_path / "run")
    assert _weights(fit(kind, settings, tmp_path / "run").model) == whole


def test_shorter_numbers_learn_as_well_and_are_kept_as_long_ones(tmp_path: Path) -> None:
    kind = new_kind(tmp_path / "base")
    ends = {}
    for precision in NumberFormat:
        model = fit(kind, replace(SETTINGS, precision=precision), tmp_path / precision).model
        ends[precision] = kind.measure(model)["word_log_likelihood"]
        assert {str(weight.dtype) for weight in trained_weights(model).values()} == {"torch.float32"}
    assert ends[NumberFormat.BFLOAT16] != ends[NumberFormat.FLOAT32]
    assert ends[NumberFormat.BFLOAT16] == pytest.approx(ends[NumberFormat.FLOAT32], abs=0.05)


def _weights(model: Any) -> dict[str, Any]:
    return {name: weight.tolist() for name, weight in trained_weights(model).items()}


def test_a_loss_on_the_answer_alone_does_not_see_the_question(tmp_path: Path) -> None:
    answer, everything = (new_kind(tmp_path / "base", loss=loss) for loss in ("answer", "all"))
    items = answer.draw(None)[:2]  # type: ignore[arg-type]  # nothing is random
    wanted = [[label for label in kind._wanted(items[0]) if label >= 0] for kind in (answer, everything)]
    assert wanted[0] == list(items[0].written)
    assert wanted[1] == [*items[0].read, *items[0].written]


def test_the_loss_is_that_of_the_transformers_library(tmp_path: Path) -> None:
    import torch

    kind = new_kind(tmp_path / "base", loss="all")
    model = kind.new_model().eval()
    (item, *_) = kind.draw(None)  # type: ignore[arg-type]  # nothing is random
    ids = torch.tensor([[*item.read, *item.written]])
    assert kind.loss(model, [item]).value.item() == pytest.approx(model(ids, labels=ids).loss.item(), rel=1e-5)


# --- what comes out -------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{"lora": 2}, {}, {"shape": "seq2seq"}], ids=["adapter", "whole", "seq2seq"])
def test_the_folder_that_was_written_answers_as_the_model_did(tmp_path: Path, changes: dict[str, Any]) -> None:
    kind = new_kind(tmp_path / "base", k=1, input="hurdles", **changes)
    run = fit(kind, SETTINGS, tmp_path / "run")
    kind.export(run.model, tmp_path / "run", {})
    folder = tmp_path / "run" / "model"
    writer = open_writer(str(folder))
    assert read_card(folder) == kind.card == writer.card
    row = kind.dev[0]
    assert kind.measure(writer.model)["word_perplexity"] == pytest.approx(run.figures["word_perplexity"], rel=1e-3)
    system = TrainedWriter(str(folder), Decoding(beams=2, least_tokens=3, most_tokens=8))
    answer = system.answer(row.question, [Evidence(row.documents[0], 1, 1.0)])
    assert answer.text == writer.write(kind.source(row), system.decoding)
    assert system.answer(row.question, []).text == ""
    assert not list(folder.glob("*.bin"))


@pytest.mark.parametrize("shape", ["causal", "seq2seq"])
def test_several_answers_at_once_are_those_of_one_after_the_other(tmp_path: Path, shape: str) -> None:
    kind = new_kind(tmp_path / "base", shape=shape)
    writer = TorchWriter(fit(kind, SETTINGS, tmp_path / "run").model, load_tokenizer(kind.base), kind.card)
    writer.model.config.use_cache = True
    sources = ["who built tower ?", "who built the old market of the harbour ?", "who ?"]
    plain = Decoding(beams=1, no_repeat=0, most_tokens=8)
    assert writer.write_all(sources, plain) == [writer.write(source, plain) for source in sources]
    drawn = replace(plain, top_p=0.9)
    assert writer.write_all(sources, drawn) == writer.write_all(sources, drawn)


def test_an_adapter_can_be_asked_as_a_text_model(tmp_path: Path) -> None:
    kind = new_kind(tmp_path / "base", lora=2)
    kind.export(fit(kind, SETTINGS, tmp_path / "run").model, tmp_path / "run", {})
    folder = tmp_path / "run" / "model"
    reply = TransformersText(folder).complete(Prompt("who built tower ?", max_tokens=6), GREEDY)
    plain = Decoding(beams=1, no_repeat=0, least_tokens=0, most_tokens=6)
    assert reply.text.strip() == open_writer(str(folder)).write("who built tower ?", plain)


def test_an_adapter_is_a_base_to_go_on_from(tmp_path: Path) -> None:
    kind = new_kind(tmp_path / "base", lora=2)
    kind.export(fit(kind, SETTINGS, tmp_path / "run").model, tmp_path / "run", {})
    again = replace(kind, base=tmp_path / "run" / "model")
    assert again.identity() != kind.identity()
    assert again.measure(again.new_model()) != kind.measure(kind.new_model())


def test_words_share_the_probability_of_their_tokens(tmp_path: Path) -> None:
    kind = new_kind(tmp_path / "base")
    kind.export(kind.new_model(), tmp_path / "run", {})
    writer = open_writer(str(tmp_path / "run" / "model"))
    found = guess_words(writer, "who built it ?", "the  unheard-of tower\nwas built")
    assert found.words == ("the", "unheard-of", "tower", "was", "built")
    tokens = writer.guess("who built it ?", "the  unheard-of tower\nwas built")
    assert math.fsum(found.log_probabilities) == pytest.approx(sum(token.log_probability for token in tokens))
    assert guess_words(writer, "who ?", "").words == ()


def test_documents_are_cut_and_the_question_is_not(tmp_path: Path) -> None:
    long = Passage("1", "town " * 500)
    kind = new_kind(tmp_path / "base", k=1)
    source = kind.source(WriterRow("who built it ?", "nobody", (long,)))
    assert source.startswith("who built it ?\ntown town")
    assert len(kind._writer.answer_ids(source)) <= WRITING.most_tokens
    assert kind.source(WriterRow("who ?", "nobody")) == "who ?"


@pytest.mark.parametrize("most_tokens", [64, 157, 160, 163])
@pytest.mark.parametrize("task", TASKS)
def test_documents_are_cut_where_answers_may_take_all_the_room(tmp_path: Path, task: str, most_tokens: int) -> None:
    rows = [WriterRow("who built it ?", "mira", (Passage("1", "town " * 500),))]
    writing = replace(WRITING, k=1, most_tokens=most_tokens, answer_words=100, tasks=(task,))
    kind = replace(new_kind(tmp_path / "base"), rows=rows, settings=writing)
    (item,) = kind.draw(random.Random(1))
    assert len(item.read) + len(item.written) < 64


def test_no_room_keeps_nothing_of_a_text() -> None:
    def ends(text: str) -> list[int]:
        return list(range(1, len(text) + 1))

    assert [cut_tokens("towns", most, ends) for most in (-3, 0, 2, 5)] == ["", "", "to", "towns"]


# --- rows -----------------------------------------------------------------------------------------


def test_an_encoder_reads_and_writes_as_many_tokens_as_a_preset_says(tmp_path: Path) -> None:
    long = " ".join(f"the {thing} was built by mira ." for thing in THINGS * 25)
    file = tmp_path / "rows.jsonl"
    write_writer_rows(file, [WriterRow(long, long, (Passage("1", long, "Town"),))] * 2)
    writing = replace(WRITING, shape="seq2seq", k=1, most_tokens=1100, answer_words=700, tasks=TASKS)
    request = WriterRequest(TrainingFiles((file,), ()), replace(SETTINGS, steps=2, batch=1), writing, scratch="tiny")
    assert train_writer(request, tmp_path / "run")["steps"] == 2
    assert len(open_writer(str(tmp_path / "run" / "model")).read_ids(long)) == 1100


def test_a_base_that_reads_fewer_tokens_is_refused(tmp_path: Path) -> None:
    kind = new_kind(tmp_path / "base", shape="seq2seq", most_tokens=1025)
    with pytest.raises(UserError, match="reads 1024 tokens at most; train with fewer: --most-tokens 1024"):
        kind.new_model()


def test_rows_come_back_as_they_were_written(tmp_path: Path) -> None:
    write_writer_rows(tmp_path / "rows.jsonl", town_rows())
    assert read_writer_rows([tmp_path / "rows.jsonl"]) == town_rows()
    (tmp_path / "texts.jsonl").write_text('{"question": "q", "answer": "a", "documents": ["one"]}\n')
    (row,) = read_writer_rows([tmp_path / "texts.jsonl"])
    assert row == WriterRow("q", "a", (Passage("1", "one"),))


NO_DOCUMENTS: list[object] = ["d", [3], [{}], [{"text": ""}], None]


@pytest.mark.parametrize(
    "record",
    [{}, {"question": "q"}, {"question": "q", "answer": " "}, {"question": 1, "answer": "a"}]
    + [{"question": "q", "answer": "a", "documents": wrong} for wrong in NO_DOCUMENTS],
)
def test_a_line_that_is_no_row_is_named(tmp_path: Path, record: dict[str, object]) -> None:
    good = json.dumps({"question": "q", "answer": "a"})
    (tmp_path / "rows.jsonl").write_text(f"{good}\n{json.dumps(record)}\n")
    with pytest.raises(BadRecord, match=r"rows\.jsonl, line 2: a line has a `question`, an `answer`"):
        read_writer_rows([tmp_path / "rows.jsonl"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"shape": "round"}, "no shape 'round' of a writer; there are: causal, seq2seq"),
        ({"loss": "none"}, "no loss 'none'"),
        ({"input": "abc"}, "no input 'abc'"),
        ({"loss": "all", "shape": "seq2seq"}, "--loss all is a language model's"),
        ({"tasks": ("q-b",)}, "no task 'q-b'"),
        ({"tasks": ("qd-a",)}, "the task qd-a needs documents"),
        ({"k": 2}, "no row has documents, and 2 are to be read"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    write_writer_rows(tmp_path / "rows.jsonl", [WriterRow("q", "a")])
    with pytest.raises(UserError, match=said):
        describe_writer(TrainingFiles((tmp_path / "rows.jsonl",), ()), tmp_path, replace(WRITING, **changes))


def test_a_writer_without_rows_and_one_from_nothing_with_an_adapter_are_refused(tmp_path: Path) -> None:
    request = WriterRequest(TrainingFiles((), ()), SETTINGS, WRITING)
    with pytest.raises(UserError, match="a writer needs rows to learn from"):
        rehearse_writer(request, tmp_path / "run")
    adapted = replace(request, scratch="small", writing=replace(WRITING, lora=2))
    with pytest.raises(UserError, match="--lora 0"):
        rehearse_writer(adapted, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_smoke_test_trains_and_writes_an_adapter(tmp_path: Path) -> None:
    request = WriterRequest(TrainingFiles((), ()), SETTINGS, replace(WRITING, lora=2), is_smoke=True)
    assert rehearse_writer(request, tmp_path / "dry")["train"] == 24
    figures = train_writer(request, tmp_path / "run")
    assert figures["adapter_bytes"] == (tmp_path / "run" / "adapter.gguf").stat().st_size
