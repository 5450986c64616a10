"""Documents to passages: read, clean, split, drop duplicates, store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.corpus.corpus_facts import describe_corpus, describe_index, list_corpora, list_indexes
    from expound.corpus.fetching import Fetched, fetch_address, host_of, is_address
    from expound.corpus.ingest import Summary
    from expound.corpus.library import (
        SAMPLER,
        Corpus,
        add,
        corpus_names,
        default_embedder,
        default_passage_ranker,
        default_ranker,
        name_for,
        needed_files,
        open_corpora,
        open_corpus,
        open_named,
        rebuild,
        remove,
        vector_store,
    )
    from expound.corpus.question_language import other_language
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "corpus_facts": "describe_corpus describe_index list_corpora list_indexes",
            "fetching": "Fetched fetch_address host_of is_address",
            "ingest": "Summary",
            "library": (
                "SAMPLER Corpus add corpus_names default_embedder default_passage_ranker default_ranker "
                "name_for needed_files open_corpora open_corpus open_named rebuild remove vector_store"
            ),
            "question_language": "other_language",
        },
    )

__all__ = [
    "SAMPLER",
    "Corpus",
    "Fetched",
    "Summary",
    "add",
    "corpus_names",
    "default_embedder",
    "default_passage_ranker",
    "default_ranker",
    "describe_corpus",
    "describe_index",
    "fetch_address",
    "host_of",
    "is_address",
    "list_corpora",
    "list_indexes",
    "name_for",
    "needed_files",
    "open_corpora",
    "open_corpus",
    "open_named",
    "other_language",
    "rebuild",
    "remove",
    "vector_store",
]
