"""What models are trained on: files of examples, and how those of the shipped models were made."""
