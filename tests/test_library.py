"""Corpora by name: found, kept up to date, repaired after a crash, never written by two at once."""

from __future__ import annotations

import multiprocessing
import shutil
import time
from pathlib import Path

import pytest

from expound.corpus import library
from expound.corpus.store import Store
from expound.errors import BadInput, CorpusBusy, NothingToRead, UnknownName, UserError, WrongVersion
from expound.files import hold_lock
from expound.testing import TOY_ARTICLES, write_toy_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_toy_folder(tmp_path / "docs")


def titles(corpus: library.Corpus, question: str) -> list[str]:
    numbers = [number for number, _ in corpus.lexical.search(question, k=3)]
    return [passage.title for passage in corpus.store.passages(numbers).values()]


def test_what_was_added_can_be_found(folder: Path) -> None:
    corpus, summary = library.add([folder], name="toys")
    assert summary.added == len(TOY_ARTICLES)
    assert titles(corpus, "Which countries does the Danube pass?") == ["Danube"]
    assert library.corpus_names() == ["toys"]


def test_the_only_corpus_is_the_default(folder: Path) -> None:
    library.add([folder], name="toys")
    assert [corpus.name for corpus in library.open_corpora()] == ["toys"]


def test_all_corpora_of_ones_own_are_the_default(folder: Path) -> None:
    for name in ("toys", "papers"):
        library.add([folder], name=name)
    assert [corpus.name for corpus in library.open_corpora()] == ["papers", "toys"]


def test_an_address_is_not_taken_for_a_misspelt_file(tmp_path: Path) -> None:
    with pytest.raises(NothingToRead, match=r"https://example\.org/page is no file; `expound corpus add https"):
        library.add([Path("https://example.org/page")], name="web")
    with pytest.raises(NothingToRead, match=r"file:///etc/notes\.md is no file; name it by its path: /etc/notes\.md"):
        library.add([Path("file:///etc/notes.md")], name="web")
    with pytest.raises(NothingToRead, match=r"s3://bucket/a\.md is no file; fetch it"):
        library.add([Path("s3://bucket/a.md")], name="web")
    with pytest.raises(NothingToRead, match=r"corpus add http://example\.org/page"):
        library.open_corpus("http://example.org/page")
    assert library.corpus_names() == []


def test_without_a_corpus_the_sampler_is_the_default() -> None:
    [corpus] = library.open_corpora()
    assert corpus.name == "sampler"
    assert corpus.store.count("documents") >= 120
    assert corpus.store.rejects() == []


def test_a_path_can_stand_for_a_corpus(folder: Path) -> None:
    assert library.open_corpus(str(folder)).name == "docs"


def test_an_unknown_corpus_gets_the_nearest_name_suggested(folder: Path) -> None:
    library.add([folder], name="papers")
    with pytest.raises(UnknownName, match="did you mean 'papers'"):
        library.open_corpus("paper")


def test_a_name_cannot_leave_the_library(folder: Path) -> None:
    with pytest.raises(UserError, match="cannot be a corpus name"):
        library.add([folder], name="../evil")
    with pytest.raises(UnknownName):
        library.remove("..")


def test_a_removed_corpus_is_gone_and_its_documents_are_not(folder: Path) -> None:
    library.add([folder], name="toys")
    library.remove("toys")
    assert library.corpus_names() == []
    assert len(list(folder.iterdir())) == len(TOY_ARTICLES)


def test_an_add_that_fails_leaves_no_corpus_behind(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingToRead):
        library.add([tmp_path / "empty"], name="nothing")
    (tmp_path / "bad.txt").write_bytes(b"\x00\x01" * 500)
    with pytest.raises(BadInput):
        library.add([tmp_path / "bad.txt"], name="nothing")
    assert library.corpus_names() == []


def test_rejects_are_listed_in_a_file(folder: Path) -> None:
    (folder / "bad.txt").write_bytes(b"\x00\x01" * 500)
    corpus, _ = library.add([folder], name="toys")
    assert "bad.txt" in (corpus.folder / "rejects.jsonl").read_text(encoding="utf-8")


def test_an_interrupted_index_is_finished_when_the_corpus_is_opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(library, "build_indexes", lambda *_, **__: None)  # as if killed between store and index
        library.add([folder], name="toys")
    assert titles(library.open_corpus("toys"), "Danube countries") == ["Danube"]


def test_changes_reach_the_index(folder: Path) -> None:
    library.add([folder], name="toys")
    (folder / "danube.md").unlink()
    (folder / "nile.md").write_text("# Nile\n\nThe Nile flows through Egypt to the sea.\n", encoding="utf-8")
    corpus, _ = library.add([folder], name="toys")
    assert titles(corpus, "Danube") == []
    assert titles(corpus, "Nile Egypt") == ["Nile"]


def test_after_a_change_the_same_documents_get_the_same_scores(folder: Path) -> None:
    library.add([folder], name="changed")
    (folder / "danube.md").rename(folder / "river.md")
    (folder / "jellyfish.md").unlink()
    changed, fresh = library.add([folder], name="changed")[0], library.add([folder], name="fresh")[0]
    assert scores(changed, "Who was the King of France?") == scores(fresh, "Who was the King of France?")


def scores(corpus: library.Corpus, question: str) -> dict[str, float]:
    hits = dict(corpus.lexical.search(question, k=10))
    return {passage.id: hits[number] for number, passage in corpus.store.passages(list(hits)).items()}


def test_an_index_of_another_version_says_how_to_build_it_anew(folder: Path) -> None:
    corpus, _ = library.add([folder], name="toys")
    (corpus.folder / "lexical" / "expound.format").write_text("0\nold\n", encoding="utf-8")
    with pytest.raises(WrongVersion, match="expound index build toys"):
        titles(library.open_corpus("toys"), "Danube")
    assert titles(library.rebuild("toys"), "Danube") == ["Danube"]


def test_a_lost_index_is_built_again(folder: Path) -> None:
    corpus, _ = library.add([folder], name="toys")
    shutil.rmtree(corpus.folder / "lexical")
    assert titles(library.rebuild("toys"), "Danube") == ["Danube"]


def test_two_adds_at_once_do_not_mix(folder: Path) -> None:
    with hold_lock(library.corpora_folder() / ".toys.lock"), pytest.raises(CorpusBusy, match="another expound process"):
        library.add([folder], name="toys")
    library.add([folder], name="toys")


def _add_until_killed(folder: str) -> None:
    library.add([Path(folder)], name="toys")


def test_a_killed_add_can_be_repeated(folder: Path) -> None:
    big = " ".join(f"Sentence {n} is about river {n} and town {n}." for n in range(20_000))
    (folder / "big.txt").write_text(big, encoding="utf-8")
    process = multiprocessing.get_context("fork").Process(target=_add_until_killed, args=(str(folder),))
    process.start()
    store = library.corpora_folder() / "toys" / "passages.sqlite"
    while process.is_alive() and not (store.exists() and store.stat().st_size):
        time.sleep(0.005)
    process.kill()
    process.join()
    corpus, _ = library.add([folder], name="toys")
    assert corpus.store.count() == len(corpus.lexical)
    assert titles(corpus, "Danube countries") == ["Danube"]


def test_two_folders_of_one_name_do_not_mix(tmp_path: Path) -> None:
    for parent, text in (("a", "The Nile is long."), ("b", "The Danube is wide.")):
        (tmp_path / parent / "notes").mkdir(parents=True)
        (tmp_path / parent / "notes" / "x.txt").write_text(text, encoding="utf-8")
    one, two, again = (library.open_corpus(str(tmp_path / parent / "notes")) for parent in ("a", "b", "a"))
    assert one.name == again.name != two.name
    assert [passage.text for _, passage in two.store.iter_passages()] == ["The Danube is wide."]


def test_the_samplers_name_is_taken(folder: Path) -> None:
    with pytest.raises(UserError, match="bundled corpus"):
        library.add([folder], name="sampler")


def test_conditions_that_leave_nothing_make_no_corpus(folder: Path) -> None:
    with pytest.raises(UserError, match="left out by --where"):
        library.add([folder], name="none", where=["title = nothing"])
    assert library.corpus_names() == []


def test_leftovers_of_a_removal_are_no_corpus(folder: Path) -> None:
    corpus, _ = library.add([folder], name="toys")
    shutil.copytree(corpus.folder, corpus.folder.with_name(".toys.123.removed"))
    assert library.corpus_names() == ["toys"]


def test_a_lost_index_is_noticed_when_the_corpus_is_opened(folder: Path) -> None:
    corpus, _ = library.add([folder], name="toys")
    shutil.rmtree(corpus.folder / "lexical")
    assert titles(library.open_corpus("toys"), "Danube") == ["Danube"]


def test_a_read_only_corpus_can_be_searched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library.add([folder], name="toys")[0].close()
    for module in ("corpus.store", "index.vectors", "corpus.following"):
        monkeypatch.setattr(f"expound.{module}.is_writable", lambda _: False)
    assert titles(library.open_corpus("toys"), "Danube") == ["Danube"]


def test_vectors_need_the_embedder(folder: Path) -> None:
    with pytest.raises(UserError, match="expound models get minilm"):
        library.add([folder], name="toys", vectors=True)


@pytest.mark.parametrize(
    ("path", "name"), [("a/My Papers.d", "My-Papers"), ("x/…", "documents"), ("sampler", "documents")]
)
def test_a_path_gives_a_usable_name(path: str, name: str) -> None:
    assert library.name_for(Path(path)) == name


def test_a_store_can_be_read_while_it_is_open_elsewhere(folder: Path) -> None:
    corpus, _ = library.add([folder], name="toys")
    assert Store(corpus.folder / "passages.sqlite").count() == corpus.store.count()
