"""Published judgments give the figures of statsmodels, krippendorff and SciPy that are kept beside the checkout."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from statistics import mean
from typing import Any

import pytest

from expound.agreement.analysis import Analysis, AnalysisSection, analysis_record, analyze
from expound.agreement.bias import LengthBias, length_bias
from expound.agreement.criterion import Choices, Settings, Values
from expound.agreement.labels import Labels
from expound.agreement.published import judgments_from, lengths_of
from expound.agreement.reliability import agreement
from expound.datasets.item_ids import item_of
from expound.datasets.xu2023 import Xu2023
from expound.score.self_bleu import SelfBleu
from expound.stats.correlation import kendall_b, kendall_c, pearson, spearman
from expound.text.punkt import english
from expound.text.treebank import treebank_words
from expound.types import Answer, Prediction, Preference, Question
from golden import GOLDEN, SHARED, TOLERANCE

HIGH, MODEL = ("human", "human-fewer-upvotes"), ("model", "human")
SYSTEMS = ("model", "human", "human-fewer-upvotes")
DATA = SHARED / "data" / "human_judgments"

pytestmark = pytest.mark.skipif(not (GOLDEN / "agreement").exists(), reason="needs ../shared/golden")


def expected(name: str) -> Any:
    return json.loads((GOLDEN / "agreement" / f"{name}.json").read_text(encoding="utf-8"))["expected"]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress((DATA / name).read_bytes()).splitlines()]


def near(value: Any) -> Any:
    return pytest.approx(value, abs=TOLERANCE)


@cache
def preferences() -> list[Preference]:
    return list(Xu2023(DATA / "xu2023_expert_pairwise_130.jsonl.gz"))


@cache
def study() -> Analysis:
    """The experts' judgments as a finished study."""
    settings = Settings(systems=SYSTEMS, lengths=lengths_of(preferences()), samples=100)
    return analyze(judgments_from(preferences(), study="xu2023"), settings)


def overall(section: AnalysisSection) -> Choices:
    (found,) = section.choices
    return found


def domains() -> list[str]:
    return ["Biology", "Physics", "Chemistry", "Economics", "Law", "TechCS", "History"]


@pytest.mark.parametrize("domain", domains())
def test_shares_of_every_domain_are_the_published_ones(domain: str) -> None:
    want = expected("xu2023_half")["by_domain"][domain]
    found = {(pair.a, pair.b): pair for pair in overall(study().domains[domain]).pairs}
    for name, pair in (("HH", HIGH), ("HM", MODEL)):
        assert found[pair].judgments == want[name]["judgments"]
        assert found[pair].share.value == near(want[name]["share"])
    assert overall(study().domains[domain]).items == want["answer_pairs"]


@pytest.mark.parametrize("domain", ["Biology", "Physics", "Economics", "History"])
def test_agreement_of_every_domain_equals_statsmodels_and_krippendorff(domain: str) -> None:
    want = expected("xu2023_half")["by_domain"][domain]
    found = overall(study().domains[domain])
    assert found.agreement.fleiss.value == near(want["fleiss_kappa_A_B"])
    assert found.agreement_by_system.fleiss.value == near(want["fleiss_kappa_by_answer_kind"])
    assert found.agreement.randolph.value == near(want["randolph_kappa_A_B"])
    assert found.agreement.alpha["nominal"].value == near(want["krippendorff_alpha_nominal"])
    assert found.agreement.unanimous == want["unanimous_pairs"]
    by_pair = found.agreement_by_pair
    assert by_pair["human | human-fewer-upvotes"].fleiss.value == near(want["fleiss_kappa_A_B_HH"])
    assert by_pair["model | human"].fleiss.value == near(want["fleiss_kappa_A_B_HM"])
    cohen = {f"{pair.one} | {pair.other}": pair.kappa.value for pair in found.agreement.cohen}
    assert cohen == {raters: near(value) for raters, value in want["cohen_kappa_pairs"].items()}


def test_the_average_row_is_the_plain_mean_of_the_domains() -> None:
    want = expected("xu2023_half")
    means = {(one.a, one.b): one.share for one in study().domain_means if one.criterion == "overall"}
    assert means == {HIGH: near(want["mean_of_domains_HH"]), MODEL: near(want["mean_of_domains_HM"])}


def test_pooled_shares_and_pairwise_agreement_are_the_expected_ones() -> None:
    want = expected("xu2023_half")
    found = overall(study().overall)
    shares = {(pair.a, pair.b): pair.share.value for pair in found.pairs}
    assert shares == {HIGH: near(want["pooled_HH"]), MODEL: near(want["pooled_HM"])}
    assert (found.judgments, found.items) == (want["judgments"], want["answer_pairs"])
    assert found.agreement.split == want["pairs_without_majority"]
    assert found.agreement.pairwise.value == near(want["pairwise_agreement"]["pooled"][2])
    assert found.agreement.observed.value == near(want["pairwise_agreement"]["mean_over_pairs"])


@pytest.mark.parametrize(
    ("group", "names"),
    [("three_expert_domains", {"Biology", "History"}), ("two_expert_domains", {"Physics", "Economics"})],
)
def test_pairwise_agreement_of_some_domains_is_the_expected_one(group: str, names: set[str]) -> None:
    agreeing, pairs, value = expected("xu2023_half")["pairwise_agreement"][group]
    chosen = [one for one in preferences() if one.domain in names]
    found = overall(analyze(judgments_from(chosen, study="xu2023"), Settings(samples=20)).overall).agreement.pairwise
    assert (found.value, found.value * pairs) == (near(value), near(agreeing))


def test_difficult_choices_are_a_criterion_of_their_own() -> None:
    want = expected("xu2023_half")["difficult_to_choose"]
    kind = {item_of(one): "HM" if "model" in (one.a_system, one.b_system) else "HH" for one in preferences()}
    found = Counter(
        kind[one.item]
        for one in judgments_from(preferences(), study="xu2023")
        if one.criterion == "difficult" and one.value
    )
    assert found == want
    (difficult,) = study().overall.values
    assert isinstance(difficult, Values)
    assert difficult.systems[0].labels["yes"].value == near(sum(want.values()) / 130)


LENGTHS: dict[str, Callable[[str], int]] = {
    "whitespace_raw": lambda text: len(text.split()),
    "whitespace_br_to_space": lambda text: len(text.replace("<br />", " ").split()),
    "characters_raw": len,
    "word_characters_regex_br_to_space": lambda text: len(re.findall(r"\w+", text.replace("<br />", " "))),
}


def counted(count: Callable[[str], float]) -> dict[tuple[str, str], float]:
    """What is counted in every answer, by item and system, of the texts as they stand in the file."""
    found = {}
    for row, one in zip(rows("xu2023_expert_pairwise_130.jsonl.gz"), preferences(), strict=True):
        found[item_of(one), one.a_system] = float(count(row["answer1"]))
        found[item_of(one), one.b_system] = float(count(row["answer2"]))
    return found


def preferred_by(lengths: dict[tuple[str, str], float]) -> LengthBias:
    judgments = [one for one in judgments_from(preferences(), study="xu2023") if one.criterion == "overall"]
    return length_bias(judgments, lengths)


def nltk_words(text: str) -> int:
    return sum(len(treebank_words(sentence)) for sentence in english().sentences(text))


def check_mean_length(measure: str, count: Callable[[str], float]) -> None:
    want = expected("xu2023_half")["mean_answer_words"][measure]
    lengths = counted(count)
    by_kind = {
        "model": [length for (_, system), length in lengths.items() if system == "model"],
        "human": [length for (_, system), length in lengths.items() if system != "model"],
    }
    assert {kind: [len(found), mean(found)] for kind, found in by_kind.items()} == {
        kind: near(pair) for kind, pair in want.items()
    }


def check_lengths(measure: str, count: Callable[[str], float]) -> None:
    want = expected("xu2023_half")["length_baseline"][measure]
    found = preferred_by(counted(count))
    assert found.items.value * found.items.n == near(want["longer_answer_preferred"])
    assert (found.equal_items, found.items.n + found.equal_items) == (want["equal_length"], want["pairs"])


@pytest.mark.parametrize("measure", LENGTHS)
def test_the_longer_answer_is_preferred_as_often_as_counted(measure: str) -> None:
    check_lengths(measure, LENGTHS[measure])


@pytest.mark.parametrize(("measure", "line_break"), [("raw", "<br />"), ("br_to_space", " ")])
def test_nltks_words_are_as_many_as_counted(
    use_resources: Callable[..., object], measure: str, line_break: str
) -> None:
    use_resources("punkt")

    def count(text: str) -> int:
        return nltk_words(text.replace("<br />", line_break))

    check_lengths(f"nltk_word_tokenize_{measure}", count)
    check_mean_length(f"nltk_word_tokenize_{measure}", count)


def test_the_more_repetitive_answer_is_preferred_as_often_as_counted(use_resources: Callable[..., object]) -> None:
    use_resources("punkt")
    want = expected("xu2023_half")["self_bleu_5_higher_is_better"]

    def repetition(text: str) -> float:
        answer = Answer(text.replace("<br />", " "))
        value = SelfBleu().count(Question("", ""), Prediction("", "", "", answer))
        return 0.0 if math.isnan(value) else value

    found = preferred_by(counted(repetition))
    assert (found.items.value, found.items.n, found.equal_items) == (
        near(want["accuracy"]),
        want["pairs"],
        want["equal"],
    )


@pytest.mark.parametrize("measure", [name for name in LENGTHS if name != "characters_raw"])
def test_answers_have_the_mean_length_that_was_counted(measure: str) -> None:
    check_mean_length(measure, LENGTHS[measure])


def test_sentences_with_three_labels_have_the_agreement_of_statsmodels_and_krippendorff() -> None:
    want = expected("chen2023_three_annotators")
    sentences = [
        one["labels"]
        for row in rows("chen2023_attribution_sentence_labels_300.jsonl.gz")
        for one in row["annotations"]
        if len(one["labels"]) == 3 and all(one["labels"])
    ]
    labels: Labels = {(n,): dict(zip("rst", said, strict=True)) for n, said in enumerate(sentences)}
    found = agreement(labels, seed=0, samples=20)
    assert found.units == want["sentences"]
    assert found.fleiss.value == near(want["fleiss_kappa"])
    assert found.randolph.value == near(want["randolph_kappa"])
    assert found.alpha["nominal"].value == near(want["krippendorff_alpha_nominal"])
    assert found.pairwise.value == near(want["mean_pairwise_agreement"])


def test_correlations_equal_scipys_on_every_pair_of_columns() -> None:
    data = rows("wikieval_human_accuracy_informativeness_175.jsonl.gz")
    for name, want in expected("wikieval_correlations").items():
        one, other = name.split(" | ")
        both = [(row[one], row[other]) for row in data if _is_number(row[one]) and _is_number(row[other])]
        x, y = [float(a) for a, _ in both], [float(b) for _, b in both]
        assert len(both) == want["n"]
        assert (pearson(x, y), spearman(x, y)) == (near(want["pearson"]), near(want["spearman"]))
        assert (kendall_b(x, y), kendall_c(x, y)) == (near(want["kendall_tau_b"]), near(want["kendall_tau_c"]))


def test_the_whole_analysis_is_json_without_odd_numbers() -> None:
    record = analysis_record(study())
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
