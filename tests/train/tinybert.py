"""Groups about the made-up town for its tiny model, and tiny models of other architectures."""

from __future__ import annotations

import shutil
from pathlib import Path

from expound.train.data.group_files import Group
from expound.train.smoke import write_tiny_base

_NAMES = ("mira", "olan", "petra", "quin", "rasa")
_THINGS = ("tower", "market", "bridge", "harbour", "wall")

# An answer says "built by"; the others share the thing or the name with it.
GROUPS = [
    *(
        Group(
            f"who built the {thing}",
            (f"the {thing} was built by {name} .", f"{name} built the {thing} ."),
            (f"the {thing} stands in the town .", f"{name} is in the old town .", f"the {thing} is near the wall ."),
            "toy",
        )
        for thing, name in zip(_THINGS, _NAMES, strict=True)
    ),
    Group("who burnt the tower", (), ("the tower stands in the town .", "the tower is old ."), "unanswerable"),
]


def write_base(folder: Path, architecture: str = "bert") -> Path:
    """Save an untrained encoder and its tokenizer as a base; the same weights each time."""
    write_tiny_base(folder)
    if architecture == "bert":
        return folder
    import torch
    from transformers import AutoConfig, AutoModel

    words = 40
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    if architecture == "distilbert":
        sizes = {"dim": 32, "n_layers": 1, "n_heads": 2, "hidden_dim": 64}
    other = folder.with_name(architecture)
    other.mkdir(parents=True)
    torch.manual_seed(0)
    config = AutoConfig.for_model(architecture, vocab_size=words, max_position_embeddings=200, pad_token_id=0, **sizes)
    AutoModel.from_config(config).save_pretrained(str(other))
    shutil.copyfile(folder / "tokenizer.json", other / "tokenizer.json")
    return other
