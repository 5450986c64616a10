"""The retriever: right texts of others are wrong, unless they are right too; what comes out takes MiniLM's place."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound import search
from expound.cli import execute
from expound.corpus import open_corpus
from expound.corpus.kept_models import open_embedder
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.experiment import check, close_afterwards, open_plan
from expound.runs.plan import plan_from
from expound.serve.answering import CorpusPlace, Respondent
from expound.testing import write_jsonl
from expound.train.data.group_files import Group, write_groups
from expound.train.description import TrainingFiles
from expound.train.kinds.retriever_kind import RetrieverKind, also_right, describe_retriever, distinct_texts, ranks_in
from expound.train.loop import train
from expound.train.smoke import iter_groups
from expound.train.training_settings import RETRIEVER, RetrieverSettings


def test_ranks_are_those_among_all_texts() -> None:
    assert ranks_in([0.9, 0.1, 0.5, 0.7], [1, 2]) == [3, 4]
    assert ranks_in([0.9, 0.1], [0]) == [1]


def test_a_text_counts_once_however_many_groups_have_it() -> None:
    assert distinct_texts([Group("a", ("x",), ("y",)), Group("b", ("y",), ("x", "z"))]) == ["x", "y", "z"]


@pytest.mark.parametrize("groups", [[], [Group("who", (), ("mira",))], [Group("who", ("mira",), ())]])
def test_fewer_than_two_right_texts_are_refused(tmp_path: Path, groups: list[Group]) -> None:
    write_groups(tmp_path / "groups.jsonl", groups)
    with pytest.raises(UserError, match="a retriever needs groups with a right text" if groups else "has no groups"):
        describe_retriever(TrainingFiles((tmp_path / "groups.jsonl",), ()), tmp_path, RetrieverSettings())


def test_texts_that_answer_as_well_are_known_by_their_places() -> None:
    groups = [Group("a", ("x", "y"), ()), Group("b", ("y",), ())]
    assert also_right(groups, ["x", "y", "z", "x"]) == [[3, 1], []]


def test_the_gradient_that_is_cached_is_that_of_the_plain_batch(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from expound.train.kinds import retriever_kind

    groups = list(iter_groups())
    kind = RetrieverKind(groups, (), base)
    drawn = kind.draw(random.Random(0))

    def gradients(kept: int) -> dict[str, Any]:
        monkeypatch.setattr(retriever_kind, "_KEPT_TEXTS", kept)
        model = kind.new_model()
        kind.loss(model, drawn).value.backward()
        return {name: weight.grad for name, weight in model.named_parameters() if weight.grad is not None}

    plain, cached = gradients(10_000), gradients(0)
    assert plain.keys() == cached.keys()
    assert all(torch.allclose(plain[name], cached[name], atol=1e-6) for name in plain)
    assert max(float(gradient.abs().max()) for gradient in plain.values()) > 1e-3


@pytest.mark.slow
def test_a_batch_of_thousands_takes_the_memory_of_a_small_one(base: Path, tmp_path: Path) -> None:
    script = Path(__file__).with_name("largebatch.py")
    run = subprocess.run([sys.executable, script, base, "4096"], capture_output=True, text=True, check=True)
    small, large = map(int, run.stdout.split())
    # Keeping what the gradient of 8,192 texts needs takes some 400 MB with this model; the texts themselves a few.
    assert (large - small) / 1024 < 100, f"{small} kB with a batch of 64, {large} kB with 4,096"


def test_what_was_trained_takes_the_embedder_s_place(base: Path, tmp_path: Path) -> None:
    import numpy as np
    import torch

    from expound.models.embedder import MiniLM

    groups = list(iter_groups())
    kind = RetrieverKind(groups[::2], groups[1::2], base)
    settings = replace(RETRIEVER, steps=60, learning_rate=3e-3, threads=1, measure_every=20)
    figures = train(kind, settings, tmp_path / "run")
    assert figures["mrr"] > 5 * figures["by_chance"]
    assert (figures["train"], figures["dev"]) == (18, 18)

    embedder = MiniLM(tmp_path / "run" / "embedder.onnx", tmp_path / "run" / "tokenizer.json", threads=1)
    texts = distinct_texts(groups)[:9]
    from expound.train.bases import load_base

    with torch.no_grad():
        ours = kind.embed(load_base(tmp_path / "run" / "model", "").eval(), texts).numpy()
    assert np.abs(embedder.embed(texts) - ours).max() < 0.03


def test_a_trained_embedder_is_searched_by_everywhere(base: Path, tmp_path: Path) -> None:
    groups = list(iter_groups())
    run = tmp_path / "run"
    settings = replace(RETRIEVER, steps=30, learning_rate=3e-3, threads=1)
    train(RetrieverKind(groups, (), base), settings, run)
    rows = [{"id": str(n), "title": "", "text": text} for n, text in enumerate(distinct_texts(groups)[:30])]
    passages = write_jsonl(tmp_path / "town.jsonl", rows)
    commands = [
        ["corpus", "add", str(passages), "--name", "town", "--embedder", str(run / "embedder.onnx")],
        ["index", "build", "town", "--embedder", str(run)],
        ["search", "who built the tower of mira ?", "--corpus", "town", "--embedder", str(run)],
        ["ask", "who built the tower of mira ?", "--corpus", "town", "--embedder", str(run), "--model", "none"],
        ["clarify", "who built the tower of mira ?", "--corpus", "town", "--embedder", str(run), "--model", "none"],
    ]
    assert [execute(["--quiet", *command]) for command in commands] == [0] * len(commands)
    corpus, trained = open_corpus("town"), open_embedder(str(run))
    assert corpus.dense is not None
    assert trained is not None
    assert corpus.dense_of(trained) is corpus.dense
    found = search("who built the tower of mira ?", corpus="town", embedder=str(run))
    assert found[0].passage.text.startswith("the tower of mira was built by")
    answering = Respondent("none", embedder=str(run)).system([CorpusPlace("town")], print)
    assert answering.embedder == trained.name
    # The vectors follow what is added, by the same embedder, though it is not named again.
    more = write_jsonl(tmp_path / "more.jsonl", [{"id": "new", "title": "", "text": "the wall of tove is old ."}])
    assert execute(["--quiet", "corpus", "add", str(more), "--name", "town"]) == 0
    again = open_corpus("town").dense_of(trained)
    assert again is not None
    assert len(again) == 31


def test_a_run_with_another_embedder_is_another_run(base: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(RetrieverKind(list(iter_groups()), (), base), replace(RETRIEVER, steps=2, threads=1), run)
    asked = write_jsonl(tmp_path / "asked.jsonl", [{"question": "who built the mill ?", "references": ["olan"]}])
    content = {"name": "town", "dataset": f"qa:{asked}", "model": "none", "retrieve": "Nothing"}
    plain, named = (plan_from({**content, **more}, where="") for more in ({}, {"embedder": str(run)}))
    check(named, tmp_path / "out")
    with close_afterwards():
        assert open_plan(named).embedder.startswith("embedder-")
    before, after = (plan.spec(open_dataset(plan.dataset)) for plan in (plain, named))
    # A plan that names none is the plan that it was before one could be named.
    assert after.keys() - before.keys() == {"embedder", "embedder_sha256"}
    with pytest.raises(UserError, match="--embedder names an embedder"):
        check(replace(named, embedder=str(tmp_path)), tmp_path / "out")


def test_what_is_no_embedder_is_said_with_what_would_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserError, match="--embedder names an embedder"):
        open_embedder(str(tmp_path))
    for command in (["clarify", "who ?"], ["serve"]):
        assert execute([*command, "--model", "none", "--embedder", str(tmp_path)]) == 2
        assert "--embedder names an embedder" in capsys.readouterr().err
