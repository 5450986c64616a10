"""ELI5's Table 3 (Fan et al. 2019): what can be had without writing a word."""

from __future__ import annotations

from expound.recipes.findings import Row
from expound.recipes.systems import Parts, system_recipe

_TRAINED = "a trained model: score its predictions with expound score"
_RANKER = "our sentence ranker, which is trained on short answers"
_METRICS = ("Eli5Rouge(kind='1')", "Eli5Rouge(kind='2')", "Eli5Rouge(kind='l')")


def _name_published(one: float, two: float, longest: float) -> dict[str, float]:
    return {"rouge_1": one, "rouge_2": two, "rouge_l": longest}


def _given(answer: str) -> Parts:
    """An answerer over what the dataset gives with each question."""
    return Parts(answer, "Given")


_SUPPORT_DOCUMENT = Row("support document", _name_published(16.8, 2.3, 10.2), _given("SupportDocument()"))
_NEIGHBOUR = Row(
    "nearest neighbour", _name_published(16.7, 2.3, 12.5), _given("NearestAnswer(train='{train}', by='tfidf')")
)
_MULTI_TASK = Row("Seq2Seq multi-task", _name_published(28.9, 5.4, 23.1), why=_TRAINED)


def _extractive(*, over: str) -> tuple[Row, ...]:
    """The extractive rows and their oracle, over all the evidence or over the support document alone."""
    reader = _name_published(23.5, 3.1, 17.5)
    own = _given(f"ReaderSentences(over='{over}', model='{{sentences}}')")
    return (
        Row(
            "extractive (TF-IDF)",
            _name_published(20.6, 2.9, 17.0),
            _given(f"TfidfSentences(sentences=7, over='{over}')"),
        ),
        Row("extractive (BidAF)", reader, _given(f"ReaderSentences(over='{over}')"), why=_RANKER),
        Row("extractive reader, trained on best spans", reader, own),
        Row("oracle support document", _name_published(27.4, 2.8, 19.9), _given(f"OracleSentences(over='{over}')")),
    )


RECIPE = system_recipe(
    name="eli5-table3",
    title="ELI5, Table 3: retrieval and extractive rows",
    layout="eli5",
    metrics=_METRICS,
    rows=(
        _SUPPORT_DOCUMENT,
        _NEIGHBOUR,
        *_extractive(over="evidence"),
        Row("oracle web sources", _name_published(54.8, 8.6, 40.3), why="needs all the pages that were retrieved"),
        Row("language model, question and answer", _name_published(27.8, 4.7, 23.1), why=_TRAINED),
        _MULTI_TASK,
    ),
    why="Evidence is what the dataset gives with each question: for the ten public examples one support document.",
)
WEB_RECIPE = system_recipe(
    name="eli5-table3-web",
    title="ELI5, Table 3, over web documents: retrieval and extractive rows, both oracles",
    layout="eli5-web",
    metrics=_METRICS,
    rows=(
        _SUPPORT_DOCUMENT,
        _NEIGHBOUR,
        *_extractive(over="support"),
        Row("oracle web sources", _name_published(54.8, 8.6, 40.3), _given("OracleSentences()")),
        _MULTI_TASK,
    ),
    why="Other questions, other answers: WebGPT's people wrote from pages they had found, and these pages are among "
    "the evidence, about a thousand words a question in place of a few hundred thousand. The support document holds "
    "nearly all of it, so both oracles are near each other.",
)
