"""Train the models that ship with expound; needs the `train` extra (torch, transformers, onnx)."""
