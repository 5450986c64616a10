"""Documents to passages: read, clean, split, drop duplicates, store."""
