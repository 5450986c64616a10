"""What the description of the interface shows of a call: a body that can be sent as it stands."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict

CORPORA = "Names of corpora; without any, all that are offered."
QUESTION = "At most 2,000 characters."


def show_example(**values: Any) -> ConfigDict:
    """The configuration of a body whose description has this example."""
    return ConfigDict(json_schema_extra={"examples": [values]})
