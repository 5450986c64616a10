"""Speed of ROUGE-1, 2, L and Lsum with stemming against rouge-score 0.1.2, on the same pairs in the same run.

    python benchmarks/rouge_speed.py [--data FOLDER] [--pairs 3384] [--repetitions 3]

The peers: pip install rouge-score==0.1.2 nltk==3.9.1 (into a folder on PYTHONPATH, if not beside expound).
FOLDER holds ASQA's dev questions and system outputs; without it texts are made up of the sampler's sentences.

Cold: no word has been seen. Warm: the stems are known, the texts are not. rouge-score remembers nothing, so one time
serves for both. The row "with Punkt" splits sentences in the timing, the other one gets a line per sentence.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import expound
from expound import resources
from expound.score import rouge as rouge_module
from expound.score.rouge import Reading, rouge
from expound.text import porter
from expound.text.punkt import Punkt
from expound.text.sentences import split_sentences

PEERS = "rouge-score==0.1.2 nltk==3.9.1"
NAMES = {"1": "rouge1", "2": "rouge2", "l": "rougeL", "lsum": "rougeLsum"}
DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "asqa"
SEED = 20

Pairs = list[tuple[str, str]]
Scores = list[list[tuple[float, ...]]]


class Timing(NamedTuple):
    """The best repetition's seconds on each side, and how far apart any two scores were."""

    peer: float
    cold: float
    warm: float
    difference: float


def main() -> None:
    arguments = parse_arguments()
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f} at the start")
    try:
        import rouge_score.rouge_scorer  # noqa: F401 - only to know whether it is there
    except ImportError:
        sys.exit(f"the peers are missing; run: pip install {PEERS}")
    punkt = Punkt.load(resources.path("punkt")) if resources.is_installed("punkt") else None
    if punkt is None:
        print("no row with Punkt; for one, run: expound models get punkt")
    for name, pairs in pair_sets(arguments):
        lined = apart([tuple("\n".join(split_sentences(text)) for text in pair) for pair in pairs])
        report(f"{name}, {len(pairs)} pairs", compare(lined, None, arguments.repetitions), len(pairs))
        if punkt:
            report("  with Punkt", compare(apart(pairs), punkt, arguments.repetitions), len(pairs))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with ASQA's questions and system outputs")
    parser.add_argument("--pairs", type=int, default=3384, help="pairs of each set at most")
    parser.add_argument("--repetitions", type=int, default=3)
    return parser.parse_args()


def report(name: str, timing: Timing, count: int) -> None:
    print(f"{name:34} rouge-score {count / timing.peer:6,.0f} pairs/s")
    for kind, seconds in (("cold", timing.cold), ("warm", timing.warm)):
        print(f"  {kind:32} expound {count / seconds:10,.0f} pairs/s   ratio {timing.peer / seconds:.1f}")
    print(f"  largest difference {timing.difference:.1e}   (load {os.getloadavg()[0]:.1f})")


# -- what is measured


def compare(pairs: Pairs, punkt: Punkt | None, repetitions: int) -> Timing:
    """Both sides in turn, so that whatever else the machine does hits both."""
    peer, ours = peer_scorer(split=punkt is not None), own_scorer(punkt)
    seconds: dict[str, list[float]] = {"peer": [], "cold": [], "warm": []}
    for _ in range(repetitions):
        once, expected = timed(lambda: peer(pairs))
        seconds["peer"].append(once)
        for state in ("cold", "warm"):
            forget(stems=state == "cold")
            once, scores = timed(lambda: ours(pairs))
            seconds[state].append(once)
    best = {side: min(spent) for side, spent in seconds.items()}
    return Timing(**best, difference=furthest(scores, expected))


def own_scorer(punkt: Punkt | None) -> Callable[[Pairs], Scores]:
    reading = Reading(splitter=punkt)
    return lambda pairs: [
        [rouge([reference], answer, kind=kind, reading=reading) for kind in NAMES] for reference, answer in pairs
    ]


def peer_scorer(*, split: bool) -> Callable[[Pairs], Scores]:
    from rouge_score.rouge_scorer import RougeScorer

    if split:
        give_nltk_its_parameters()
    scorer = RougeScorer(list(NAMES.values()), use_stemmer=True, split_summaries=split)
    return lambda pairs: [list(scorer.score(reference, answer).values()) for reference, answer in pairs]


def give_nltk_its_parameters() -> None:
    import nltk

    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(resources.path("punkt")) as archive:
        archive.extractall(Path(folder) / "tokenizers")
        nltk.data.path.insert(0, folder)
        nltk.sent_tokenize("NLTK keeps them once loaded.")


def forget(*, stems: bool) -> None:
    """Empty the caches of texts and scores, and on demand those of stems."""
    rouge_module._read.cache_clear()
    rouge_module._overlap.cache_clear()
    if stems:
        rouge_module._STEMS.clear()
        porter.stem.cache_clear()


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


def furthest(ours: Scores, theirs: Scores) -> float:
    both = zip(ours, theirs, strict=True)
    kinds = (pair for one, other in both for pair in zip(one, other, strict=True))
    return max(abs(a - b) for one, other in kinds for a, b in zip(one, other, strict=True))


# -- texts


def pair_sets(arguments: argparse.Namespace) -> Iterator[tuple[str, Pairs]]:
    if not arguments.data.is_dir():
        yield "made-up texts", list(made_up(arguments.pairs))
        return
    references = {question.id: question.references for question in questions(arguments.data)}
    yield "ASQA references", spread([(texts[0], texts[1]) for texts in references.values()], arguments.pairs)
    outputs = lines(arguments.data / "asqa_dev_system_outputs_3384.jsonl.gz")
    yield "system outputs", spread([(references[row["id"]][0], row["output"]) for row in outputs], arguments.pairs)


def spread(pairs: Pairs, most: int) -> Pairs:
    """At most so many pairs, from all parts of the file: it has one system after the other."""
    return pairs[:: -(-len(pairs) // most)]


def questions(folder: Path) -> Iterator[Any]:
    from expound.datasets.asqa import Asqa

    yield from Asqa(folder / "asqa_dev_748.json.gz")


def lines(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]


def made_up(count: int) -> Iterator[tuple[str, str]]:
    """Twice three sentences of one article: they share subject and words."""
    rng = random.Random(SEED)
    files = sorted((Path(expound.__file__).parent / "corpus" / "sampler").glob("*.md"))
    articles = [split_sentences(file.read_text(encoding="utf-8")) for file in files]
    for _ in range(count):
        article = rng.choice(articles)
        yield " ".join(rng.choices(article, k=3)), " ".join(rng.choices(article, k=3))


def apart(pairs: list[Any]) -> Pairs:
    """The pairs with a space more for each return of a text: no text is then found among those already read."""
    seen: Counter[str] = Counter()

    def once_more(text: str) -> str:
        seen[text] += 1
        return text + " " * (seen[text] - 1)

    return [(once_more(reference), once_more(answer)) for reference, answer in pairs]


if __name__ == "__main__":
    main()
