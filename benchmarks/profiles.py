"""Speed of whole scoring profiles, each against the package that the official scorer spends its time in.

    python benchmarks/profiles.py [--data FOLDER] [--only asqa ambigqa eli5 kilt million] [--million 1000000]

The peers: pip install rouge==1.0.1 nltk==3.9.1. FOLDER holds the benchmarks' own files; what is missing is left out.
AmbigQA's official script needs Java and is not run: its known rate (two-core EPYC, Python 3.11) stands beside ours.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from expound.datasets.spec import open_dataset
from expound.score import eli5_metrics as eli5
from expound.score import kilt_answer as kilt
from expound.score import rouge, rouge_package
from expound.score.results import Scorer
from expound.text import porter
from expound.types import Answer, Interpretation, Prediction, Question

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
OFFICIAL_AMBIGQA = {"answers and questions": 456.4, "answers only": 6320.9}
SEED = 20
REPETITIONS = 3


def main() -> None:
    arguments = parse_arguments()
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f} at the start\n")
    for name in arguments.only or PARTS:
        try:
            PARTS[name](arguments)
        except FileNotFoundError as error:
            print(f"{name}: left out, no {error.filename}")
        print(f"(load {os.getloadavg()[0]:.1f})\n")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", choices=tuple(PARTS))
    parser.add_argument("--million", type=int, default=1_000_000, help="pairs of the large run")
    return parser.parse_args()


# -- profiles


def asqa(arguments: argparse.Namespace) -> None:
    """All of the profile with 1,000 resamples: in this process, and as a command from start to end."""
    path = existing(arguments.data / "asqa" / "asqa_dev_748.json.gz")
    questions = list(open_dataset(f"asqa:{path}"))
    predictions = {question.id: question.references[-1] for question in questions}
    seconds, _ = best(lambda: Scorer("asqa").score(predictions, questions), forget_all)
    print(f"asqa profile, {len(questions)} questions, 1,000 resamples: {seconds:.2f} s (goal: under 1.6)")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "predictions.json"
        file.write_text(json.dumps(predictions), encoding="utf-8")
        command = [sys.executable, "-m", "expound", "score", str(file), "--dataset", f"asqa:{path}", "--json"]
        seconds, _ = best(lambda: subprocess.run(command, check=True, capture_output=True), clock=time.perf_counter)
    print(f"  the whole command, files and start included: {seconds:.2f} s")


def ambigqa(arguments: argparse.Namespace) -> None:
    """Answers, and questions with them, on gold that was made a little wrong."""
    path = existing(arguments.data / "ambignq" / "ambignq_dev_light_1644.json.gz")
    questions = list(open_dataset(f"ambignq:{path}"))
    for name, predictions in (
        ("answers and questions", [noisy(question) for question in questions]),
        ("answers only", [noisy(question, asks=False) for question in questions]),
    ):
        scorer = Scorer("ambigqa", samples=1)
        seconds, _ = best(partial(scorer.score, predictions, questions), forget_all)
        rate, official = len(questions) / seconds, OFFICIAL_AMBIGQA[name]
        print(f"ambigqa, {name}: {rate:,.0f} questions/s; official script {official:,.0f}; {rate / official:.1f}x")


def eli5_profile(arguments: argparse.Namespace) -> None:
    pairs = list(answer_pairs(arguments.data, 200))
    metrics = [eli5.Eli5Rouge(kind) for kind in ("1", "2", "l")]

    def ours() -> list[list[float]]:
        return [[metric.count(*as_records(*pair)) for metric in metrics] for pair in pairs]

    def theirs() -> list[list[float]]:
        from nltk.stem.porter import PorterStemmer

        package, stem = peer(), PorterStemmer().stem
        stemmed = [[" ".join(map(stem, text.split())) for text in pair] for pair in pairs]
        scores = (package.get_scores(answer, reference)[0] for answer, reference in stemmed)
        return [[100 * score[f"rouge-{kind}"]["f"] for kind in ("1", "2", "l")] for score in scores]

    versus("eli5, ROUGE-1, 2, L", len(pairs), "pairs", ours, theirs)


def kilt_profile(arguments: argparse.Namespace) -> None:
    """Two references a question; the peer computes ROUGE-L only, ours the eight answer metrics."""
    pairs = list(answer_pairs(arguments.data, 200))
    gold = [(pairs[place][1], pairs[place - 1][1]) for place in range(len(pairs))]
    guesses = [answer for answer, _ in pairs]
    metrics = [kilt.KiltAnswer(kind, grounded=grounded) for kind in kilt.KINDS for grounded in (False, True)]
    place = [metric.name for metric in metrics].index("rouge_l")

    def ours() -> list[list[float]]:
        cases = [as_records(guess, *references) for guess, references in zip(guesses, gold, strict=True)]
        return [[[metric.count(*case) for metric in metrics][place]] for case in cases]

    def theirs() -> list[list[float]]:
        package = peer("rouge-l")
        return [
            [100 * max(package.get_scores(guess, text)[0]["rouge-l"]["f"] for text in references)]
            for guess, references in zip(guesses, gold, strict=True)
        ]

    versus("kilt, all answer metrics", len(pairs), "questions", ours, theirs)


def versus(
    name: str, count: int, what: str, ours: Callable[[], list[list[float]]], theirs: Callable[[], list[list[float]]]
) -> None:
    """Both sides in turn; the scores must be the same."""
    own = peers = float("inf")
    for _ in range(REPETITIONS):
        spent, expected = timed(theirs)
        peers = min(peers, spent)
        forget_all()
        spent, found = timed(ours)
        own = min(own, spent)
    apart = max(abs(a - b) for one, other in zip(found, expected, strict=True) for a, b in zip(one, other, strict=True))
    print(f"{name}: {count / own:,.0f} {what}/s; official way {count / peers:,.0f}; {peers / own:.1f}x")
    print(f"  largest difference {apart:.1e}")


# -- a million pairs


def million(arguments: argparse.Namespace) -> None:
    """ROUGE-1, 2, L, Lsum and length of many pairs as a command: the peak of memory should hardly grow with them."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (arguments.million // 10, arguments.million):
            write_pairs(Path(folder), count)
            command = [sys.executable, "-m", "expound", "score", "predictions.jsonl", "--dataset", "qa:questions.jsonl"]
            command += [f"--metric=Rouge(kind='{kind}')" for kind in ("1", "2", "l", "lsum")] + ["--metric=Length()"]
            command += ["--jobs", "0", "--samples", "100", "--json", "--no-per-question", "--quiet"]
            started = time.perf_counter()
            subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)
            seconds = time.perf_counter() - started
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
            print(f"{count:,} pairs ({size:,.0f} MB): {count / seconds:,.0f} pairs/s on all cores, peak {peak:,.0f} MB")


def write_pairs(folder: Path, count: int) -> None:
    rng = random.Random(SEED)
    words = [f"word{number}" for number in range(20_000)]
    with (folder / "questions.jsonl").open("w") as asked, (folder / "predictions.jsonl").open("w") as said:
        for number in range(count):
            text = rng.choices(words, k=60)
            answer = text[: rng.randrange(60)] + rng.choices(words, k=20)
            asked.write(json.dumps({"id": str(number), "question": "?", "references": [" ".join(text)]}) + "\n")
            said.write(json.dumps({"id": str(number), "answer": " ".join(answer)}) + "\n")


# -- what they share


def existing(path: Path) -> Path:
    if not path.exists():
        raise FileNotFoundError(2, "no such file", str(path))
    return path


def answer_pairs(data: Path, count: int) -> Iterator[tuple[str, str]]:
    """Two people's answers to the same question, of 60 to 250 words."""
    path = existing(data / "eli5" / "eli5_category_validation_2_2375.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = (json.loads(line)["answers"]["text"] for line in file)
        usable = ([text for text in texts if 60 <= len(text.split()) <= 250] for texts in rows)
        pairs = ((texts[0], texts[1]) for texts in usable if len(texts) > 1)
        yield from (pair for _, pair in zip(range(count), pairs, strict=False))


def as_records(answer: str, *references: str) -> tuple[Question, Prediction]:
    question = Question("1", "?", references, meta={"provenance": [[]]})
    return question, Prediction("1", "?", "benchmark", Answer(answer))


def noisy(question: Question, *, asks: bool = True) -> Prediction:
    rng = random.Random(question.id)
    gold = question.annotations[0]
    readings = [
        Interpretation(f"{reading.question} again" if asks else "", (rng.choice((*reading.answers, "wrong")),))
        for reading in gold
    ]
    return Prediction(question.id, question.text, "benchmark", Answer(), tuple(readings))


def peer(*kinds: str) -> Any:
    try:
        import nltk  # noqa: F401 - only to know whether it is there
        from rouge import Rouge
    except ImportError:
        sys.exit("the peers are missing; run: pip install rouge==1.0.1 nltk==3.9.1")
    return Rouge(metrics=list(kinds)) if kinds else Rouge()


def forget_all() -> None:
    """Empty every cache, stems included: nothing has been seen before."""
    for cache in (rouge._read, rouge._overlap, porter.stem, eli5._stem_text, kilt._value):
        cache.cache_clear()
    rouge._STEMS.clear()
    for cache in vars(rouge_package).values():
        if hasattr(cache, "cache_clear"):
            cache.cache_clear()


def best(
    work: Callable[[], Any],
    before: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = time.process_time,
) -> tuple[float, Any]:
    seconds = float("inf")
    for _ in range(REPETITIONS):
        before()
        spent, result = timed(work, clock)
        seconds = min(seconds, spent)
    return seconds, result


def timed(work: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> tuple[float, Any]:
    started = clock()
    result = work()
    return clock() - started, result


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "asqa": asqa,
    "ambigqa": ambigqa,
    "eli5": eli5_profile,
    "kilt": kilt_profile,
    "million": million,
}


if __name__ == "__main__":
    main()
