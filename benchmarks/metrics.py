"""The metrics of the profile lfqa: answers a CPU-second each, and BERTScore beside the bert-score package.

    python benchmarks/metrics.py [--answers 200] [--metric "Nli(folder='mine')"] [--peer FOLDER]

The answers are sentences of the sampler, drawn anew. `--metric` adds what needs a folder. `--peer` names a folder into
which bert-score was installed (`pip install --target FOLDER bert-score==0.3.13`): both then score the same texts with
the same weights (MiniLM, float32), with and without idf, one system and four against one reference a question and
against two, as ASQA has them, and the largest difference is told.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.models.reader import default_reader
from expound.models.token_vectors import open_token_encoder
from expound.plugins import build
from expound.score.bert_score import BertScore
from expound.score.factuality import Factuality
from expound.score.profile import find_profile
from expound.score.unavailable import Unavailable
from expound.text.sentences import split_sentences
from expound.train.bases import open_base
from expound.types import Answer, Evidence, Passage, Prediction, Question

SYSTEMS = (1, 4)
REFERENCES = (1, 2)  # two as ASQA has them


def main() -> None:
    arguments = parse_arguments()
    cases = make_cases(arguments.answers)
    usual = (metric for metric in find_profile("lfqa").metrics if not isinstance(metric, Unavailable))
    for metric in (*usual, *(build("score", spec) for spec in arguments.metric)):
        print_rate(without_memory(metric), cases)
    if arguments.peer:
        compare_with_package(arguments.peer, cases)


def without_memory(metric: Any) -> Any:
    """The metric by a reader that keeps nothing: a second run would measure the disk."""
    return Factuality(own_reader=default_reader()) if isinstance(metric, Factuality) else metric


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=60)
    parser.add_argument("--metric", action="append", default=[], help="the spec of one more metric")
    parser.add_argument("--peer", type=Path, help="a folder with bert-score")
    return parser.parse_args()


def make_cases(count: int) -> list[tuple[Question, Prediction]]:
    """Questions with a reference, evidence and an answer of about a hundred words each."""
    rng = random.Random(20)
    texts = [file.read_text(encoding="utf-8") for file in sampler_files()]
    sentences = [one for text in texts for one in split_sentences(text) if 6 < len(one.split()) < 40]
    cases = []
    for number in range(count):
        answer, *references = (" ".join(rng.sample(sentences, 5)) for _ in range(1 + max(REFERENCES)))
        question = Question(str(number), rng.choice(sentences), references=tuple(references))
        evidence = (Evidence(Passage("p", rng.choice(texts)), 1, 1.0),)
        cases.append((question, Prediction(str(number), question.text, "drawn", Answer(answer), evidence=evidence)))
    return cases


def sampler_files() -> list[Path]:
    return sorted(Path(str(files("expound"))).glob("corpus/sampler/*.md"))


def print_rate(metric: Any, cases: list[tuple[Question, Prediction]]) -> None:
    """CPU-seconds a thousand answers, weights being loaded; what cannot be had says why."""
    try:
        if hasattr(metric, "load"):
            metric.load()
        start = time.process_time()
        for case in cases:
            metric.count(*case)
        spent = time.process_time() - start
        print(f"{metric.name:22} {1000 * spent / len(cases):10,.1f} CPU-seconds a thousand answers")
    except UserError as error:
        print(f"{metric.name:22} not run: {error}")


def compare_with_package(peer: Path, cases: list[tuple[Question, Prediction]]) -> None:
    """The same sums of both, and how fast each is, where systems share their references."""
    sys.path.append(str(peer))
    from bert_score import BERTScorer

    # Each system in words of its own: an answer that two systems gave would be encoded once.
    said = [[f"{prediction.answer.text} So says {n}." for _, prediction in cases] for n in range(max(SYSTEMS))]
    with tempfile.TemporaryDirectory() as scratch:
        base = copy_base(Path(scratch) / "base")
        for systems, count, has_idf in product(SYSTEMS, REFERENCES, (False, True)):
            references = [list(question.references[:count]) for question, _ in cases]
            dataset = write_references(Path(scratch) / f"{count}.jsonl", references)
            known = [text for texts in references for text in texts] if has_idf else None
            theirs = BERTScorer(model_type=str(base), num_layers=6, device="cpu", idf=has_idf, idf_sents=known)
            open_token_encoder.cache_clear()  # what the last round encoded must not be at hand
            ours = BertScore(folder=str(base), layer=6, idf=f"qa:{dataset}" if has_idf else "")
            ours.load()
            ours.match("one", "two")  # rarities are counted once, as the package counts them when it is made
            told = f"systems: {systems}, references a question: {count}"
            print(f"BERTScore{', idf' if has_idf else ''}, {told}", end="; ")
            compare_runs(theirs, ours, said[:systems], references)
        compare_rescaled(BERTScorer, base, cases)


def compare_rescaled(scorer: Any, base: Path, cases: list[tuple[Question, Prediction]]) -> None:
    """The same sums less a baseline, layer by layer; one answer is a single word."""
    baseline = base.parent / "baseline.tsv"
    rows = [f"{layer},{0.1 + layer / 20},{0.12 + layer / 20},{0.11 + layer / 20}" for layer in range(7)]
    baseline.write_text("\n".join(["LAYER,P,R,F", *rows]) + "\n", encoding="utf-8")
    answers = ["Yes.", *(prediction.answer.text for _, prediction in cases[1:])]
    references = [question.references[0] for question, _ in cases]
    for layer in (4, 6):
        theirs = scorer(
            model_type=str(base), num_layers=layer, device="cpu", lang="en", rescale_with_baseline=True,
            baseline_path=str(baseline),
        )  # fmt: skip
        ours = BertScore(folder=str(base), layer=layer, baseline=str(baseline))
        # One by one: in a batch the package takes padding, of cosine 0, for the neighbour of what has only worse ones.
        expected = theirs.score(answers, references, batch_size=1)[2].tolist()
        found = [ours.match(reference, answer).f1 for reference, answer in zip(references, answers, strict=True)]
        largest = max(abs(one - other) for one, other in zip(found, expected, strict=True))
        print(f"BERTScore, rescaled, layer {layer}; largest difference {largest:.1e}")


def write_references(path: Path, references: list[list[str]]) -> Path:
    """A dataset to count the rarity of tokens in."""
    rows = [{"question": f"q{number}", "references": texts} for number, texts in enumerate(references)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def copy_base(folder: Path) -> Path:
    """MiniLM with the number of tokens that it reads, which the package wants to be told by the tokenizer."""
    shutil.copytree(open_base("minilm-float32"), folder)
    about = {"tokenizer_class": "BertTokenizerFast", "model_max_length": 512}
    (folder / "tokenizer_config.json").write_text(json.dumps(about), encoding="utf-8")
    return folder


def compare_runs(theirs: Any, ours: BertScore, systems: list[list[str]], references: list[list[str]]) -> None:
    """Both on the same texts in the same minute; the best reference counts."""
    start = time.process_time()
    expected = [theirs.score(answers, references)[2].tolist() for answers in systems]
    package = time.process_time() - start
    start = time.process_time()
    # By reference, as scoring several systems goes: what was encoded is still at hand.
    found = [
        [max(ours.match(text, said[place]).f1 for text in texts) for said in systems]
        for place, texts in enumerate(references)
    ]
    spent = time.process_time() - start
    largest = max(
        abs(found[place][n] - values[place]) for n, values in enumerate(expected) for place in range(len(values))
    )
    print(
        f"largest difference {largest:.1e}; "
        f"bert-score {package:.1f} CPU-seconds, expound {spent:.1f}, ratio {package / spent:.2f}"
    )


if __name__ == "__main__":
    main()
