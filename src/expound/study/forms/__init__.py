"""Our own forms, found by their entry points like everyone's, and how what raters post becomes answers."""

__all__: list[str] = []
