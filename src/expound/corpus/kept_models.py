"""The embedder and the rankers of this machine, with every vector and rank that they have computed."""

from __future__ import annotations

from pathlib import Path

from expound import resources
from expound.errors import UserError
from expound.files import sha256_of, user_path
from expound.index.vectors import CachedEmbedder, CachedRanker, VectorStore
from expound.models import shipped
from expound.models.embedder import MiniLM
from expound.protocols import Embedder, Ranker
from expound.resource_table import EMBEDDER

TRAINED = "embedder.onnx"
"""What `expound train retriever` writes."""


def default_embedder() -> Embedder | None:
    """The installed embedder with its store of vectors; None when it is not installed."""
    if resources.find_missing(EMBEDDER):
        return None
    model, tokenizer = map(resources.path, EMBEDDER)
    size = model.stat().st_size
    is_ours = size == resources.find("minilm").size_bytes
    # Half the price: nearly all that a first question pays for is reading passages (recipes/LOG.md, "Whole numbers").
    # Only of the file that was measured: what stores its numbers in another way could not be loaded.
    embedder = MiniLM(model, tokenizer, whole_products=is_ours)
    if not is_ours:  # a model of the user's own: its vectors are others
        embedder.name = f"{embedder.name}-{size}"
    return CachedEmbedder(embedder, vector_store())


def embedder_file(spec: str) -> Path:
    """The file that is named, or the one in the folder that is."""
    given = user_path(spec)
    return given / TRAINED if given.is_dir() else given


def open_embedder(spec: str = "") -> Embedder | None:
    """The embedder that `expound train retriever` wrote to a file or folder; without one, that of this machine."""
    if not spec:
        return default_embedder()
    file = embedder_file(spec)
    for needed in (file, file.with_name("tokenizer.json")):
        if not needed.is_file():
            made = f"an {TRAINED} of `expound train retriever`, with its tokenizer.json beside it"
            raise UserError(f"{needed} is no file: --embedder names {made}")
    embedder = MiniLM(file, file.with_name("tokenizer.json"))
    # By its content: trained again under the same name, it has other vectors.
    embedder.name = f"{file.stem}-{sha256_of(file)[:12]}"
    return CachedEmbedder(embedder, vector_store())


def default_ranker() -> Ranker | None:
    """The shipped ranker of sentences with its store of ranks; None when its tokenizer is not installed."""
    return _keep_ranks(shipped.default_ranker(), shipped.RANKER_FILE)


def default_passage_ranker() -> Ranker | None:
    """The shipped ranker of passages with its store of ranks; None when its tokenizer is not installed."""
    return _keep_ranks(shipped.default_passage_ranker(), shipped.PASSAGE_RANKER_FILE)


def _keep_ranks(ranker: Ranker | None, file: Path) -> Ranker | None:
    if ranker is None:
        return None
    status = file.stat()  # other weights give other ranks
    store = VectorStore(resources.home_folder("cache") / "ranks.sqlite")
    return CachedRanker(ranker, store, version=f"{status.st_size} {status.st_mtime_ns}")


def vector_store() -> VectorStore:
    return VectorStore(resources.home_folder("cache") / "vectors.sqlite")


def seed_vectors(file: Path) -> None:
    """Take over the vectors that ship with the sampler."""
    if not file.exists():
        return
    import numpy as np

    # Nothing that is loaded may run code.
    with np.load(file, allow_pickle=False) as arrays:
        keys, values = arrays["keys"], arrays["values"]
    vector_store().put([(key.tobytes(), value.tobytes()) for key, value in zip(keys, values, strict=True)])
