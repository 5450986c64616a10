"""How many word pieces our models read at once: apart from the models, which a help page need not load to say it."""

from __future__ import annotations

# What ours was trained with (models/ranker.md): other lengths are read, but not as measured.
RANKER_TOKENS = 96
# A premise of some eighty words beside a sentence.
NLI_TOKENS = 128
# A question, a title and a sentence of some eighty words.
TELLING_TOKENS = 128
