"""Compute the vectors that ship with the sampler, so that the first question over it is quick.

    .venv/bin/python tools/sampler_vectors.py

Run it after changing an article. Vectors are kept by the hash of their text: a stale one is never used.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import expound
from expound import resources
from expound.answer.sentence_scores import is_whole
from expound.corpus import library
from expound.index.vectors import vector_key
from expound.models.embedder import MiniLM
from expound.text.sentences import split_sentences
from expound.text.titled import add_title, titled_passage

FILE = Path(expound.__file__).parent / "corpus" / "sampler" / "vectors.npz"


def main() -> None:
    texts = list(dict.fromkeys(sampler_texts()))
    # As `kept_models.default_embedder` makes it: by its name the vectors are found.
    embedder = MiniLM(resources.path("minilm"), resources.path("minilm-tokenizer"), whole_products=True)
    values = embedder.embed(texts).astype(np.float16)
    keys = np.array([np.frombuffer(vector_key(embedder.name, text), dtype=np.uint8) for text in texts])
    np.savez_compressed(FILE, keys=keys, values=values)
    print(f"{len(texts)} vectors, {FILE.stat().st_size / 1e6:.1f} MB")


def sampler_texts() -> list[str]:
    """Every passage and every whole sentence of the sampler, as they are embedded."""
    texts = []
    for _, passage in library.open_corpus(library.SAMPLER).store.iter_passages():
        sentences = filter(is_whole, split_sentences(passage.text))
        texts += [titled_passage(passage), *(add_title(passage.title, sentence) for sentence in sentences)]
    return texts


if __name__ == "__main__":
    main()
