"""Probabilities of a text's tokens: held against the definition, one prefix at a time, and against llama.cpp's own."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UnknownName, UserError
from expound.models.gguf_likelihood import GgufLikelihood
from expound.models.likelihood import place_tokens
from expound.models.likelihoods import open_likelihood
from models.tiny_folders import make_folder

if TYPE_CHECKING:
    from expound.protocols import Vectors

ANSWER, QUESTION = "white paint is cheap .", "why are boats white ?"


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("causal"), "causal")


@pytest.fixture(scope="module", params=["writer", "t5"])
def writer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp(request.param), request.param)


def test_a_causal_model_gives_what_its_prefixes_give_one_by_one(causal: Path) -> None:
    import torch
    import transformers

    model: Any = transformers.AutoModelForCausalLM.from_pretrained(causal).eval()
    ids = transformers.AutoTokenizer.from_pretrained(causal)(ANSWER)["input_ids"]
    expected = []
    for place in range(1, len(ids)):
        with torch.no_grad():
            last = model(torch.tensor([ids[:place]])).logits[0, -1].tolist()
        expected.append(last[ids[place]] - math.log(sum(map(math.exp, last))))
    assert open_likelihood(str(causal)).log_probabilities(ANSWER) == pytest.approx(expected, abs=1e-5)


def test_what_is_given_moves_probabilities_and_has_none_itself(causal: Path) -> None:
    model = open_likelihood(str(causal))
    after = model.log_probabilities(QUESTION, given=ANSWER)
    assert len(after) == len(QUESTION.split())
    assert after != model.log_probabilities(QUESTION, given="the harbour is deep .")
    # The chain rule: given and text together are what both are by themselves.
    whole = model.log_probabilities(f"{ANSWER} {QUESTION}")
    assert whole[-len(after) :] == pytest.approx(after, abs=1e-5)


def test_an_encoder_with_a_decoder_agrees_with_its_own_loss(writer: Path) -> None:
    import torch
    import transformers

    model: Any = transformers.AutoModelForSeq2SeqLM.from_pretrained(writer).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(writer)
    read, labels = (torch.tensor([tokenizer(text)["input_ids"]]) for text in (ANSWER, QUESTION))
    with torch.no_grad():
        loss = float(model(input_ids=read, labels=labels).loss)
    found = open_likelihood(str(writer)).log_probabilities(QUESTION, given=ANSWER)
    assert -sum(found) / len(found) == pytest.approx(loss, abs=1e-5)


def test_what_must_read_first_has_no_perplexity(writer: Path) -> None:
    with pytest.raises(UserError, match="it has no perplexity; take a causal model"):
        open_likelihood(str(writer)).log_probabilities(ANSWER)


def test_texts_beyond_the_context_are_cut_and_the_instruction_stays(causal: Path) -> None:
    found = open_likelihood(str(causal)).log_probabilities(QUESTION, given="deep " * 100)
    assert len(found) == len(QUESTION.split())


@pytest.mark.parametrize("text", ["", "paint"])
def test_a_text_of_fewer_than_two_tokens_has_no_probabilities(causal: Path, text: str) -> None:
    assert open_likelihood(str(causal)).log_probabilities(text) == []


def test_weights_are_told_by_their_hash(causal: Path, tmp_path: Path) -> None:
    assert len(open_likelihood(str(causal)).weights) == 64


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no config\.json"):
        open_likelihood(str(tmp_path / "nowhere"))
    with pytest.raises(UnknownName, match="no text model named 'minilm'"):
        open_likelihood("minilm")


@given(before=st.lists(st.integers()), after=st.lists(st.integers()), room=st.integers(1, 40))
def test_tokens_are_cut_to_the_room_at_the_right_ends(before: list[int], after: list[int], room: int) -> None:
    given_ids, kept = place_tokens(before, after, room)
    assert len(given_ids) + len(kept) <= room
    assert kept == after[: len(kept)]
    assert given_ids == before[len(before) - len(given_ids) :]
    assert len(given_ids) + len(kept) == min(room, len(before) + len(after))


@pytest.mark.slow
def test_a_gguf_file_gives_llama_cpps_own_probabilities(
    use_resources: Callable[..., dict[str, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gguf")
    from expound.models.llama import LlamaServer

    file = use_resources("smollm2-135m")["smollm2-135m"]
    text = "The harbour of the town is deep enough for large boats."
    ours = GgufLikelihood(file, weights="any")
    exact = ours.log_probabilities(text)
    vectors_of = ours._vectors
    monkeypatch.setattr(ours, "_vectors", lambda ids: rounded(vectors_of(ids)))
    server = LlamaServer(file, context=128, threads=1)
    ids = server.post("/tokenize", {"content": text})["tokens"]
    compared = 0
    for place, (found, plain) in enumerate(zip(ours.log_probabilities(text), exact, strict=True), start=1):
        request = {"prompt": ids[:place], "n_predict": 1, "n_probs": 2000, "temperature": 0, "cache_prompt": False}
        likely = server.post("/completion", request)["completion_probabilities"][0]["top_logprobs"]
        theirs = {entry["id"]: entry["logprob"] for entry in likely}.get(ids[place])
        if theirs is not None:
            assert found == pytest.approx(theirs, abs=1e-3)
            # What is not rounded lies beside it.
            assert plain == pytest.approx(theirs, abs=0.2)
            compared += 1
    assert compared > 5


def rounded(vectors: Vectors) -> Vectors:
    """As llama.cpp rounds what it multiplies 8-bit weights with: by 32 numbers, whose largest becomes 127."""
    blocks = vectors.reshape(len(vectors), -1, 32)
    scales = np.abs(blocks).max(axis=2, keepdims=True) / 127
    whole = np.round(blocks / scales) * scales.astype(np.float16)
    found: Vectors = whole.reshape(vectors.shape).astype(np.float32)
    return found
