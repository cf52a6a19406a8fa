"""A Qwen3 of a few layers, in shapes that no two parts share."""

from transformers import Qwen3Config


def small_config(layers: int = 9, vocabulary: int = 3000, *, ffn: int = 1408, tied: bool = False) -> Qwen3Config:
    return Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=512,
        intermediate_size=ffn,
        num_hidden_layers=layers,
        num_attention_heads=8,
        num_key_value_heads=2,
        head_dim=64,
        tie_word_embeddings=tied,
    )
