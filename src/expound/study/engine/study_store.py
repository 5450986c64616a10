"""The database of a study: opened, brought up to date, and written in transactions that are on disk when they end."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError

from expound.errors import ExpoundError, StorageFull, UserError, WrongVersion
from expound.study.design.items import Item, item_from, item_record
from expound.study.design.side_orders import draw_orders
from expound.study.engine import schema

LATEST = "0004"
# Another process, such as a backup, may hold SQLite's one lock; a rater rather waits than loses an answer.
BUSY_TIMEOUT_SECONDS = 20
# Under load a connection never rests that long, so asking costs nothing there; proxies drop idle ones after minutes.
REST_SECONDS = 30
# How many requests are worked on at a time, each with a connection of its own. Threads of SQLite compete for one
# processor and one writer: more of them only wait for one another. Those of PostgreSQL wait for its answers.
THREADS = {"sqlite": 8, "postgresql": 24}

_EVENT = sa.insert(schema.events)


class StudyStore:
    """An open database."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self.threads = THREADS["sqlite" if self.is_sqlite else "postgresql"]
        # SQLite has to know at the beginning whether a transaction will write.
        self._writer = self.engine.execution_options(is_writing=True)
        # SQLite has one writer: our own queue for it is fair, its polling is not.
        self._turn = threading.Lock() if self.is_sqlite else nullcontext()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction; when the block ends without an error, what it wrote is on disk."""
        with self._turn, self._writer.begin() as connection:
            yield connection

    @contextmanager
    def reading(self, *, at_once: bool = False) -> Iterator[Connection]:
        """A look at the data; `at_once` makes all queries see one moment, which PostgreSQL does only if it is told."""
        with self.engine.connect() as connection:
            if at_once and not self.is_sqlite:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    def close(self) -> None:
        self.engine.dispose()


def open_store(url: str) -> StudyStore:
    """The database at that address, made or brought up to the version of this program."""
    store = StudyStore(url)
    try:
        if store.is_sqlite:
            _keep_private(store.engine.url.database or "")
        with store.writing() as connection:
            _migrate(connection)
    except DBAPIError as error:
        raise _unreachable(url, error) from error
    return store


def _keep_private(path: str) -> None:
    """Make the file so that others on the machine cannot read it: it holds the secrets of the links."""
    if not Path(path).exists():
        # An empty file that only the owner may read; SQLite fills it.
        with suppress(OSError):  # SQLite will say what is wrong
            Path(path).touch(mode=0o600)


def _engine(url: str) -> Engine:
    try:
        # As many connections as threads, so that none has to wait for one.
        engine = sa.create_engine(url, pool_size=THREADS["postgresql"])
    except sa.exc.ArgumentError as error:
        raise UserError(f"{url!r} is not the address of a database: {error}") from error
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
    else:
        sa.event.listen(engine, "checkin", _note_rest)
        sa.event.listen(engine, "checkout", _ask_after_rest)
    return engine


def _note_rest(_connection: Any, record: Any) -> None:
    record.info["resting_since"] = time.monotonic()


def _ask_after_rest(connection: Any, record: Any, _proxy: object) -> None:
    """Have a connection made anew if it was lost while it rested; to ask each time would double the work."""
    if time.monotonic() - record.info.get("resting_since", time.monotonic()) < REST_SECONDS:
        return
    try:
        connection.cursor().execute("SELECT 1")
        connection.rollback()
    except Exception as error:  # whatever the driver calls it: the connection is of no use
        raise sa.exc.DisconnectionError from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver's own transactions begin too late; SQLAlchemy's `begin` event says when.
    connection.isolation_level = None
    # What a rater withdraws is overwritten, not only unlinked.
    # FULL: an answer that was confirmed must survive a power cut.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_SECONDS * 1000}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer that begins as a reader can find, at its first write, that it came too late.
    is_writing = connection.get_execution_options().get("is_writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    current = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    # A newer expound has been here: going on would lose what it has added.
    if current is not None and current not in known:
        raise WrongVersion(
            f"the database is of version {current}, newer than this expound knows ({LATEST}); install a newer expound"
        )
    if current != LATEST:
        command.upgrade(config, LATEST)


def _unreachable(url: str, error: DBAPIError) -> ExpoundError:
    # The password stands in the address.
    where = sa.make_url(url).render_as_string(hide_password=True)
    reason = str(error.orig).splitlines()[0]
    if "readonly" in reason or "unable to open" in reason or "disk" in reason:
        return StorageFull(f"the database {where} cannot be written: {reason}")
    return UserError(f"the database {where} cannot be opened: {reason}")


# -- settings and history


def setting(connection: Connection, name: str) -> str:
    """A setting, or nothing."""
    column = schema.settings.c
    return connection.scalar(sa.select(column.value).where(column.name == name)) or ""


def put_setting(connection: Connection, name: str, value: str) -> None:
    # Not "insert or replace", which only one of the two databases knows.
    connection.execute(sa.delete(schema.settings).where(schema.settings.c.name == name))
    connection.execute(sa.insert(schema.settings).values(name=name, value=value))


def record_event(
    connection: Connection, kind: str, *, rater: int | None = None, item: int | None = None, detail: str = ""
) -> None:
    """A line of history: who, what, when, and never what was said."""
    # Cut here: PostgreSQL refuses what is too long, and history must never stop an answer.
    values = {"at": time.time(), "kind": kind, "rater": rater, "item": item, "detail": detail[: schema.NAME_WIDTH]}
    connection.execute(_EVENT, values)


# -- items


def load_items(connection: Connection, items: Sequence[Item], *, seed: int, digest: str) -> None:
    """Put the items of the study in, with the order of sides for whoever fills in a sheet or works elsewhere."""
    connection.execute(
        sa.insert(schema.items),
        [
            {"key": item.id, "kind": item.kind, "shown": shown, "record": json.dumps(item_record(item))}
            # Drawn once for all, and kept: a sheet printed today and filled in next week must mean the same sides.
            for item, shown in zip(items, draw_orders(items, seed=seed), strict=True)
        ],
    )
    put_setting(connection, "items_sha256", digest)
    # Made by us and kept with the data: a study that is moved keeps its links.
    for name in ("signing_key", "admin_secret", "join_token"):
        put_setting(connection, name, secrets.token_urlsafe(24))
    record_event(connection, "created", detail=f"{len(items)} items, seed {seed}")


def stored_items(connection: Connection) -> dict[int, tuple[Item, str]]:
    """Every item with its order of sides, by number."""
    rows = connection.execute(sa.select(schema.items).order_by(schema.items.c.id))
    return {row.id: (item_from(json.loads(row.record)), row.shown) for row in rows}
