"""Writes a language model for the tests of real engines, as a GGUF file: make.py FILE.

Nothing is trained. The vector of a token is one-hot and the layers add nothing to it, so the output
matrix holds, for each token, the logits of the token that follows it. The model writes sentences:
it thinks first, its emoji come in pieces of one byte, and it ends. At temperature 0 it never ends.
"""

import sys
from pathlib import Path

import gguf
import numpy as np

CONTEXT_TOKENS = 32_768
EMBEDDING = 320
HEAD = 32
FEED_FORWARD = 64

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
# Markers that a template writes and a parser of the engine reads, so they are not hidden as text.
MARKERS = ["<think>", "</think>", "<tool_call>", "</tool_call>"]
# Text outside of the sentences: two line breaks are one token, which follows the reasoning.
PARAGRAPH = "\n\n"

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


def spelled(text: str) -> str:
    """A token as the vocabulary has it. Each character of `text` stands for one byte."""
    if text in SPECIAL or text in MARKERS:
        return text
    return "".join(LETTERS[byte] for byte in text.encode("latin-1"))


def vocabulary() -> tuple[list[str], list[int]]:
    known = dict.fromkeys(LETTERS.values(), gguf.TokenType.NORMAL)
    known |= {spelled(text): gguf.TokenType.NORMAL for text in FOLLOWERS if len(text) > 1}
    known |= {text: gguf.TokenType.USER_DEFINED for text in MARKERS}
    known |= {text: gguf.TokenType.CONTROL for text in SPECIAL}
    unused = EMBEDDING - len(known)
    known |= {f"[unused{nth}]": gguf.TokenType.UNUSED for nth in range(unused)}
    return list(known), [int(kind) for kind in known.values()]


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


def write(path: str) -> None:
    tokens, kinds = vocabulary()
    file = gguf.GGUFWriter(path, "qwen3")
    file.add_name("Penstock test")
    file.add_context_length(CONTEXT_TOKENS)
    file.add_embedding_length(EMBEDDING)
    file.add_block_count(1)
    file.add_feed_forward_length(FEED_FORWARD)
    file.add_head_count(2)
    file.add_head_count_kv(1)
    file.add_key_length(HEAD)
    file.add_value_length(HEAD)
    file.add_layer_norm_rms_eps(1e-6)
    file.add_rope_freq_base(1e6)
    file.add_file_type(gguf.LlamaFileType.ALL_F32)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre("qwen2")
    file.add_token_list(tokens)
    file.add_token_types(kinds)
    file.add_token_merges([f"{LETTERS[10]} {LETTERS[10]}"])
    file.add_bos_token_id(tokens.index("<|endoftext|>"))
    file.add_eos_token_id(tokens.index("<|im_end|>"))
    file.add_pad_token_id(tokens.index("<|endoftext|>"))
    file.add_add_bos_token(False)
    file.add_chat_template((Path(__file__).parent / "chat.jinja").read_text())

    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, dtype=np.float32)

    ones = np.ones(EMBEDDING, dtype=np.float32)
    file.add_tensor("token_embd.weight", np.eye(EMBEDDING, dtype=np.float32))
    file.add_tensor("output_norm.weight", ones)
    file.add_tensor("output.weight", output(tokens))
    layer = {
        "attn_norm": ones,
        "attn_q": zeros(2 * HEAD, EMBEDDING),
        "attn_k": zeros(HEAD, EMBEDDING),
        "attn_v": zeros(HEAD, EMBEDDING),
        "attn_q_norm": np.ones(HEAD, dtype=np.float32),
        "attn_k_norm": np.ones(HEAD, dtype=np.float32),
        "attn_output": zeros(EMBEDDING, 2 * HEAD),
        "ffn_norm": ones,
        "ffn_gate": zeros(FEED_FORWARD, EMBEDDING),
        "ffn_up": zeros(FEED_FORWARD, EMBEDDING),
        "ffn_down": zeros(EMBEDDING, FEED_FORWARD),
    }
    for name, weights in layer.items():
        file.add_tensor(f"blk.0.{name}.weight", weights)
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


write(sys.argv[1])
