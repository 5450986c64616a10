"""Who a browser speaks for: signed cookies, tokens against forged forms, and limits on how often one may try."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import deque
from dataclasses import dataclass

from itsdangerous import BadSignature, URLSafeTimedSerializer

COOKIE = "expound_study"
DAYS = 30
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
        self._key = signing_key.encode()
        self._serializer = URLSafeTimedSerializer(signing_key, salt="session")

    def begin(self, role: str, id: int = 0) -> Session:
        return Session(role, id, secrets.token_urlsafe(16))

    def cookie(self, session: Session) -> str:
        """The signed value of the cookie."""
        return str(self._serializer.dumps([session.role, session.id, session.key]))

    def read(self, cookie: str) -> Session | None:
        """The session of a cookie that we signed not too long ago; else None."""
        try:
            role, id, key = self._serializer.loads(cookie, max_age=DAYS * 86_400)
            return Session(str(role), int(id), str(key))
        except (BadSignature, TypeError, ValueError):
            return None

    def token(self, session: Session) -> str:
        """What every form of this session must send back."""
        return hmac.new(self._key, f"form {session.key}".encode(), hashlib.sha256).hexdigest()

    def is_token(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(self.token(session).encode(), token.encode())


class Limiter:
    """At most so many in a window of time for each key; what is older is forgotten."""

    def __init__(self, limit: int, seconds: float) -> None:
        self._limit, self._seconds = limit, seconds
        self._seen: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def count(self, key: str) -> None:
        """Note that it happened."""
        with self._lock:
            self._recent(key).append(time.monotonic())

    def is_over(self, key: str) -> bool:
        """Whether the limit is reached."""
        with self._lock:
            return len(self._recent(key)) >= self._limit

    def _recent(self, key: str) -> deque[float]:
        if len(self._seen) > 10_000:  # whoever fills it with keys makes it forget, not grow
            self._seen.clear()
        seen = self._seen.setdefault(key, deque(maxlen=self._limit))
        while seen and seen[0] < time.monotonic() - self._seconds:
            seen.popleft()
        return seen
