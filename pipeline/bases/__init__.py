"""Where a base comes from (resolve.py, embedded.py) and how it counts tokens (tokens.py)."""

from pipeline.bases.resolve import resolve_base
from pipeline.bases.tokens import Tokens, tokens_of

__all__ = ["Tokens", "resolve_base", "tokens_of"]
