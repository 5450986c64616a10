"""Folders of the transformers library, as makers publish their models: checked, hashed, never a pickled weight."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

from expound.errors import BadInput, ResourceMissing, UserError
from expound.files import sha256_of, user_path

_TOKENIZERS = (
    *("tokenizer.json", "vocab.txt", "vocab.json"),
    *("spiece.model", "sentencepiece.model", "sentencepiece.bpe.model", "tokenizer.model"),
)
_ADAPTER = "adapter_config.json"
_PICKLED = (".bin", ".pt", ".pth", ".pkl", ".ckpt")


def open_folder(folder: str) -> Path:
    """The folder, if it has a config.json and weights in safetensors."""
    path = user_path(folder).absolute()
    if not (path / "config.json").is_file():
        raise ResourceMissing(f"{path} is not the folder of a model: it has no config.json")
    if not list(path.glob("*.safetensors")):
        pickled = next((file.name for file in sorted(path.iterdir()) if file.suffix in _PICKLED), None)
        reason = f"{pickled} is pickled and could run any code" if pickled else "there is no such file"
        raise BadInput(f"{path}: weights are only read from .safetensors; {reason}")
    return path


# A metric tells its weights in every signature, and a large model takes seconds to read.
@lru_cache(maxsize=32)
def sha256_of_weights(folder: Path) -> str:
    """One hash of all the files of weights."""
    # All shards in order: one that is changed changes the identity.
    digests = "".join(sha256_of(file) for file in sorted(folder.glob("*.safetensors")))
    return hashlib.sha256(digests.encode("ascii")).hexdigest()


def config_of(folder: Path) -> dict[str, Any]:
    """What the model says of itself."""
    found: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return found


def load_model(folder: Path, maker: str, *, threads: int) -> Any:
    """The model under a class of the transformers library, in float32, ready to be used but not to be trained."""
    transformers = transformers_library()
    import torch

    # Set for the process: torch would take all cores of the machine, not those that we may use. Who says how many, as
    # one does on a busy machine, where threads burn CPU waiting for each other, is heard.
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(threads)
    if (folder / _ADAPTER).is_file():
        return _load_adapted(folder, maker, threads=threads)
    options = {"local_files_only": True, "use_safetensors": True, "dtype": torch.float32}
    try:
        return getattr(transformers, maker).from_pretrained(folder, **options).eval()
    # Each library has its own error for a file that is cut, or of another architecture.
    except (OSError, RuntimeError, ValueError) as error:
        raise BadInput(f"{folder} cannot be loaded as {maker}: {str(error).strip().splitlines()[0]}") from error


def _load_adapted(folder: Path, maker: str, *, threads: int) -> Any:
    """The base of an adapter, with the adapter added to its weights."""
    peft = peft_library()
    base = Path(peft.PeftConfig.from_pretrained(str(folder)).base_model_name_or_path)
    # Never a name of a hub: nothing is fetched without being asked for.
    if not base.is_dir():
        raise BadInput(f"{folder} is an adapter, and its base {base} is not there; put it back, or train anew")
    return peft.PeftModel.from_pretrained(load_model(base, maker, threads=threads), str(folder)).merge_and_unload()


def load_tokenizer(folder: Path) -> Any:
    """The folder's own tokenizer."""
    missing = f"{folder} has no tokenizer that can be loaded: add its tokenizer.json"
    # Without any the library makes an empty one, which knows no word and says nothing of it.
    if not any((folder / name).is_file() for name in _TOKENIZERS):
        raise BadInput(missing)
    try:
        return transformers_library().AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise BadInput(missing) from error


def transformers_library() -> Any:
    """The library, kept quiet; without it one line says what to install."""
    try:
        import transformers
    except ImportError as error:
        raise UserError("this model needs transformers; install it with: pip install 'expound[train]'") from error
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def peft_library() -> Any:
    """The library of adapters; without it one line says what to install."""
    try:
        import peft
    except ImportError as error:
        raise UserError("adapters need peft; install it with: pip install 'expound[train]'") from error
    # It asks transformers by an earlier name, of which nobody who trains needs to be told.
    warnings.filterwarnings("ignore", message=r".*is_gradient_checkpointing", category=FutureWarning)
    return peft
