"""Gaming: how much does each metric notice when answers are spoilt?"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from expound.audit.grounded import facts
from expound.audit.inputs import Answers, Inputs, with_text
from expound.audit.numbers import Estimate, ratio_of
from expound.audit.section import Section, ShownTable, cell
from expound.audit.swap import of_others
from expound.audit.verdict import Verdict, judge, not_run
from expound.text.sentences import split_sentences
from expound.types import MetricResult

TITLE = "Gaming: does the metric notice spoilt answers?"


def gaming(inputs: Inputs) -> Section:
    """Every way of spoiling answers by every metric."""
    # A single answer has no other to be swapped with.
    if not inputs.has_references or len(inputs.questions) < 2:
        why = "references, and two or more questions"
        return Section("gaming", TITLE, (not_run("swapped-answers", why), not_run("shuffled-words", why)))
    spoilt = {}
    for number, (name, spoil) in enumerate(SPOILT.items()):
        inputs.say("spoiling answers", number, len(SPOILT))
        spoilt[name] = inputs.score(_spoilt(inputs, spoil))
    verdicts = tuple(
        _verdict(inputs, name, spoilt[name.replace("-", " ")]) for name in ("swapped-answers", "shuffled-words")
    )
    note = "Share of the score that is lost, in percent; 0 means that the metric does not notice."
    rows = tuple(
        (metric, *(_cell(inputs, metric, results) for results in spoilt.values())) for metric in inputs.quality
    )
    return Section(
        name="gaming",
        title=TITLE,
        verdicts=verdicts,
        tables=(ShownTable("Score lost", ("metric", *spoilt), rows, note),),
    )


def lost(inputs: Inputs, metric: str, spoilt: dict[str, MetricResult]) -> Estimate:
    """The share of a metric's score that spoilt answers lose, in percent."""
    before, after = inputs.of_each(inputs.quality[metric]), inputs.of_each(spoilt[metric])
    # Sums over all questions: a question that scored next to nothing must not count for a whole share.
    return ratio_of([100 * (a - b) for a, b in zip(before, after, strict=True)], before, seed=inputs.seed)


def shuffled_sentences(texts: Sequence[str], random: Random) -> list[str]:
    """Every answer with its sentences in random order."""
    return [" ".join(random.sample(parts, len(parts))) for parts in map(split_sentences, texts)]


def shuffled_words(texts: Sequence[str], random: Random) -> list[str]:
    """Every answer with its words in random order."""
    return [" ".join(random.sample(words, len(words))) for words in (text.split() for text in texts)]


def swapped_answers(texts: Sequence[str], random: Random) -> list[str]:
    """Every question with the answer to another."""
    # The seed is drawn from the generator, so that one seed of the audit fixes everything.
    return of_others(texts, seed=random.randrange(2**32))


def swapped_names(texts: Sequence[str], random: Random) -> list[str]:
    """Every name and number replaced by one of another answer."""
    found = [facts(text) for text in texts]
    pools = {
        # A number for a number and a name for a name: the text must stay plausible.
        is_number: [fact for row in found for fact in row if fact[0].isdigit() == is_number]
        for is_number in (True, False)
    }
    return [_replace_words(text, row, pools, random) for text, row in zip(texts, found, strict=True)]


SPOILT: dict[str, Callable[[Sequence[str], Random], list[str]]] = {
    "shuffled sentences": shuffled_sentences,
    "shuffled words": shuffled_words,
    "swapped answers": swapped_answers,
    "swapped names": swapped_names,
}


def _spoilt(inputs: Inputs, spoil: Callable[[Sequence[str], Random], list[str]]) -> Answers:
    texts = spoil(inputs.answers(), Random(inputs.seed))
    ids = [question.id for question in inputs.questions]
    return {id: with_text(inputs.predictions[id], text) for id, text in zip(ids, texts, strict=True)}


def _replace_words(text: str, own: Sequence[str], pools: dict[bool, list[str]], random: Random) -> str:
    if not own:
        return text
    # Longest first, so that a name within a longer one does not break it.
    pattern = "|".join(re.escape(fact) for fact in sorted(own, key=len, reverse=True))
    new = {fact: _other(fact, pools[fact[0].isdigit()], random) for fact in own}
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda match: new[match.group()], text)


def _other(fact: str, pool: Sequence[str], random: Random) -> str:
    # Ten draws: a pool may hold nothing but the fact itself.
    drawn = (random.choice(pool) for _ in range(10))
    return next((other for other in drawn if other != fact), fact)


def _verdict(inputs: Inputs, name: str, spoilt: dict[str, MetricResult]) -> Verdict:
    if inputs.unfit:  # the metric would be blamed for them
        return not_run(name, inputs.unfit)
    return judge(name, lost(inputs, inputs.primary, spoilt), on=inputs.primary)


def _cell(inputs: Inputs, metric: str, spoilt: dict[str, MetricResult]) -> str:
    return cell(lost(inputs, metric, spoilt)) if metric in spoilt else "–"
