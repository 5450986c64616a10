"""The design of a study, before anyone is asked: its plan, its form, and the items that it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.study.design.blinding import check_blinding
    from expound.study.design.collected import Collected, Earlier
    from expound.study.design.form import YES_NO, Field, Form, FormExport, Option, Problem, scale, sides
    from expound.study.design.form_table import find_form, form_names
    from expound.study.design.items import Item, SystemAnswer, View
    from expound.study.design.making import ItemSources, make_study
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "blinding": "check_blinding",
            "collected": "Collected Earlier",
            "form": "YES_NO Field Form FormExport Option Problem scale sides",
            "form_table": "find_form form_names",
            "items": "Item SystemAnswer View",
            "making": "ItemSources make_study",
        },
    )

__all__ = [
    "YES_NO",
    "Collected",
    "Earlier",
    "Field",
    "Form",
    "FormExport",
    "Item",
    "ItemSources",
    "Option",
    "Problem",
    "SystemAnswer",
    "View",
    "check_blinding",
    "find_form",
    "form_names",
    "make_study",
    "scale",
    "sides",
]
