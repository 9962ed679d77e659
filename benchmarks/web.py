"""Fifty clients on the paper page against as many on a static answer of the same server."""

import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from benchmarks.timing import Target

CLIENTS, SECONDS, ROUNDS = 50, 10.0, 3  # thirty seconds for each kind, in turns
KINDS = ("health", "links", "fresh")


def run() -> list[Target]:
    serve = [sys.executable, "-c", "from replicast.cli import main; main()", "serve", "--port", "0"]
    with subprocess.Popen(serve, stderr=subprocess.PIPE, text=True) as server:
        try:
            base = _address(server)
            told: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
            _load(base, "fresh", 1.0)
            before = _memory(server.pid)
            for _ in range(ROUNDS):
                for kind in KINDS:
                    told[kind].append(_load(base, kind, SECONDS))
            after = _memory(server.pid)
            quiet = _load(base, "links", 5.0)
            busy = _beside_an_upload(base)
        finally:
            server.terminate()
    asked = sum(one["requests"] for kind in ("links", "fresh") for one in told[kind])
    wrong = sum(_errors(one) for each in told.values() for one in each)
    print(f"  {asked:,} pages, {wrong} errors; memory {before:.0f} MB before, {after:.0f} MB after")
    rate = {kind: sum(one["rate"] for one in each) / ROUNDS for kind, each in told.items()}
    return [
        Target("paper page, links followed before, /health", rate["links"] / rate["health"], 0.15),
        Target(
            "paper page, every number new, /health", rate["fresh"] / rate["health"], 0.15, 0.3, 0.5
        ),
        Target("requests without error", 1.0 if wrong == 0 else 0.0, 1),
        Target("memory before over memory after", before / after, 0.8),
        Target(
            "99th wait alone over that beside a 10 MB upload", quiet["late"] / busy["late"], 0.05
        ),
    ]


def _address(server: "subprocess.Popen[str]") -> str:
    assert server.stderr is not None
    found = re.search(r"http://\S+", server.stderr.readline())
    if found is None:
        raise RuntimeError(server.stderr.read())
    return found.group()


def _load(base: str, kind: str, seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.load", base, kind, str(CLIENTS), str(seconds)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    answer: dict[str, Any] = json.loads(told)
    return answer


def _errors(told: dict[str, Any]) -> int:
    bad = sum(int(count) for status, count in told["statuses"].items() if status != "200")
    return bad + len(list(told["failed"]))


def _memory(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found.group(1)) / 1024 if found else float("nan")


def _beside_an_upload(base: str) -> dict[str, Any]:
    import httpx

    rows = "".join(
        f"{i % 97 / 97:.17f},{i % 89 / 89:.17f},{i % 83 / 83:.9f}\n" for i in range(198_000)
    )
    raw = f"a,b,c\n{rows}".encode()
    answers: list[int] = []

    def upload() -> None:
        said = {"rows": "datasets", "direction": "higher", "first": "a", "second": "b"}
        sent = {"files": ("big.csv", raw)}
        answers.append(
            httpx.post(f"{base}/api/scores", data=said, files=sent, timeout=120).status_code
        )

    sender = threading.Thread(target=upload)
    sender.start()
    told = _load(base, "links", 5.0)
    sender.join()
    print(f"  upload of {len(raw) / 1024**2:.1f} MB answered with {answers[0]} meanwhile")
    return told
