"""Every check of the audit with its margin, fixed here and in docs/audit.md: no run and no option changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """What is measured, which side of which margin is wrong, and what to say on either side."""

    name: str
    about: str
    measure: str
    margin: float
    wrong: str
    unit: str
    good: str
    bad: str
    needs: str = ""
    """What has to be given for it."""


_CHECKS = (
    Check(
        "off-topic", "system", "answers that fit another question as well as their own", 65.0, "above", "%",
        "Answers are about their questions",
        "Answers are off topic: they fit other questions as well as their own",
    ),
    Check(
        "raw-output", "system", "answers that are JSON or have tags", 10.0, "above", "%",
        "Answers are texts to read",
        "Answers are raw JSON or markup",
    ),
    Check(
        "markdown", "system", "answers laid out in Markdown", 50.0, "above", "%",
        "Answers are not laid out in Markdown",
        "Answers are Markdown source: headings, tables, fences, bold items",
    ),
    Check(
        "random-retrieval", "system", "score lost with random passages", 1.0, "below", "points",
        "Answers get worse when the passages are random",
        "Answers score as well with random passages: retrieval is not used",
        "answers to the same questions with random passages: --random FILE, or --plan to make them",
    ),
    Check(
        "random-words", "system", "content words from the passages, lost with random passages", 5.0, "below", "points",
        "Answers take their content from the passages they were given",
        "Answers written from random passages share as many content words with the retrieved ones",
        "answers to the same questions with random passages: --random FILE, or --plan to make them",
    ),
    Check(
        "passages-over-chance", "system", "content words in own passages minus in random ones", 10.0, "below", "points",
        "Content words of the answers stand in their own passages",
        "Content words of the answers stand in random passages as often as in their own",
        "retrieved passages with their texts: in the predictions, or --retrievals",
    ),
    Check(
        "supported-sentences", "system", "sentences that a passage supports", 50.0, "below", "%",
        "Most sentences are supported by a retrieved passage",
        "Most sentences are not supported by any retrieved passage",
        "retrieved passages with their texts: in the predictions, or --retrievals",
    ),
    Check(
        "invented-names", "system", "names and numbers in neither passages nor question", 25.0, "above", "%",
        "Names and numbers come from the passages or the question",
        "Many names and numbers stand in neither passages nor question",
        "retrieved passages with their texts: in the predictions, or --retrievals",
    ),
    Check(
        "train-paraphrases", "data", "questions with a paraphrase in the training set", 10.0, "above", "%",
        "Few questions have a paraphrase in the training set",
        "Many questions have a paraphrase in the training set",
        "training questions: --train LAYOUT:PATH",
    ),
    Check(
        "copied-training-answers", "system", "answers mostly copied from a near training question", 5.0, "above", "%",
        "Answers are not copies of training answers",
        "Answers are copied from training answers",
        "training questions with answers: --train LAYOUT:PATH",
    ),
    Check(
        "trivial-baseline", "system", "score above the best trivial baseline", 1.0, "below", "points",
        "The system is above every trivial baseline",
        "A trivial baseline is as good",
        "references",
    ),
    Check(
        "usable-range", "metric", "score of a reference above the best trivial baseline", 5.0, "below", "points",
        "The metric tells references from trivial baselines",
        "The metric has next to no room between trivial baselines and references",
        "questions with two or more references",
    ),
    Check(
        "length-of-references", "system", "words of the answers over words of the references", 2.0, "above", "times",
        "Answers are not much longer than references",
        "Answers are far longer than references",
        "references",
    ),
    Check(
        "second-half", "system", "score that the second half of the answers adds", 0.0, "below", "points",
        "The second half of the answers adds to the score",
        "The first half of the answers alone scores as well: padding",
        "references",
    ),
    Check(
        "length-correlation", "metric", "rank correlation of score and length", 0.5, "above", "",
        "The score is not a matter of length",
        "The score follows the length of the answer",
        "references",
    ),
    Check(
        "swapped-answers", "metric", "score lost when questions get each other's answers", 50.0, "below", "%",
        "The metric notices answers to other questions",
        "Answers to other questions keep most of the score",
        "references",
    ),
    Check(
        "shuffled-words", "metric", "score lost when the answer's words are shuffled", 10.0, "below", "%",
        "The metric notices word salad",
        "The metric does not notice word salad",
        "references",
    ),
    Check(
        "repeated-phrases", "system", "4-grams that repeat an earlier one", 10.0, "above", "%",
        "Answers do not repeat themselves",
        "Answers repeat themselves",
    ),
    Check(
        "copied-questions", "system", "answers that mostly copy their question", 5.0, "above", "%",
        "Answers do not copy their questions",
        "Answers copy their questions",
    ),
    Check(
        "empty-answers", "system", "answers without text", 5.0, "above", "%",
        "Nearly all questions have an answer",
        "Questions are left without an answer",
    ),
    Check(
        "unfinished-answers", "system", "answers that stop within a sentence", 10.0, "above", "%",
        "Answers end where a sentence ends",
        "Answers break off within a sentence",
    ),
)  # fmt: skip

CHECKS: Mapping[str, Check] = {check.name: check for check in _CHECKS}
