"""Signed cookies and the tokens of forms: who a browser speaks for, and that a form is one of ours."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from itsdangerous import BadSignature, URLSafeTimedSerializer


class Signer:
    """Signs what browsers keep for a server, with the server's own key."""

    def __init__(self, signing_key: str) -> None:
        self._key = signing_key.encode()
        # The salt keeps cookies apart from whatever else the key may sign.
        self._serializer = URLSafeTimedSerializer(signing_key, salt="session")

    def sign(self, values: list[Any]) -> str:
        """Values as the text of a cookie."""
        return str(self._serializer.dumps(values))

    def read(self, cookie: str, *, most_seconds: int) -> Any:
        """The values of a cookie that this key signed not too long ago; else None."""
        try:
            return self._serializer.loads(cookie, max_age=most_seconds)
        except BadSignature:
            return None

    def token(self, session: str) -> str:
        """What every form of a session must send back: another site cannot know it."""
        return hmac.new(self._key, f"form {session}".encode(), hashlib.sha256).hexdigest()

    def is_token(self, session: str, token: str) -> bool:
        """Whether a form came back with the token of its session."""
        # Compared in constant time: how long it takes must not say how near a guess is.
        return hmac.compare_digest(self.token(session).encode(), token.encode())


def same_secret(given: str, secret: str) -> bool:
    """Whether two secrets are the same, in a time that tells nothing of where they differ."""
    return hmac.compare_digest(given.encode(), secret.encode())
