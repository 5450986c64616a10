"""How fast a local text model reads and writes, and when an answer's first sentence is there.

    python benchmarks/text_models.py [NAME] [THREADS]

CPU-seconds are of this process, all threads together; a name of `expound models list`, or a .gguf file.
"""

from __future__ import annotations

import sys
import time

from expound.models.engine import Engine, Sampling
from expound.models.gguf import open_gguf
from expound.system import open_system
from expound.types import Prompt, Sentence

TEXT = "The lighthouse stands on a rock off the coast and was built of granite by a crew of sixty in four summers. "
QUESTIONS = ("Who played Batman in film?", "When did World War II end?", "Who was the ruler of France in 1830?")


def main(name: str, threads: int) -> None:
    """Print tokens per CPU-second, then seconds to the first sentence and to the answer over the sampler."""
    engine = open_gguf(name, threads=threads)
    engine.complete(Prompt("Say yes.", max_tokens=2), Sampling())  # loads the weights
    tokens, seconds = measured(engine, Prompt(TEXT * 20 + "Say yes.", max_tokens=1))
    print(f"{engine.name}, {threads} thread(s)")
    print(f"reading  {tokens[0] / seconds:8.1f} tokens per CPU-second ({tokens[0]} tokens)")
    tokens, seconds = measured(engine, Prompt("Write a long story about a lighthouse.", max_tokens=64))
    print(f"writing  {tokens[1] / seconds:8.1f} tokens per CPU-second ({tokens[1]} tokens)")
    for question in QUESTIONS:
        answer_times(name, threads, question)


def measured(engine: Engine, prompt: Prompt) -> tuple[tuple[int, int], float]:
    """Tokens read and written, and the CPU-seconds they took."""
    start = time.process_time()
    reply = engine.complete(prompt, Sampling())
    return (reply.prompt_tokens, reply.completion_tokens), time.process_time() - start


def answer_times(name: str, threads: int, question: str) -> None:
    """Seconds to the first proved sentence and to the answer, and CPU-seconds. Replies in the cache are free."""
    first: list[float] = []

    def on_sentence(_sentence: Sentence) -> None:
        first.append(time.perf_counter())

    system = open_system(["sampler"], model=name, threads=threads, on_sentence=on_sentence)
    start, cpu = time.perf_counter(), time.process_time()
    system.ask(question)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    heard = f"{first[0] - start:.1f} s" if first else "none"
    ledger = getattr(system.model, "ledger", "")
    print(f"{question}  first sentence {heard}, answer {wall:.1f} s, {cpu:.1f} CPU-s; {ledger}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "qwen2.5-coder-1.5b", int(sys.argv[2]) if len(sys.argv) > 2 else 2)
