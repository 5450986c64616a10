"""The meta page of 20,000 pairs and twelve metrics whose scores exist: seconds and memory.

    .venv/bin/python benchmarks/meta_page.py [--pairs 20000]

Fails when it takes a minute of a processor or more.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from expound.meta import meta, people_from, write_page
from expound.types import Preference, Question

METRICS = 12
# A question has several pairs in most sets of judgments: six in QA-Feedback, one in Xu et al. 2023.
PAIRS_A_QUESTION = 4
MOST_SECONDS = 60.0


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--pairs", type=int, default=20_000)
    pairs = arguments.parse_args().pairs
    people = people_from("made", judgments(pairs))
    before = time.process_time()
    found = meta([people], [f"Released(score='metric {number}')" for number in range(METRICS)])
    counted = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "meta.html"
        write_page(found, page)
        size = page.stat().st_size
    done = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{pairs:,} pairs, {METRICS} metrics: {counted - before:.1f} CPU-s to count, {done - counted:.1f} for the page"
    )
    print(f"{len(found.rows):,} rows, a page of {size / 1e6:.1f} MB, peak {peak:.0f} MB")
    if done - before >= MOST_SECONDS:
        sys.exit(f"{done - before:.1f} s, and it should be under {MOST_SECONDS:.0f}")


def judgments(count: int) -> Iterator[Preference]:
    """Pairs of answers of a hundred words, and metrics that follow people more or less often."""
    draw = random.Random(0)
    words = [f"word{number}" for number in range(500)]
    for number in range(count):
        choice = draw.choice("ab")
        names = [f"metric {place}" for place in range(METRICS)]
        leaning = {name: draw.gauss(place / METRICS, 1.0) for place, name in enumerate(names)}
        better, worse = leaning, dict.fromkeys(names, 0.0)
        scores = {"a": better, "b": worse} if choice == "a" else {"a": worse, "b": better}
        question = number // PAIRS_A_QUESTION
        yield Preference(
            id=str(number),
            question=Question(f"q{question}", f"Why {question}?"),
            a=" ".join(draw.choices(words, k=100)),
            b=" ".join(draw.choices(words, k=100)),
            choice=choice,
            a_system="human" if number % 2 else "model 1",
            b_system="model 2",
            domain=f"domain {question % 7}",
            meta={"scores": scores},
        )


if __name__ == "__main__":
    main()
