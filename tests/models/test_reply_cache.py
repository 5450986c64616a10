from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.models.cache import ReplyCache, reply_key
from expound.models.engine import Completion, Sampling
from expound.types import Prompt

REPLY = Completion("a reply", 10, 4, 0.5)
texts = st.text(max_size=20)
prompts = st.builds(Prompt, text=texts, system=texts, schema=texts, max_tokens=st.integers(1, 4096))
samplings = st.builds(Sampling, temperature=st.floats(0, 2), top_p=st.floats(0, 1), seed=st.integers(0, 2**32))


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def cache(tmp_path: Path, said: list[str]) -> ReplyCache:
    return ReplyCache(tmp_path / "cache", say=said.append)


def keep(cache: ReplyCache, key: str, reply: Completion = REPLY, *, engine: str = "e") -> None:
    cache.put(key, reply, kind="complete", engine=engine)


def test_the_key_of_a_prompt_never_changes() -> None:
    # Kept replies are lost if this fails: then FILE_NAME has to change, too.
    key = reply_key("engine", Prompt("text", system="system", schema="{}", max_tokens=9), Sampling(0.6, 0.9, 7))
    assert key == "9827e04e8b8ecc2f60bb6dcf1775520b8f9e90cc0d98a5c6cef1798ee3ad72cc"


@given(prompts, samplings, texts)
def test_equal_questions_have_equal_keys(prompt: Prompt, sampling: Sampling, identity: str) -> None:
    assert reply_key(identity, prompt, sampling) == reply_key(identity, replace(prompt), replace(sampling))


@given(prompts, prompts, samplings, samplings, texts, texts)
def test_different_questions_have_different_keys(
    prompt: Prompt, other: Prompt, sampling: Sampling, drawn: Sampling, identity: str, second: str
) -> None:
    is_same = (prompt, sampling, identity) == (other, drawn, second)
    assert (reply_key(identity, prompt, sampling) == reply_key(second, other, drawn)) == is_same


def test_a_text_does_not_slip_into_another_field() -> None:
    fields = [Prompt("ab"), Prompt("b", system="a"), Prompt("a", schema="b"), Prompt('a", "b')]
    assert len({reply_key("e", prompt, Sampling()) for prompt in fields}) == len(fields)
    kinds = [("weigh", ("a", "b")), ("weigh", ("b", "a")), ("weigh", ("ab",)), ("complete", ())]
    assert len({reply_key("e", Prompt("x"), Sampling(), kind=kind, options=options) for kind, options in kinds}) == 4


def test_whole_numbers_are_the_numbers_they_are() -> None:
    assert reply_key("e", Prompt("x"), Sampling(1, 1, 0)) == reply_key("e", Prompt("x"), Sampling(1.0, 1.0, 0))


@given(st.text() | st.just("half a pair \ud800"), st.lists(st.floats(0, 1), max_size=3))
def test_a_reply_comes_back_as_it_was(text: str, weights: list[float]) -> None:
    reply = Completion(text, 1, 2, 0.25, tuple(weights))
    cache = ReplyCache()
    keep(cache, "k", reply)
    cache.close()
    assert ReplyCache().get("k") == reply


def test_an_unknown_key_has_no_reply(cache: ReplyCache) -> None:
    assert cache.get("nothing") is None


def test_the_cache_is_in_the_home_folder(expound_home: Path) -> None:
    keep(ReplyCache(), "k")
    assert (expound_home / "cache" / "replies-1.sqlite").exists()


def test_several_threads_share_a_cache(cache: ReplyCache) -> None:
    def work(number: int) -> None:
        for step in range(20):
            keep(cache, f"{number} {step}")
            assert cache.get(f"{number} {step}") == REPLY

    run_in_threads(work, 6)
    assert all(cache.get(f"{number} {step}") for number in range(6) for step in range(20))


def run_in_threads(work: object, count: int) -> None:
    assert callable(work)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


WRITER = """
import sys
from pathlib import Path
from expound.models.cache import ReplyCache
from expound.models.engine import Completion
cache = ReplyCache(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    cache.put(f"{sys.argv[2]} {number}", Completion("x" * 500, 1, 1, 0.1), kind="complete", engine="e")
    print(number, flush=True)
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), name, str(count)], stdout=subprocess.PIPE, text=True
    )


def test_several_processes_share_a_cache(cache: ReplyCache) -> None:
    writers = [writer(cache.folder, name, 30) for name in "abc"]
    for process in writers:
        process.communicate()
    assert [process.returncode for process in writers] == [0, 0, 0]
    assert all(cache.get(f"{name} {number}") for name in "abc" for number in range(30))


def test_what_was_kept_survives_a_kill(cache: ReplyCache, said: list[str]) -> None:
    process = writer(cache.folder, "a", 100_000)
    assert process.stdout
    for _ in range(25):
        last = int(process.stdout.readline())
    process.kill()
    process.wait()
    assert all(cache.get(f"a {number}") for number in range(last + 1))
    keep(cache, "more")
    assert cache.get("more") == REPLY
    assert said == []


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_set_aside(cache: ReplyCache, said: list[str], content: bytes) -> None:
    cache.folder.mkdir()
    cache.file.write_bytes(content)
    keep(cache, "k")
    assert cache.get("k") == REPLY
    assert ReplyCache(cache.folder).get("k") == REPLY
    assert len(said) == 1
    assert "damaged" in said[0]
    assert (cache.folder / "replies-1.damaged-1").read_bytes() == content


def test_damage_during_the_work_is_noticed(cache: ReplyCache, said: list[str]) -> None:
    for number in range(200):
        keep(cache, f"before {number}", replace(REPLY, text="x" * 300))
    cache.close()
    content = bytearray(cache.file.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    cache.file.write_bytes(bytes(content))
    keep(cache, "after")
    assert cache.get("after") == REPLY
    assert len(said) == 1
    assert "damaged" in said[0]


def test_a_row_that_cannot_be_read_is_asked_again(cache: ReplyCache) -> None:
    keep(cache, "k")
    with sqlite3.connect(cache.file) as connection:
        connection.execute("UPDATE replies SET reply = '{\"text\": 3'")
    assert cache.get("k") is None
    keep(cache, "k")
    assert cache.get("k") == REPLY


def test_where_no_folder_can_be_made_replies_stay_in_memory(tmp_path: Path, said: list[str]) -> None:
    (tmp_path / "cache").write_text("a file is in the way")
    cache = ReplyCache(tmp_path / "cache", say=said.append)
    with cache.claimed("k"):
        keep(cache, "k")
    keep(cache, "l")
    assert (cache.get("k"), cache.get("l"), cache.get("m")) == (REPLY, REPLY, None)
    assert len(said) == 1
    assert "going on without" in said[0]


def test_a_full_disk_does_not_lose_a_reply(cache: ReplyCache, said: list[str]) -> None:
    keep(cache, "before")
    assert cache._connection
    cache._connection.execute("PRAGMA max_page_count = 1")
    big = replace(REPLY, text="x" * 100_000)
    keep(cache, "k", big)
    keep(cache, "l", big)
    assert (cache.get("before"), cache.get("k"), cache.get("l")) == (REPLY, big, big)
    assert len(said) == 1
    assert "full" in said[0]


def test_a_read_only_folder_does_not_lose_a_reply(cache: ReplyCache, said: list[str]) -> None:
    keep(cache, "before")
    cache.close()
    for path in (*cache.folder.iterdir(), cache.folder):
        path.chmod(0o500)
    if os.access(cache.folder, os.W_OK):
        pytest.skip("this user may write everywhere")
    with cache.claimed("k"):
        keep(cache, "k")
    assert (cache.get("before"), cache.get("k"), cache.get("l")) == (REPLY, REPLY, None)
    assert len(said) == 1
    cache.folder.chmod(0o700)


def test_a_read_only_database_does_not_lose_a_reply(cache: ReplyCache, said: list[str]) -> None:
    keep(cache, "before")
    assert cache._connection
    cache._connection.execute("PRAGMA query_only = 1")
    keep(cache, "k")
    assert (cache.get("before"), cache.get("k")) == (REPLY, REPLY)
    assert len(said) == 1


def test_remarks_go_to_stderr_unless_someone_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cache").write_text("a file is in the way")
    keep(ReplyCache(tmp_path / "cache"), "k")
    printed = capsys.readouterr()
    assert "going on without" in printed.err
    assert printed.out == ""


def test_a_claimed_key_is_held_against_others(cache: ReplyCache) -> None:
    order: list[str] = []
    inside = threading.Event()

    def first(_number: int) -> None:
        with cache.claimed("k"):
            inside.set()
            threading.Event().wait(0.2)
            order.append("first")

    def second() -> None:
        inside.wait()
        with ReplyCache(cache.folder).claimed("k"):
            order.append("second")

    other = threading.Thread(target=second)
    other.start()
    run_in_threads(first, 1)
    other.join()
    assert order == ["first", "second"]


def test_two_keys_never_wait_for_each_other(cache: ReplyCache) -> None:
    # They differ in their last digit alone: a lock for several keys would be the same for both.
    one, other = "a" * 63 + "0", "a" * 63 + "1"
    is_in = threading.Event()

    def claim() -> None:
        with ReplyCache(cache.folder).claimed(other):
            is_in.set()

    with cache.claimed(one):
        threading.Thread(target=claim, daemon=True).start()
        assert is_in.wait(300)


def test_who_waits_for_a_key_is_told_why(cache: ReplyCache, said: list[str]) -> None:
    told = threading.Event()

    def tell(text: str) -> None:
        said.append(text)
        told.set()

    waiting = ReplyCache(cache.folder, say=tell)

    def claim() -> None:
        with waiting.claimed("k"), waiting.claimed("l"):
            pass

    other = threading.Thread(target=claim)
    with cache.claimed("k"):
        other.start()
        assert told.wait(60)
    other.join()
    assert said == ["another call asks a text model the same at this moment; waiting for its reply"]


def test_no_lock_is_left_behind(cache: ReplyCache) -> None:
    for number in range(300):
        with cache.claimed(f"key {number}"):
            pass
    assert list((cache.folder / "locks").iterdir()) == []


def test_the_replies_are_for_their_owner_alone(cache: ReplyCache) -> None:
    keep(cache, "k")
    files = [path for path in cache.folder.iterdir() if path.name.startswith("replies")]
    assert len(files) > 1  # its log beside it
    assert {path.stat().st_mode & 0o077 for path in files} == {0}


def test_the_pace_is_that_of_the_latest_replies(cache: ReplyCache) -> None:
    assert cache.pace("e") is None
    keep(cache, "a", Completion("x", 100, 20, 2.0))
    keep(cache, "b", Completion("x", 300, 40, 2.0))
    keep(cache, "c", Completion("x", 9, 9, 9.0), engine="another")
    pace = cache.pace("e")
    assert pace
    assert (pace.prompt_tokens, pace.completion_tokens) == (200, 30)
    assert pace.tokens_per_second == pytest.approx(115)


def test_the_database_holds_replies_and_no_prompts(cache: ReplyCache) -> None:
    keep(cache, reply_key("e", Prompt("what is asked"), Sampling()))
    with sqlite3.connect(cache.file) as connection:
        (row,) = connection.execute("SELECT * FROM replies").fetchall()
    assert "what is asked" not in json.dumps(row)
