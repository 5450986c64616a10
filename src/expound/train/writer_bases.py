"""The models that writers start from: a folder of the transformers library, or a GGUF file, brought back to float32."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stderr
from pathlib import Path

from expound import resources
from expound.errors import BadInput, UserError
from expound.files import hold_lock, user_path
from expound.models.gguf import GgufFile, find_gguf
from expound.models.model_folder import load_tokenizer, open_folder, transformers_library

SMALL = "smollm2-135m"


def open_writer_base(spec: str) -> Path:
    """The folder of a base; a text model of the table, or a GGUF file, becomes a folder in the cache once."""
    folder = user_path(spec)
    # A separator says that a folder is meant, even one that is not there; a file says by its ending what it is.
    if folder.is_dir() or (os.sep in spec and not spec.lower().endswith(".gguf")):
        return open_folder(spec)
    if spec in resources.RESOURCES and not resources.is_installed(spec):
        fetch = f"expound models get {spec}"
        raise UserError(f"the base {spec} is not on this machine; run: {fetch}, or name a folder: --base FOLDER")
    return _whole_folder(find_gguf(spec))


def _whole_folder(file: GgufFile) -> Path:
    # By the hash: another file of the same name is another base.
    folder = resources.home() / "cache" / "bases" / f"{file.name}-{file.sha256[:12]}"
    # Two runs may begin at once, and the second must not read half a file.
    with hold_lock(folder.with_name(f"{folder.name}.lock")):
        if not (folder / "model.safetensors").is_file():
            _dequantize(file.path, folder)
    load_tokenizer(folder)
    return folder


def _dequantize(file: Path, folder: Path) -> None:
    transformers = transformers_library()
    import torch

    given = {"gguf_file": file.name, "local_files_only": True}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(file.parent), **given)
        # Its bar cannot be turned off otherwise, and would stand between our own lines.
        with redirect_stderr(io.StringIO()):
            model = transformers.AutoModelForCausalLM.from_pretrained(str(file.parent), dtype=torch.float32, **given)
    except ImportError as error:
        raise UserError("a GGUF file as a base needs gguf and accelerate: pip install 'expound[train]'") from error
    # Each family that transformers does not know has an error of its own.
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        problem = str(error).strip().splitlines()[0]
        raise BadInput(f"{file} cannot be brought back to a model to start from: {problem}") from error
    # They are plain numbers now; who is told of a quantisation would look for one.
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    # The weights last: without them the folder is made anew.
    tokenizer.save_pretrained(str(folder))
    model.save_pretrained(str(folder))
