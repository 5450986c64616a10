"""Time and memory of finding every question's nearest other question by words, over all pairs.

    python benchmarks/all_pairs.py [--data FOLDER] [--questions 272000] [--threshold 0.5]

The questions are made: the first half of one real title and the second half of another, drawn from the raw submissions
in FOLDER, so that words are as frequent as on the forum; without it, of sentences of the sampler.
CPU-seconds and the largest resident memory of this process are printed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import resource
import time
from pathlib import Path

import expound
from expound.build.all_pairs import nearest_by_words
from expound.build.forum_text import Names, clean_title
from expound.text.sentences import split_sentences

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with eli5/")
    parser.add_argument("--questions", type=int, default=272_000)
    parser.add_argument("--threshold", type=float, default=0.5)
    arguments = parser.parse_args()
    questions = make_questions(titles(arguments.data), arguments.questions)
    started = time.process_time()
    found = nearest_by_words(questions, threshold=arguments.threshold)
    seconds = time.process_time() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    near = 100 * float((found.places >= 0).mean())
    print(f"{len(questions):,} questions: {seconds:.1f} CPU-seconds, {memory:.0f} MB, {near:.1f} % have a neighbour")


def make_questions(texts: list[list[str]], count: int) -> list[str]:
    """Halves of two texts each."""
    rng = random.Random(SEED)
    pairs = ((rng.choice(texts), rng.choice(texts)) for _ in range(count))
    return [" ".join(one[: len(one) // 2] + other[len(other) // 2 :]) for one, other in pairs]


def titles(folder: Path) -> list[list[str]]:
    """The words of real titles, or of the sampler's sentences."""
    file = folder / "eli5" / "reddit_eli5_submissions_raw_30417.jsonl.gz"
    if file.exists():
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            return [clean_title(json.loads(line)["title"], Names()).split() for line in lines]
    pages = sorted((Path(expound.__file__).parent / "corpus" / "sampler").glob("*.md"))
    return [text.split() for page in pages for text in split_sentences(page.read_text(encoding="utf-8"))]


if __name__ == "__main__":
    main()
