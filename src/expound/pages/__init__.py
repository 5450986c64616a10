"""HTML building blocks: text is escaped on the way in, pages need no network and no script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.pages.html import Html, anchor, escape, join_html, page, tag
    from expound.pages.limiter import Limiter
    from expound.pages.middleware import AddHeaders, CachedFiles, LimitBody, UnderBase
    from expound.pages.parts import fold, heading, marked_text, paragraph, put_label, table, verdict_list
    from expound.pages.plots import plot, stacked_bars
    from expound.pages.policy import HEADERS, IN_ONE_FILE, IN_ONE_FILE_SERVED, OF_TEMPLATES
    from expound.pages.signing import Signer
    from expound.pages.templates import open_templates, template_at
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "html": "Html anchor escape join_html page tag",
            "limiter": "Limiter",
            "middleware": "AddHeaders CachedFiles LimitBody UnderBase",
            "parts": "fold heading put_label marked_text paragraph table verdict_list",
            "plots": "plot stacked_bars",
            "policy": "HEADERS IN_ONE_FILE IN_ONE_FILE_SERVED OF_TEMPLATES",
            "signing": "Signer",
            "templates": "open_templates template_at",
        },
    )

__all__ = [
    "HEADERS",
    "IN_ONE_FILE",
    "IN_ONE_FILE_SERVED",
    "OF_TEMPLATES",
    "AddHeaders",
    "CachedFiles",
    "Html",
    "LimitBody",
    "Limiter",
    "Signer",
    "UnderBase",
    "anchor",
    "escape",
    "fold",
    "heading",
    "join_html",
    "marked_text",
    "open_templates",
    "page",
    "paragraph",
    "plot",
    "put_label",
    "stacked_bars",
    "table",
    "tag",
    "template_at",
    "verdict_list",
]
