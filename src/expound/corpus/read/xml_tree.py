"""XML from a stranger as a tree: entities refused, depth bounded, names without their namespaces."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

# Deeper than any office document, and shallow enough to be walked by recursion.
_DEEPEST = 200


def parse_tree(data: bytes) -> Element:
    """The root element; names and attributes are without their prefixes."""
    builder = TreeBuilder()
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise ValueError("its XML is nested too deeply")
        builder.start(_local(name), {_local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_local(name))

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = _refuse_entity
    parser.Parse(data, True)
    return builder.close()


def iter_without(element: Element, left_out: frozenset[str]) -> Iterator[Element]:
    """An element and all below it in order; what is left out is left out with all it holds."""
    if element.tag not in left_out:
        yield element
        for child in element:
            yield from iter_without(child, left_out)


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _refuse_entity(*_: object) -> None:
    raise ValueError("its XML declares entities, which are not expanded")
