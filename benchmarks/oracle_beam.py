"""Speed of ELI5's extractive oracle against a naive beam search, same result.

    python benchmarks/oracle_beam.py [--data FOLDER] [--questions 20] [--passages 5] [--beam 10] [--sentences 10]

FOLDER holds ASQA's dev questions and the Wikipedia passages; without it both are made up of the sampler's sentences.
A question's evidence are the passages nearest to it, with the first reference as the one to come close to.

The naive search puts every sentence to every set of the beam and computes the similarity of the whole from its words;
expound adds to sums. Both choose from the final sets by the same ROUGE. The row "search" leaves ROUGE out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import expound
from expound.answer.quoting import places_of, quote_sentence
from expound.answer.tfidf import DIGITS, best_first, table_of
from expound.answer.tfidf_sentences import without_repetitions
from expound.bounds.beam import Rows, search
from expound.bounds.oracle import OracleSentences
from expound.score.eli5_metrics import Eli5Rouge
from expound.text.sentences import split_sentences
from expound.types import Answer, Evidence, Passage, Prediction, Question

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEED = 20

Case = tuple[Question, list[Evidence]]


def main() -> None:
    arguments = parse_arguments()
    oracle = OracleSentences(beam=arguments.beam, sentences=arguments.sentences)
    print(f"{oracle!r}, cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f} at the start")
    seconds: dict[str, float] = defaultdict(float)
    cases = nearest_passages(*texts(arguments.data), arguments.questions, arguments.passages)
    for case in cases:
        measure(oracle, case, seconds)
    sentences = sum(len(sentences_of(evidence)) for _, evidence in cases) / len(cases)
    print(f"{len(cases)} questions of {sentences:.0f} sentences on average, same result for all")
    for what in ("whole", "search"):
        naive, ours = seconds[f"naive {what}"], seconds[f"our {what}"]
        each = f"naive {1000 * naive / len(cases):9.1f} ms   expound {1000 * ours / len(cases):7.1f} ms"
        print(f"{what:8} {each}   ratio {naive / ours:.1f}")
    print(f"(load {os.getloadavg()[0]:.1f})")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with asqa/ and wikipedia/")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--passages", type=int, default=5, help="passages of a question")
    parser.add_argument("--beam", type=int, default=10)
    parser.add_argument("--sentences", type=int, default=10)
    return parser.parse_args()


# -- what is measured


def measure(oracle: OracleSentences, case: Case, seconds: dict[str, float]) -> None:
    question, evidence = case
    sentences, [reference] = sentences_of(evidence), question.references
    limits = {"beam": oracle.beam, "most": oracle.sentences}
    sides: dict[str, Callable[[], Any]] = {
        "naive whole": lambda: naive_oracle(oracle, question, evidence),
        "our whole": lambda: oracle.answer_to(question, evidence),
        "naive search": lambda: naive_search(sentences, reference, **limits),
        "our search": lambda: search(table_of(sentences), reference, **limits),
    }
    results = {}
    for side, work in sides.items():
        started = time.process_time()
        results[side] = work()
        seconds[side] += time.process_time() - started
    assert results["naive whole"] == results["our whole"], f"another answer to {question.text!r}"
    assert results["naive search"] == results["our search"], f"another beam for {question.text!r}"


def naive_oracle(oracle: OracleSentences, question: Question, evidence: Sequence[Evidence]) -> Answer:
    places = without_repetitions(places_of(evidence))
    texts = [place.text for place in places]
    states = naive_search(texts, question.references[0], beam=oracle.beam, most=oracle.sentences)
    options = [quote_sentence(places[row] for row in state) for state in states]
    rouge = Eli5Rouge(oracle.kind)
    return max(options, key=lambda answer: rouge.count(question, Prediction("", "", "", answer)))


def naive_search(sentences: Sequence[str], text: str, *, beam: int, most: int) -> list[Rows]:
    counts = [words_of(sentence) for sentence in sentences]
    frequencies = Counter(word for words in counts for word in words)
    idf = {word: math.log((1 + len(counts)) / (1 + count)) + 1 for word, count in frequencies.items()}
    wanted = {word: count * idf[word] for word, count in words_of(text).items() if word in idf}

    def similarity(rows: Rows) -> float:
        together: Counter[str] = Counter()
        for row in rows:
            together.update(counts[row])
        weights = {word: count * idf[word] for word, count in together.items()}
        product = sum(weight * wanted[word] for word, weight in weights.items() if word in wanted)
        squares = sum(weight**2 for weight in weights.values()) * sum(weight**2 for weight in wanted.values())
        return round(product / math.sqrt(squares), DIGITS) if squares else 0.0

    candidates = [row for row, words in enumerate(counts) if any(word in wanted for word in words)]
    states: list[Rows] = [()]
    found: list[Rows] = []
    for _ in range(min(most, len(candidates))):
        options = {tuple(sorted((*state, row))) for state in states for row in candidates if row not in state}
        states = sorted(options, key=lambda rows: (-similarity(rows), rows))[:beam]
        found += states
    return found


def words_of(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w\w+", text.lower()))


def sentences_of(evidence: Sequence[Evidence]) -> list[str]:
    return [place.text for place in without_repetitions(places_of(evidence))]


# -- texts


def nearest_passages(questions: list[Question], passages: list[str], count: int, size: int) -> list[Case]:
    table = table_of(passages)
    cases = []
    for question in questions[:count]:
        rows = best_first(table.similarities(question.text))[:size]
        evidence = [Evidence(Passage(str(row), passages[row]), n, 1.0) for n, row in enumerate(rows, start=1)]
        cases.append((replace(question, references=question.references[:1]), evidence))
    return cases


def texts(folder: Path) -> tuple[list[Question], list[str]]:
    """Questions and passages."""
    file = folder / "wikipedia" / "wikipedia_passages_59460.jsonl.gz"
    if not file.exists():
        return made_up()
    from expound.datasets.asqa import Asqa

    passages = [json.loads(line)["text"] for line in gzip.decompress(file.read_bytes()).splitlines()]
    return list(Asqa(folder / "asqa" / "asqa_dev_748.json.gz")), passages


def made_up(passages: int = 2000, questions: int = 20) -> tuple[list[Question], list[str]]:
    rng = random.Random(SEED)
    files = sorted((Path(expound.__file__).parent / "corpus" / "sampler").glob("*.md"))
    sentences = [text for file in files for text in split_sentences(file.read_text(encoding="utf-8"))]
    references = [" ".join(rng.choices(sentences, k=4)) for _ in range(questions)]
    asked = [Question(str(n), text.split(".")[0], references=(text,)) for n, text in enumerate(references)]
    return asked, [" ".join(rng.choices(sentences, k=5)) for _ in range(passages)]


if __name__ == "__main__":
    main()
