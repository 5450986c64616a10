"""The human study: blind judgments and annotations in the browser, durable, with their design on record."""
