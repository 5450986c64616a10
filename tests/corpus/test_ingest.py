"""A corpus follows its files: what is new comes in, what changed changes, what is gone goes."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from expound.corpus.ingest import Summary, ingest
from expound.corpus.store import Store
from expound.errors import BadInput, Damaged, NothingToRead, StorageFull, UserError, WrongVersion
from expound.testing import TOY_ARTICLES, write_jsonl, write_toy_folder
from expound.types import Passage

LONG = "The river Danube rises in the Black Forest and flows for a long way through ten countries to the Black Sea. "


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "corpus" / "passages.sqlite")


def texts(store: Store) -> dict[str, str]:
    return {passage.id: passage.text for _, passage in store.iter_passages()}


def test_a_folder_becomes_passages_with_title_and_file(store: Store, tmp_path: Path) -> None:
    summary = ingest(store, [write_toy_folder(tmp_path / "docs")])
    assert (summary.added, summary.passages) == (len(TOY_ARTICLES), len(TOY_ARTICLES))
    passage = next(passage for _, passage in store.iter_passages() if passage.title == "Danube")
    assert (passage.source.file, passage.id) == ("danube.md", "danube.md#1")


def test_adding_again_touches_nothing(store: Store, tmp_path: Path) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    ingest(store, [folder])
    before = [number for number, _ in store.iter_passages()]
    for file in folder.iterdir():
        os.utime(file)  # a new date alone is no change
    assert ingest(store, [folder]).unchanged == len(TOY_ARTICLES)
    assert [number for number, _ in store.iter_passages()] == before
    assert store.count("removed") == 0


def test_a_changed_file_changes_only_its_own_passages(store: Store, tmp_path: Path) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    ingest(store, [folder])
    before = {passage.title: number for number, passage in store.iter_passages()}
    (folder / "danube.md").write_text("# Danube\n\nThe Danube is long.\n", encoding="utf-8")
    assert ingest(store, [folder]).changed == 1
    after = {passage.title: number for number, passage in store.iter_passages()}
    assert {title for title in before if before[title] != after[title]} == {"Danube"}
    assert store.count("removed") == 1


def test_deleted_files_disappear(store: Store, tmp_path: Path) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    ingest(store, [folder])
    (folder / "danube.md").unlink()
    assert ingest(store, [folder]).gone == 1
    assert "Danube" not in {passage.title for _, passage in store.iter_passages()}


def test_ready_passages_keep_their_ids_and_are_never_split(store: Store, tmp_path: Path) -> None:
    rows = [{"id": "a:1", "title": "T", "text": "Word here. " * 150, "source": "x", "wikipedia_id": 7}]
    ingest(store, [write_jsonl(tmp_path / "p.jsonl", rows)])
    [(_, passage)] = store.iter_passages()
    assert passage.id == "a:1"
    assert passage.meta == {"source": "x", "wikipedia_id": 7}
    assert len(passage.text.split()) == 300


def test_prose_of_ready_passages_is_cleaned_of_reference_marks(store: Store, tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "It rained.[3] Then run() gave items[0].[citation needed]"}]
    ingest(store, [write_jsonl(tmp_path / "p.jsonl", rows)])
    assert texts(store) == {"a": "It rained. Then run() gave items[0]."}


def test_the_text_of_documents_is_stored_as_it_stands_with_its_parts(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "# T\n\n## Use\n\nSee *it*.[3]\n\n1. `run()`\n\n   ```py\n   if x:\n       y[0]\n   ```\n", encoding="utf-8"
    )
    ingest(store, [tmp_path / "a.md"])
    [(_, passage)] = store.iter_passages()
    assert (passage.text, passage.source.heading) == ("See *it*.[3]\n`run()`\nif x:\n    y[0]", "Use")
    assert [(part.kind, part.mark, part.level) for part in passage.parts] == [
        ("paragraph", "", 0),
        ("item", "1.", 0),
        ("code", "py", 1),
    ]


def test_exact_and_near_duplicates_become_aliases_of_the_first(store: Store, tmp_path: Path) -> None:
    text = " ".join(f"Sentence number {n} tells of thing {n * 7}." for n in range(12))
    rows = [
        {"id": "first", "text": text},
        {"id": "exact", "text": text.upper()},
        {"id": "near", "text": text.replace("tells of thing 77", "talks of thing 77")},
        {"id": "another", "text": text.replace("thing 77", "thing 78")},
        {"id": "other", "text": LONG},
    ]
    summary = ingest(store, [write_jsonl(tmp_path / "p.jsonl", rows)])
    assert summary.aliases == 2
    assert list(texts(store)) == ["first", "another", "other"]  # a changed number makes another text
    assert store.aliases(1) == ["exact", "near"]


def test_a_duplicate_comes_back_when_its_original_goes(store: Store, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        (folder / f"{folder.name}.txt").write_text(LONG, encoding="utf-8")
        ingest(store, [folder])
    assert list(texts(store)) == ["one.txt#1"]
    (one / "one.txt").unlink()
    (one / "new.txt").write_text("Something else entirely stands here now.", encoding="utf-8")
    ingest(store, [one])
    assert set(texts(store)) == {"new.txt#1", "two.txt#1"}


def test_conditions_filter_ready_passages(store: Store, tmp_path: Path) -> None:
    rows = [
        {"id": str(n), "text": f"Text {n} about river {n} and its many arms.", "source": "gold" if n % 2 else "wiki"}
        for n in range(6)
    ]
    file = write_jsonl(tmp_path / "p.jsonl", rows)
    summary = ingest(store, [file], where=["meta.source != gold"])
    assert summary.filtered == 3
    assert set(texts(store)) == {"0", "2", "4"}
    ingest(store, [file])  # another filter reads the file anew
    assert len(texts(store)) == 6


def test_a_broken_file_is_skipped_with_its_reason(store: Store, tmp_path: Path) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    (folder / "bad.txt").write_bytes(bytes(range(256)) * 20)
    summary = ingest(store, [folder])
    assert summary.added == len(TOY_ARTICLES)
    assert [Path(path).name for path, _ in store.rejects()] == ["bad.txt"]
    (folder / "bad.txt").write_text("Good now, a whole sentence.", encoding="utf-8")
    ingest(store, [folder])
    assert store.rejects() == []


def test_a_malformed_line_is_named_and_nothing_of_the_file_comes_in(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text(json.dumps({"id": "1", "text": "Good."}) + "\n{oops\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 2"):
        ingest(store, [file])
    assert store.count() == 0


def test_a_file_that_breaks_later_keeps_its_old_passages(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    write_toy_folder(folder)
    file = write_jsonl(folder / "p.jsonl", [{"id": "1", "text": "The old text stays here."}])
    ingest(store, [folder])
    file.write_text("{broken", encoding="utf-8")
    ingest(store, [folder])
    assert texts(store)["1"] == "The old text stays here."
    assert len(store.rejects()) == 1


def test_the_same_id_twice_is_refused(store: Store, tmp_path: Path) -> None:
    rows = [{"id": "1", "text": "One text about boats."}, {"id": "1", "text": "Another about jellyfish."}]
    with pytest.raises(BadInput, match="stands twice"):
        ingest(store, [write_jsonl(tmp_path / "p.jsonl", rows)])


def test_an_empty_folder_is_a_clear_error(store: Store, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingToRead, match="no readable document"):
        ingest(store, [tmp_path / "empty"])


def test_a_bad_condition_is_refused_before_anything_is_read(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read the condition"):
        ingest(store, [write_toy_folder(tmp_path / "docs")], where=["nonsense"])
    assert store.count() == 0


def test_text_that_is_not_english_is_reported(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "donau.txt"
    file.write_text(
        "Die Donau ist der zweitlängste Fluss Europas und fließt durch zehn Länder bis zum Meer. " * 5, encoding="utf-8"
    )
    assert list(ingest(store, [file]).other_languages.values()) == ["de"]


def test_ctrl_c_in_a_long_file_keeps_what_was_read(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        {"id": str(n), "text": f"Passage {n} speaks of the {n}th river and its {n * 3} islands."} for n in range(10)
    ]
    file = write_jsonl(tmp_path / "p.jsonl", rows)
    put = Store.put_passage

    def stop_at_six(self: Store, passage: Passage, *rest: Any) -> int:
        if passage.id == "6":
            raise KeyboardInterrupt
        return put(self, passage, *rest)

    monkeypatch.setattr(Store, "put_passage", stop_at_six)
    with pytest.raises(KeyboardInterrupt):
        ingest(store, [file])
    monkeypatch.setattr(Store, "put_passage", put)
    kept = store.count()
    assert kept == 6
    summary: Summary = ingest(store, [file])
    assert store.count() == 10
    assert summary.passages == 4


def test_a_full_disk_leaves_the_corpus_as_it_was(store: Store, tmp_path: Path) -> None:
    ingest(store, [write_toy_folder(tmp_path / "docs")])
    before = texts(store)
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count={pages + 2}")  # SQLite's own way to say that the disk is full
    rows = [{"id": str(n), "text": " ".join(f"w{n}x{m}" for m in range(200))} for n in range(500)]
    with pytest.raises(StorageFull, match="disk is full"):
        ingest(store, [write_jsonl(tmp_path / "big.jsonl", rows)])
    store.connection.execute("PRAGMA max_page_count=1000000")
    assert texts(store) == before


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "passages.sqlite")
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(WrongVersion, match="another version"):
        Store(tmp_path / "passages.sqlite")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "passages.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(Damaged, match="damaged"):
        Store(tmp_path / "passages.sqlite")


SECTIONS = [
    f"## Part {n}\n\nThe {name} river is known for its {thing}, which people have praised in many old songs."
    for n, (name, thing) in enumerate(
        [("Ada", "long bend"), ("Bela", "deep pools"), ("Cora", "white falls"), ("Dora", "green banks")]
    )
]


def test_a_section_removed_from_a_file_takes_only_itself_away(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "docs" / "rivers.md"
    file.parent.mkdir()
    for start in (0, 1, 2):
        file.write_text("# Rivers\n\n" + "\n\n".join(SECTIONS[start:]), encoding="utf-8")
        ingest(store, [file.parent])
        assert len(texts(store)) == 4 - start
    assert ingest(store, [file.parent]).unchanged == 1


def test_a_twin_in_the_same_file_outlives_its_original(store: Store, tmp_path: Path) -> None:
    rows = [{"id": "a", "text": LONG}, {"id": "b", "text": LONG}]
    ingest(store, [write_jsonl(tmp_path / "p.jsonl", rows)])
    assert list(texts(store)) == ["a"]
    ingest(store, [write_jsonl(tmp_path / "p.jsonl", rows[1:])])
    assert list(texts(store)) == ["b"]


def test_a_file_added_again_from_below_stays(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "h" / "sub" / "x.txt"
    file.parent.mkdir(parents=True)
    file.write_text(LONG, encoding="utf-8")
    ingest(store, [tmp_path / "h"])
    file.write_text(LONG + "A second sentence stands here now.", encoding="utf-8")
    ingest(store, [tmp_path / "h" / "sub"])
    assert len(texts(store)) == 1
    file.unlink()
    ingest(store, [tmp_path / "h"])
    assert texts(store) == {}


def test_an_alias_is_read_again_when_its_original_changes(store: Store, tmp_path: Path) -> None:
    (tmp_path / "z.txt").write_text(LONG, encoding="utf-8")
    (tmp_path / "a.txt").write_text(LONG, encoding="utf-8")
    ingest(store, [tmp_path / "z.txt"])
    ingest(store, [tmp_path / "a.txt"])
    (tmp_path / "z.txt").write_text("Something quite different is written in this file now.", encoding="utf-8")
    ingest(store, [tmp_path / "z.txt"])
    assert set(texts(store)) == {"a.txt#1", "z.txt#1"}


def test_an_alias_is_read_again_with_its_own_condition(store: Store, tmp_path: Path) -> None:
    one = write_jsonl(tmp_path / "one.jsonl", [{"id": "1", "title": "T", "text": LONG, "source": "x"}])
    two = write_jsonl(tmp_path / "two.jsonl", [{"id": "2", "title": "T", "text": LONG, "source": "y"}])
    ingest(store, [one], where=["meta.source = x"])
    ingest(store, [two])
    write_jsonl(one, [{"id": "1", "title": "T", "text": "Another text about boats and sails.", "source": "x"}])
    ingest(store, [one], where=["meta.source = x"])
    assert set(texts(store)) == {"1", "2"}


def test_one_answer_to_two_questions_is_kept_twice(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "faq.csv"
    file.write_text(f'question,answer\nHow long is it?,"{LONG}"\nWhere does it end?,"{LONG}"\n', encoding="utf-8")
    ingest(store, [file])
    assert len(texts(store)) == 2


def test_an_emptied_folder_empties_its_corpus(store: Store, tmp_path: Path) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    ingest(store, [folder])
    for file in folder.iterdir():
        file.unlink()
    assert ingest(store, [folder]).gone == len(TOY_ARTICLES)
    assert store.count() == 0


def test_a_file_name_that_is_no_text_is_rejected_alone(store: Store, tmp_path: Path) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    (folder / os.fsdecode(b"caf\xe9.txt")).write_text("A sentence that nobody can cite.", encoding="utf-8")
    summary = ingest(store, [folder])
    assert (summary.added, len(summary.rejected)) == (len(TOY_ARTICLES), 1)


def test_a_rejected_file_counts_nothing(store: Store, tmp_path: Path) -> None:
    folder = write_toy_folder(tmp_path / "docs")
    (folder / "p.jsonl").write_text(json.dumps({"id": "1", "text": "Good."}) + "\n{oops\n", encoding="utf-8")
    assert ingest(store, [folder]).passages == len(TOY_ARTICLES) == store.count()


def test_what_was_not_read_and_twins_are_in_the_summary(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "_sources").mkdir(parents=True)
    (folder / "a.html").write_text("<p>The page says what the source says.</p>")
    (folder / "_sources" / "a.rst.txt").write_text("The page says what the source says.")
    (folder / "b.xlsx").write_bytes(b"PK")
    summary = ingest(store, [folder])
    assert (summary.added, summary.twins) == (1, 1)
    assert {suffix: entry.files for suffix, entry in summary.not_read.items()} == {".xlsx": 1}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "id,text\n1,Rain.\n2,\n3,\n"),
        ("a.csv", "title,text\nOne,Rain.\nTwo,\nThree,\n"),
        ("a.jsonl", '{"text": "Rain."}\n{"text": ""}\n{"id": "3", "text": " "}\n'),
    ],
)
def test_entries_without_text_are_told(store: Store, tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    summary = ingest(store, [tmp_path / name])
    assert summary.passages == 1
    assert summary.remarks == [f"{tmp_path / name}: 2 entries have no text and are left out"]
    assert ingest(store, [tmp_path / name]).remarks == []


def test_a_path_with_nothing_to_read_says_what_to_do_with_it(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK")
    with pytest.raises(NothingToRead, match=r"\.xlsx: save it as \.csv"):
        ingest(store, [tmp_path / "a.xlsx"])


def test_the_order_in_which_files_are_named_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LONG * 2, encoding="utf-8")
    (tmp_path / "b.txt").write_text(LONG * 2 + "It is long.", encoding="utf-8")
    (tmp_path / "c.txt").write_text("The Po is short.", encoding="utf-8")
    files = [tmp_path / name for name in ("a.txt", "b.txt", "c.txt")]
    stores = [Store(tmp_path / name / "passages.sqlite") for name in ("one", "other")]
    ingest(stores[0], files)
    ingest(stores[1], files[::-1])
    assert list(stores[0].iter_passages()) == list(stores[1].iter_passages())
