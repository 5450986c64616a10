"""The retriever: right texts of others are wrong, unless they are right too; what comes out takes MiniLM's place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from expound.errors import UserError
from expound.train.data.group_files import Group, write_groups
from expound.train.description import TrainingFiles
from expound.train.kinds.retriever_kind import RetrieverKind, describe_retriever, distinct_texts, ranks_in
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


def test_the_right_texts_of_other_groups_are_wrong_ones(base: Path) -> None:
    import torch

    from expound.train.kinds.retriever_kind import in_batch_loss

    batch = [Group("a", ("x",), ()), Group("b", ("y",), ())]
    even = in_batch_loss(torch.zeros(2, 2), batch, ["x", "y"])
    assert even.item() == pytest.approx(torch.log(torch.tensor(2.0)).item())
    assert in_batch_loss(9.0 * torch.eye(2), batch, ["x", "y"]).item() < 0.01


def test_a_text_that_answers_as_well_is_not_held_against_its_question(base: Path) -> None:
    import torch

    from expound.train.kinds.retriever_kind import in_batch_loss

    batch = [Group("a", ("x", "y"), ()), Group("b", ("y",), ())]
    loss = in_batch_loss(torch.zeros(2, 2), batch, ["x", "y"])
    assert loss.item() == pytest.approx(torch.log(torch.tensor(2.0)).item() / 2)


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

    class Tiny(MiniLM):
        dimensions = 32

    embedder = Tiny(tmp_path / "run" / "embedder.onnx", tmp_path / "run" / "tokenizer.json", threads=1)
    texts = distinct_texts(groups)[:9]
    from expound.train.bases import load_base

    with torch.no_grad():
        ours = kind.embed(load_base(tmp_path / "run" / "model", "").eval(), texts).numpy()
    assert np.abs(embedder.embed(texts) - ours).max() < 0.03
