"""Writes the model as a GGUF file, for llama.cpp and what is built on it."""

from pathlib import Path

import gguf

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


def write(path: Path, known: dict[str, Kind], template: str) -> None:
    tokens = list(known)
    file = gguf.GGUFWriter(path, "qwen3")
    file.add_name("Penstock test")
    file.add_context_length(CONTEXT_TOKENS)
    file.add_embedding_length(EMBEDDING)
    file.add_block_count(1)
    file.add_feed_forward_length(FEED_FORWARD)
    file.add_head_count(HEADS)
    file.add_head_count_kv(1)
    file.add_key_length(HEAD)
    file.add_value_length(HEAD)
    file.add_layer_norm_rms_eps(NORM_EPSILON)
    file.add_rope_freq_base(ROPE_BASE)
    file.add_file_type(gguf.LlamaFileType.ALL_F32)
    add_tokens(file, known)
    file.add_token_merges([" ".join(MERGE)])
    file.add_chat_template(template)
    for name, values in weights(tokens).items():
        file.add_tensor(name, values)
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def add_tokens(file: gguf.GGUFWriter, known: dict[str, Kind]) -> None:
    tokens = list(known)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre("qwen2")
    file.add_token_list(tokens)
    file.add_token_types([int(kind) for kind in known.values()])
    file.add_bos_token_id(tokens.index(PAD))
    file.add_eos_token_id(tokens.index(END))
    file.add_pad_token_id(tokens.index(PAD))
    file.add_add_bos_token(False)
