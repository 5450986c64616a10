"""Make the reader that ships of one that was trained: products of whole numbers, twice as fast as its float file.

    python tools/quantise_reader.py RUN src/expound/models/reader.onnx

Weights have 7 bits: room for processors without VNNI, whose sums of products are short (not measured on one).
Activations are rounded by the range of what is read together: the reader reads one window at a time.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from expound.records import read_json
from expound.train.bases import load_base
from expound.train.kinds.reader_kind import span_outputs
from expound.train.onnx_export import export_float32
from expound.train.token_rows import Encoder


def main() -> None:
    """Export the weights of a run anew, with the threshold that its dev files chose, and quantise them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", type=Path, help="the --out of expound train reader")
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    base = given.run / "model"
    outputs = span_outputs(read_json(given.run / "figures.json").get("offset", 0.0))
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "float.onnx"
        export_float32(load_base(base, "QuestionAnswering"), plain, outputs, encoder=Encoder(base))
        quantise_products(plain, given.out)


def quantise_products(plain: Path, out: Path) -> None:
    """Write a file whose matrix products are of whole numbers."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    # A scale for each output of a matrix: one for all would be set by its largest weight.
    quantize_dynamic(str(plain), str(out), per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)


if __name__ == "__main__":
    main()
