"""Speed and memory of the audit: looking for questions in a training set, vectors, and the curve of cut answers.

    python benchmarks/audit.py [--data FOLDER] [--questions 10000] [--train 100000] [--vectors 200] [--answers 1000]

FOLDER holds Reddit's ELI5 submissions; the questions are recombined from halves of theirs, so that there are enough of
them at a natural length. Without it they are made up of the sampler's sentences. Vectors are computed for a part of the
questions only, and kept: the second row is the same again.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import expound
from expound.audit.inputs import Inputs
from expound.audit.length_control import curve
from expound.corpus.library import default_embedder
from expound.index.vectors import CachedEmbedder, VectorStore
from expound.retrieve.neighbours import candidates, choose_questions, index_questions, score_neighbours
from expound.score.results import Scorer
from expound.text.sentences import split_sentences
from expound.types import Answer, Prediction, Question

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEED = 20
LIMIT_SECONDS = {"words": 300, "curve": 30}


def main() -> None:
    arguments = parse_arguments()
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f} at the start")
    halves = texts(arguments.data)
    search(halves, arguments.questions, arguments.train, arguments.vectors)
    cut_answers(halves, arguments.answers)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with eli5/")
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--train", type=int, default=100_000)
    parser.add_argument("--vectors", type=int, default=200, help="questions whose candidates get vectors")
    parser.add_argument("--answers", type=int, default=1000)
    return parser.parse_args()


def texts(data: Path) -> list[str]:
    """Questions as people write them, or sentences of the sampler."""
    files = sorted(data.glob("eli5/reddit_eli5_submissions_raw*.jsonl.gz"))
    if files:
        with gzip.open(files[0], "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        return [f"{row['title']} {row.get('selftext') or ''}".strip() for row in rows]
    sampler = Path(expound.__file__).parent / "corpus" / "sampler"
    return [sentence for path in sorted(sampler.glob("*.md")) for sentence in split_sentences(path.read_text())]


def questions(halves: Sequence[str], n: int, seed: int) -> Iterator[Question]:
    """Made of the first half of one text and the second half of another, one at a time."""
    draw = random.Random(seed)
    for number in range(n):
        first, second = (draw.choice(halves).split() for _ in range(2))
        yield Question(f"{seed}-{number}", " ".join([*first[: len(first) // 2 + 1], *second[len(second) // 2 :]]))


def search(halves: Sequence[str], n: int, train: int, with_vectors: int) -> None:
    """Words: index, search, read again. Then vectors, for some questions."""
    asked = list(questions(halves, n, SEED))
    with tempfile.TemporaryDirectory() as folder:
        with timed(f"words: {train:,} training questions indexed") as index_seconds:
            index, frequencies = index_questions(questions(halves, train, SEED + 1), Path(folder))
        with timed(f"words: {n:,} questions searched") as search_seconds:
            hits = candidates(index, asked)
        with timed("words: candidates read again") as read_seconds:
            numbers = (number for row in hits for number, _ in row)
            found = {
                number: (q.id, q.text) for number, q in choose_questions(questions(halves, train, SEED + 1), numbers)
            }
        with timed("words: scored"):
            score_neighbours(asked, hits, found, frequencies, embedder=None)
        total = sum(seconds[0] for seconds in (index_seconds, search_seconds, read_seconds))
        print(f"words: {total:.1f} s in all, limit {LIMIT_SECONDS['words']} s, peak memory {peak()} MB")
        embedder = default_embedder()
        if embedder is None:
            print("vectors: left out, `expound models get` installs the embedder")
            return
        kept = CachedEmbedder(embedder, VectorStore(Path(folder) / "vectors.sqlite"))
        for again in ("", ", again"):
            with timed(f"vectors: {with_vectors} questions with their candidates{again}"):
                score_neighbours(asked[:with_vectors], hits[:with_vectors], found, frequencies, embedder=kept)
        print(f"vectors: peak memory {peak()} MB")


def cut_answers(halves: Sequence[str], n: int) -> None:
    """Table 11 with three metrics and three references."""
    draw = random.Random(SEED)
    asked, answers = [], {}
    for question in questions(halves, n, SEED + 2):
        made = [" ".join(draw.choice(halves) for _ in range(4))[:1200] for _ in range(4)]
        asked.append(Question(question.id, question.text, tuple(made[:3])))
        answers[question.id] = Prediction(question.id, question.text, "", Answer(made[3]))
    words = sum(len(item.answer.text.split()) for item in answers.values()) / n
    with timed(
        f"curve: {n:,} answers of {words:.0f} words, 8 fractions, cut and repeated, limit {LIMIT_SECONDS['curve']} s"
    ):
        curve(Inputs(tuple(asked), answers, Scorer(["Eli5Rouge(kind='l')"])))


@contextmanager
def timed(what: str) -> Iterator[list[float]]:
    """Print what a block took."""
    taken: list[float] = []
    started, cpu = time.perf_counter(), time.process_time()
    yield taken
    taken.append(time.perf_counter() - started)
    print(f"{what}: {taken[0]:.1f} s, {time.process_time() - cpu:.1f} s of CPU", flush=True)


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
