"""Tables 2 and 4 of Krishna et al. 2021 on answers that Chen et al. 2023 collected: what is taken from documents?

Two models answer 271 ELI5 questions without documents and with those of WebGPT, Bing, people, and of other questions.
"""

from __future__ import annotations

from collections.abc import Sequence

from expound.audit.content import content_by, content_name
from expound.audit.numbers import Estimate, difference_of, mean_of
from expound.recipes.findings import Row, Values
from expound.recipes.hurdles_answers import ANSWER_SETS, EXCHANGES, HUMAN, Answers, AnswerSet, Exchange
from expound.recipes.intervals import SEED
from expound.recipes.printing import all_measured, measured_column, name_column, table_of
from expound.recipes.shape import Ingredients, Recipe


def read_answers(given: Ingredients) -> Answers:
    """The answers and documents of the two files."""
    return Answers(*given.files)


def read_both_ways(given: Ingredients) -> list[Answers]:
    """The same with content words by rules and, where that is installed, by spaCy."""
    # Without spaCy both are the same, and the table has one of them.
    ways = dict.fromkeys((content_by("rules"), content_by("auto")))
    return [Answers(*given.files, content=way) for way in ways]


def run_overlap(data: Answers, row: Row) -> Values:
    """ROUGE-L, n-grams and content words in a system's documents and in random ones, supported sentences."""
    of, kind = row.how.answers, row.how.compared
    return {
        # People's answers are the references themselves.
        "rouge_l": "" if of == HUMAN else _mean(data.rouge(of)),
        "1-g in documents": _mean(data.overlaps(of, kind, 1)),
        "2-g in documents": _mean(data.overlaps(of, kind, 2)),
        "1-g in random": _mean(data.overlaps(of, "random", 1)),
        "2-g in random": _mean(data.overlaps(of, "random", 2)),
        **{f"content {place}": value for place, value in _content(data, row.how).items()},
        "sentences supported": _mean(data.support_rates(of, kind)),
    }


def run_content(ways: Sequence[Answers], row: Row) -> Values:
    """A system's content words, each way of finding them."""
    return {
        f"{place}, {content_name(data.content)}": value
        for data in ways
        for place, value in _content(data, row.how).items()
    }


def run_exchange(data: Answers, row: Row) -> Values:
    """What is lost when the documents are exchanged for random ones, or left out."""
    pair: Exchange = row.how
    ours, theirs, kind = pair.ours, pair.theirs, pair.compared
    rouge = _lost(data.rouge(ours), data.rouge(theirs))
    return {
        "rouge_l": rouge,
        "1-g": _lost(data.overlaps(ours, kind, 1), data.overlaps(theirs, kind, 1)),
        "2-g": _lost(data.overlaps(ours, kind, 2), data.overlaps(theirs, kind, 2)),
        "content": _lost(data.content_shares(ours, kind), data.content_shares(theirs, kind)),
        "sentences supported": _lost(data.support_rates(ours, kind), data.support_rates(theirs, kind)),
        "n": rouge.n,
    }


def _content(data: Answers, system: AnswerSet) -> dict[str, Estimate]:
    of = system.answers
    return {
        "in question": _mean(data.in_question(of)),
        "in documents": _mean(data.content_shares(of, system.compared)),
        "in random": _mean(data.content_shares(of, "random")),
    }


def _mean(values: Sequence[float]) -> Estimate:
    return mean_of(values, seed=SEED)


def _lost(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    return difference_of(ours, theirs, seed=SEED)


_FILES = ("the answers of the 12 systems", "their documents")
_SYSTEM_ROWS = tuple(Row(system.name, how=system) for system in ANSWER_SETS)
OVERLAP = Recipe(
    name="hurdles-tables-2-4",
    title="Hurdles, Tables 2 and 4: overlap of answers with documents, %",
    files=_FILES,
    rows=_SYSTEM_ROWS,
    prepare=read_answers,
    run_row=run_overlap,
    tables=all_measured("answers"),
    doing="comparing answers with documents",
    why="Published for RT + c-REALM (p = 0.6) with predicted and random retrievals: ROUGE-L 24.4 and 24.2, 1-grams "
    "52.3 and 51.2, 2-grams 9.0 and 8.5, content 34.4 and 31.7. People's row is against the documents that "
    "people found.",
)
CONTENT = Recipe(
    name="hurdles-table4",
    title="Hurdles, Table 4: content words of answers in question, documents and random documents, %",
    files=_FILES,
    rows=_SYSTEM_ROWS,
    prepare=read_both_ways,
    run_row=run_content,
    tables=all_measured("answers"),
    doing="finding content words",
    why="Published, by spaCy, for RT + c-REALM (p = 0.6) with predicted and random retrievals: in the question 13.4 "
    "and 13.7, in the predicted retrievals 34.4 and 31.7, in random ones 11.9 and 12.1; gold answers 8.3, 28.8 and "
    "15.1.",
)
CONTROL = Recipe(
    name="hurdles-random-documents",
    title="Hurdles, section 3.1: what is lost with random documents",
    files=_FILES,
    rows=tuple(Row(pair.name, how=pair) for pair in EXCHANGES),
    prepare=read_answers,
    run_row=run_exchange,
    tables=table_of(
        name_column("pair"),
        measured_column("rouge_l", digits=2),
        *map(measured_column, ("1-g", "2-g", "content", "sentences supported", "n")),
    ),
    doing="comparing answers",
    why="Published differences for RT + c-REALM: ROUGE-L 0.2, 1-grams 1.1, 2-grams 0.5, content 2.7.",
)
