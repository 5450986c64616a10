"""A package's public face that costs nothing until it is used: each name is imported when it is first asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def give(package: str, where: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package: `where` has its modules, each with the names that it gives.

    A face that imported all it gives would be paid for by whoever imports one module of the package, `expound --help`
    first of all.
    """
    module_of = {name: module for module, names in where.items() for name in names.split()}

    def give_name(name: str) -> Any:
        if name in module_of:
            return getattr(importlib.import_module(f"{package}.{module_of[name]}"), name)
        # In Python's own words: `hasattr`, copying and pickling all rely on this very error.
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of})

    return give_name, list_names
