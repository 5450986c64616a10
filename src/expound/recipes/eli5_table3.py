"""ELI5's Table 3 (Fan et al. 2019): what can be had without writing a word."""

from __future__ import annotations

from functools import partial

from expound.recipes.eli5_web import WebRecipe
from expound.recipes.table import Recipe, Row, measure

_TRAINED = "a trained model: score its predictions with expound score"
_RANKER = "our sentence ranker, which is trained on short answers"
_OWN_READER = "extractive reader, trained on best spans"


def _published(one: float, two: float, longest: float) -> dict[str, float]:
    return {"rouge_1": one, "rouge_2": two, "rouge_l": longest}


RECIPE = Recipe(
    "eli5-table3",
    "ELI5, Table 3: retrieval and extractive rows",
    "eli5",
    ("Eli5Rouge(kind='1')", "Eli5Rouge(kind='2')", "Eli5Rouge(kind='l')"),
    (
        Row("support document", _published(16.8, 2.3, 10.2), "SupportDocument()", "Given"),
        Row("nearest neighbour", _published(16.7, 2.3, 12.5), "NearestAnswer(train='{train}', by='tfidf')", "Given"),
        Row("extractive (TF-IDF)", _published(20.6, 2.9, 17.0), "TfidfSentences(sentences=7)", "Given"),
        Row("extractive (BidAF)", _published(23.5, 3.1, 17.5), "ReaderSentences()", "Given", why=_RANKER),
        Row(_OWN_READER, _published(23.5, 3.1, 17.5), "ReaderSentences(model='{sentences}')", "Given"),
        Row("oracle support document", _published(27.4, 2.8, 19.9), "OracleSentences()", "Given"),
        Row("oracle web sources", _published(54.8, 8.6, 40.3), why="needs all the pages that were retrieved"),
        Row("language model, question and answer", _published(27.8, 4.7, 23.1), why=_TRAINED),
        Row("Seq2Seq multi-task", _published(28.9, 5.4, 23.1), why=_TRAINED),
    ),
    "Evidence is what the dataset gives with each question: for the ten public examples one support document.",
)
_SUPPORT = "TfidfSentences(sentences=7, over='support')"
WEB_RECIPE = Recipe(
    "eli5-table3-web",
    "ELI5, Table 3, over web documents: retrieval and extractive rows, both oracles",
    "eli5-web",
    RECIPE.metrics,
    (
        Row("support document", _published(16.8, 2.3, 10.2), "SupportDocument()", "Given"),
        Row("nearest neighbour", _published(16.7, 2.3, 12.5), "NearestAnswer(train='{train}', by='tfidf')", "Given"),
        Row("extractive (TF-IDF)", _published(20.6, 2.9, 17.0), _SUPPORT, "Given"),
        Row("extractive (BidAF)", _published(23.5, 3.1, 17.5), "ReaderSentences(over='support')", "Given", why=_RANKER),
        Row(_OWN_READER, _published(23.5, 3.1, 17.5), "ReaderSentences(over='support', model='{sentences}')", "Given"),
        Row("oracle support document", _published(27.4, 2.8, 19.9), "OracleSentences(over='support')", "Given"),
        Row("oracle web sources", _published(54.8, 8.6, 40.3), "OracleSentences()", "Given"),
        Row("Seq2Seq multi-task", _published(28.9, 5.4, 23.1), why=_TRAINED),
    ),
    "Other questions, other answers: WebGPT's people wrote from pages they had found, and these pages are among the "
    "evidence, about a thousand words a question in place of a few hundred thousand. The support document holds nearly "
    "all of it, so both oracles are near each other.",
)
WEB_TABLE = WebRecipe(WEB_RECIPE, partial(measure, WEB_RECIPE))
