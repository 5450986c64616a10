"""The study while it runs: its database, its raters, who judges what, and every answer on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.study.engine.backup import back_up
    from expound.study.engine.intake import ForeignAnswer, take_in
    from expound.study.engine.opened import Study, open_study
    from expound.study.engine.sent_answers import read_earlier
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "backup": "back_up",
            "intake": "ForeignAnswer take_in",
            "opened": "Study open_study",
            "sent_answers": "read_earlier",
        },
    )

__all__ = [
    "ForeignAnswer",
    "Study",
    "back_up",
    "open_study",
    "read_earlier",
    "take_in",
]
