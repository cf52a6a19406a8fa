"""The road as Prefect flows, thin over `pipeline.road`: the order of the stages is written there, once.

    memoria flows run NAME ── local.run_flow ── ingest.py  paths -> Reports
                                    │           retrain.py (paths ->) Reports -> champion, or refused
                              server.py         release.py adapter + evaluation -> champion, or refused
                              (if none runs)        └── tasks.py: each stage of the road a task
                                                         └── telling.py: its lines and bars, in Prefect

Importing this package, or `flows.local`, imports no Prefect: that takes seconds, and first its home must be
named.
"""
