"""Questions in threads: a text model that takes one call at a time, and whoever waits for it is told."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

from expound.serve.answering import Remark, Respondent
from expound.serve.lanes import Event, Told

_PATIENCE_SECONDS = 60


def test_whoever_waits_for_the_text_model_is_told(corpus: str) -> None:
    respondent = Respondent("none")
    model: Any = SimpleNamespace(jobs=1)
    heard: list[Event] = []
    told, done = threading.Event(), threading.Event()

    def tell(event: Event) -> None:
        heard.append(event)
        told.set()

    def wait_for_turn() -> None:
        with respondent._turn(model, tell):
            done.set()

    with respondent._turn(model, tell):
        assert heard == []
        threading.Thread(target=wait_for_turn, daemon=True).start()
        assert told.wait(_PATIENCE_SECONDS)
        assert not done.is_set()
    assert done.wait(_PATIENCE_SECONDS)
    (event,) = heard
    assert isinstance(event, Told)
    assert isinstance(event.value, Remark)


def test_a_model_that_takes_several_calls_makes_nobody_wait() -> None:
    respondent = Respondent("none")
    model: Any = SimpleNamespace(jobs=4)
    heard: list[Any] = []
    tell = heard.append
    with respondent._turn(model, tell), respondent._turn(model, tell), respondent._turn(None, tell):
        assert heard == []
