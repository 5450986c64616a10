"""GGUF files as text models: what is asked of llama.cpp, what is made of its chunks, and the real thing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound import resources
from expound.errors import BadInput, ContextTooLong, ModelFailed, NotEnoughMemory, ResourceMissing, UnknownName
from expound.models import gguf, llama
from expound.models.engine import Sampling
from expound.models.gguf import Gguf, find_gguf, open_gguf, option_weights
from expound.models.llama import Chunk, LlamaServer
from expound.types import Prompt

USAGE = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
SCHEMA = json.dumps(
    {"type": "object", "properties": {"city": {"type": "string", "maxLength": 12}}, "required": ["city"]}
)


def piece(text: str, **tokens: float) -> Chunk:
    likely = [{"token": token, "logprob": logprob} for token, logprob in tokens.items()]
    return {"choices": [{"delta": {"content": text}, "logprobs": {"content": [{"top_logprobs": likely}]}}]}


class FakeServer:
    """Stands in for llama.cpp: gives these chunks and keeps the requests."""

    def __init__(self, *chunks: Chunk) -> None:
        self.chunks, self.requests, self.is_closed = chunks, list[Chunk](), False

    def stream(self, request: Chunk) -> Generator[Chunk]:
        self.requests.append(request)
        try:
            yield from self.chunks
        finally:
            self.is_closed = True

    def post(self, _path: str, body: Chunk) -> Any:
        return {"tokens": body["content"].split()}


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    file = tmp_path / "toy.gguf"
    file.write_bytes(b"GGUF and so on")
    return file


def toy(*chunks: Chunk) -> tuple[Gguf, FakeServer]:
    model, server = Gguf(Path("toy.gguf"), name="toy", sha256="0"), FakeServer(*chunks)
    model.__dict__["_server"] = server
    return model, server


def test_a_reply_is_the_pieces_in_order() -> None:
    heard: list[str] = []
    model, _ = toy({"choices": [{"delta": {"content": None}}]}, piece("Par"), piece("is"), USAGE)
    reply = model.complete(Prompt("Where?"), Sampling(), heard.append)
    assert (reply.text, heard) == ("Paris", ["Par", "is"])
    assert (reply.prompt_tokens, reply.completion_tokens) == (7, 2)


def test_the_request_says_what_prompt_and_sampling_say() -> None:
    model, server = toy(USAGE)
    model.complete(Prompt("Where?", system="Be brief.", max_tokens=9), Sampling(0.6, 0.9, 3))
    request = server.requests[0]
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    wanted = {"max_tokens": 9, "temperature": 0.6, "top_p": 0.9, "seed": 3, "stream": True}
    assert wanted.items() <= request.items()
    assert "grammar" not in request


def test_a_schema_becomes_a_grammar_without_room_for_white_space() -> None:
    model, server = toy(piece("{}"), USAGE)
    model.complete(Prompt("Where?", schema=SCHEMA), Sampling())
    assert '"whitespace_flexible": false' in server.requests[0]["grammar"]


def test_a_schema_that_was_not_followed_is_noticed() -> None:
    model, _ = toy(piece("Well, Paris."), USAGE)
    with pytest.raises(ModelFailed, match="is the schema right"):
        model.complete(Prompt("Where?", schema=SCHEMA), Sampling())


def test_json_that_was_cut_at_the_limit_is_the_callers_business() -> None:
    model, _ = toy(piece('{"city'), USAGE)
    assert model.complete(Prompt("Where?", schema=SCHEMA, max_tokens=2), Sampling()).text == '{"city'


def test_an_error_of_the_listener_ends_the_call() -> None:
    def refuse(_text: str) -> None:
        raise ValueError

    model, server = toy(piece("Par"), piece("is"), USAGE)
    with pytest.raises(ValueError):  # noqa: PT011  # the listener's own
        model.complete(Prompt("Where?"), Sampling(), refuse)
    assert server.is_closed


def test_a_prompt_that_does_not_fit_is_said_with_its_length() -> None:
    model, _ = toy({"error": {"type": "exceed_context_size_error", "n_prompt_tokens": 5031}})
    with pytest.raises(ContextTooLong, match="has 5031 tokens and toy has room for 4032"):
        model.complete(Prompt("long"), Sampling())


def test_other_errors_of_llama_are_passed_on_in_one_line() -> None:
    model, _ = toy({"error": {"message": "no such thing"}})
    with pytest.raises(ModelFailed, match="toy refused a prompt: no such thing"):
        model.complete(Prompt("odd"), Sampling())


def test_half_a_reply_is_no_reply() -> None:
    model, _ = toy(piece("Par"))
    with pytest.raises(ModelFailed, match="in the middle of a reply"):
        model.complete(Prompt("Where?"), Sampling())


def test_a_call_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = threading.Event()

    class Hanging:
        def handle_chat_completions(self, _request: object, _on_chunk: object) -> None:
            let_go.wait()

    monkeypatch.setattr(llama, "_start", lambda *_: Hanging())
    monkeypatch.setattr(llama, "_STALLED_SECONDS", 0.05)
    server = LlamaServer(Path("toy.gguf"), context=8, threads=1)
    try:
        with pytest.raises(ModelFailed, match="said nothing for 0 s; run the command again"):
            list(server.stream({}))
    finally:
        let_go.set()


def test_options_are_weighed_by_the_first_token() -> None:
    model, server = toy(piece("Yes", Yes=-0.5, No=-1.0), USAGE)
    weights = model.weigh(Prompt("Is it?", schema=SCHEMA), ("No", "Yes")).weights
    assert weights == pytest.approx((0.3679, 0.6065), abs=1e-4)
    assert server.requests[0]["max_tokens"] == 1
    assert "grammar" not in server.requests[0]


@pytest.mark.parametrize(
    ("token", "weights"),
    [
        ("Yes", (1, 0, 0)),
        (" Yes", (1, 0, 0)),
        ("Y", (1, 0, 0)),
        ("yes", (0, 0, 0)),
        ("No", (0, 1, 0)),
        ("Non", (0, 0, 1)),
        ("N", (0, 0, 0)),
        (" ", (0, 0, 0)),
        ("Yesterday", (0, 0, 0)),
    ],
)
def test_which_option_a_token_speaks_for(token: str, weights: Sequence[float]) -> None:
    assert option_weights(("Yes", "No", "None"), [(token, 1.0)]) == tuple(weights)


@given(st.lists(st.tuples(st.sampled_from(["Yes", " Yes", "No", "N", "Y", "x"]), st.floats(0, 0.1)), max_size=10))
def test_options_never_get_more_than_there_is(tokens: list[tuple[str, float]]) -> None:
    weights = option_weights(("Yes", "No"), tokens)
    assert min(weights) >= 0
    assert sum(weights) <= sum(probability for _, probability in tokens) + 1e-9


def test_an_own_file_is_known_by_its_content(model_file: Path) -> None:
    model = open_gguf(str(model_file))
    assert model.name == "toy"
    assert model.identity == f"toy sha256:{sha256(model_file.read_bytes()).hexdigest()}"
    assert model.capability == "reader"


def test_a_model_of_the_table_is_known_by_the_tables_hash(monkeypatch: pytest.MonkeyPatch, model_file: Path) -> None:
    monkeypatch.setattr(resources, "path", lambda _name: model_file)
    assert open_gguf("smollm2-135m").identity == f"smollm2-135m sha256:{resources.find('smollm2-135m').sha256}"


def test_a_file_in_a_models_place_has_its_own_hash(monkeypatch: pytest.MonkeyPatch, model_file: Path) -> None:
    monkeypatch.setenv(resources.override_variable("smollm2-135m"), str(model_file))
    assert open_gguf("smollm2-135m").identity.endswith(sha256(model_file.read_bytes()).hexdigest())


def test_a_file_with_an_adapter_is_another_model(model_file: Path, tmp_path: Path) -> None:
    adapter = tmp_path / "adapter.gguf"
    adapter.write_bytes(b"GGUF of an adapter")
    both = find_gguf(f"{model_file}+{adapter}")
    assert (both.path, both.adapter) == (model_file, adapter)
    assert both.sha256 != find_gguf(str(model_file)).sha256
    with pytest.raises(ResourceMissing, match="there is no file"):
        find_gguf(f"{model_file}+{tmp_path}/missing.gguf")


def test_a_folder_may_have_a_plus_in_its_name(model_file: Path, tmp_path: Path) -> None:
    (tmp_path / "a+b").mkdir()
    moved = model_file.rename(tmp_path / "a+b" / "model.gguf")
    assert find_gguf(str(moved)).adapter is None


def test_an_unknown_model_gets_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'qwen2\.5-coder-1\.5b'\?"):
        open_gguf("qwen2.5-coder-1.5")


def test_a_resource_that_does_not_write_is_no_text_model() -> None:
    with pytest.raises(UnknownName, match="no text model named 'minilm'"):
        open_gguf("minilm")


def test_a_model_that_is_not_there_names_the_command_that_gets_it() -> None:
    with pytest.raises(ResourceMissing, match="expound models get smollm2-135m"):
        open_gguf("smollm2-135m")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissing, match=r"there is no file .*nowhere\.gguf"):
        open_gguf(str(tmp_path / "nowhere.gguf"))


def test_a_file_that_is_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.gguf").write_text("not weights")
    with pytest.raises(BadInput, match=r"text\.gguf is not a GGUF file"):
        open_gguf(str(tmp_path / "text.gguf"))


def test_too_little_memory_is_said_before_loading(monkeypatch: pytest.MonkeyPatch, model_file: Path) -> None:
    monkeypatch.setattr(gguf, "free_memory_bytes", lambda: 1_000_000_000)
    model = Gguf(model_file, name="toy", sha256="0", memory_bytes=2_000_000_000)
    with pytest.raises(NotEnoughMemory, match=r"toy needs 2\.0 GB of memory and 1\.0 GB are free"):
        model.complete(Prompt("Where?"), Sampling())


# The rest runs the real SmolLM2 through the same door.


@pytest.fixture
def smollm(use_resources: Callable[..., dict[str, Path]]) -> Path:
    pytest.importorskip("xllamacpp")
    return use_resources("smollm2-135m")["smollm2-135m"]


QUESTIONS = [
    Prompt("The harbour was surveyed in May and 14 wrecks were found. " * 8 + question, max_tokens=24)
    for question in ("How many wrecks?", "When was it surveyed?", "Was it in May? Yes or No?")
]


@pytest.mark.slow
def test_the_real_model_answers_and_counts(smollm: Path) -> None:
    model = open_gguf("smollm2-135m", threads=1)
    reply = model.complete(Prompt("What is the capital of France?", max_tokens=12), Sampling())
    assert reply.text
    assert reply.completion_tokens == 12
    assert model.count_tokens("Hello world") == 2
    assert reply.prompt_tokens > model.count_tokens("What is the capital of France?")


@pytest.mark.slow
def test_what_was_asked_before_changes_nothing(smollm: Path) -> None:
    def ask(order: Sequence[int]) -> list[object]:
        model = open_gguf("smollm2-135m", threads=1)
        replies = {
            number: (model.complete(QUESTIONS[number], Sampling()).text, model.weigh(QUESTIONS[number], ("Yes", "No")))
            for number in order
        }
        return [(text, weighed.weights) for text, weighed in (replies[number] for number in range(3))]

    assert ask((0, 1, 2)) == ask((2, 1, 0)) == ask((1, 0, 2, 1))


@pytest.mark.slow
def test_sampling_follows_its_seed(smollm: Path) -> None:
    model = open_gguf("smollm2-135m", threads=1)
    one, again, other = (
        model.complete(Prompt("Name a town.", max_tokens=16), Sampling(1.0, 0.9, s)) for s in (1, 1, 2)
    )
    assert one.text == again.text != other.text


@pytest.mark.slow
def test_a_schema_is_followed(smollm: Path) -> None:
    reply = open_gguf("smollm2-135m", threads=1).complete(Prompt("Name a city.", schema=SCHEMA), Sampling())
    assert list(json.loads(reply.text)) == ["city"]


@pytest.mark.slow
def test_too_long_a_prompt_is_our_own_error(smollm: Path) -> None:
    with pytest.raises(ContextTooLong):
        open_gguf("smollm2-135m", threads=1).complete(Prompt("word " * 5000), Sampling())


@pytest.mark.slow
def test_a_truncated_file_is_said_in_one_line(smollm: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(smollm.read_bytes()[:1_000_000])
    with pytest.raises(ModelFailed, match="cannot be loaded"):
        open_gguf(str(cut)).complete(Prompt("Hi"), Sampling())


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """Sockets cannot have long paths, and pytest's folders do."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


INTERRUPTED = """
import sys; from expound.models.gguf import open_gguf; from expound.models.engine import Sampling
from expound.types import Prompt
model = open_gguf(sys.argv[1], threads=1); print(model.count_tokens("a"), flush=True)
model.complete(Prompt(sys.argv[2], max_tokens=2000), Sampling(), lambda text: print("text", flush=True))
"""


def cpu_seconds(process: int) -> float:
    """What a running process has worked for."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def children_seconds() -> float:
    """What all processes have worked for that this one started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the CPU time of a process is read from /proc")
@pytest.mark.parametrize("text", ["Tell a story.", "word " * 3000], ids=["while it writes", "while it reads"])
def test_ctrl_c_ends_a_call_at_once_and_leaves_nothing(smollm: Path, short_folder: Path, text: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(smollm), text],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(short_folder)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert child.stdout is not None
    child.stdout.readline()
    began = cpu_seconds(child.pid)
    assert [folder.stat().st_mode & 0o777 for folder in short_folder.glob("expound-*")] == [0o700]
    while cpu_seconds(child.pid) < began + 1:  # it is in the middle of its work
        time.sleep(0.05)
    sent, others = cpu_seconds(child.pid), children_seconds()
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=600)
    assert children_seconds() - others - sent < 3  # what it still worked for; the whole call would take a minute
    assert child.returncode in (130, -signal.SIGINT)
    assert said.splitlines()[-1] == "KeyboardInterrupt"
    assert not list(short_folder.glob("expound-*"))
