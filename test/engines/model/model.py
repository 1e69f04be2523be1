"""A language model for the tests of real engines.

Nothing is trained. The vector of a token is one-hot and the layers add nothing to it, so the output
matrix holds, for each token, the logits of the token that follows it. The model writes sentences:
it thinks first, its emoji come in pieces of one byte, and it ends. At temperature 0 it never ends.
"""

from enum import IntEnum

import numpy as np

CONTEXT_TOKENS = 32_768
EMBEDDING = 320
HEAD = 32
HEADS = 2
FEED_FORWARD = 64
NORM_EPSILON = 1e-6
ROPE_BASE = 1e6

PAD = "<|endoftext|>"
END = "<|im_end|>"
SPECIAL = [PAD, "<|im_start|>", END]
# Tokens that a parser of the engine reads, so they are part of the text.
MARKERS = ["<think>", "</think>", "<tool_call>", "</tool_call>"]
# Text outside of the sentences: two line breaks are one token, which follows the reasoning.
PARAGRAPH = "\n\n"


class Kind(IntEnum):
    """The kinds of tokens, as GGUF files number them."""

    NORMAL = 1
    CONTROL = 3
    MARKER = 4
    UNUSED = 5


# What follows what, and how likely it is (as a logit). The first choice is that of temperature 0.
FOLLOWERS = {
    "\n": {"<think>": 9, "{": 2, "</tool_call>": 2},
    "<think>": {"\tFirst": 9},
    "\tFirst": {"\tthe": 9},
    "\tthe": {"\tgate": 9, "\tlevel": 8.5},
    "\tgate": {"\tthen": 9, "\trises": 8},
    "\tlevel": {"\trises": 9},
    "\trises": {"\tthen": 9, "</think>": 9},
    "\tthen": {"\tlevel": 9},
    "</think>": {PARAGRAPH: 9},
    PARAGRAPH: {"The": 9},
    "The": {" gate": 9, " water": 8.5, " boat": 8.5},
    " the": {" boat": 9, " water": 8.8, " gate": 8.5},
    " gate": {" opens": 9, " closes": 8.5},
    " water": {" falls": 9, " rises": 8.5},
    " boat": {" ": 9, " floats": 8.5},
    " ": {"\xf0": 9},
    "\xf0": {"\x9f": 9},
    "\x9f": {"\x9a": 9},
    "\x9a": {"\xa2": 9},
    "\xa2": {" floats": 9},
    " opens": {" and": 9, ".": 8.5},
    " closes": {" and": 9, ".": 8.5},
    " falls": {" and": 9, ".": 8.5},
    " rises": {" and": 9, ".": 8.5},
    " floats": {" and": 9, ".": 8.5},
    " and": {" the": 9},
    # Grammars leave only some of these: a text ends, and so does a string of JSON.
    ".": {"<|im_end|>": 9, " the": 7, '"': 6.5},
    '"': {"The": 9, ":": 8, "}": 7.5},
    "{": {'"': 9},
    ":": {'"': 9},
    "}": {"<|im_end|>": 9, "}": 8, "<tool_call>": 8},
    "<tool_call>": {"\n": 9},
}
# What follows a token of a prompt that no sentence contains.
OTHERWISE = {" the": 9}
# A logit of everything else, so low that only a grammar chooses it.
SELDOM = -9


def byte_letters() -> dict[int, str]:
    """The printable letters that stand for bytes in a vocabulary of GPT-2's kind."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    moved = [byte for byte in range(256) if byte not in kept]
    return {byte: chr(byte) for byte in kept} | {
        byte: chr(256 + nth) for nth, byte in enumerate(moved)
    }


LETTERS = byte_letters()
# The only two tokens that a tokenizer joins.
MERGE = (LETTERS[10], LETTERS[10])


def spelled(text: str) -> str:
    """A token as the vocabulary has it. Each character of `text` stands for one byte."""
    if text in SPECIAL or text in MARKERS:
        return text
    return "".join(LETTERS[byte] for byte in text.encode("latin-1"))


def vocabulary() -> dict[str, Kind]:
    """All tokens in the order of their ids, with their kinds."""
    known: dict[str, Kind] = dict.fromkeys(LETTERS.values(), Kind.NORMAL)
    known |= {spelled(text): Kind.NORMAL for text in FOLLOWERS if len(text) > 1}
    known |= {text: Kind.MARKER for text in MARKERS}
    known |= {text: Kind.CONTROL for text in SPECIAL}
    unused = EMBEDDING - len(known)
    return known | {f"[unused{nth}]": Kind.UNUSED for nth in range(unused)}


def output(tokens: list[str]) -> np.ndarray:
    """A row for each next token, a column for each present one."""
    logits = np.full((EMBEDDING, EMBEDDING), SELDOM, dtype=np.float32)
    ids = {token: at for at, token in enumerate(tokens)}
    present = {ids[spelled(text)]: followers for text, followers in FOLLOWERS.items()}
    for at in range(EMBEDDING):
        for text, logit in present.get(at, OTHERWISE).items():
            logits[ids[spelled(text)], at] = logit
    # A one-hot vector has the root of its length as its value once it is normalized.
    return logits / np.float32(np.sqrt(EMBEDDING))


def weights(tokens: list[str]) -> dict[str, np.ndarray]:
    """The tensors of a Qwen3 with one layer, by their names in GGUF files."""

    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, dtype=np.float32)

    def ones(length: int) -> np.ndarray:
        return np.ones(length, dtype=np.float32)

    layer = {
        "attn_norm": ones(EMBEDDING),
        "attn_q": zeros(HEADS * HEAD, EMBEDDING),
        "attn_k": zeros(HEAD, EMBEDDING),
        "attn_v": zeros(HEAD, EMBEDDING),
        "attn_q_norm": ones(HEAD),
        "attn_k_norm": ones(HEAD),
        "attn_output": zeros(EMBEDDING, HEADS * HEAD),
        "ffn_norm": ones(EMBEDDING),
        "ffn_gate": zeros(FEED_FORWARD, EMBEDDING),
        "ffn_up": zeros(FEED_FORWARD, EMBEDDING),
        "ffn_down": zeros(EMBEDDING, FEED_FORWARD),
    }
    return {
        "token_embd.weight": np.eye(EMBEDDING, dtype=np.float32),
        "output_norm.weight": ones(EMBEDDING),
        "output.weight": output(tokens),
        **{f"blk.0.{name}.weight": values for name, values in layer.items()},
    }
