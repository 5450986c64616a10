from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from expound.errors import UserError
from expound.models.cache import Pace
from expound.models.engine import Completion
from expound.models.ledger import Ledger, Prices, forecast_calls, in_words

REPLY = Completion("text", 1000, 200, 2.0)
PACE = Pace(prompt_tokens=900, completion_tokens=100, tokens_per_second=500)


def test_a_ledger_counts_calls_tokens_seconds_and_cost() -> None:
    ledger = Ledger(Prices(prompt=0.5, completion=2.0))
    ledger.asked(REPLY)
    ledger.asked(REPLY)
    ledger.found()
    assert ledger.summary() == {
        "calls": 2,
        "from_cache": 1,
        "prompt_tokens": 2000,
        "completion_tokens": 400,
        "seconds": 4.0,
        "cost": 0.0018,
    }
    assert str(ledger) == "2 calls and 1 from the cache, 2,000 tokens in, 400 out, 4.0 s, cost 0.0018"


def test_a_local_model_costs_nothing_and_says_nothing_of_cost() -> None:
    ledger = Ledger()
    ledger.asked(REPLY)
    assert ledger.cost == 0
    assert "cost" not in str(ledger)


def test_replies_that_are_not_as_they_should_be_are_counted() -> None:
    ledger = Ledger()
    for reply in (
        REPLY,
        replace(REPLY, text=" "),
        replace(REPLY, text="half", finish="length"),
        replace(REPLY, text="", finish="content_filter"),
        replace(REPLY, finish="length", weights=(0.5,)),  # one token is all that is asked for there
    ):
        ledger.asked(reply)
    assert {name: ledger.summary()[name] for name in ("empty", "withheld", "cut")} == dict.fromkeys(
        ("empty", "withheld", "cut"), 1
    )
    assert str(ledger).endswith("; 1 empty; 1 withheld by a content filter; 1 cut off at the limit")


def test_threads_do_not_lose_counts() -> None:
    ledger = Ledger()

    def work() -> None:
        for _ in range(2000):
            ledger.asked(REPLY)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (ledger.calls, ledger.prompt_tokens) == (8000, 8_000_000)


def test_prices_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Prices.from_environment() == Prices()
    monkeypatch.setenv("EXPOUND_PRICE_PROMPT", "0.15")
    monkeypatch.setenv("EXPOUND_PRICE_COMPLETION", "0.6")
    assert Prices.from_environment() == Prices(0.15, 0.6)


@pytest.mark.parametrize("value", ["cheap", "-1", "nan", "inf"])
def test_a_price_that_is_none_is_said(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_PRICE_PROMPT", value)
    with pytest.raises(UserError, match="EXPOUND_PRICE_PROMPT"):
        Prices.from_environment()


def test_a_forecast_takes_replies_to_be_as_long_as_the_latest() -> None:
    forecast = forecast_calls(2, pace=PACE, prices=Prices(1.0, 2.0))
    assert (forecast.calls, forecast.prompt_tokens, forecast.completion_tokens) == (2, 1800, 200)
    assert forecast.seconds == pytest.approx(2000 / 500)
    assert forecast.cost == pytest.approx(0.0022)


def test_without_a_measurement_nothing_is_known_but_the_calls() -> None:
    forecast = forecast_calls(2, pace=None)
    assert (forecast.calls, forecast.prompt_tokens, forecast.completion_tokens, forecast.seconds) == (2, 0, 0, None)


def test_calls_at_once_take_less_time() -> None:
    assert forecast_calls(60, pace=PACE).seconds == pytest.approx(120)
    assert forecast_calls(60, pace=PACE, jobs=4).seconds == pytest.approx(30)
    assert forecast_calls(1, pace=PACE, jobs=4).seconds == pytest.approx(2)


def test_nothing_to_ask_takes_no_time() -> None:
    assert forecast_calls(0, pace=None).seconds == 0
    assert forecast_calls(0, pace=PACE).seconds == 0


def test_a_forecast_reads_like_a_ledger() -> None:
    forecast = forecast_calls(1, pace=PACE)
    assert in_words(forecast.summary()) == str(forecast)
    assert str(forecast) == "1 call and 0 from the cache, 900 tokens in, 100 out, 2.0 s"
