"""Passages made searchable: by their words (tantivy) and by their meaning (faiss)."""
