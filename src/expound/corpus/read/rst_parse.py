"""Parse reStructuredText with docutils so that nothing is carried out, nothing is rendered and nothing is lost.

The tree is read for its blocks and for their source alone (`rawsource`): inline markup is not parsed, a directive is
never obeyed but only asked for its content, and what Sphinx adds to docutils needs no list of its names.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Directive, Parser, directives, states
from docutils.utils import new_document

_HOSTILE_SAFE = {
    # A stranger's text must not read files of this machine, nor put HTML of its own into a page.
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "syntax_highlight": "none",
    # Only inline markup is slow on long lines, and that is not parsed.
    "line_length_limit": 1 << 30,
}
# docutils has one table for the whole process: two threads that exchange it at once would each lose their own.
_OURS_ALONE = Lock()

_AS_DOCUTILS_DOES = frozenset("table list-table csv-table figure line-block rubric".split())
_CODE = frozenset(
    "code code-block sourcecode highlight-block parsed-literal math doctest testcode testoutput testsetup testcleanup "
    "prompt ipython productionlist graphviz digraph graph mermaid uml plantuml jupyter-execute plot console "
    "command-output terminal".split()
)
_DROPPED = frozenset(
    "image toctree index contents sectnum section-numbering header footer raw include literalinclude role default-role "
    "class rst-class cssclass highlight module currentmodule py:module py:currentmodule program program-output title "
    "meta replace unicode date target-notes tabularcolumns default-domain namespace c:namespace cpp:namespace sphinx "
    "codeauthor sectionauthor moduleauthor automodule autoclass autofunction autosummary bibliography todolist "
    "restructuredtext-test-directive tags youtube vimeo".split()
)
# Their argument is part of the text or of the layout, never a term that the content explains.
_ASIDES = frozenset(
    "note warning caution danger attention error hint important tip seealso todo versionadded versionchanged "
    "versionremoved deprecated deprecated-removed admonition epigraph highlights pull-quote compound topic sidebar "
    "centered hlist glossary impl-detail availability details dropdown collapse".split()
)
_SAID = ("type", "value", "default")
"""Options that tell readers of a setting what it takes; the others tell the program how to set it."""
_WRAPPERS = frozenset("only ifconfig container tabs tab-set tab-set-code grid div rst-wrapper".split())


def parse(text: str) -> nodes.document:
    """The tree of a text; every block that stands in the file stands in it with its source."""
    settings = get_default_settings(Parser)
    for name, value in _HOSTILE_SAFE.items():
        setattr(settings, name, value)
    document = new_document("text", settings)
    with _our_directives():
        Parser(inliner=_inliner()).parse(text, document)
    return document


def _inliner() -> Any:
    """Leaves inline markup as it stands, which also leaves unknown roles and slow patterns out of play."""
    inliner = states.Inliner()
    inliner.parse = lambda text, lineno, memo, parent: ([nodes.Text(text)], [])
    return inliner


class _AnyOption(dict[str, Any]):
    """Every option is known, none means anything."""

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, name: str) -> Any:
        return directives.unchanged


class _Ours(Directive):  # type: ignore[misc]  # docutils has no types
    """What our directives share: an optional argument, any option, content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _AnyOption()

    @property
    def argument(self) -> str:
        return "\n".join(line.strip() for line in "".join(self.arguments[:1]).split("\n"))

    def element(self, tag: str, **attributes: Any) -> nodes.Element:
        element = nodes.Element("", **attributes)
        element.tagname = tag
        return element

    def with_content(self, element: nodes.Element) -> list[nodes.Node]:
        self.state.nested_parse(self.content, self.content_offset, element, match_titles=True)
        return [element]


class _Dropped(_Ours):
    """Says something to the program that typesets the text, not to its readers."""

    def run(self) -> list[nodes.Node]:
        return []


class _Code(_Ours):
    """Lines to be kept as they are, in a language that the argument names."""

    def run(self) -> list[nodes.Node]:
        text = "\n".join(self.content)
        is_text = self.name == "math"  # a short formula stands where other directives have their argument
        language = "" if is_text else self.argument
        text = "\n\n".join(filter(None, [self.argument, text])) if is_text else text
        return [nodes.literal_block(text, "", language="tex" if is_text else language)]


class _Aside(_Ours):
    """A note, a warning, what a version brought: text like any other, its argument first."""

    def run(self) -> list[nodes.Node]:
        aside = self.element("aside", name=self.name)
        if self.argument:
            aside += nodes.paragraph(self.argument, "")
        return self.with_content(aside)


class _Wrapper(_Ours):
    """A box around text, for one kind of output or one place on the page."""

    def run(self) -> list[nodes.Node]:
        return self.with_content(self.element("wrapper"))


class _Described(_Ours):
    """An option, a function, a setting, or whatever a project's own directives describe: a term and its text."""

    def run(self) -> list[nodes.Node]:
        # Without a term there is nothing to define; `autoclass` and its like say what to fetch, and hold no text
        # themselves.
        if not self.argument or (self.name.startswith("auto") and not self.content):
            return self.with_content(self.element("wrapper"))
        # As they are written, so that they can be found.
        said = [f":{name}: {' '.join(self.options[name].split())}" for name in _SAID if self.options.get(name)]
        return self.with_content(self.element("described", term=self.argument, said=said))


def _class_of(name: str) -> type[Directive]:
    for names, ours in ((_DROPPED, _Dropped), (_CODE, _Code), (_ASIDES, _Aside), (_WRAPPERS, _Wrapper)):
        if name in names:
            return ours
    return _Described


@contextmanager
def _our_directives() -> Iterator[None]:
    """Have docutils look up directives here; its own table and function are as before when this is left."""
    with _OURS_ALONE:
        registry, look_up = dict(directives._directives), directives.directive

        def ours(name: str, language: Any, document: Any) -> tuple[Any, list[Any]]:
            name = name.lower()
            found: tuple[Any, list[Any]]
            found = look_up(name, language, document) if name in _AS_DOCUTILS_DOES else (_class_of(name), [])
            return found

        directives.directive = ours
        try:
            yield
        finally:
            directives.directive = look_up
            directives._directives.clear()
            directives._directives.update(registry)
