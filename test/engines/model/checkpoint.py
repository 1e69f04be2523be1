"""Writes the model as a checkpoint of Hugging Face, for vLLM and SGLang."""

import json
import struct
from pathlib import Path

import numpy as np

from model import (
    CONTEXT_TOKENS,
    EMBEDDING,
    END,
    FEED_FORWARD,
    HEAD,
    HEADS,
    MERGE,
    NORM_EPSILON,
    PAD,
    ROPE_BASE,
    Kind,
    weights,
)

# How Qwen splits a text before it is made of tokens.
PIECES = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def name_of(name: str) -> str:
    """The name of a tensor in checkpoints."""
    bare = name.removesuffix(".weight")
    layer = bare.removeprefix("blk.0.")
    return f"{'model.layers.0.' if layer != bare else ''}{NAMES[layer]}.weight"


def write(folder: Path, known: dict[str, Kind], template: str) -> None:
    def json_file(name: str, value: object) -> None:
        (folder / name).write_text(json.dumps(value, indent=1))

    json_file("config.json", config(list(known)))
    json_file("tokenizer.json", tokenizer(known))
    json_file(
        "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": CONTEXT_TOKENS,
            "eos_token": END,
            "pad_token": PAD,
            "chat_template": template,
        },
    )
    tensors = weights(list(known)).items()
    safetensors(folder / "model.safetensors", {name_of(name): values for name, values in tensors})


def config(tokens: list[str]) -> object:
    return {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": EMBEDDING,
        "hidden_size": EMBEDDING,
        "intermediate_size": FEED_FORWARD,
        "num_hidden_layers": 1,
        "num_attention_heads": HEADS,
        "num_key_value_heads": 1,
        "head_dim": HEAD,
        "hidden_act": "silu",
        "attention_bias": False,
        "rms_norm_eps": NORM_EPSILON,
        "rope_theta": ROPE_BASE,
        "max_position_embeddings": CONTEXT_TOKENS,
        "tie_word_embeddings": False,
        "torch_dtype": "float32",
        "eos_token_id": tokens.index(END),
        "pad_token_id": tokens.index(PAD),
    }


def tokenizer(known: dict[str, Kind]) -> object:
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    split = {"type": "Split", "pattern": {"Regex": PIECES}, "behavior": "Isolated", "invert": False}
    added = (Kind.CONTROL, Kind.MARKER)
    return {
        "version": "1.0",
        "added_tokens": [
            {
                "id": at,
                "content": token,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": kind == Kind.CONTROL,
            }
            for at, (token, kind) in enumerate(known.items())
            if kind in added
        ],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [split, {**byte_level, "trim_offsets": False}],
        },
        "post_processor": None,
        "decoder": {**byte_level, "trim_offsets": False},
        "model": {
            "type": "BPE",
            # With the added tokens: those that are not here would get other ids.
            "vocab": {token: at for at, token in enumerate(known)},
            "merges": [list(MERGE)],
        },
    }


def safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    header = {}
    end = 0
    for name, values in tensors.items():
        start, end = end, end + values.nbytes
        header[name] = {"dtype": "F32", "shape": values.shape, "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for values in tensors.values():
            file.write(values.astype("<f4").tobytes())
