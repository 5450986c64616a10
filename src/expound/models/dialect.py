"""What a server calls things: found out from what it refuses, and remembered for the next time."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from expound import resources
from expound.errors import ExpoundError
from expound.files import write_whole

FILE_NAME = "dialects.json"
# Newer models of OpenAI's refuse the old name, most other servers do not know the new one.
_OLD_LIMIT, _NEW_LIMIT = "max_tokens", "max_completion_tokens"
_UNKNOWN = re.compile(r"unsupported|not supported|unknown|unrecognized|unexpected|not permitted|extra", re.IGNORECASE)
# What a request can do without. A schema is then asked for in words.
_OPTIONAL = ("temperature", "top_p", "seed", "stream_options", "response_format")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The name of the limit on a reply's tokens, and the settings that the server does not take."""

    limit: str = _OLD_LIMIT
    without: tuple[str, ...] = ()

    def translated(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """The request in this dialect."""
        kept = {name: value for name, value in payload.items() if name not in self.without}
        tokens = kept.pop(_OLD_LIMIT)
        # The shape is still wanted, only the setting is refused.
        if "response_format" in self.without and "response_format" in payload:
            kept["messages"] = _in_words(payload)
        return kept | {self.limit: tokens}

    def after(self, refusal: str) -> Dialect | None:
        """What to try after a request was refused with these words; None when they name nothing that could change."""
        # The name of the limit first: its refusal often mentions other settings as well.
        if self.limit == _OLD_LIMIT and _wants_new_limit(refusal):
            return replace(self, limit=_NEW_LIMIT)
        # Servers name the setting by what is inside it.
        refusal = refusal.replace("json_schema", "response_format")
        named = [name for name in _OPTIONAL if name not in self.without and _names(refusal, name)]
        return replace(self, without=(*self.without, *named)) if named else None


def recall_dialect(identity: str) -> Dialect:
    """What is known of a server's model, else the usual."""
    known = _read().get(identity, {})
    try:
        return Dialect(str(known["limit"]), tuple(map(str, known["without"])))
    except (TypeError, KeyError):
        return Dialect()


def remember_dialect(identity: str, dialect: Dialect) -> None:
    """Keep what was found out; where nothing can be written, it is found out again."""
    # Only for the user: what server is used is nobody else's affair.
    with suppress(ExpoundError, OSError), write_whole(dialects_file(), mode=0o600) as file:
        json.dump(_read() | {identity: asdict(dialect)}, file, indent=1)


def dialects_file() -> Path:
    return resources.home_folder("cache") / FILE_NAME


def _read() -> dict[str, Any]:
    try:
        known = json.loads(dialects_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _wants_new_limit(refusal: str) -> bool:
    """Whether it is the name of the limit that is refused, not its height."""
    return _names(refusal, _NEW_LIMIT) or (_names(refusal, _OLD_LIMIT) and _UNKNOWN.search(refusal) is not None)


def _names(refusal: str, setting: str) -> bool:
    return re.search(rf"\b{setting}\b", refusal) is not None


def _in_words(payload: Mapping[str, Any]) -> list[dict[str, str]]:
    """The messages, the last of which asks for JSON of the schema."""
    *before, last = payload["messages"]
    schema = json.dumps(payload["response_format"]["json_schema"]["schema"])
    return [*before, last | {"content": f"{last['content']}\n\nReply with JSON of this schema: {schema}"}]
