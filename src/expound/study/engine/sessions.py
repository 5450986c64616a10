"""Who a browser speaks for in a study: a guest, a rater or the researcher."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256

from expound.pages.signing import Signer

# A rater who works on a study in the evenings should not have to look for the code every week.
DAYS = 30
# 40 bits: two studies of one host will not have the same, and nothing can be learnt from it about the key.
_NAME_LETTERS = 10
GUEST, RATER, ADMIN = "guest", "rater", "admin"


@dataclass(frozen=True)
class Session:
    """A browser that has been let in as someone; `key` is its own and nobody else's."""

    role: str
    id: int
    key: str


class Sessions:
    """Makes and reads the cookies of one study."""

    def __init__(self, signing_key: str) -> None:
        self._signer = Signer(signing_key)
        self._study = sha256(signing_key.encode()).hexdigest()[:_NAME_LETTERS]

    def begin(self, role: str, id: int = 0) -> Session:
        # A key for each session: a token that leaked is good for one browser.
        return Session(role, id, secrets.token_urlsafe(16))

    def cookie_name(self, role: str) -> str:
        """The name of the cookie: browsers share cookies between the ports of a host, studies must not.

        The researcher has one apart, so that trying out the join link does not end a look at the monitor.
        """
        return f"expound_{self._study}_{ADMIN if role == ADMIN else RATER}"

    def cookie(self, session: Session) -> str:
        """The signed value of the cookie."""
        return self._signer.sign([session.role, session.id, session.key])

    def read(self, cookie: str) -> Session | None:
        """The session of a cookie that we signed not too long ago; else None."""
        try:
            role, id, key = self._signer.read(cookie, most_seconds=DAYS * 86_400)
            return Session(str(role), int(id), str(key))
        # Anything else that a stranger may put into a cookie.
        except (TypeError, ValueError):
            return None

    def token(self, session: Session) -> str:
        """What every form of this session must send back."""
        return self._signer.token(session.key)

    def is_token(self, session: Session, token: str) -> bool:
        return self._signer.is_token(session.key, token)
