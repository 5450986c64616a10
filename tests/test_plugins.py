"""From the text of a part to the part."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from expound import plugins
from expound.errors import UnknownPlugin, UserError


@dataclass(frozen=True)
class Weights:
    near: float = 1.0
    far: float = 0.5

    def __repr__(self) -> str:
        return plugins.spec_text(self)


USUAL = Weights()


@dataclass(frozen=True)
class Hybrid:
    k: int = 20
    corpus: str = field(default="", repr=False)
    weights: Weights = USUAL

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError("k must be at least 1")

    def __repr__(self) -> str:
        return plugins.spec_text(self)


@dataclass(frozen=True)
class Folder:
    path: str

    hint = "Hybrid() needs none"


@dataclass(frozen=True)
class Weighted:
    folder: str
    layer: int = 0

    instead = "Folder('here')"


class Nameless:
    """A part that does not say what it is."""


def anything(**options: Any) -> dict[str, Any]:
    return options


@pytest.fixture(autouse=True)
def toy_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("Hybrid", f"{__name__}:Hybrid", "expound.retrieve"),
        EntryPoint("Folder", f"{__name__}:Folder", "expound.score"),
        EntryPoint("Weighted", f"{__name__}:Weighted", "expound.score"),
        EntryPoint("Anything", f"{__name__}:anything", "expound.dataset"),
        EntryPoint("Nameless", f"{__name__}:Nameless", "expound.retrieve"),
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
    assert plugins.build("dataset", "Anything", seed=3) == {"seed": 3}


def test_the_spec_wins_over_the_context() -> None:
    assert plugins.build("retrieve", "Hybrid(corpus='a')", corpus="b").corpus == "a"


def test_literals_are_read_as_they_are_written() -> None:
    spec = "Anything(a=-1, b='x', c=[1, 2.5], d=None, e=True, f={'g': (1,)})"
    assert plugins.parse(spec).arguments == {"a": -1, "b": "x", "c": [1, 2.5], "d": None, "e": True, "f": {"g": (1,)}}


def test_a_text_of_one_word_needs_no_quotes_and_is_still_of_a_kind() -> None:
    assert plugins.parse("Anything(profile=lfqa)").arguments == {"profile": "lfqa"}
    with pytest.raises(UserError, match="k must be a whole number, found 'many'"):
        plugins.build("retrieve", "Hybrid(k=many)")


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "Hybrid(",
        "Hybrid(5, 6)",
        "Hybrid(**{'k': 5})",
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


@pytest.mark.parametrize("value", ["open('/etc/passwd')", "__import__('os')", "Weights(near=1)"])
def test_a_call_that_is_no_settings_of_the_part_is_refused_and_never_run(value: str) -> None:
    with pytest.raises(UserError, match=r"Hybrid takes no \w+\(…\) as its k"):
        plugins.build("retrieve", f"Hybrid(k={value})")


def test_settings_can_be_written_in_a_spec() -> None:
    part = plugins.build("retrieve", "Hybrid(k=5, weights=Weights(far=0.1))")
    assert part.weights == Weights(far=0.1)
    assert plugins.build("retrieve", repr(part)) == part


def test_a_setting_that_is_not_there_gets_the_list() -> None:
    with pytest.raises(UserError, match="Weights has no option 'nearest'; its options: far, near"):
        plugins.build("retrieve", "Hybrid(weights=Weights(nearest=2))")


def test_the_shortest_spec_tells_what_is_not_usual() -> None:
    assert repr(Hybrid(weights=Weights(near=2.0))) == "Hybrid(weights=Weights(near=2.0))"


def test_a_part_whose_repr_is_no_spec_is_refused() -> None:
    with pytest.raises(UserError, match="the repr of Nameless is no spec"):
        plugins.build("retrieve", "Nameless")


def test_an_unknown_name_gets_the_nearest_and_the_list() -> None:
    with pytest.raises(UnknownPlugin, match=r"did you mean Hybrid\? installed: Broken, Hybrid, Nameless"):
        plugins.build("retrieve", "hybird(k=5)")


def test_a_kind_without_plugins_says_so() -> None:
    with pytest.raises(UnknownPlugin, match="installed: none"):
        plugins.build("juggle", "Hybrid")


def test_an_unknown_option_gets_the_list_of_what_can_be_written() -> None:
    with pytest.raises(UserError, match="Hybrid has no option 'top'; its options: k, weights"):
        plugins.build("retrieve", "Hybrid(top=5)")


def test_a_part_that_needs_an_argument_says_which_and_what_to_take_without_one() -> None:
    with pytest.raises(UserError, match=r"^Folder\(\) needs more: write Folder\(path=…\); Hybrid\(\) needs none$"):
        plugins.build("score", "Folder()")
    assert plugins.build("score", "Folder('here')") == Folder("here")


def test_a_part_without_all_that_it_needs_may_name_another_which_stands_under_its_own_name() -> None:
    assert repr(plugins.build("score", "Weighted()")) == "Folder(path='here')"
    assert plugins.build("score", "Weighted(folder='mine')") == Weighted("mine")
    # Whoever writes an option means this part, and forgot something.
    with pytest.raises(UserError, match=r"write Weighted\(folder=…\)$"):
        plugins.build("score", "Weighted(layer=2)")


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
    assert plugins.names("retrieve") == ["Broken", "Hybrid", "Nameless"]


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


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("Hybrid(k='many')", "Hybrid: k must be a whole number, found 'many'"),
        ("Hybrid(k=1.5)", "k must be a whole number"),
        ("Hybrid(k=True)", "k must be a whole number"),
        ("Hybrid(weights=Weights(near='far'))", "Weights: near must be a number"),
    ],
)
def test_a_value_of_another_type_than_the_usual_one_is_refused(spec: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        plugins.build("retrieve", spec)


def test_a_whole_number_will_do_where_a_number_is_usual() -> None:
    assert plugins.build("retrieve", "Hybrid(weights=Weights(near=2))").weights.near == 2
