"""Clients that keep a server busy: run as a process of its own, prints what came back as JSON."""

import asyncio
import json
import random
import sys
import time
from collections import Counter
from urllib.parse import urlsplit

DESIGNS = (
    "folds=10", "folds=5", "folds=10&runs=10", "datasets=20", "datasets=40", "folds=10&runs=5",
    "splits=100&n_train=900&n_test=100", "folds=20",
)  # fmt: skip


def paths(kind: str) -> "list[str] | None":
    """Return the addresses to ask for; None makes another one each time."""
    match kind:
        case "health":
            return ["/health"]
        case "links":
            rng = random.Random(0)
            return [another(rng) for _ in range(200)]
        case _:
            return None


def another(rng: random.Random) -> str:
    return f"/paper?t={rng.uniform(-6, 6):.4f}&{rng.choice(DESIGNS)}"


async def client(
    base: str, kind: str, seed: int, stop: float, statuses: Counter[str], waits: list[float]
) -> None:
    """Ask again and again over one connection."""
    where = urlsplit(base)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    rng = random.Random(seed)
    known = paths(kind)
    while (now := time.perf_counter()) < stop:
        path = rng.choice(known) if known else another(rng)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        length = next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))
        await reader.readexactly(length)
        statuses[head[9:12].decode()] += 1
        waits.append(time.perf_counter() - now)
    writer.close()


async def load(base: str, kind: str, clients: int, seconds: float) -> dict[str, object]:
    statuses: Counter[str] = Counter()
    waits: list[float] = []
    start = time.perf_counter()
    jobs = [client(base, kind, seed, start + seconds, statuses, waits) for seed in range(clients)]
    done = await asyncio.gather(*jobs, return_exceptions=True)
    took = time.perf_counter() - start
    waits.sort()
    return {
        "requests": sum(statuses.values()),
        "rate": sum(statuses.values()) / took,
        "statuses": dict(statuses),
        "failed": [repr(one) for one in done if isinstance(one, BaseException)],
        "middle": waits[len(waits) // 2],
        "longest": waits[-1],
        "late": waits[int(len(waits) * 0.99)],
    }


if __name__ == "__main__":
    base, kind, clients, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(load(base, kind, int(clients), float(seconds)))))
