"""Language inference by a small model of our own: trained on a few pairs, asked on tests that others publish on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from expound.models.nli_model import NliModel
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import mean_of_all
from expound.recipes.printing import Column, count_column, measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.resource_table import TOKENIZER
from expound.stats.proportions import Figure
from expound.train.bases import MINILM, open_base
from expound.train.data.nli_files import NliPair, read_nli
from expound.train.kinds.nli_kind import NliKind, are_right
from expound.train.loop import train
from expound.train.training_settings import NLI

TRAINED_ON, TESTS = ("SNLI dev", "RTE train"), ("SNLI test", "RTE dev", "SICK test")
# One thread: the table says what one core takes.
_SETTINGS = replace(NLI, threads=1)
# Pairs of SNLI dev that choose which weights are kept; seconds of a core for each measurement.
_HELD_OUT = 600


@dataclass(frozen=True)
class Trained:
    """The model, what it took to train it, and the pairs it is asked on, by name."""

    model: NliModel
    cpu_seconds: float
    tests: dict[str, list[NliPair]]


def learn_inference(given: Ingredients) -> Trained:
    """Train on SNLI dev and RTE train, or take what was trained; the last pairs of SNLI dev choose the weights."""
    snli, rte, *tests = (read_nli([file]) for file in given.files)
    # SNLI test only decides: what chose the weights would look better on it than it is.
    kind = NliKind([*snli[:-_HELD_OUT], *rte], snli[-_HELD_OUT:], open_base(MINILM))
    figures = train(kind, _SETTINGS, given.folder, report=given.report)
    return Trained(NliModel(given.folder), figures["cpu_seconds"], dict(zip(TESTS, tests, strict=True)))


def ask_test(trained: Trained, row: Row) -> Values:
    """The exported file's share of right classes, and that of always saying the most frequent one."""
    pairs = trained.tests[row.how]
    found = trained.model.probabilities([(pair.premise, pair.hypothesis) for pair in pairs])
    return {
        "accuracy": share_right(pairs, are_right(pairs, found)),
        "always the same": 100 * max(Counter(pair.label for pair in pairs).values()) / len(pairs),
        "CPU-seconds": trained.cpu_seconds,
    }


def share_right(pairs: Sequence[NliPair], right: Sequence[bool]) -> Figure:
    """Percent, with an interval over premises: the hypotheses of a premise are right or wrong together."""
    by_premise = defaultdict[str, list[float]](list)
    for pair, is_right in zip(pairs, right, strict=True):
        by_premise[pair.premise].append(100.0 * is_right)
    return mean_of_all(by_premise.values())


RECIPE = Recipe(
    name="nli-accuracy",
    title="Language inference: a small model trained on a few pairs, on tests that others publish on",
    files=(*TRAINED_ON, *TESTS),
    resources=(MINILM, TOKENIZER),
    rows=(
        Row(
            "SNLI test",
            {"accuracy": "78.2 by words, 77.6 LSTM (Bowman et al. 2015), 90.4 BERT (Talman and Chatzikyriakidis 2019)"},
            how="SNLI test",
        ),
        Row("RTE dev", {"accuracy": "66.4 BERT-base, on RTE's hidden test (Devlin et al. 2019)"}, how="RTE dev"),
        Row(
            "SICK test",
            {"accuracy": "46.7 LSTM trained on SNLI (Bowman et al. 2015), 84.6 trained on SICK (Marelli et al. 2014)"},
            how="SICK test",
        ),
    ),
    prepare=learn_inference,
    run_row=ask_test,
    tables=table_of(
        name_column("test"),
        measured_column("accuracy, %", "accuracy"),
        Column(
            "always the same, %", lambda finding: f"{finding.values['always the same']:.1f}" if finding.values else ""
        ),
        published_column("published, %", "accuracy"),
        count_column("accuracy"),
    ),
    why="MiniLM learns from 11,700 pairs here, where the published models have 550,000 of SNLI: SNLI's training set "
    "cannot be had. RTE is asked in two classes. SICK is only measured on: its licence is non-commercial.",
)
