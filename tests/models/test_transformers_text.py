"""Text models on transformers, tried with a tiny one of random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from expound.errors import BadInput, ContextTooLong, ModelFailed, ResourceMissing
from expound.models.engine import Sampling
from expound.models.transformers_text import TransformersText, open_transformers
from expound.types import Prompt

WORDS = ["<end>", "Yes", "No", "the", "harbour", "is", "deep", "?", "x"]


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissing, match=r"no config\.json"):
        open_transformers(str(tmp_path))


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt"])
def test_pickled_weights_are_refused_unread(tmp_path: Path, name: str) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / name).write_bytes(b"whatever")
    with pytest.raises(BadInput, match=f"{name} is pickled and could run any code"):
        open_transformers(str(tmp_path))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch: Any = pytest.importorskip("torch")
    transformers: Any = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    made = tmp_path_factory.mktemp("tiny")
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="x"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", unk_token="x")
    fast.save_pretrained(made)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(WORDS), n_embd=16, n_layer=1, n_head=2, n_positions=32, bos_token_id=0, eos_token_id=0
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(made)
    return made


@pytest.fixture
def model(folder: Path) -> TransformersText:
    return open_transformers(str(folder), threads=1)


@pytest.mark.slow
def test_the_same_prompt_gets_the_same_reply_piece_by_piece(model: TransformersText) -> None:
    heard: list[str] = []
    prompt = Prompt("is the harbour deep ?", max_tokens=6)
    reply = model.complete(prompt, Sampling(), heard.append)
    assert reply.text == model.complete(prompt, Sampling()).text == "".join(heard)
    assert reply.prompt_tokens == model.count_tokens(prompt.text) == 5
    assert 0 < reply.completion_tokens <= 6


@pytest.mark.slow
def test_a_seed_repeats_what_was_drawn(model: TransformersText) -> None:
    one, again, *others = (
        model.complete(Prompt("the harbour", max_tokens=8), Sampling(1.0, 1.0, seed)).text for seed in (1, 1, 2, 3, 4)
    )
    assert one == again
    assert set(others) - {one}


@pytest.mark.slow
def test_weights_are_shares_of_one(model: TransformersText) -> None:
    weights = model.weigh(Prompt("is the harbour deep ?"), ("Yes", "No")).weights
    assert all(0 < weight < 1 for weight in weights)
    assert sum(weights) < 1


@pytest.mark.slow
def test_a_prompt_that_does_not_fit_is_refused(model: TransformersText) -> None:
    with pytest.raises(ContextTooLong, match="a prompt has 40 tokens"):
        model.complete(Prompt("the " * 40), Sampling())


@pytest.mark.slow
def test_a_reply_that_is_not_json_is_noticed(model: TransformersText) -> None:
    prompt = Prompt("the harbour", schema='{"type": "object"}', max_tokens=8)

    def ask_until_a_reply_ends_by_itself() -> None:
        for seed in range(50):
            model.complete(prompt, Sampling(1.0, 1.0, seed))

    with pytest.raises(ModelFailed, match="did not write the JSON"):
        ask_until_a_reply_ends_by_itself()


@pytest.mark.slow
def test_other_weights_are_another_model(model: TransformersText, folder: Path) -> None:
    assert model.identity.startswith(f"{folder.name} sha256:")
