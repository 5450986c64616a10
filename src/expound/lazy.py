"""A package's public face that costs nothing until it is used: each name is imported when it is first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def give(package: str, where: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package: `where` has the package's modules, each with the names it gives.

    A face that imported all it gives would be paid for by whoever imports one module of the package, `expound --help`
    first of all.
    """
    module_of = {name: module for module, names in where.items() for name in names.split()}

    def __getattr__(name: str) -> Any:  # noqa: N807 (what Python calls it in a module)
        if name in module_of:
            return getattr(importlib.import_module(f"{package}.{module_of[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return __getattr__
