"""The people of a study: how they join, how far they are, and how they leave it with everything they entered."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.study.engine.schema import assignments, messages, raters, submissions, viewed
from expound.study.engine.study_store import record_event

FROM_FILE = "import "
INVITED, CONSENT, INSTRUCTIONS, WORKING = "invited", "consent", "instructions", "working"
FAILED, FINISHED, WITHDRAWN = "failed", "finished", "withdrawn"

# Without letters and digits that are taken for one another.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_CODE_LENGTH = 10  # 49 bits: guessing is hopeless
_NUMBERED = sa.select(raters).where(raters.c.id == sa.bindparam("of_id"))


@dataclass(frozen=True)
class Rater:
    """A person, known by a number."""

    id: int
    code: str
    stage: str

    @property
    def name(self) -> str:
        """The pseudonym in every export."""
        return pseudonym(self.id)


def pseudonym(rater: int) -> str:
    return f"r{rater:02d}"


def worker_id(external: str | None) -> str:
    """The id on a crowd platform; who came from a file has only a name there."""
    return "" if external is None or external.startswith(FROM_FILE) else external


def invite(connection: Connection, *, external: str | None = None, paid_for: str = "") -> Rater:
    """A new rater with a personal code; a crowd platform gives the worker's id and its own of what it pays for."""
    code = "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_LENGTH))
    values = {"code": code, "external": external, "stage": INVITED, "paid_for": paid_for}
    key = connection.execute(sa.insert(raters).values(**values)).inserted_primary_key
    assert key is not None  # an insert of one row has a key
    record_event(connection, "invited", rater=key[0])
    return Rater(key[0], code, INVITED)


def find_rater_by_code(connection: Connection, code: str) -> Rater | None:
    """Whose code this is; spaces, dashes and case do not matter."""
    plain = "".join(code.upper().replace("-", " ").split())
    row = connection.execute(sa.select(raters).where(raters.c.code == plain)).first() if plain else None
    # Who has withdrawn is unknown to us, with the code as well.
    return Rater(row.id, row.code, row.stage) if row and row.stage != WITHDRAWN else None


def find_rater(connection: Connection, id: int) -> Rater | None:
    row = connection.execute(_NUMBERED, {"of_id": id}).first()
    return Rater(row.id, row.code, row.stage) if row and row.stage != WITHDRAWN else None


def is_known(connection: Connection, external: str) -> bool:
    """Whether the platform's id has joined before: then only the personal code lets that person in again."""
    return bool(connection.scalar(sa.select(sa.func.count()).where(raters.c.external == external)))


def enter(connection: Connection, rater: Rater) -> Rater:
    """The rater has opened the study with the code."""
    if rater.stage != INVITED:
        return rater
    connection.execute(sa.update(raters).where(raters.c.id == rater.id).values(joined=time.time()))
    return advance(connection, rater, CONSENT)


def advance(connection: Connection, rater: Rater, stage: str) -> Rater:
    """Move on to a stage, once."""
    if rater.stage == stage:
        return rater
    connection.execute(sa.update(raters).where(raters.c.id == rater.id).values(stage=stage))
    record_event(connection, stage, rater=rater.id)
    return Rater(rater.id, rater.code, stage)


def withdraw(connection: Connection, rater: int) -> None:
    """Delete everything a rater entered; the history keeps that it happened, and nothing of what was said."""
    # Rows, not flags: what is withdrawn must not be in any later export or backup.
    theirs = sa.select(assignments.c.id).where(assignments.c.rater == rater)
    for table in (messages, submissions, viewed):
        connection.execute(sa.delete(table).where(table.c.assignment.in_(theirs)))
    connection.execute(sa.delete(assignments).where(assignments.c.rater == rater))
    # The row stays for the history's number; nothing in it leads to the person.
    values = {"stage": WITHDRAWN, "external": None, "paid_for": "", "code": f"withdrawn-{rater}"}
    connection.execute(sa.update(raters).where(raters.c.id == rater).values(**values))
    record_event(connection, WITHDRAWN, rater=rater)


def readable_code(code: str) -> str:
    """A code in groups that can be read aloud."""
    return "-".join(code[start : start + 5] for start in range(0, len(code), 5))


def unused_codes(connection: Connection) -> list[str]:
    """Codes that nobody has joined with yet."""
    query = sa.select(raters.c.code).where(raters.c.stage == INVITED).order_by(raters.c.id)
    return [readable_code(code) for code in connection.scalars(query)]
