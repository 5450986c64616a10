"""RankGen's encoder (Krishna et al. 2022): T5's first vector through one more matrix, for beginnings and endings."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound.errors import BadInput
from expound.models.embedder import usable_cores
from expound.models.model_folder import load_tokenizer, open_folder, transformers_library

if TYPE_CHECKING:
    from expound.protocols import Vectors

# The words by which the encoder is told which of the two a text is.
BEGINNING, ENDING = "pre ", "suffi "
_MOST_TOKENS = 512  # what it was trained to read
_BODY, _MATRIX = "t5_encoder.", "projection.weight"


class RankGenEncoder:
    """Texts to vectors whose dot product says how well one goes on from the other; loaded at the first call."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def encode(self, text: str, kind: str) -> Vectors:
        """The vector of a beginning or of an ending."""
        import torch

        inputs = self._tokenizer(kind + text, truncation=True, max_length=_MOST_TOKENS, return_tensors="pt")
        body, matrix = self._model
        with torch.inference_mode():
            vector: Vectors = (body(**inputs).last_hidden_state[0, 0] @ matrix.T).numpy()
        return vector

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self._folder)

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        """T5's encoder, and the matrix after it; the folder has both under names of RankGen's own."""
        transformers = transformers_library()
        import torch

        torch.set_num_threads(usable_cores())
        tensors = self._tensors()
        if _MATRIX not in tensors:
            raise BadInput(f"{self._folder} is no RankGen: it has no weights named {_MATRIX}")
        body = transformers.T5EncoderModel(transformers.AutoConfig.from_pretrained(self._folder))
        own = {name.removeprefix(_BODY): tensor for name, tensor in tensors.items() if name.startswith(_BODY)}
        # Not strict: the word vectors stand there once or twice, and are the same.
        missing = set(body.load_state_dict(own, strict=False).missing_keys) - {"encoder.embed_tokens.weight"}
        if missing:
            raise BadInput(f"{self._folder} is no whole RankGen: it has no weights named {_BODY}{min(missing)}")
        return body.eval(), tensors[_MATRIX].float()

    def _tensors(self) -> dict[str, Any]:
        from safetensors.torch import load_file

        return {
            name: tensor
            for file in sorted(self._folder.glob("*.safetensors"))
            for name, tensor in load_file(file).items()
        }


@lru_cache(maxsize=2)
def open_rank_gen(folder: str) -> RankGenEncoder:
    """The encoder of a folder, opened once."""
    return RankGenEncoder(open_folder(folder))
