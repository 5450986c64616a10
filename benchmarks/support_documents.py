"""Speed of ELI5's support documents against a straightforward implementation with scikit-learn, same output.

    python benchmarks/support_documents.py [--data FOLDER] [--questions 748] [--sources 100]

The peer: pip install scikit-learn (into a folder on PYTHONPATH, if not beside expound, which needs none of it).
FOLDER holds ASQA's dev questions and the Wikipedia passages; without it both are made up of the sampler's sentences.
A question's sources are the passages nearest to it.

What is timed on each side, for every question: from the texts of its sources to its support document. Both sides split
sentences by the same rules; the peer does so with expound's function, which is timed alone as well. It then fits a
TfidfVectorizer to the sentences, transforms the question and chooses, anew for every question, as its users do.

expound has two builders. The compiled one, for `build eli5`, reads all sources anew for every question. The plain one
needs no compiler and keeps what it has read, so it has three rows. First sight: all is forgotten before each question.
In a run: one question after the other, sources come back as they do. Seen: all sources are known, as for the second
system of a comparison. At first sight each builder takes turns with the peer, which fills the processor's caches; there
is also the ratio without the splitting.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path

import expound
from expound.answer.support_document import CONTEXT, PASSAGES, Piece, support_document
from expound.answer.tfidf import DIGITS, DOCUMENTS, best_first, table_of
from expound.text.sentences import split_sentences
from expound.types import Evidence, Passage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEED = 20
SIDES = ("first sight", "in a run", "seen", "compiled, first sight", "compiled, in a run")

Case = tuple[str, list[Evidence]]


def main() -> None:
    arguments = parse_arguments()
    try:
        import sklearn
    except ImportError:
        sys.exit("the peer is missing; run: pip install scikit-learn")
    print(f"scikit-learn {sklearn.__version__}, cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f} at the start")
    cases = nearest_sources(*texts(arguments.data), arguments.questions, arguments.sources)
    uses = sum(len(evidence) for _, evidence in cases)
    distinct = len({item.passage.text for _, evidence in cases for item in evidence})
    print(f"{len(cases)} questions, {uses:,} sources, {distinct:,} of them different")
    compare(cases)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with asqa/ and wikipedia/")
    parser.add_argument("--questions", type=int, default=748)
    parser.add_argument("--sources", type=int, default=100, help="sources of a question")
    return parser.parse_args()


# -- what is measured


def compare(cases: Sequence[Case]) -> None:
    """Question by question, so that whatever else the machine does hits both sides."""
    seconds = dict.fromkeys(("peer", "splitting", *SIDES), 0.0)
    straightforward(*cases[0])
    print(f"loading what is compiled, or compiling it: {timed(compiled_builder, cases[0])[0]:.1f} CPU-seconds, once")
    for case in cases:
        DOCUMENTS.clear()
        spent, ours = timed(support_document, case)
        seconds["first sight"] += spent
        spent, theirs = timed(straightforward, case)
        seconds["peer"] += spent
        spent, compiled = timed(compiled_builder, case)
        seconds["compiled, first sight"] += spent
        seconds["splitting"] += timed(split_all, case)[0]
        assert ours == theirs == compiled, f"different support documents for {case[0]!r}"
    DOCUMENTS.clear()
    for case in cases:
        for side in ("in a run", "seen"):
            seconds[side] += timed(support_document, case)[0]
    for case in cases:
        seconds["compiled, in a run"] += timed(compiled_builder, case)[0]
    show(seconds, len(cases))


def show(seconds: dict[str, float], questions: int) -> None:
    peer, splitting = seconds["peer"], seconds["splitting"]
    print(f"{'scikit-learn':22} {1000 * peer / questions:7.2f} ms a question")
    print(f"{'splitting':22} {1000 * splitting / questions:7.2f} ms of it")
    for side in SIDES:
        line = f"{side:22} {1000 * seconds[side] / questions:7.2f} ms a question   {peer / seconds[side]:5.1f}x"
        # The compiled builder does not split first.
        without = (peer - splitting) / (seconds[side] - splitting) if side == "first sight" else 0.0
        print(line + (f"   without splitting {without:.1f}x" if without else ""))
    print(f"same output for all   (load {os.getloadavg()[0]:.1f})")


def compiled_builder(question: str, evidence: Sequence[Evidence]) -> list[Piece]:
    """The compiled builder, imported when it is first called."""
    from expound.build.compiled_support import compiled_support

    return compiled_support(question, evidence)


def split_all(question: str, evidence: Sequence[Evidence]) -> list[Piece]:
    """The sentences alone."""
    for item in evidence:
        split_sentences(item.passage.text)
    return []


def straightforward(question: str, evidence: Sequence[Evidence]) -> list[Piece]:
    """What one writes with scikit-learn at hand."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    places = [(item.number, n, s) for item in evidence for n, s in enumerate(split_sentences(item.passage.text))]
    vectorizer = TfidfVectorizer()
    matrix = vectorizer.fit_transform([text for _, _, text in places])
    scores = (matrix @ vectorizer.transform([question]).T).toarray().ravel().round(DIGITS)
    ranked = [row for row in sorted(range(len(places)), key=lambda row: -scores[row]) if scores[row] > 0]
    taken: set[int] = set()
    for row in ranked:
        near = range(max(0, row - CONTEXT), min(len(places), row + CONTEXT + 1))
        taken |= {other for other in near if places[other][0] == places[row][0]}
        if len(stretches(taken, places)) == PASSAGES:
            break
    return [
        Piece(places[rows[0]][0], places[rows[0]][1], tuple(places[row][2] for row in rows))
        for rows in stretches(taken, places)
    ]


def stretches(taken: Iterable[int], places: Sequence[tuple[int, int, str]]) -> list[list[int]]:
    """Rows that follow each other in the same source, together."""
    numbered = enumerate(sorted(taken))
    groups = groupby(numbered, key=lambda pair: (pair[1] - pair[0], places[pair[1]][0]))
    return [[row for _, row in group] for _, group in groups]


def timed(build: Callable[..., list[Piece]], case: Case) -> tuple[float, list[Piece]]:
    started = time.process_time()
    pieces = build(*case)
    return time.process_time() - started, pieces


# -- texts


def nearest_sources(questions: list[str], passages: list[str], count: int, sources: int) -> list[Case]:
    table = table_of(passages)
    cases = []
    for question in questions[:count]:
        rows = best_first(table.similarities(question))[:sources]
        evidence = [Evidence(Passage(str(row), passages[row]), n, 1.0) for n, row in enumerate(rows, start=1)]
        cases.append((question, evidence))
    return cases


def texts(folder: Path) -> tuple[list[str], list[str]]:
    """Questions and passages."""
    file = folder / "wikipedia" / "wikipedia_passages_59460.jsonl.gz"
    if not file.exists():
        return made_up()
    from expound.datasets.asqa import Asqa

    passages = [json.loads(line)["text"] for line in gzip.decompress(file.read_bytes()).splitlines()]
    return [question.text for question in Asqa(folder / "asqa" / "asqa_dev_748.json.gz")], passages


def made_up(passages: int = 20_000, questions: int = 748) -> tuple[list[str], list[str]]:
    rng = random.Random(SEED)
    files = sorted((Path(expound.__file__).parent / "corpus" / "sampler").glob("*.md"))
    sentences = [text for file in files for text in split_sentences(file.read_text(encoding="utf-8"))]
    asked = [" ".join(rng.choice(sentences).split()[:10]) for _ in range(questions)]
    return asked, [" ".join(rng.choices(sentences, k=5)) for _ in range(passages)]


if __name__ == "__main__":
    main()
