"""Tokens a CPU-second of training a writer, beside a plain Trainer of the transformers library in the same run.

    OMP_NUM_THREADS=1 python benchmarks/writer_speed.py [--base FOLDER] [--lora 16] [--steps 6]

Without a base a small model is made from nothing. Both see the same rows in the same batches and in the same order of
length; ours holds only the answers' tokens against the vocabulary.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from expound.train.batches import iter_batches
from expound.train.data.writer_files import WriterRow
from expound.train.kinds.writer_kind import WriterItem, WriterKind
from expound.train.loop import fit
from expound.train.scratch_writer import sizes_of, write_scratch_base
from expound.train.training_settings import WRITER, WriterSettings
from expound.types import Passage

WORDS = "the a tower harbour wind light water stone why because of and in under was is built by old green".split()


def main() -> None:
    arguments = parse_arguments()
    if find_spec("torch") is None:
        print("training a writer: not measured; pip install 'expound[train]'")
        return
    settings = replace(WRITER, steps=arguments.steps, batch=4, threads=1, measure_every=10_000, checkpoint_every=10_000)
    with tempfile.TemporaryDirectory() as scratch:
        kind = new_kind(arguments, Path(scratch))
        batches = list(iter_batches(kind, settings))
        tokens = sum(len(item.read) + len(item.written) for batch in batches for item in batch)
        ours = cpu_seconds(lambda: fit(kind, settings, Path(scratch) / "run"))
        plain = cpu_seconds(lambda: train_plainly(kind, batches, settings.learning_rate, Path(scratch) / "plain"))
    for name, seconds in (("expound", ours), ("transformers Trainer", plain)):
        print(f"training a writer, {name:22} {tokens / seconds:8,.0f} tokens a CPU-second")
    print(f"ratio {plain / ours:.2f}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, help="a folder of a causal model")
    parser.add_argument("--lora", type=int, default=0, help="rank of an adapter; 0 trains all weights")
    parser.add_argument("--steps", type=int, default=12)
    return parser.parse_args()


def new_kind(arguments: argparse.Namespace, scratch: Path) -> WriterKind:
    """A writer of made-up rows: some 60 words of answer after some 100 of question and document."""
    rng = random.Random(1)
    rows = [
        WriterRow(some_words(rng, 15), some_words(rng, 60), (Passage("1", some_words(rng, 90)),)) for _ in range(200)
    ]
    sizes = sizes_of("small")
    base = arguments.base or write_scratch_base(scratch / "base", rows, sizes, shape="causal", seed=1)
    return WriterKind(rows, [], base, WriterSettings(k=1, lora=arguments.lora))


def some_words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choices(WORDS, k=count))


def train_plainly(kind: WriterKind, batches: Sequence[Sequence[WriterItem]], rate: float, out: Path) -> None:
    """The library's own loop over the same batches, with labels on the answers alone."""
    import torch
    from transformers import Trainer, TrainingArguments

    class Given(torch.utils.data.IterableDataset):  # type: ignore[misc]  # mypy does not look into torch
        def __iter__(self) -> Any:
            return iter([collate(batch) for batch in batches])

    options = TrainingArguments(
        output_dir=str(out),
        max_steps=len(batches),
        learning_rate=rate,
        per_device_train_batch_size=1,
        report_to=[],
        save_strategy="no",
        disable_tqdm=True,
        use_cpu=True,
        remove_unused_columns=False,
    )
    torch.manual_seed(1)
    Trainer(kind.new_model(), options, train_dataset=Given(), data_collator=lambda items: items[0]).train()


def collate(batch: Sequence[WriterItem]) -> dict[str, Any]:
    import torch

    most = max(len(item.read) + len(item.written) for item in batch)
    rows = [(*item.read, *item.written) for item in batch]
    labels = [(*(-100,) * len(item.read), *item.written) for item in batch]
    return {
        "input_ids": torch.tensor([(*row, *(0,) * (most - len(row))) for row in rows]),
        "attention_mask": torch.tensor([(*(1,) * len(row), *(0,) * (most - len(row))) for row in rows]),
        "labels": torch.tensor([(*row, *(-100,) * (most - len(row))) for row in labels]),
    }


def cpu_seconds(work: Any) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


if __name__ == "__main__":
    main()
