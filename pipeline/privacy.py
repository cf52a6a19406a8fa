"""Nothing leaves this machine unasked: what every dependency is told before it is imported."""

import os

TELEMETRY_OFF = {
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_V2_ENABLED": "false",  # it calls an analytics host even with analytics off
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "VLLM_NO_USAGE_STATS": "1",
}


def turn_telemetry_off() -> None:
    """Set the variables that switch reporting off, here and in every process started from here."""
    os.environ.update(TELEMETRY_OFF)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads do not survive a fork
