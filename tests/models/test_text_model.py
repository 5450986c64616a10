from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from expound import resources
from expound.errors import EndpointFailed, EndpointRefused, ExpoundError, ResourceMissing, UnknownName, UserError
from expound.models.cache import ReplyCache, reply_key
from expound.models.endpoint import Endpoint
from expound.models.engine import Completion, Sampling
from expound.models.ledger import Ledger, Prices
from expound.models.server import Patience
from expound.models.text import CachedModel, choose_model, open_text_model
from expound.testing.fake_endpoint import Behaviour, FakeEndpoint
from expound.testing.scripted import ScriptedModel
from expound.types import Prompt

SECRET = "sk-very-secret-0123456789"
# Generous, because the machine may be busy: only a server that stalls lets it run out.
# Silence must be waited for; long enough that a server on a busy machine is not taken for a silent one.
QUICK = Patience(tries=2, connect_seconds=60.0, silent_seconds=5.0, first_wait_seconds=0.001)


class Upper:
    """An engine that shouts, and remembers what it was asked."""

    name = identity = "upper"
    capability = "reader"
    context = 20

    def __init__(self, together: int = 1, seconds: float = 0.01) -> None:
        self.asked: list[str] = []
        self._seconds = seconds
        self.running = self.most_running = 0
        self._guard = threading.Lock()
        # Nobody goes on before so many calls are running.
        self._together = threading.Barrier(together, timeout=300)

    def complete(self, prompt: Prompt, sampling: Sampling, on_text: Callable[[str], None] | None = None) -> Completion:
        with self._guard:
            self.asked.append(prompt.text)
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        self._together.wait()
        time.sleep(self._seconds)
        pieces = [prompt.text[:2].upper(), prompt.text[2:].upper()]
        for piece in pieces if on_text else ():
            assert on_text
            on_text(piece)
        with self._guard:
            self.running -= 1
        if prompt.text == "fail":
            raise UserError("as told")
        return Completion("".join(pieces), 5, 2, 0.01)

    def weigh(self, prompt: Prompt, options: Sequence[str]) -> Completion:
        self.asked.append(prompt.text)
        return Completion("", 5, 1, 0.01, tuple(1.0 / (place + 2) for place in range(len(options))))

    def count_tokens(self, text: str) -> int:
        return len(text.split())


def prompts(*texts: str) -> list[Prompt]:
    return [Prompt(text) for text in texts]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.mark.parametrize("jobs", [1, 4])
def test_as_many_texts_as_prompts_in_the_same_order(jobs: int) -> None:
    texts = [f"text {number}" for number in range(20)]
    model = CachedModel(Upper(), jobs=jobs)
    assert model.complete(prompts(*texts)) == [text.upper() for text in texts]
    assert model.complete([]) == []


@pytest.mark.parametrize("jobs", [1, 4])
def test_equal_prompts_are_asked_once(jobs: int) -> None:
    engine = Upper()
    model = CachedModel(engine, jobs=jobs)
    assert model.complete(prompts("a", "b", "a", "a")) == ["A", "B", "A", "A"]
    assert sorted(engine.asked) == ["a", "b"]
    assert (model.ledger.calls, model.ledger.from_cache) == (2, 2)


def test_what_was_asked_before_is_not_asked_again() -> None:
    CachedModel(Upper()).complete(prompts("a", "b"))
    engine = Upper()
    model = CachedModel(engine)
    assert model.complete(prompts("b", "c", "a")) == ["B", "C", "A"]
    assert engine.asked == ["c"]
    assert (model.ledger.calls, model.ledger.from_cache) == (1, 2)


def test_another_sampling_is_another_question() -> None:
    engine = Upper()
    for sampling in (Sampling(), Sampling(0.6, 0.9, 1), Sampling(0.6, 0.9, 2)):
        CachedModel(engine, sampling=sampling).complete(prompts("a"))
    assert engine.asked == ["a", "a", "a"]


def test_pieces_come_with_the_number_of_their_prompt() -> None:
    model, heard = CachedModel(Upper()), []
    model.complete(prompts("abcd"))
    model.complete(prompts("efgh", "abcd", "efgh"), on_text=lambda place, text: heard.append((place, text)))
    assert heard == [(0, "EF"), (2, "EF"), (0, "GH"), (2, "GH"), (1, "ABCD")]


def test_calls_to_an_address_run_at_once_but_not_too_many() -> None:
    engine = Upper(together=3)
    CachedModel(engine, jobs=3).complete(prompts(*map(str, range(12))))
    assert engine.most_running == 3


def test_a_local_engine_is_called_by_one_thread_at_a_time() -> None:
    engine = Upper()
    model = CachedModel(engine)
    threads = [threading.Thread(target=model.complete, args=(prompts(f"text {n}"),)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert engine.most_running == 1


def test_two_threads_with_the_same_question_pay_once() -> None:
    engine = Upper()
    models = [CachedModel(engine, jobs=2, cache=ReplyCache()) for _ in range(4)]
    threads = [threading.Thread(target=model.complete, args=(prompts("a", "b", "c"),)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(engine.asked) == ["a", "b", "c"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_ends_the_work_and_keeps_what_was_paid_for(jobs: int) -> None:
    engine = Upper(seconds=0.1)  # all of them would take seconds: the error has time to be heard of
    with pytest.raises(UserError, match="as told"):
        CachedModel(engine, jobs=jobs).complete(prompts("a", "fail", *map(str, range(50))))
    paid = {text for text in engine.asked if text != "fail"}
    assert len(paid) < 50
    again = Upper()
    CachedModel(again, jobs=jobs).complete(prompts("a", *map(str, range(50))))
    assert not paid & set(again.asked)


def test_a_reply_is_kept_before_it_is_handed_on() -> None:
    cache = ReplyCache()

    class Check(Ledger):
        def asked(self, reply: Completion) -> None:
            assert cache.pace("upper")
            super().asked(reply)

    CachedModel(Upper(), cache=cache, ledger=Check()).complete(prompts("a"))


def test_options_are_weighed_once() -> None:
    engine = Upper()
    model = CachedModel(engine)
    assert model.weigh(prompts("a", "a"), ["Yes", "No"]) == [(1 / 2, 1 / 3)] * 2
    assert CachedModel(engine, sampling=Sampling(0.6)).weigh(prompts("a"), ["Yes", "No"]) == [(1 / 2, 1 / 3)]
    assert engine.asked == ["a"]
    model.weigh(prompts("a"), ["Yes", "No", "Unsure"])
    assert engine.asked == ["a", "a"]


def test_a_prompt_fits_with_its_reply() -> None:
    model = CachedModel(Upper())
    assert model.fits(Prompt("one two three", system="four", max_tokens=16))
    assert not model.fits(Prompt("one two three", system="four", max_tokens=17))


def test_a_forecast_asks_nothing() -> None:
    engine = Upper()
    model = CachedModel(engine, ledger=Ledger(Prices(1000.0, 2000.0)))
    model.complete(prompts("a"))
    forecast = model.forecast_calls(2)
    assert engine.asked == ["a"]
    assert forecast.calls == 2
    assert forecast.cost is not None
    assert forecast.cost > 0


FAILURES = (
    Behaviour("status", 429),
    Behaviour("status", 500),
    Behaviour("malformed"),
    Behaviour("half"),
    Behaviour("stall", seconds=300.0),
    Behaviour("disconnect"),
)


def test_nothing_is_paid_twice_however_the_server_behaves() -> None:
    texts = [f"text {number}" for number in range(24)]
    script = [behaviour for failure in FAILURES for behaviour in (failure, Behaviour())]
    with FakeEndpoint(*script) as server:
        model = CachedModel(Endpoint(server.url, "m", replace(QUICK, tries=8)), jobs=4)
        assert model.complete(prompts(*texts)) == [text.upper() for text in texts]
        assert model.complete(prompts(*texts)) == [text.upper() for text in texts]
        assert sorted(server.answered) == sorted(texts)
        assert len(server.chats) == len(texts) + len(FAILURES)
        assert model.ledger.calls == 24


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: f"{failure.kind} {failure.status}")
def test_after_a_failure_the_cache_holds_whole_replies_only(failure: Behaviour) -> None:
    with FakeEndpoint(Behaviour(), *[failure] * 2) as server:
        model = CachedModel(Endpoint(server.url, "m", QUICK), jobs=1)
        with pytest.raises(EndpointFailed):
            model.complete(prompts("one", "two", "three"))
        assert model.complete(prompts("one", "two", "three")) == ["ONE", "TWO", "THREE"]
        assert sorted(server.answered) == ["one", "three", "two"]


ASKER = """
import sys
from expound.models.text import open_text_model
from expound.types import Prompt
model = open_text_model(sys.argv[1], jobs=int(sys.argv[2]))
texts = model.complete([Prompt(f"question {number}") for number in range(60)])
assert texts == [f"QUESTION {number}" for number in range(60)], texts
print(model.ledger)
"""


def asker(server: FakeEndpoint, jobs: int = 4) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ASKER, f"{server.url}#m", str(jobs)],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell starts background jobs deaf to Ctrl-C, and these tests may run in one.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def wait_for(condition: Callable[[], bool], seconds: float = 300.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def kept(home: Path) -> int:
    file = home / "cache" / "replies-1.sqlite"
    with sqlite3.connect(file) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM replies").fetchone()[0])


@pytest.mark.parametrize(
    ("behaviour", "text"),
    [
        (Behaviour(finish="content_filter"), "TEXT"),
        (Behaviour("whole", finish="content_filter"), "TEXT"),
        (Behaviour(), ""),
        (Behaviour("whole"), " \n"),
    ],
)
def test_an_empty_or_withheld_reply_is_asked_for_again_the_next_time(behaviour: Behaviour, text: str) -> None:
    replies = iter([text])
    with FakeEndpoint(behaviour, reply=lambda _prompt: next(replies, "better")) as server:
        assert CachedModel(Endpoint(server.url, "m", QUICK)).complete(prompts("text")) == [text]
        assert CachedModel(Endpoint(server.url, "m", QUICK)).complete(prompts("text")) == ["better"]
        model = CachedModel(Endpoint(server.url, "m", QUICK))
        assert model.complete(prompts("text")) == ["better"]
        assert (len(server.chats), model.ledger.from_cache) == (2, 1)


def test_an_empty_reply_that_was_kept_once_is_not_given_again() -> None:
    engine = Upper()
    key = reply_key(engine.identity, Prompt("a"), Sampling())
    ReplyCache().put(key, Completion("", 5, 0, 0.1), kind="complete", engine=engine.identity)
    model = CachedModel(engine)
    assert model.complete(prompts("a")) == ["A"]


def test_after_a_kill_only_what_is_missing_is_asked(expound_home: Path) -> None:
    with FakeEndpoint(*[Behaviour()] * 25, *[Behaviour(seconds=100)] * 35) as server:
        process = asker(server)
        wait_for(lambda: len(server.chats) >= 29 and kept(expound_home) >= 25)
        process.kill()
        process.communicate()
        server.script.clear()
        assert kept(expound_home) == 25
        output, errors = asker(server).communicate()
        assert output.startswith("35 calls and 25 from the cache"), errors
        # Only the four that were on their way when it was killed are asked again.
        assert len(server.chats) == 64
        assert kept(expound_home) == 60


def test_two_processes_at_once_pay_once(expound_home: Path) -> None:
    with FakeEndpoint(*[Behaviour(seconds=0.01)] * 60) as server:
        processes = [asker(server), asker(server)]
        ended = [process.communicate() for process in processes]
        assert [process.returncode for process in processes] == [0, 0], ended
        assert len(server.chats) == 60
        assert kept(expound_home) == 60


@pytest.mark.parametrize("jobs", [1, 4])
def test_an_interrupt_ends_it_at_once(expound_home: Path, jobs: int) -> None:
    with FakeEndpoint(*[Behaviour()] * 5, *[Behaviour("stall", seconds=3600)] * 8) as server:
        process = asker(server, jobs)
        wait_for(lambda: len(server.chats) >= 5 + jobs and kept(expound_home) >= 5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)  # the server would be silent for longer
        assert kept(expound_home) == len(server.answered) == 5


def test_the_key_is_stored_nowhere(expound_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_API_KEY", SECRET)
    with FakeEndpoint(Behaviour(), Behaviour("status", 401, text=SECRET)) as server:
        model = open_text_model(f"{server.url}#m")
        assert isinstance(model, CachedModel)
        model.complete(prompts("a"))
        with pytest.raises(EndpointRefused) as caught:
            model.complete(prompts("b"))
        assert server.chats[0].headers["Authorization"] == f"Bearer {SECRET}"
        shown = [str(caught.value), model.name, model.engine.identity, str(model.ledger), repr(vars(model))]
    assert SECRET not in " ".join(shown)
    files = [path for path in expound_home.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if SECRET.encode() in path.read_bytes()]


def test_without_a_disk_the_work_goes_on(expound_home: Path) -> None:
    expound_home.mkdir()
    (expound_home / "cache").write_text("a file is in the way")
    said: list[str] = []
    engine = Upper()
    model = CachedModel(engine, jobs=3, cache=ReplyCache(say=said.append))
    assert model.complete(prompts("a", "b", "c")) == ["A", "B", "C"]
    assert model.complete(prompts("a", "b", "c")) == ["A", "B", "C"]
    assert sorted(engine.asked) == ["a", "b", "c"]
    assert len(said) == 1


def test_an_address_is_a_writer_with_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_PRICE_PROMPT", "1000000")
    with FakeEndpoint() as server:
        model = open_text_model(server.url)
        assert isinstance(model, CachedModel)
        assert model.complete(prompts("a")) == ["A"]
        assert (model.name, model.capability) == (f"fake-model at {server.url}/v1", "writer")
        assert model.ledger.cost == 7.0


@pytest.mark.parametrize(
    ("prefix", "model", "capability"),
    [
        ("", "big-70b-instruct", "writer"),
        ("", "gpt-4o", "writer"),
        ("", "smollm2:135m", "reader"),
        ("", "org/Qwen2.5-1.5B-Instruct", "reader"),
        ("", "qwen3-30b-a3b", "writer"),
        ("writer:", "smollm2:135m", "writer"),
        ("reader:", "big-70b-instruct", "reader"),
    ],
)
def test_an_address_is_what_it_is_declared_to_be_else_what_its_model_s_size_allows(
    prefix: str, model: str, capability: str
) -> None:
    said: list[str] = []
    opened = open_text_model(f"{prefix}http://127.0.0.1:9#{model}", say=said.append)
    assert opened.capability == capability
    assert opened.name == f"{model} at http://127.0.0.1:9/v1"
    is_told = not prefix and capability == "reader"
    assert said == ([f"{model} is small and only reads; writer:http://127.0.0.1:9#{model} lets it write"] * is_told)


def test_a_local_model_can_be_declared_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"GGUF")
    assert (open_text_model(str(file)).capability, open_text_model(f"writer:{file}").capability) == ("reader", "writer")


def test_an_endpoint_of_the_environment_can_be_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_ENDPOINT", "reader:http://127.0.0.1:9/v1#named")
    model = choose_model("auto")
    assert model
    assert model.capability == "reader"


def test_calls_go_out_side_by_side() -> None:
    # The server answers nobody before four are in flight.
    with FakeEndpoint(together=4) as server:
        model = open_text_model(f"{server.url}#m", jobs=4)
        assert model.complete(prompts("a", "b", "c", "d")) == ["A", "B", "C", "D"]


def test_two_processes_with_different_questions_do_not_wait_for_each_other() -> None:
    # Their keys begin alike, and the server answers neither before both are in flight.
    with FakeEndpoint(together=2) as server:
        first, second = texts_of_one_beginning(f"{server.url}/v1#m")
        code = (
            "import sys; from expound.models.text import open_text_model as o; from expound.types import Prompt as P;"
        )
        code += "print(*o(sys.argv[1]).complete([P(sys.argv[2])]))"
        command = [sys.executable, "-c", code, f"{server.url}#m"]
        processes = [subprocess.Popen([*command, text], stdout=subprocess.PIPE, text=True) for text in (first, second)]
        assert [process.communicate()[0].strip() for process in processes] == [first.upper(), second.upper()]


def texts_of_one_beginning(identity: str) -> tuple[str, str]:
    seen: dict[str, str] = {}
    for number in range(10_000):
        text = f"text {number}"
        beginning = reply_key(identity, Prompt(text), Sampling())[:2]
        if beginning in seen:
            return seen[beginning], text
        seen[beginning] = text
    raise AssertionError


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'qwen2\.5-coder-1\.5b'\?"):
        open_text_model("qwen2.5-coder-1.5")


def test_a_model_that_is_not_installed_says_how_to_get_it() -> None:
    with pytest.raises(ResourceMissing, match="expound models get smollm2-135m"):
        open_text_model("smollm2-135m")


@pytest.mark.parametrize("name", ["missing.gguf", "http://", ".", "http://host:port"])
def test_what_is_no_model_is_said(name: str) -> None:
    with pytest.raises(ExpoundError):
        open_text_model(name)


def test_none_is_no_model() -> None:
    assert choose_model("none") is None


def test_auto_without_anything_is_no_model() -> None:
    assert choose_model("auto") is None


def test_auto_takes_the_endpoint_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_ENDPOINT", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("EXPOUND_MODEL", "named")
    model = choose_model("auto")
    assert model
    assert model.name == "named at http://127.0.0.1:9/v1"


def test_auto_takes_the_largest_installed_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("smollm2-135m", "qwen2.5-coder-0.5b"):
        file = tmp_path / f"{name}.gguf"
        file.write_bytes(b"GGUF")
        monkeypatch.setenv(resources.override_variable(name), str(file))
    model = choose_model("auto")
    assert model
    assert model.name == "qwen2.5-coder-0.5b"


def test_a_scripted_model_says_what_it_was_told_to() -> None:
    model, heard = ScriptedModel(["one two", "three"]), []
    asked = prompts("a", "b", "a")
    assert model.complete(asked, on_text=lambda place, text: heard.append((place, text))) == [
        "one two",
        "three",
        "one two",
    ]
    assert heard == [(0, "one"), (0, " two"), (1, "three"), (2, "one"), (2, " two")]
    assert model.calls == asked
    with pytest.raises(AssertionError, match="one more"):
        model.complete(prompts("c"))


def test_a_scripted_model_weighs_by_its_reply_or_a_function() -> None:
    assert ScriptedModel(lambda prompt: "No, never").weigh(prompts("a"), ["Yes", "No"]) == [(0.0, 1.0)]
    assert ScriptedModel(weigh=lambda prompt, options: (0.7, 0.2)).weigh(prompts("a"), ["Yes", "No"]) == [(0.7, 0.2)]
    assert ScriptedModel(context=5).fits(Prompt("a b c", max_tokens=2))
    assert not ScriptedModel(context=5).fits(Prompt("a b c", max_tokens=3))
