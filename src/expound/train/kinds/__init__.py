"""What can be trained: a description of each kind of model, small enough to read at once."""

__all__: list[str] = []
