"""What text models cost: calls, tokens, seconds and money, counted as they happen and forecast before."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path

from expound.errors import UserError
from expound.models.account import Account
from expound.models.cache import Pace
from expound.models.engine import Completion

_MILLION = 1_000_000  # prices are given for a million tokens
_PRICES = ("EXPOUND_PRICE_PROMPT", "EXPOUND_PRICE_COMPLETION")
COUNTS = ("calls", "from_cache", "prompt_tokens", "completion_tokens")
_ODD = {"empty": "empty", "withheld": "withheld by a content filter", "cut": "cut off at the limit"}


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in any currency; nothing for a model of one's own."""

    prompt: float = 0.0
    completion: float = 0.0
    is_known: bool = field(default=True, compare=False)
    """Whether somebody said so; a server whose prices nobody named may cost anything."""

    def cost(self, prompt_tokens: float, completion_tokens: float) -> float:
        """The price of so many tokens."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / _MILLION

    @classmethod
    def from_environment(cls) -> Prices:
        """The prices that EXPOUND_PRICE_PROMPT and EXPOUND_PRICE_COMPLETION name."""
        prompt, completion = map(_price, _PRICES)
        return cls(prompt, completion, is_known=any(map(os.environ.get, _PRICES)))


FREE = Prices()


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a piece of work will take; `seconds` is None while nothing was measured, `cost` while no price is known."""

    calls: int
    from_cache: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float | None
    cost: float | None

    def summary(self) -> dict[str, int | float | None]:
        """The counts by name, as those of a ledger."""
        return asdict(self)

    def __str__(self) -> str:
        return in_words(self.summary())


class Ledger:
    """A running count, shared by the threads that ask; an account, if there is one, hears of everything, too."""

    def __init__(self, prices: Prices = FREE, account: Account | None = None) -> None:
        self.prices, self.account = prices, account
        self.calls = self.from_cache = self.prompt_tokens = self.completion_tokens = 0
        self.empty = self.withheld = self.cut = 0
        self.seconds = 0.0
        self._guard = threading.Lock()

    @property
    def cost(self) -> float:
        """The price of the tokens so far."""
        return self.prices.cost(self.prompt_tokens, self.completion_tokens)

    @property
    def has_limit(self) -> bool:
        """Whether there is a most that may be spent."""
        return self.account is not None and self.account.most_cost is not None

    def held(self, most_cost: float) -> AbstractContextManager[None]:
        """Keep so much aside while a call runs that may cost it; refuse the call when there is not so much left."""
        return self.account.held(most_cost) if self.account else nullcontext()

    def asked(self, reply: Completion) -> None:
        """Count a call that an engine answered."""
        with self._guard:
            self.calls += reply.calls
            self.empty += reply.is_empty and not reply.is_withheld
            self.withheld += reply.is_withheld
            # A first token that is weighed is always "cut off", by design.
            self.cut += reply.is_cut and not reply.weights
            self.prompt_tokens += reply.prompt_tokens
            self.completion_tokens += reply.completion_tokens
            self.seconds += reply.seconds
        if self.account:
            self.account.add(_counts_of(reply, self.prices))

    def found(self) -> None:
        """Count a reply that the cache had: it costs nothing."""
        with self._guard:
            self.from_cache += 1
        if self.account:
            self.account.add({"from_cache": 1})

    def summary(self) -> dict[str, int | float]:
        """The counts by name, for manifests; of replies that were not as they should be only where there are any."""
        counts: dict[str, int | float] = {name: getattr(self, name) for name in COUNTS}
        odd = {name: count for name in _ODD if (count := getattr(self, name))}
        return {**counts, "seconds": round(self.seconds, 3), "cost": round(self.cost, 6), **odd}

    def __str__(self) -> str:
        return in_words(self.summary())


def _counts_of(reply: Completion, prices: Prices) -> dict[str, float]:
    """What one reply adds to the counts."""
    # By a ledger of its own, so that what counts as empty, withheld or cut is said in one place.
    single = Ledger(prices)
    single.asked(reply)
    # A single ledger rounds for people; the account adds up and must not.
    return {**single.summary(), "seconds": reply.seconds, "cost": single.cost}


def open_account(file: Path, most_cost: float | None) -> Account:
    """An account; a limit means nothing without prices."""
    if most_cost is not None and Prices.from_environment() == FREE:
        raise UserError(f"--most-cost needs prices: set {' and '.join(_PRICES)} to what a million tokens cost")
    return Account(file, most_cost)


def summary_of(counts: Mapping[str, float]) -> dict[str, int | float]:
    """An account's counts as those of a ledger; empty where nothing was asked."""
    if not counts:
        return {}
    whole = {name: round(counts.get(name, 0)) for name in COUNTS}
    odd = {name: round(counts[name]) for name in _ODD if counts.get(name)}
    return {**whole, "seconds": round(counts.get("seconds", 0.0), 3), "cost": round(counts.get("cost", 0.0), 6), **odd}


def in_words(summary: Mapping[str, int | float | None]) -> str:
    """A ledger's or a forecast's counts as one line for screens."""
    seconds, cost = summary["seconds"], summary["cost"]
    took = "an unknown time" if seconds is None else f"{seconds:,.1f} s"
    calls = "1 call" if summary["calls"] == 1 else f"{summary['calls']:,} calls"
    line = f"{calls} and {summary['from_cache']:,} from the cache, "
    line += f"{summary['prompt_tokens']:,} tokens in, {summary['completion_tokens']:,} out, {took}"
    line += f", cost unknown: set {' and '.join(_PRICES)}" if cost is None else f", cost {cost:,.4f}" if cost else ""
    return line + "".join(f"; {summary[name]:,} {said}" for name, said in _ODD.items() if summary.get(name))


def forecast_calls(calls: int, *, pace: Pace | None, prices: Prices = FREE, jobs: int = 1) -> Forecast:
    """What so many calls will take if they are like the latest, and none of them was made before."""
    prompt = math.ceil(calls * pace.prompt_tokens) if pace else 0
    completion = math.ceil(calls * pace.completion_tokens) if pace else 0
    return forecast_tokens(prompt, completion, calls=calls, pace=pace, prices=prices, jobs=jobs)


def forecast_tokens(
    prompt: int, completion: int, *, calls: int, pace: Pace | None, prices: Prices, jobs: int, from_cache: int = 0
) -> Forecast:
    """What calls with so many tokens in all will take, at the pace of the latest."""
    # More jobs than calls have nothing to do.
    seconds = (prompt + completion) / pace.tokens_per_second / max(1, min(jobs, calls)) if pace else None
    return Forecast(
        calls=calls,
        from_cache=from_cache,
        prompt_tokens=prompt,
        completion_tokens=completion,
        # Nothing takes no time, also while no pace is known.
        seconds=seconds if calls else 0.0,
        # Nothing costs nothing, whatever the price.
        cost=prices.cost(prompt, completion) if prices.is_known or not calls else None,
    )


def _price(variable: str) -> float:
    value = os.environ.get(variable, "")
    try:
        price = float(value or 0)
    except ValueError:
        price = math.nan
    # Written so that NaN fails too: "nan" and "inf" are numbers to `float`.
    if not 0 <= price < math.inf:
        raise UserError(f"{variable} is {value!r}; it should be the price of a million tokens, such as 0.15")
    return price
