"""From the text of a part to the part."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import Any

import pytest

from expound import plugins
from expound.errors import UnknownPlugin, UserError


class Hybrid:
    def __init__(self, *, k: int = 20, corpus: str = "") -> None:
        if k < 1:
            raise ValueError("k must be at least 1")
        self.k, self.corpus = k, corpus


def anything(**options: Any) -> dict[str, Any]:
    return options


@pytest.fixture(autouse=True)
def toy_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("Hybrid", f"{__name__}:Hybrid", "expound.retrieve"),
        EntryPoint("Anything", f"{__name__}:anything", "expound.retrieve"),
        EntryPoint("Broken", "no_such_package_anywhere:Part", "expound.retrieve"),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: [p for p in points if p.group == group])


@pytest.mark.parametrize("spec", ["Hybrid", "Hybrid()", " Hybrid( ) "])
def test_a_bare_name_takes_the_defaults(spec: str) -> None:
    assert plugins.build("retrieve", spec).k == 20


def test_arguments_reach_the_part() -> None:
    assert plugins.build("retrieve", "Hybrid(k=5)").k == 5


def test_context_goes_only_where_it_is_taken() -> None:
    part = plugins.build("retrieve", "Hybrid(k=5)", corpus="mine", seed=3)
    assert part.corpus == "mine"
    assert plugins.build("retrieve", "Anything", seed=3) == {"seed": 3}


def test_the_spec_wins_over_the_context() -> None:
    assert plugins.build("retrieve", "Hybrid(corpus='a')", corpus="b").corpus == "a"


def test_literals_are_read_as_they_are_written() -> None:
    spec = "Anything(a=-1, b='x', c=[1, 2.5], d=None, e=True, f={'g': (1,)})"
    assert plugins.parse(spec).arguments == {"a": -1, "b": "x", "c": [1, 2.5], "d": None, "e": True, "f": {"g": (1,)}}


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "Hybrid(",
        "Hybrid(5, 6)",
        "Hybrid(**{'k': 5})",
        "Hybrid(k=open('/etc/passwd'))",
        "Hybrid(k=__import__('os'))",
        "Hybrid(k=1)(k=2)",
        "a.Hybrid()",
        "Hybrid; Hybrid",
        "Hybrid(k=\0)",
        "(" * 5000,
        "Hybrid(k=1, k=2)",
    ],
)
def test_what_is_not_a_spec_is_refused_and_never_run(spec: str) -> None:
    with pytest.raises(UserError, match="write it as Name"):
        plugins.build("retrieve", spec)


def test_an_unknown_name_gets_the_nearest_and_the_list() -> None:
    with pytest.raises(UnknownPlugin, match=r"did you mean Hybrid\? installed: Anything, Broken, Hybrid"):
        plugins.build("retrieve", "hybird(k=5)")


def test_a_kind_without_plugins_says_so() -> None:
    with pytest.raises(UnknownPlugin, match="installed: none"):
        plugins.build("juggle", "Hybrid")


def test_an_unknown_option_gets_the_list() -> None:
    with pytest.raises(UserError, match="Hybrid has no option 'top'; its options: corpus, k"):
        plugins.build("retrieve", "Hybrid(top=5)")


def test_a_value_the_part_refuses_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="k must be at least 1"):
        plugins.build("retrieve", "Hybrid(k=0)")


def test_a_plugin_that_cannot_be_imported_is_named() -> None:
    with pytest.raises(UserError, match="Broken cannot be loaded"):
        plugins.build("retrieve", "Broken")


def test_our_own_part_stays_when_another_takes_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = EntryPoint("Same", "expound.errors:UserError", "expound.retrieve")
    other = EntryPoint("Same", "builtins:dict", "expound.retrieve")
    for points in ([ours, other], [other, ours]):
        monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group, points=points: points)
        assert plugins.load("retrieve", "Same") is UserError


def test_names_are_sorted() -> None:
    assert plugins.names("retrieve") == ["Anything", "Broken", "Hybrid"]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("retrieve", "Hybrid"),
        ("clarify", "EvidenceOnly"),
        ("answer", "Extractive"),
        ("score", "Rouge"),
        ("dataset", "qa"),
    ],
)
def test_our_own_parts_are_plugins(kind: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert name in plugins.names(kind)
