"""Completion codes: what a rater hands to the crowd platform at the end."""

from __future__ import annotations

import hashlib
import hmac

from expound.study.engine.opened import Study

_CODE_LETTERS = 10  # 40 bits: one rater cannot make up another's code, and it can still be typed


def completion_code(study: Study, rater: int) -> str:
    """The study's code, or one of the rater's own."""
    if study.plan.completion_code != "auto":
        return study.plan.completion_code
    key = study.secret("signing_key").encode()
    return hmac.new(key, f"completed {rater}".encode(), hashlib.sha256).hexdigest()[:_CODE_LETTERS].upper()
