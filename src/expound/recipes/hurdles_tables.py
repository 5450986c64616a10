"""Tables 1, 2, 4, 7, 13 and 14 of Krishna et al. 2021 with our own writer: does it use the documents it is given?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from expound.audit.numbers import difference_of, mean_of
from expound.recipes.findings import Finding, Row, Values
from expound.recipes.hurdles_writers import (
    AGAIN,
    FOUND,
    NONE,
    RANDOM,
    UNTRAINED,
    Experiment,
    GeneratorSettings,
    WriterUse,
    set_up,
    sizes_of,
)
from expound.recipes.intervals import SEED
from expound.recipes.printing import Column, Sheet, measured_column, name_column, published_column, sheet_of
from expound.recipes.shape import Ingredients, Recipe

_SCORES = ("f1", "rouge_l", "words", "log-likelihood")
_GRAMS = ("1-g in found", "2-g in found", "1-g in random", "2-g in random")
_CONTENT = ("content in question", "content in found", "content in random")
PEOPLE, RANDOM_ANSWER, COPIED = "people", "random answer", "copied question"


@dataclass(frozen=True)
class Swap:
    """What one reading has more than another, question by question."""

    ours: WriterUse
    theirs: WriterUse


def prepare(given: Ingredients) -> Experiment:
    """Questions with their documents; writers are trained when a row asks for them."""
    return set_up(given, sizes_of(given))


def run_row(data: Experiment, row: Row) -> Values:
    """Every number of a row with its interval."""
    if isinstance(row.how, Swap):
        ours, theirs = _measure_row(data, row.how.ours), _measure_row(data, row.how.theirs)
        # Paired, question by question: the same questions are asked with both, and most of the spread is theirs.
        return {name: difference_of(ours[name], theirs[name], seed=SEED) for name in ours}
    return {name: mean_of(values, seed=SEED) for name, values in _measure_row(data, row.how).items()}


def _measure_row(data: Experiment, how: WriterUse | str) -> dict[str, list[float]]:
    """All numbers of every question; what a writer says is read once, though several rows compare with it."""
    if how not in data.known:
        data.known[how] = _measure(data, how)
    return data.known[how]


def _measure(data: Experiment, how: WriterUse | str) -> dict[str, list[float]]:
    if isinstance(how, WriterUse):
        likelihoods = {"log-likelihood": data.likelihoods(how)}
        return likelihoods if how.is_read_only else {**_of_texts(data, data.texts(how)), **likelihoods}
    if how == PEOPLE:
        # Held against themselves they would be perfect.
        texts = [question.references[0] for question in data.answered]
        return {name: values for name, values in _of_texts(data, texts).items() if name not in ("f1", "rouge_l")}
    return _of_texts(data, data.random_answers() if how == RANDOM_ANSWER else data.copied_questions())


def _of_texts(data: Experiment, texts: Sequence[str]) -> dict[str, list[float]]:
    words = [float(len(text.split())) for text in texts]
    return {**data.scores(texts), "words": words, **data.overlaps(texts)}


def tables_of(findings: Sequence[Finding]) -> list[Sheet]:
    """Scores (Tables 1 and 7), n-grams (Table 2) and content words (Table 4)."""
    return [sheet_of([name_column("answers"), *_columns(names)], findings) for names in (_SCORES, _GRAMS, _CONTENT)]


def _columns(names: Sequence[str]) -> list[Column]:
    published = {name: published_column(f"{name} published", name) for name in names if name not in _OURS_ALONE}
    measured = {name: measured_column(f"{name} measured", name, digits=_DIGITS.get(name, 1)) for name in names}
    return [column for name in names for column in (published.get(name), measured[name]) if column]


# They have no column in these tables of the paper.
_OURS_ALONE = ("words", "log-likelihood")
_DIGITS = {"log-likelihood": 3, "rouge_l": 2}


def _name_published(values: str) -> dict[str, float | str]:
    """Numbers in the order of the tables' columns; a dash where the paper has none."""
    names = ("f1", "rouge_l", *_GRAMS, *_CONTENT)
    return {name: float(value) for name, value in zip(names, values.split(), strict=True) if value != "-"}


def _reading_rows(trained: str) -> list[Row]:
    name = _name_writer(trained)
    return [Row(f"{name}, {read} documents", how=WriterUse(trained, read)) for read in (FOUND, RANDOM, NONE)]


def _name_writer(trained: str) -> str:
    return "not trained" if trained == UNTRAINED else f"trained with {trained}"


def _swap_rows(trained: str) -> list[Row]:
    ours = WriterUse(trained, FOUND)
    return [
        Row(f"{_name_writer(trained)}: found less {read}", how=Swap(ours, WriterUse(trained, read)))
        for read in (RANDOM, NONE)
    ]


def _second_seed_row(trained: str) -> Row:
    ours, theirs = WriterUse(trained, FOUND, AGAIN), WriterUse(trained, RANDOM, AGAIN)
    return Row(f"trained with {trained}, another seed: found less random", how=Swap(ours, theirs))


def publish(row: Row, given: Ingredients) -> Mapping[str, float | str]:
    """What the paper has for answers that are drawn as ours are: with p .6, with .9, and with no other."""
    top_p = given.top_p or GeneratorSettings.top_p
    if top_p == GeneratorSettings.top_p or isinstance(row.how, str):
        return row.published  # people and bounds draw nothing
    return _name_published(_AT_P9[row.name]) if top_p == _P9 and row.name in _AT_P9 else {}


_P9 = 0.9
# Tables 13 and 14; F1 of validation questions is printed for p .6 alone.
_AT_P9 = {
    f"trained with {FOUND}, {FOUND} documents": "- 22.62 53.9 8.7 40.7 4.1 9.1 32.4 12.0",
    f"trained with {FOUND}, {RANDOM} documents": "- 22.56 53.1 8.4 40.7 4.1 9.4 30.2 12.3",
    f"trained with {FOUND}: {FOUND} less {RANDOM}": "- 0.06 0.8 0.3 0.0 0.0 -0.3 2.2 -0.3",
}


def _rows() -> tuple[Row, ...]:
    known = {
        f"trained with {FOUND}, {FOUND} documents": "25.6 24.42 52.3 9.0 38.8 3.9 13.4 34.4 11.9",
        f"trained with {FOUND}, {RANDOM} documents": "- 24.20 51.2 8.5 38.5 3.9 13.7 31.7 12.1",
        f"trained with {FOUND}: {FOUND} less {RANDOM}": "- 0.22 1.1 0.5 0.3 0.0 -0.3 2.7 -0.2",
        "people": "- - 54.1 9.1 40.2 3.8 8.3 28.8 15.1",
        "random train answer (lower)": "17.8 16.2 - - - - - - -",
        "copy input, five times (lower)": "16.6 20.0 - - - - - - -",
    }
    rows = [
        *_reading_rows(FOUND),
        *_reading_rows(RANDOM),
        *_reading_rows(UNTRAINED),
        *_swap_rows(FOUND),
        *_swap_rows(RANDOM),
        *_swap_rows(UNTRAINED),
        _second_seed_row(FOUND),
        _second_seed_row(RANDOM),
        Row("people", how=PEOPLE),
        Row("random train answer (lower)", how=RANDOM_ANSWER),
        Row("copy input, five times (lower)", how=COPIED),
    ]
    return tuple(Row(row.name, _name_published(known[row.name]) if row.name in known else {}, row.how) for row in rows)


RECIPE = Recipe(
    name="hurdles-tables",
    title="Hurdles, Tables 1, 2, 4 and 7: a writer with found, random and no documents",
    rows=_rows(),
    prepare=prepare,
    run_row=run_row,
    publish=publish,
    tables=tables_of,
    resources=(GeneratorSettings.base,),
    why="Published: a Routing Transformer of 486 million weights over 7 paragraphs by c-REALM, all of ELI5, p .6, "
    "validation questions. Ours: SmolLM2-135M with an adapter of rank 16, 3 documents, p .6 (--top-p); log-likelihood "
    "of a word of the first reference of all questions (all that is measured of another seed and of the base), answers "
    "to the first 20 (--written); three training rows for each question.",
)
