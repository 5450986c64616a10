"""What models are trained on: files of examples, and how those of the shipped models were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.train.data.answer_data import AnswerSources, write_answer_data
    from expound.train.data.dataset_files import DataFiles
    from expound.train.data.group_files import Group, write_groups
    from expound.train.data.rewrite_data import write_rewriter_data
    from expound.train.data.span_groups import SpanFiles
    from expound.train.data.squad_layout import SpanExample, read_squad, write_squad
    from expound.train.data.write_data import write_document_data, write_pair_data, write_shipped_data
    from expound.train.data.writer_data import WriterSources, write_writer_data
    from expound.train.data.writer_files import WriterRow, read_writer_rows, write_writer_rows
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "answer_data": "AnswerSources write_answer_data",
            "dataset_files": "DataFiles",
            "group_files": "Group write_groups",
            "rewrite_data": "write_rewriter_data",
            "span_groups": "SpanFiles",
            "squad_layout": "SpanExample read_squad write_squad",
            "writer_data": "WriterSources write_writer_data",
            "write_data": "write_document_data write_pair_data write_shipped_data",
            "writer_files": "WriterRow read_writer_rows write_writer_rows",
        },
    )

__all__ = [
    "AnswerSources",
    "DataFiles",
    "Group",
    "SpanExample",
    "SpanFiles",
    "WriterRow",
    "WriterSources",
    "read_squad",
    "read_writer_rows",
    "write_answer_data",
    "write_document_data",
    "write_groups",
    "write_pair_data",
    "write_rewriter_data",
    "write_shipped_data",
    "write_squad",
    "write_writer_data",
    "write_writer_rows",
]
