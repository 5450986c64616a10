"""What a run spends on text models, in a file that all its processes share, and the most that it may."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from expound.errors import BadInput, MostCostReached

_TABLE = "CREATE TABLE IF NOT EXISTS spent (name TEXT PRIMARY KEY, amount REAL NOT NULL)"
_ADD = "INSERT INTO spent VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET amount = amount + excluded.amount"
_HELD = "held by "
# The call that holds the money takes seconds: looking twenty times in one is often enough.
_LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Account:
    """Counts by name in a small database; `most_cost` is the most that they may come to, None is no limit.

    What a call may cost at most is held while it runs: calls side by side do not spend the same money. A call waits for
    others that hold what it needs; most of them give nearly all of it back.
    """

    file: Path
    most_cost: float | None = None

    def add(self, counts: Mapping[str, float]) -> None:
        """Count what was spent."""
        with self._open() as connection:
            connection.executemany(_ADD, list(counts.items()))

    @contextmanager
    def held(self, cost: float) -> Iterator[None]:
        """Keep so much aside for a call; refuse the call when that is more than is left."""
        if self.most_cost is None:
            yield
            return
        # By process: should one be killed, what it held can be told from what was spent.
        mine = f"{_HELD}{os.getpid()}"
        while not self._take(mine, cost, self.most_cost):
            time.sleep(_LOOK_SECONDS)
        try:
            yield
        finally:
            # What the call really cost was added by the ledger meanwhile.
            self.add({mine: -cost})

    def counts(self) -> dict[str, float]:
        """All counts so far; none where no text model was asked."""
        if not self.file.exists():
            return {}
        with self._open() as connection:
            return {name: amount for name, amount in _amounts(connection).items() if not name.startswith(_HELD)}

    def _take(self, mine: str, cost: float, most: float) -> bool:
        """Hold the money if it is there; whether it was. Refuse the call when it will not be."""
        with self._open() as connection:
            amounts = _amounts(connection)
            spent = amounts.get("cost", 0.0)
            # Spent for good, not held: waiting cannot help any more.
            if spent + cost > most:
                told = f"{spent:.4f} of at most {most:g} is spent, and the next call may cost {cost:.4f}"
                raise MostCostReached(f"{told}; nothing is lost: with a higher --most-cost the same command goes on")
            is_there = spent + _sum_held(amounts) + cost <= most
            if is_there:
                connection.execute(_ADD, (mine, cost))
        return is_there

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The database in a transaction, which an error undoes."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        try:
            # Many processes may write at once, and none may lose a count.
            with closing(sqlite3.connect(self.file, timeout=60, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous = OFF")  # a killed process loses nothing; it may be fast
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(_TABLE)
                yield connection
                connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise BadInput(f"{self.file} cannot be read ({error}); remove it to count anew") from error


def _amounts(connection: sqlite3.Connection) -> dict[str, float]:
    return dict(connection.execute("SELECT name, amount FROM spent").fetchall())


def _sum_held(amounts: Mapping[str, float]) -> float:
    """What running calls hold; what a process held that was killed is free again."""
    return sum(amount for name, amount in amounts.items() if name.startswith(_HELD) and _is_alive(name))


def _is_alive(name: str) -> bool:
    try:
        os.kill(int(name.removeprefix(_HELD)), 0)  # signal 0 asks only
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        pass
    return True
