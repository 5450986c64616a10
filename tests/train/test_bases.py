"""Bases: any folder of the transformers library, MiniLM by its name, and the weights that ship with expound."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expound import resources
from expound.errors import BadInput, UnknownName, UserError
from expound.train.bases import MINILM, check_room, freeze_lowest, load_base, open_base
from train.tinybert import write_base

Use = Callable[..., dict[str, Path]]


pytestmark = pytest.mark.usefixtures("has_torch")


@pytest.mark.parametrize("missing", ["tokenizer.json", "config.json", "model.safetensors"])
def test_a_folder_that_is_no_model_is_named_with_what_it_lacks(tmp_path: Path, missing: str) -> None:
    base = write_base(tmp_path / "base")
    assert open_base(str(base)) == base
    (base / missing).unlink()
    with pytest.raises(UserError, match=f"is no folder of a model to start from: it has no .*{missing[-4:]}"):
        open_base(str(base))


def test_a_base_with_too_few_places_is_refused_before_it_fails(tmp_path: Path) -> None:
    check_room(write_base(tmp_path / "base"), 384)
    with pytest.raises(UserError, match="reads at most 384 tokens, not 512"):
        check_room(tmp_path / "base", 512)


def test_a_name_that_is_nearly_one_is_corrected() -> None:
    with pytest.raises(UnknownName, match="did you mean 'minilm-float32'"):
        open_base("minilm-float")


def test_whoever_names_another_model_learns_that_its_folder_will_do() -> None:
    with pytest.raises(
        UnknownName, match=r"no base named 'mpnet'.*named by its folder, with config\.json, tokenizer\.json"
    ):
        open_base("mpnet")


def test_a_base_that_was_not_fetched_says_how_to_get_it() -> None:
    with pytest.raises(UserError, match=r"expound models get minilm-float32 minilm-tokenizer, or .*--base FOLDER"):
        open_base(MINILM)


def test_minilm_is_put_together_of_its_fetched_files(
    use_resources: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_resources("minilm-tokenizer")
    weights = tmp_path / "own.safetensors"
    weights.write_bytes(b"weights")
    monkeypatch.setenv(resources.override_variable(MINILM), str(weights))
    base = open_base(MINILM)
    assert open_base(MINILM) == base
    assert (base / "model.safetensors").read_bytes() == b"weights"
    assert json.loads((base / "config.json").read_text())["hidden_size"] == 384


@pytest.mark.parametrize("file", ["model.safetensors", "config.json"])
def test_a_damaged_base_is_refused(tmp_path: Path, file: str) -> None:
    base = write_base(tmp_path / "base")
    (base / file).write_bytes(b"neither weights nor JSON")
    with pytest.raises(BadInput, match="cannot be loaded as a model to start from"):
        load_base(base, "QuestionAnswering")


def test_word_vectors_stay_as_they_are_and_nothing_is_dropped_out(tmp_path: Path) -> None:
    model = load_base(write_base(tmp_path / "base"), "TokenClassification", num_labels=3)
    frozen = [name for name, weight in model.named_parameters() if not weight.requires_grad]
    assert frozen == ["bert.embeddings.word_embeddings.weight"]
    assert model.config.hidden_dropout_prob == model.config.attention_probs_dropout_prob == 0


def test_the_lowest_layers_can_stay_as_they_are(tmp_path: Path) -> None:
    model = load_base(write_base(tmp_path / "base"), "QuestionAnswering")
    freeze_lowest(model, 1)
    trained = {name.split(".")[1] for name, weight in model.named_parameters() if weight.requires_grad}
    assert "embeddings" not in trained
    assert not any(weight.requires_grad for weight in model.bert.encoder.layer[0].parameters())
    assert all(weight.requires_grad for weight in model.qa_outputs.parameters())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "task", "head", "apart"), [
    ("shipped-ranker", "SequenceClassification", "classifier.weight", 1e-3),
    # These multiply whole numbers, which the base does not.
    ("shipped-reader", "QuestionAnswering", "qa_outputs.weight", 0.5),
    ("shipped-passage-ranker", "SequenceClassification", "classifier.weight", 0.3),
])  # fmt: skip
def test_the_shipped_weights_are_a_base(use_resources: Use, name: str, task: str, head: str, apart: float) -> None:
    import torch

    from expound.models.embedder import open_session
    from expound.train.bases import SHIPPED
    from expound.train.token_rows import Encoder

    use_resources("minilm-tokenizer")
    base = open_base(name)
    model = load_base(base, task, num_labels=1) if task == "SequenceClassification" else load_base(base, task)
    encoder = Encoder(base)
    row = encoder.pair("who built the tower", "The tower was built by Ada in 1830.", most_tokens=96, most_first=46)
    padded = encoder.pad([row])
    with torch.no_grad():
        result = model.eval()(**padded)
    ours = result.logits[:, 0] if task == "SequenceClassification" else result.end_logits
    names = ["logits"] if task == "SequenceClassification" else ["end_logits"]
    theirs = open_session(SHIPPED[name], 1).run(names, {key: value.numpy() for key, value in padded.items()})[0]
    assert head in model.state_dict()
    assert abs(ours.numpy() - theirs).max() < apart
