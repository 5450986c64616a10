"""A dialogue over two documents that every face has to follow: what is typed, asked as, and answered with."""

from __future__ import annotations

DOCUMENTS = {
    "lighthouse.md": """# The lighthouse of Marrow Point

The lighthouse of Marrow Point was built in 1847 by the engineer Ada Fenwick. It stands 31 metres above the sea.

## The lamp

The lamp of the lighthouse burned whale oil until 1869. Electric light came to the lighthouse of Marrow Point in 1931.

## The engineer

Ada Fenwick was born in Tallow and died there in 1880.
""",
    "ferry.md": """# The ferry to Marrow Island

The ferry to Marrow Island leaves at nine in summer. A crossing takes forty minutes in calm weather.

The ferry to Marrow Island leaves at noon in winter.
""",
}
TURNS = [
    ("Who built the lighthouse of Marrow Point?", "Who built the lighthouse of Marrow Point?", "Ada Fenwick"),
    ("Where was she born?", "Where was Ada Fenwick born?", "Tallow"),
    ("When did she die?", "When did Ada Fenwick die?", "1880"),
    ("How tall is the lighthouse of Marrow Point?", "How tall is the lighthouse of Marrow Point?", "31 metres"),
    (
        "When did electric light come to it?",
        "When did electric light come to the lighthouse of Marrow Point?",
        "1931",
    ),
    (
        "When does the ferry to Marrow Island leave in summer?",
        "When does the ferry to Marrow Island leave in summer?",
        "nine",
    ),
    ("And in winter?", "When does the ferry to Marrow Island leave in winter?", "noon"),
    ("How long does it take?", "How long does the ferry to Marrow Island take?", "forty minutes"),
]
