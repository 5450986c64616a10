"""The pages of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.study.web.serving import links, listen, listen_for_all, mount_studies, serve_studies, serve_study
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "serving": "links listen listen_for_all mount_studies serve_studies serve_study",
        },
    )

__all__ = [
    "links",
    "listen",
    "listen_for_all",
    "mount_studies",
    "serve_studies",
    "serve_study",
]
