"""Table 8 on a made-up town: words and a retriever that was trained on the way find the passages of questions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.corpus import add
from expound.errors import UserError
from expound.recipes import Ingredients, find_recipe, measure
from expound.recipes import hurdles_table8 as table
from expound.recipes.findings import WithInterval
from expound.records import read_json
from expound.testing import write_jsonl
from expound.train.data.group_files import read_groups
from expound.train.data.write_data import write_pair_data
from expound.train.kinds.retriever_kind import RetrieverKind
from expound.train.loop import FIGURES
from expound.train.smoke import iter_groups, write_tiny_base


@pytest.fixture
def town(tmp_path: Path) -> Ingredients:
    for library in ("torch", "transformers", "onnx"):
        pytest.importorskip(library)
    groups = list(iter_groups())
    rows: list[dict[str, Any]] = [
        {
            "question": group.question,
            "references": [group.positives[0]],
            "evidence": [{"id": f"{place}", "title": f"Page {place}", "text": group.positives[0]}],
        }
        for place, group in enumerate(groups)
    ]
    # Nobody answers it, so it is not asked; its passage is there to be mistaken.
    rows.append({"question": "who burnt it ?", "evidence": [{"id": "x", "title": "X", "text": "the mill is old ."}]})
    pairs = [
        {"question": f"{group.question} {place}", "references": [group.positives[0]]}
        for place, group in enumerate(groups)
    ]
    asked, train = write_jsonl(tmp_path / "asked.jsonl", rows), write_jsonl(tmp_path / "train.jsonl", pairs)
    return Ingredients(dataset=f"qa:{asked}", train=f"qa:{train}", out=tmp_path / "out")


def test_each_row_searches_the_passages_of_all_questions(
    town: Ingredients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MINILM", str(write_tiny_base(tmp_path / "base")))
    found = {one.row.name: one.values for one in measure(find_recipe("hurdles-table8"), town).findings}
    assert found["BM25"]["passages"] == 37
    assert number(found["BM25"]["r_precision"]).n == 36
    assert number(found["batches of 64"]["recall@5"]).n == 36
    assert number(found["batches of 64"]["passage recall@5"]).n == 36
    assert found["MiniLM as it is"] == {}  # it is not on this machine
    assert found["batches of 12,288"] == {}
    assert (town.folder / "batch-64" / "embedder.onnx").is_file()


def test_a_row_stops_where_held_out_pairs_gain_no_more(
    town: Ingredients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MINILM", str(write_tiny_base(tmp_path / "base")))
    # No measurement after the first is better.
    monkeypatch.setattr(RetrieverKind, "measure", lambda kind, model: {"mrr": 0.5})
    figures = read_json(table.train_embedder(town, 64) / FIGURES)
    assert (figures["ended"], figures["steps"], figures["kept_step"]) == ("no better on dev", 6, 2)
    assert table.PAIRS // 64 == 16


def test_passages_of_a_corpus_are_there_to_be_mistaken(town: Ingredients, tmp_path: Path) -> None:
    more = [
        {"id": "1", "title": "Y", "text": "the wall is old ."},
        {"id": "2", "title": "X", "text": "the mill is old ."},
    ]
    add([write_jsonl(tmp_path / "more.jsonl", more)], name="more")
    done = measure(find_recipe("hurdles-table8"), replace(town, corpus=("more",), rows=("BM25",)))
    # One of the two is there already.
    assert done.findings[0].values["passages"] == 38


def test_pages_are_counted_once_however_many_passages_they_have() -> None:
    pages, own = {"a": "A", "b": "A", "c": "C", "d": "D"}, table.Own(frozenset("AC"))
    assert table._page_share(own, ["b", "a", "c"], pages, first=2) == 1
    assert table._page_share(own, ["d", "b", "c"], pages, first=2) == 0.5


def test_a_question_that_names_its_pages_asks_for_any_passage_of_them(town: Ingredients, tmp_path: Path) -> None:
    texts = {"The_wall": ["the wall is old .", "mira built it ."], "The mill": ["the mill is new ."], "Z": ["so ."]}
    passages = [
        {"id": f"{title}-{place}", "title": title.replace("_", " "), "text": text}
        for title, some in texts.items()
        for place, text in enumerate(some)
    ]
    add([write_jsonl(tmp_path / "pages.jsonl", passages)], name="pages")
    asked = [
        {"question": "who built the wall ?", "references": ["mira"], "meta": {"wikipages": [{"title": "The_wall"}]}},
        {"question": "who built the moon ?", "references": ["olan"], "meta": {"wikipages": [{"title": "The moon"}]}},
    ]
    spec = f"qa:{write_jsonl(tmp_path / 'pages-asked.jsonl', asked)}"
    given = replace(town, dataset=spec, corpus=("pages",), others=1, rows=("BM25",))
    values = measure(find_recipe("hurdles-table8"), given).findings[0].values
    # Both passages of the page, and one of the two others; the page of the second question is nowhere.
    assert values["passages"] == 3
    assert (number(values["r_precision"]).value, number(values["r_precision"]).n) == (100, 1)
    assert "passage recall@5" not in values


def test_kilts_pages_are_known_by_their_ids(town: Ingredients, tmp_path: Path) -> None:
    passages = [
        {"id": id, "title": "Wall", "text": text, "meta": {"wikipedia_id": id}}
        for id, text in (("7", "mira built the wall ."), ("8", "the mill is new ."))
    ]
    add([write_jsonl(tmp_path / "kilt.jsonl", passages)], name="kilt")
    outputs = [{"answer": "mira", "provenance": [{"wikipedia_id": "7"}]}]
    asked = write_jsonl(tmp_path / "asked-kilt.jsonl", [{"id": "q", "input": "who built it ?", "output": outputs}])
    given = replace(town, dataset=f"kilt:{asked}", corpus=("kilt",), rows=("BM25",))
    values = measure(find_recipe("hurdles-table8"), given).findings[0].values
    # Both passages have the same title: told apart by it, one page would be found whatever is searched for.
    assert (values["passages"], number(values["r_precision"]).value) == (2, 100)


def test_a_dataset_without_passages_is_refused(town: Ingredients, tmp_path: Path) -> None:
    bare = write_jsonl(tmp_path / "bare.jsonl", [{"question": "why ?", "references": ["so"]}])
    given = Ingredients(dataset=f"qa:{bare}", train=town.train, out=town.out)
    with pytest.raises(UserError, match="has no question that comes with both an answer and its passages"):
        measure(find_recipe("hurdles-table8"), given)


def test_what_training_gained_is_told_question_by_question() -> None:
    untrained, trained = table.Search("Dense"), table.Search("Dense", 64)
    measured = {untrained: {"r_precision": [0.0, 100.0]}, trained: {"r_precision": [100.0, 100.0]}}
    pool = table.Pool(questions=(), own=(), passages=Path(), pages={}, given=Ingredients(), measured=measured)
    assert number(table._over_untrained(pool, trained)["r_precision over MiniLM's"]).value == 50
    assert table._over_untrained(pool, untrained) == {}


def number(value: object) -> WithInterval:
    assert isinstance(value, WithInterval)
    return value


def test_every_row_learns_from_whole_batches(tmp_path: Path) -> None:
    many = [{"question": f"why {place} ?", "references": [f"so {place}"]} for place in range(2 * table.PAIRS)]
    spec = f"qa:{write_jsonl(tmp_path / 'many.jsonl', many)}"
    write_pair_data([spec], tmp_path / "pairs", most=table.ASKED)
    learnt = read_groups([tmp_path / "pairs" / "train.jsonl"])
    batches = [row.how.batch for row in find_recipe("hurdles-table8").rows if row.how and row.how.batch]
    assert {len(learnt) % batch for batch in batches} == {0}
