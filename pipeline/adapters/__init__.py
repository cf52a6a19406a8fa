"""The registry of adapters.

    training ──> register ──> candidate ── evaluation ──> promote ──> champion ──> served
                 registry.py                        └───> refuse

An adapter's state follows from what happened to it (states.py); that is kept in `<workspace>/adapters.db`.
"""

from pipeline.adapters.files import verify
from pipeline.adapters.registry import Entry, Registry
from pipeline.adapters.states import Event, State

__all__ = ["Entry", "Event", "Registry", "State", "verify"]
