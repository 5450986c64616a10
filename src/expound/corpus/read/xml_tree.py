"""XML from a stranger as a tree: entities refused, depth and size bounded, names without their namespaces."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

# Deeper than any office document, and shallow enough to be walked by recursion.
_DEEPEST = 200
# Elements and attributes: a tree takes up to 400 bytes for each. A thousand printed pages have half a million.
MOST_NODES = 1_500_000


def parse_tree(data: bytes) -> Element:
    """The root element; names and attributes are without their prefixes."""
    builder = TreeBuilder()
    _parse(data, builder)
    return builder.close()


def check_tree(data: bytes) -> None:
    """Refuse what `parse_tree` would refuse, before another parser takes it into memory."""
    _parse(data, None)


def _parse(data: bytes, builder: TreeBuilder | None) -> None:
    depth = nodes = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, nodes
        depth += 1
        nodes += 1 + len(attributes)
        if depth > _DEEPEST:
            raise ValueError("its XML is nested too deeply")
        if nodes > MOST_NODES:
            raise ValueError(f"its XML has more than {MOST_NODES:,} elements and attributes")
        if builder:
            builder.start(_local(name), {_local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        if builder:
            builder.end(_local(name))

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data if builder else None
    parser.EntityDeclHandler = _refuse_entity
    parser.Parse(data, True)


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
