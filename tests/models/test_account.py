"""What is spent is counted once, by all processes of a run together, and never more than is allowed."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from expound.errors import BadInput, MostCostReached, UserError
from expound.models.account import Account
from expound.models.endpoint import Endpoint
from expound.models.engine import Completion
from expound.models.ledger import Ledger, Prices, open_account, summary_of
from expound.models.server import Patience
from expound.models.text import CachedModel
from expound.testing.fake_endpoint import FakeEndpoint
from expound.types import Prompt

REPLY = Completion("text", 1000, 200, 2.0)
PRICES = Prices(prompt=1000.0, completion=10_000.0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run" / "spent"


def test_an_account_counts_as_a_ledger_does(file: Path) -> None:
    ledger = Ledger(PRICES, Account(file))
    ledger.asked(REPLY)
    ledger.asked(Completion("", 10, 0, 0.5))
    ledger.found()
    assert summary_of(Account(file).counts()) == ledger.summary()


def test_without_a_call_there_is_nothing_to_tell_and_no_file(file: Path) -> None:
    assert summary_of(Account(file).counts()) == {}
    assert not file.exists()


COUNTER = """
import sys
from pathlib import Path
from expound.models.account import Account
account = Account(Path(sys.argv[1]))
for _ in range(50):
    account.add({"calls": 1, "cost": 0.5})
"""


def test_several_processes_and_threads_count_together(file: Path) -> None:
    children = [subprocess.Popen([sys.executable, "-c", COUNTER, str(file)]) for _ in range(2)]

    def work() -> None:
        for _ in range(25):
            Account(file).add({"calls": 1, "cost": 0.5})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [child.wait() for child in children] == [0, 0]
    assert Account(file).counts() == {"calls": 200, "cost": 100}


def test_a_call_that_may_cost_more_than_is_left_is_refused(file: Path) -> None:
    account = Account(file, most_cost=1.0)
    account.add({"cost": 0.7})
    with account.held(0.3):
        pass
    with pytest.raises(MostCostReached, match=r"0\.7000 of at most 1 is spent, and the next call may cost 0\.3100"):
        account.held(0.31).__enter__()


def test_calls_side_by_side_do_not_spend_the_same_money(file: Path) -> None:
    account, is_in = Account(file, most_cost=1.0), threading.Event()

    def second() -> None:
        with account.held(0.6):
            is_in.set()

    other = threading.Thread(target=second)
    with account.held(0.6):
        other.start()
        with account.held(0.4):  # there is room for this one
            assert not is_in.is_set()
        account.add({"cost": 0.1})
        assert not is_in.is_set()
    other.join()
    assert is_in.is_set()  # the first gave back what it did not need


def test_who_waits_for_others_is_refused_once_they_have_spent_it(file: Path) -> None:
    account, refused = Account(file, most_cost=1.0), threading.Event()

    def second() -> None:
        with suppress(MostCostReached), account.held(0.6):
            return
        refused.set()

    other = threading.Thread(target=second)
    with account.held(0.6):
        other.start()
        account.add({"cost": 0.5})
    other.join()
    assert refused.is_set()


def test_what_a_killed_process_held_is_free_again(file: Path) -> None:
    code = "import os, sys; from pathlib import Path; from expound.models.account import Account\n"
    code += "with Account(Path(sys.argv[1]), 1.0).held(0.9): os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code, str(file)]).returncode == 9
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT amount FROM spent").fetchall() == [(0.9,)]
    with Account(file, 1.0).held(0.9):
        pass


def test_a_damaged_account_is_told(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"not a database at all" * 100)
    with pytest.raises(BadInput, match="remove it to count anew"):
        Account(file).add({"calls": 1})


def test_a_limit_needs_prices(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="--most-cost needs prices: set EXPOUND_PRICE_PROMPT"):
        open_account(file, 1.0)
    assert open_account(file, None).most_cost is None
    monkeypatch.setenv("EXPOUND_PRICE_PROMPT", "1")
    assert open_account(file, 0.0).most_cost == 0.0


@pytest.mark.parametrize("thinks", [0, 500])
def test_no_more_is_spent_than_allowed_however_many_ask_at_once(file: Path, thinks: int) -> None:
    with FakeEndpoint(thinks=thinks) as server:
        ledger = Ledger(Prices(prompt=100_000.0, completion=10_000.0), Account(file, most_cost=50.0))
        model = CachedModel(Endpoint(server.url, "m", Patience(tries=1)), jobs=4, ledger=ledger)
        with pytest.raises(MostCostReached):
            model.complete([Prompt(f"a text that is not too short {number}", max_tokens=24) for number in range(200)])
        spent = Account(file).counts()
        assert spent["calls"] == len(server.chats)
        assert 5.0 < spent["cost"] <= 50.0


def test_what_is_in_the_cache_is_given_without_money(file: Path) -> None:
    with FakeEndpoint() as server:
        engine = Endpoint(server.url, "m", Patience(tries=1))
        CachedModel(engine).complete([Prompt("text")])
        model = CachedModel(engine, ledger=Ledger(PRICES, Account(file, most_cost=0.0)))
        assert model.complete([Prompt("text")]) == ["TEXT"]
        with pytest.raises(MostCostReached):
            model.complete([Prompt("other")])
        assert len(server.chats) == 1
