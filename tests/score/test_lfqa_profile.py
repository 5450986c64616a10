"""The profile of the critical evaluation: metrics that ask a model, each number with its price, none paid twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from commands import Capture
from expound.cli.console import configure
from expound.cli.score_screen import print_scores
from expound.cli.screen import TableFormat
from expound.meta.evaluation import meta
from expound.meta.meta_rows import COST
from expound.meta.scored import choose_metrics
from expound.plugins import build
from expound.score.always_human import AlwaysHuman
from expound.score.counting import asks_model, count_answer
from expound.score.length import Length
from expound.score.model_perplexity import ModelPerplexity
from expound.score.profile import Profile, find_profile
from expound.score.question_likelihood import INSTRUCTION, QuestionLikelihood
from expound.score.random_number import Random
from expound.score.results import Scorer
from expound.score.rouge import Rouge
from expound.score.similarity import Similarity
from expound.score.unavailable import Unavailable
from expound.types import Answer, Prediction, Question

if TYPE_CHECKING:
    from expound.protocols import Vectors

QUESTION = Question("1", "Why are boats white?", references=("White paint is cheap.",))


class ByLetters:
    """A language model that finds long words unlikely, and remembers what it was asked."""

    weights = "f" * 64

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def log_probabilities(self, text: str, given: str = "") -> list[float]:
        self.asked.append((text, given))
        known = set(given.lower().split())
        return [-float(len(word)) / (2 if word.lower() in known else 1) for word in text.split()]


class ByFirstLetter:
    """An embedder whose vectors say whether a text begins with the letter W."""

    name = "first-letter"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([[1, 0] if text[:1] == "W" else [0, 1] for text in texts], dtype=np.float32)


def say(text: str, system: str = "demo") -> Prediction:
    return Prediction("1", QUESTION.text, system, Answer(text))


def test_perplexity_is_the_exponential_of_the_mean_surprise() -> None:
    metric = ModelPerplexity(likelihood=ByLetters())
    scores = Scorer([metric]).score(
        [say("a bbb"), Prediction("2", "", "demo", Answer("cc"))], [QUESTION, Question("2", "")]
    )
    each = scores[0].per_question
    assert each == pytest.approx({"1": math.exp(2), "2": math.exp(2)})
    assert scores[0].value == pytest.approx(math.exp(2))
    assert scores[0].signature.startswith("model_perplexity|weights:ffffffffffff|")


def test_an_answer_without_tokens_has_no_perplexity() -> None:
    assert math.isnan(ModelPerplexity(likelihood=ByLetters()).count(QUESTION, say(""))[0])


def test_the_question_is_asked_for_after_the_answer_and_the_papers_instruction() -> None:
    model = ByLetters()
    metric = QuestionLikelihood(likelihood=model)
    near, far = metric.count(QUESTION, say("Boats are white.")), metric.count(QUESTION, say("Cats purr."))
    assert model.asked[0] == (QUESTION.text, f"Boats are white. {INSTRUCTION}")
    assert near > far
    assert math.isnan(metric.count(QUESTION, say("")))


def test_similarity_is_the_cosine_of_question_and_answer() -> None:
    metric = Similarity(embedder=ByFirstLetter())
    assert metric.count(QUESTION, say("White is cheap.")) == 100
    assert metric.count(QUESTION, say("Nobody knows.")) == 0
    assert math.isnan(metric.count(QUESTION, say(" ")))


def test_random_says_the_same_of_the_same_and_lies_within_its_range() -> None:
    numbers = [Random().count(QUESTION, say(str(number))) for number in range(200)]
    assert numbers == [Random().count(QUESTION, say(str(number))) for number in range(200)]
    assert 0 <= min(numbers) < 0.1 < 0.9 < max(numbers) < 1
    assert Random(seed=1).count(QUESTION, say("0")) != numbers[0]


def test_always_human_goes_by_the_systems_name() -> None:
    assert AlwaysHuman().count(QUESTION, say("x", "human expert")) == 1
    assert AlwaysHuman().count(QUESTION, say("x", "gpt-3")) == 0


def test_rouge_of_the_profile_is_rouge_l_of_the_best_reference() -> None:
    question = Question("1", "", references=("a b c d", "d c b a"))
    assert Rouge(profile="lfqa").count(question, say("d c b")) == Rouge(kind="l").count(question, say("d c b"))
    assert repr(build("score", "Rouge(profile='lfqa')")) == "Rouge(profile='lfqa', kind='l')"


def test_a_model_is_asked_once_for_an_answer_also_by_another_object() -> None:
    first, second = ByLetters(), ByLetters()
    one = count_answer(ModelPerplexity(likelihood=first), QUESTION, say("a bbb"))
    other = count_answer(ModelPerplexity(likelihood=second), QUESTION, say("a bbb"))
    assert one == other
    assert ("a bbb", "") in first.asked
    assert not second.asked


def test_other_weights_are_another_number() -> None:
    other = ByLetters()
    other.weights = "0" * 64
    count_answer(ModelPerplexity(likelihood=ByLetters()), QUESTION, say("a bbb"))
    count_answer(ModelPerplexity(likelihood=other), QUESTION, say("a bbb"))
    assert ("a bbb", "") in other.asked


def test_not_a_number_is_kept_as_such() -> None:
    metric = ModelPerplexity(likelihood=ByLetters())
    assert all(math.isnan(count_answer(metric, QUESTION, say("")).row[0]) for _ in range(2))


def test_every_number_has_its_price_where_a_model_is_asked() -> None:
    scores = Scorer([Length(), ModelPerplexity(likelihood=ByLetters())]).score([say("a bbb")], [QUESTION])
    assert set(scores.costs) == {"length", "model_perplexity"}
    assert all(cost >= 0 for cost in scores.costs.values())
    assert not Scorer([Length()]).score([say("a bbb")], [QUESTION]).costs


def test_the_profile_has_the_papers_kinds_of_metrics_and_its_baselines() -> None:
    metrics = find_profile("lfqa").metrics
    assert {"random", "always_human", "length", "rouge_l", "self_bleu_5"} <= {metric.name for metric in metrics}
    assert sum(map(asks_model, metrics)) >= 4
    assert {"bleurt", "bart_score", "rank_gen", "qa_fact_eval", "preference"} <= {metric.name for metric in metrics}


def test_what_the_profile_cannot_have_keeps_its_row_and_says_why(capsys: Capture) -> None:
    lacking = Unavailable("Bleurt()", "nobody has its weights", "bleurt")
    profile = Profile("mine", (Length(), lacking), note="Look twice.")
    scores = Scorer(profile).score([say("a bbb")], [QUESTION])
    assert [result.metric for result in scores] == ["length"]
    assert (scores.cannot_be_had, scores.left_out) == ({"bleurt": "nobody has its weights"}, [])
    configure(quiet=False)  # other tests of this process may have asked for silence
    print_scores(scores, TableFormat.text)
    printed = capsys.readouterr()
    assert "cannot be had: nobody has its weights" in printed.out
    assert "Look twice." in printed.err


def test_weights_that_are_brought_take_the_place_of_the_reason() -> None:
    labels = {one.label for one in choose_metrics(["lfqa"])}
    assert {"Preference()", "Bleurt()", "RankGen()"} <= labels
    brought = {one.label for one in choose_metrics(["lfqa", "Bleurt(folder='mine')"])}
    assert brought == labels - {"Bleurt()"} | {"Bleurt(folder='mine')"}


def test_meta_tells_what_metrics_cost_and_names_no_baseline_twice() -> None:
    judged = Path(__file__).resolve().parents[2] / "examples" / "meta" / "judged.jsonl"
    found = meta([f"lfqa-e:{judged}"], [ModelPerplexity(likelihood=ByLetters()), "AlwaysHuman()", "Random()"])
    assert {row.metric for row in found.rows if row.measure == COST} == {"Length", "ModelPerplexity()"}
    assert {row.metric for row in found.rows} == {"Random", "Always human", "Length", "ModelPerplexity()"}


def test_of_a_profile_each_metric_says_which_way_it_is_better() -> None:
    labels = {one.label for one in choose_metrics(["lfqa"])}
    assert {"-ModelPerplexity()", "QuestionLikelihood()"} <= labels
    # One that is named alone is taken as written.
    assert {one.label for one in choose_metrics(["ModelPerplexity()"])} == {"ModelPerplexity()"}


def test_the_whole_profile_scores_with_the_weights_that_can_be_had(
    use_resources: Callable[..., dict[str, Path]],
) -> None:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gguf")
    use_resources("minilm", "minilm-tokenizer", "punkt", "smollm2-135m")
    text = "White paint is cheap. It keeps boats cool."
    scores = Scorer("lfqa").score([say(text)], [QUESTION])
    assert {result.metric for result in scores} >= {"model_perplexity", "question_likelihood", "minilm_bert_score"}
    assert set(scores.costs) >= {result.metric for result in scores}
