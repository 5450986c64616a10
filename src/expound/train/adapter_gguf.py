"""An adapter as a GGUF file: a few megabytes that llama.cpp adds to a model's weights when it loads them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.records import read_json

ADAPTER_FILE = "adapter.gguf"
# How these families call themselves in a GGUF file, which is what transformers calls them too.
_ARCHITECTURES = ("llama", "qwen2")
_NAME = re.compile(r"base_model\.model\.(?P<layer>.+)\.lora_(?P<side>[AB])\.weight")


def can_export(config: Any) -> bool:
    """Whether llama.cpp knows the family of a model under the names that are known here."""
    return config.model_type in _ARCHITECTURES


def write_adapter(folder: Path, file: Path) -> None:
    """The adapter of a folder, as peft wrote it, as one GGUF file."""
    gguf = _library()
    from safetensors.numpy import load_file

    config, adapter = read_json(folder / "config.json"), read_json(folder / "adapter_config.json")
    family = config["model_type"]
    names = gguf.get_tensor_name_map(getattr(gguf.MODEL_ARCH, family.upper()), config["num_hidden_layers"])
    partial = file.with_name(f"{file.name}.part")
    writer = gguf.GGUFWriter(str(partial), family)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    # Not divided by the rank: llama.cpp does that, with the rank that it reads off the tensors.
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, float(adapter["lora_alpha"]))
    # Sorted, so that one adapter always gives the same bytes.
    for name, weights in sorted(load_file(folder / "adapter_model.safetensors").items()):
        found = _NAME.fullmatch(name)
        if not found:
            raise UserError(f"{folder} has weights that no GGUF adapter can hold: {name}")
        layer, side = found["layer"], found["side"]
        # Rows of B are rows of the heads. Of the two families only this one is stored in pairs; qwen2 keeps its halves.
        if side == "B" and family == "llama":
            weights = _reorder(weights, layer, config)
        place = names.get_name(f"{layer}.weight", try_suffixes=(".weight",))
        # Half the size, as llama.cpp's own converter writes them; the quantised base is far coarser.
        writer.add_tensor(f"{place}.lora_{side.lower()}", weights.astype("float16"))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    partial.replace(file)


def _reorder(weights: Any, layer: str, config: dict[str, Any]) -> Any:
    """Rows of queries and keys in llama.cpp's order: it turns neighbours in pairs where transformers turns halves."""
    heads = {"q_proj": config["num_attention_heads"], "k_proj": config.get("num_key_value_heads")}
    count = heads.get(layer.rpartition(".")[2]) or 0
    if not count:
        return weights
    halves = weights.reshape(count, 2, weights.shape[0] // count // 2, *weights.shape[1:])
    return halves.swapaxes(1, 2).reshape(weights.shape).copy()


def _library() -> Any:
    try:
        import gguf
    except ImportError as error:
        raise UserError("an adapter as GGUF needs gguf; install it with: pip install 'expound[train]'") from error
    return gguf
