"""One file for each version."""

__all__: list[str] = []
