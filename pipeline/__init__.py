"""Offline: what must behave the same in training, evaluation and serving.

    file ── reports ──> Report ── windows ──> Window ── corpus ──> Example ─┐
                                                                            │
    model ── bases ──> Base ── vocabulary ──> sliced Base ── training ──────┴──> Adapter
                                                                                   │
                                          held-out Examples ── evaluation ──> Score │
                                                                      adapters <────┘ champion or refused

`road.py` walks it. Records, settings, errors, progress and storage are the ground that all rooms stand on.
"""
