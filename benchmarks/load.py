"""How the page bears many visitors: `python -m benchmarks.load [--clients 50] [--requests 20000]`.

Starts a server on this machine, asks for fresh answers (no two addresses are the same) by one client
and by many, then goes on until all requests are made, and posts hostile tables before a good one. Prints
times as ratios to those of a single client, which a busy machine changes less than seconds, and the
memory of the server before and after.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from statistics import quantiles

GOOD = "dataset,a,b\nx,1.1,2.2\ny,2.4,1.3\nz,3.5,1.2\n"
HOSTILE = (
    "| a | b | c |\n|---|---|---|\n| " + "-" * 60 + "x | 0.5 | 0.6 |\n",
    "dataset,a,b\nx,1" + " " * 60_000 + "x,2\n",
    "[" * 10_000,
    '[{"a": "\\ud800", "b": 1}]',
    ",".join(f"c{k}" for k in range(1_500)) + "\n" + "1\n" * 100_000,
    "\x00" * 1000,
)
_fresh = count()


def ask(port: int) -> float:
    """Ask for an answer nobody has asked for before; return its seconds."""
    begun = time.perf_counter()
    line = HTTPConnection("127.0.0.1", port, timeout=120)
    line.request("GET", f"/paper?t={2 + next(_fresh) / 1e6:.6f}&folds=10")
    answer = line.getresponse()
    answer.read()
    line.close()
    if answer.status != 200:
        raise RuntimeError(f"status {answer.status}")
    return time.perf_counter() - begun


def post(port: int, table: str) -> int:
    """Send a table; return the status of its answer."""
    part = f'--b\r\nContent-Disposition: form-data; name="table"\r\n\r\n{table}\r\n'
    said = '--b\r\nContent-Disposition: form-data; name="direction"\r\n\r\nhigher\r\n--b--\r\n'
    line = HTTPConnection("127.0.0.1", port, timeout=120)
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    line.request("POST", "/api/scores", (part + said).encode("utf-8", "replace"), kind)
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status


def memory(process: int) -> float:
    """Return the megabytes of a process."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found.group(1)) / 1024 if found else 0.0


@contextmanager
def served() -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """Run a server of its own; hand out its process and port."""
    command = [
        sys.executable,
        "-c",
        "from replicast.cli import main; main()",
        "serve",
        "--port",
        "0",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ})
    try:
        told = process.stderr.readline() if process.stderr is not None else ""
        yield process, int(re.findall(r":(\d+)", told)[-1])
    finally:
        process.terminate()
        process.communicate(timeout=60)


def measure(clients: int, requests: int, hostile: int) -> dict[str, float]:
    """Run everything against a server of its own."""
    with served() as (process, port):
        ask(port)
        alone = quantiles([ask(port) for _ in range(50)], n=100)
        with ThreadPoolExecutor(clients) as pool:
            times = quantiles(pool.map(ask, [port] * (20 * clients)), n=100)
            before = memory(process.pid)
            for _ in range(max(0, requests // 1000)):
                list(pool.map(ask, [port] * 1000))
            after = memory(process.pid)
        statuses = [post(port, HOSTILE[k % len(HOSTILE)]) for k in range(hostile)]
        good = post(port, GOOD)
    return {
        "clients": clients,
        "alone p50 s": round(alone[49], 4),
        "p50 s": round(times[49], 4),
        "p99 s": round(times[98], 4),
        "p50 as single answers in turn": round(times[49] / (clients * alone[49]), 3),
        "requests": requests,
        "memory before MB": round(before, 1),
        "memory after MB": round(after, 1),
        "hostile": hostile,
        "hostile answered by 500": sum(status >= 500 for status in statuses),
        "good table afterwards": good,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--hostile", type=int, default=1_000)
    asked = parser.parse_args()
    sys.stdout.write(
        json.dumps(measure(asked.clients, asked.requests, asked.hostile), indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
