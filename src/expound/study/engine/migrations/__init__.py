"""The steps from one version of the database to the next."""

__all__: list[str] = []
