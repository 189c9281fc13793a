"""Lists the language models that `make exports` makes: architectures of transformers in small sizes, and what NNCF makes
of their weights. Weights are drawn at random; nothing is downloaded but the packages."""

import dataclasses

SMALL = {
    "hidden_size": 256,
    "intermediate_size": 512,
    "num_hidden_layers": 2,
    "num_attention_heads": 8,
    "vocab_size": 1000,
    "max_position_embeddings": 256,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
    "initializer_range": 0.06,
}
GROUPED = SMALL | {"num_key_value_heads": 2}
EXPERTS = GROUPED | {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 128}
LOCAL = GROUPED | {"num_local_experts": 4, "num_experts_per_tok": 2}
SHARED = EXPERTS | {"shared_expert_intermediate_size": 128}
GPT = {"n_embd": 256, "n_head": 8, "n_layer": 2, "n_positions": 256, "vocab_size": 1000, "bos_token_id": 1, "eos_token_id": 2}
LINEAR = {f"linear_{name}": size for name, size in [("num_value_heads", 4), ("num_key_heads", 2), ("key_head_dim", 32), ("value_head_dim", 32)]}


@dataclasses.dataclass(frozen=True)
class Architecture:
    """Names a configuration of transformers. `older`: optimum-intel exports it with transformers 4 only."""

    config: str
    sizes: dict
    older: bool = False


def new(config, sizes=None, **more):
    return Architecture(f"{config}Config", (GROUPED if sizes is None else sizes) | more)


def old(*words, **more):
    return dataclasses.replace(new(*words, **more), older=True)


ARCHITECTURES = {
    "llama": new("Llama"),
    "llama_scaled": new(
        "Llama",
        rope_parameters={
            "rope_type": "llama3",
            "rope_theta": 1e4,
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64,
        },
    ),
    "mistral": new("Mistral", sliding_window=None),
    "mistral_sliding": new("Mistral", sliding_window=4),
    "qwen2": new("Qwen2"),
    "qwen3": new("Qwen3", head_dim=32),
    "qwen2_moe": new("Qwen2Moe", SHARED),
    "qwen3_moe": new("Qwen3Moe", EXPERTS, head_dim=32),
    "qwen3_next": old("Qwen3Next", SHARED | LINEAR, num_hidden_layers=4, head_dim=32),
    "gemma": old("Gemma", head_dim=32),
    "gemma2": old("Gemma2", head_dim=32, sliding_window=4, query_pre_attn_scalar=32),
    "gemma3": old(
        "Gemma3Text",
        num_hidden_layers=3,
        head_dim=32,
        sliding_window=4,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
        query_pre_attn_scalar=32,
    ),
    "phi": new("Phi", SMALL, partial_rotary_factor=0.5),
    "phi3": new("Phi3", original_max_position_embeddings=256),
    "phimoe": new("Phimoe", num_local_experts=4),
    "gpt2": new("GPT2", GPT, initializer_range=0.06),
    "gpt_neo": new(
        "GPTNeo",
        SMALL,
        num_layers=2,
        num_heads=8,
        attention_types=[[["global", "local"], 1]],
        window_size=4,
    ),
    "gptj": new("GPTJ", GPT, rotary_dim=16),
    "codegen": new("CodeGen", GPT, rotary_dim=16),
    "gpt_neox": new("GPTNeoX", SMALL, rotary_pct=0.25),
    "gpt_bigcode": new("GPTBigCode", GPT),
    "gpt_oss": new("GptOss", LOCAL, head_dim=32, sliding_window=4),
    "falcon": new("Falcon", SMALL, alibi=False, new_decoder_architecture=True, num_kv_heads=2),
    "falcon_one_head": new("Falcon", SMALL, alibi=False, new_decoder_architecture=False, multi_query=True, parallel_attn=True),
    "falcon_alibi": new("Falcon", SMALL, alibi=True, new_decoder_architecture=False, multi_query=False, parallel_attn=False),
    "opt": new("OPT", SMALL, ffn_dim=512, word_embed_proj_dim=256, init_std=0.06),
    "bloom": new("Bloom", {"hidden_size": 256, "n_layer": 2, "n_head": 8, "vocab_size": 1000}),
    "mpt": new("Mpt", {"d_model": 256, "n_heads": 8, "n_layers": 2, "max_seq_len": 256, "vocab_size": 1000}),
    "mixtral": new("Mixtral", LOCAL, sliding_window=None),
    "stablelm": new("StableLm", partial_rotary_factor=0.25),
    "starcoder2": new("Starcoder2", sliding_window=None),
    "olmo": new("Olmo"),
    "olmo2": new("Olmo2"),
    "granite": new("Granite", embedding_multiplier=12.0, attention_multiplier=0.03, residual_multiplier=0.22, logits_scaling=8.0),
    "granitemoe": new("GraniteMoe", LOCAL),
    "glm": old("Glm", head_dim=32),
    "glm4": new("Glm4", head_dim=32),
    "cohere": new("Cohere", use_qk_norm=True),
    "cohere2": new("Cohere2", sliding_window=4),
    "persimmon": new("Persimmon", SMALL),
    "biogpt": new("BioGpt", SMALL),
    "exaone4": old("Exaone4", sliding_window=4, sliding_window_pattern=2),
    "smollm3": new("SmolLM3"),
    "lfm2": old("Lfm2", layer_types=["conv", "full_attention"]),
    "mamba": old("Mamba", {"hidden_size": 256, "num_hidden_layers": 2, "vocab_size": 1000, "state_size": 8}),
}

# {name: arguments of nncf.compress_weights}. The modes are those of nncf.CompressWeightsMode.
COMPRESSIONS: dict[str, dict] = {
    "f16": {},
    "int8_asym": {"mode": "int8_asym"},
    "int8_sym": {"mode": "int8_sym"},
    "int4_sym_128": {"mode": "int4_sym", "group_size": 128, "ratio": 1},
    "int4_asym_64": {"mode": "int4_asym", "group_size": 64, "ratio": 1},
    "int4_asym_32_all": {"mode": "int4_asym", "group_size": 32, "ratio": 1, "all_layers": True},
    "int4_sym_row": {"mode": "int4_sym", "group_size": -1, "ratio": 1},
    "int4_asym_row": {"mode": "int4_asym", "group_size": -1, "ratio": 1},
    "int4_sym_64_half": {"mode": "int4_sym", "group_size": 64, "ratio": 0.5},
    "int3_sym_64": {"mode": "int3_sym", "group_size": 64, "ratio": 1},
    "int2_sym_64": {"mode": "int2_sym", "group_size": 64, "ratio": 1},
    "nf4_64": {"mode": "nf4", "group_size": 64, "ratio": 1},
    "cb4_64": {"mode": "cb4", "group_size": 64, "ratio": 1},
    "fp4_64": {"mode": "fp4", "group_size": 64, "ratio": 1},
    "mxfp4": {"mode": "mxfp4", "group_size": 32, "ratio": 1},
    "nvfp4": {"mode": "nvfp4", "group_size": 16, "ratio": 1},
    "fp8_128": {"mode": "fp8_e4m3", "group_size": 128, "ratio": 1},
    "mxfp8": {"mode": "mxfp8_e4m3", "group_size": 32, "ratio": 1},
}
USUAL = ("f16", "int8_asym", "int4_sym_128", "int4_asym_64")
COMPRESSED = {
    "llama": tuple(COMPRESSIONS),
    **dict.fromkeys("qwen2 qwen3 qwen3_moe gemma2 gemma3 phi phi3 gpt2 gpt_neox gpt_oss falcon opt bloom mixtral starcoder2 granitemoe".split(), USUAL),
    "cohere": ("f16", "int8_asym"),  # the rows of its weights are no multiple of a group
}


def models():
    """Yields each model as ARCHITECTURE/f32 or ARCHITECTURE/COMPRESSION."""
    for name in ARCHITECTURES:
        for weights in ("f32", *COMPRESSED.get(name, ())):
            yield f"{name}/{weights}"


def recipe(model):
    """Returns a text that changes when the model has to be made again."""
    name, weights = model.split("/")
    return f"{ARCHITECTURES[name]} {COMPRESSIONS.get(weights)}\n"
