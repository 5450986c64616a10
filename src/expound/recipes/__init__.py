"""One file per table or figure: rows, published values, how to run."""
