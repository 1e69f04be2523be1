"""A language model that does what it is told: the engine's end of a session of a coding agent.

Nothing is trained. Its only layer has one head, which attends to what stands `DISTANCE` tokens
before the next one, and the model writes that token. `follower.jinja` ends each prompt with the
answer that is next, filled up to this distance, so the model writes this answer and ends.

A token is one byte, so the template can count those of an answer, which may have 500 letters of
ASCII. The head sees no further than a window, so long prompts take no longer for each token.
"""

from pathlib import Path

import gguf
import numpy as np

from gguf_file import add_tokens
from model import LETTERS, SPECIAL, Kind

DISTANCE = 512
CONTEXT_TOKENS = 262_144
EMBEDDING = 32
HEAD = 64
FEED_FORWARD = 32
NORM_EPSILON = 1e-6
ROPE_BASE = 1e4
# The bits of a token's id, which are its vector, and where the head writes those of the next one.
BITS = range(9)
ALWAYS = 9
WRITTEN = range(10, 19)
# How much more the head attends to the one token than to its neighbours, and how sure the model is.
SHARPNESS = 70
CERTAINTY = 8


def vocabulary() -> dict[str, Kind]:
    """The bytes, and the tokens that begin and end a message."""
    known = dict.fromkeys(LETTERS.values(), Kind.NORMAL)
    return known | {text: Kind.CONTROL for text in SPECIAL}


def vectors(count: int) -> np.ndarray:
    """The bits of each id, each as -1 or 1."""
    return np.array([[1 if at >> bit & 1 else -1 for bit in BITS] for at in range(count)])


def weights(count: int) -> dict[str, np.ndarray]:
    """The tensors of a Gemma 3 with one layer, by their names in GGUF files."""

    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, dtype=np.float32)

    def all_of(length: int, value: float = 1) -> np.ndarray:
        return np.full(length, value, dtype=np.float32)

    embedding, output = zeros(count, EMBEDDING), zeros(count, EMBEDDING)
    embedding[:, BITS] = vectors(count)
    embedding[:, ALWAYS] = 1
    output[:, WRITTEN] = CERTAINTY * vectors(count)
    query, key, value, written = (zeros(HEAD, EMBEDDING) for _ in range(4))
    # The rotation of a key by its position, and of a query by its own, cancel out at the distance.
    turns = (DISTANCE - 1) * ROPE_BASE ** (-np.arange(HEAD // 2) / (HEAD // 2))
    query[:, ALWAYS] = np.concatenate([np.cos(turns), -np.sin(turns)])
    key[: HEAD // 2, ALWAYS] = 1
    for bit, to in zip(BITS, WRITTEN):
        value[bit, bit] = 1
        written[bit, to] = 1
    layer = {
        "attn_norm": all_of(EMBEDDING),
        "attn_q": query,
        "attn_k": key,
        "attn_v": value,
        "attn_q_norm": all_of(HEAD, SHARPNESS),
        "attn_k_norm": all_of(HEAD),
        "attn_output": written.T.copy(),
        # As large as the vectors, which Gemma multiplies by this.
        "post_attention_norm": all_of(EMBEDDING, EMBEDDING**0.5),
        "ffn_norm": all_of(EMBEDDING),
        "ffn_gate": zeros(FEED_FORWARD, EMBEDDING),
        "ffn_up": zeros(FEED_FORWARD, EMBEDDING),
        "ffn_down": zeros(EMBEDDING, FEED_FORWARD),
        "post_ffw_norm": all_of(EMBEDDING),
    }
    return {
        "token_embd.weight": embedding,
        "output_norm.weight": all_of(EMBEDDING),
        "output.weight": output,
        **{f"blk.0.{name}.weight": values for name, values in layer.items()},
    }


def write(path: Path, template: str) -> None:
    known = vocabulary()
    file = gguf.GGUFWriter(path, "gemma3")
    file.add_name("Penstock follower")
    file.add_context_length(CONTEXT_TOKENS)
    file.add_embedding_length(EMBEDDING)
    file.add_block_count(1)
    file.add_feed_forward_length(FEED_FORWARD)
    file.add_head_count(1)
    file.add_head_count_kv(1)
    file.add_key_length(HEAD)
    file.add_value_length(HEAD)
    file.add_sliding_window(DISTANCE)
    file.add_layer_norm_rms_eps(NORM_EPSILON)
    file.add_rope_freq_base(ROPE_BASE)
    add_tokens(file, known)
    # A file must have a merge. No text has this one.
    file.add_token_merges([f"{LETTERS[255]} {LETTERS[255]}"])
    file.add_chat_template(template)
    for name, values in weights(len(known)).items():
        file.add_tensor(name, values)
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()
