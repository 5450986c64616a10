"""What metrics by published weights share: a folder of the transformers library, told by the hash of its weights."""

from __future__ import annotations

from dataclasses import dataclass

from expound.models.model_folder import open_folder, sha256_of_weights
from expound.plugins import spec_text


@dataclass(frozen=True, repr=False)
class FolderMetric:
    """A metric by a folder with config.json, tokenizer and safetensors."""

    folder: str

    def __repr__(self) -> str:
        return spec_text(self)

    @property
    def weights(self) -> str:
        """The sha256 of the folder's weights."""
        return sha256_of_weights(open_folder(self.folder))

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"weights": self.weights[:12]}
