"""Stands in for an environment's python: answers /health where vLLM would, started by the real Server.

The base says how it behaves: "die" in its config.json makes it fail as vLLM fails, "slow" never listens.
"""

import json
import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class Health(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        ill = (base / "ill").exists()
        self.send_response(503 if ill else 200)
        self.end_headers()


words = sys.argv[1:]
base = Path(words[words.index("serve") + 1])
(base / "seen.json").write_text(json.dumps({"words": words, "environment": dict(os.environ)}))
behaviour = json.loads((base / "config.json").read_text()).get("behaviour")
if behaviour == "die":
    print("(EngineCore pid=9) ERROR 11-30 10:00:00 [core.py:7] ValueError: no room for the cache", flush=True)
    print("RuntimeError: Engine core initialization failed. See root cause above.", flush=True)
    sys.exit(1)
if behaviour == "slow":
    signal.pause()
HTTPServer(("127.0.0.1", int(words[words.index("--port") + 1])), Health).serve_forever()
