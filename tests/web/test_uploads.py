"""What people, and people who mean harm, may send: always a sentence, never a failure."""

import asyncio
import base64
import bz2
import gzip
import io
import json
import lzma
import os
import re
import signal
import threading
import time
import zipfile
from typing import Any

import httpx
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
import uvicorn

from patience import PATIENCE
from replicast.errors import InvalidArgumentError
from replicast.web.forms import ScoresQuestion
from replicast.web.jobs import FILES, report_scores
from replicast.web.protection import Protection
from replicast.web.server import Server
from replicast.web.uploads import pack_form
from replicast.web.workers import BusyError, Workers

MB = 1024**2
GOOD = "dataset,a,b\n" + "".join(f"d{i},{i % 7},{i % 5}\n" for i in range(20))


def refused(told: httpx.Response, sentence: str = "", status: int = 422) -> None:
    """Check that a request was refused with a sentence and nothing else."""
    assert told.status_code == status, told.text[:500]
    error = told.json()["error"]
    assert error.endswith((".", "?")), error
    assert "Traceback" not in error
    assert len(error) < 1000
    assert sentence in error


def send(web: httpx.Client, content: bytes, name: str = "scores.csv") -> httpx.Response:
    return web.post("/api/scores", files={"files": (name, content)})


@pytest.mark.parametrize("seed", range(40))
def test_random_bytes(web: httpx.Client, seed: int) -> None:
    rng = np.random.default_rng(seed)
    raw = rng.bytes(int(rng.integers(1, 4000)))
    starts = [
        b"",
        b"PAR1",
        b"\x1f\x8b",
        b"@relation x\n",
        b"{",
        b"dataset,a,b\n",
        b"a;b\n",
        b"\xff\xfe",
    ]
    content = starts[seed % len(starts)] + raw
    refused(send(web, content, f"random.{'csv' if seed % 2 else 'parquet'}"))


def test_broken_files_of_every_format(web: httpx.Client) -> None:
    parquet = io.BytesIO()
    pd.DataFrame({"dataset": ["x", "y"], "a": [1.0, 2.0], "b": [2.0, 1.0]}).to_parquet(parquet)
    whole = parquet.getvalue()
    rng = np.random.default_rng(0)
    for place in rng.integers(4, len(whole) - 4, 25):
        broken = bytearray(whole)
        broken[int(place)] ^= 0xFF
        told = send(web, bytes(broken), "broken.parquet")
        assert told.status_code in (200, 422), told.text  # some bytes carry no meaning
    refused(send(web, whole[:-20], "short.parquet"))
    packed = gzip.compress(GOOD.encode())
    refused(send(web, packed[:-9], "short.csv.gz"), "an intact gzip file")


def test_a_bomb(web: httpx.Client) -> None:
    sink = io.BytesIO()
    with gzip.open(sink, "wb", 9) as file:
        for _ in range(1000):
            file.write(b"0" * MB)
    assert len(sink.getvalue()) < 2 * MB
    refused(send(web, sink.getvalue(), "bomb.csv.gz"), "at most 10 MB, got bomb.csv.gz with more")


@pytest.fixture(scope="module")
def zeros() -> bytes:
    """A gigabyte of zeros, packed: about a megabyte."""
    sink = io.BytesIO()
    with gzip.open(sink, "wb", 9) as file:
        for _ in range(1000):
            file.write(b"0" * MB)
    return sink.getvalue()


def test_what_is_packed_twice_is_not_unpacked(web: httpx.Client, zeros: bytes) -> None:
    """The second packing was once unpacked with the limit of the command line, 2 GB."""
    twice = {"gz": gzip.compress(zeros), "bz2": bz2.compress(zeros), "xz": lzma.compress(zeros)}
    for ending, raw in twice.items():
        refused(send(web, raw, f"b.csv.gz.{ending}"), "a file packed once, got b.csv.gz.")
    link = pack_form([("kept_name", "b.csv"), ("kept", base64.b64encode(twice["xz"]).decode())])
    assert 0 < len(link) < 6000
    told = web.get("/scores", params={"packed": link})
    assert told.status_code == 422
    assert "packed once" in told.text


def test_members_of_an_archive_share_its_limit(web: httpx.Client, zeros: bytes) -> None:
    members = {f"{k}.csv.gz": zeros for k in range(3)}
    refused(send(web, zipped(members), "b.zip"), "at most 50 MB unpacked, got 0.csv.gz with more")
    each = gzip.compress(
        ("dataset,a,b\n" + "d,0.5,0.5\n" * 100_000).encode() + (b" " * (MB - 1) + b"\n") * 19
    )
    members = {f"{k}.csv.gz": each for k in range(3)}
    refused(send(web, zipped(members), "b.zip"), "at most 50 MB unpacked, got 2.csv.gz with more")


def test_members_of_an_archive_are_counted_as_tables(web: httpx.Client) -> None:
    long = ("dataset,a,b\n" + "d,1,2\n" * 300_000).encode()
    wide = ",".join(["dataset", *(f"c{k}" for k in range(3000))]).encode() + b"\n1,2,3\n"
    for raw, words in ((long, "at most 200,000 rows"), (wide, "at most 2,000 columns")):
        for packed in ({"s.csv": raw}, {"s.csv.gz": gzip.compress(raw)}):
            refused(send(web, zipped(packed), "s.zip"), words)


def test_a_good_archive_of_packed_files_is_read(web: httpx.Client) -> None:
    packed = zipped({"s.csv.gz": gzip.compress(GOOD.encode())})
    told = web.post("/api/scores", data={"direction": "higher", "rows": "datasets"},
                    files={"files": ("s.zip", packed)})  # fmt: skip
    assert told.status_code == 200, told.text


def zipped(members: dict[str, bytes]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as file:
        for name, raw in members.items():
            file.writestr(name, raw)
    return sink.getvalue()


def test_a_link_on_another_site_computes_nothing(web: httpx.Client) -> None:
    """A foreign page could once drive a visitor's own server with pictures and frames."""
    link = pack_form([("table", GOOD), ("direction", "higher"), ("rows", "datasets")])
    for path in (f"/scores?packed={link}", "/paper?t=2.9&folds=10", "/api/paper?t=2.9&folds=10"):
        for site, dest, status in (
            ("cross-site", "image", 403), ("cross-site", "iframe", 403), ("cross-site", "empty", 403),
            ("cross-site", "document", 200), ("same-origin", "empty", 200), ("none", "document", 200),
        ):  # fmt: skip
            headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest}
            told = web.get(path, headers=headers)
            assert told.status_code == status, (path, site, dest)
            assert told.headers["X-Content-Type-Options"] == "nosniff"
        assert web.get(path).status_code == 200  # programs that are no browsers do not say
    posted = web.post("/api/scores", data={"table": GOOD},
                      headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty"})  # fmt: skip
    assert posted.status_code == 403
    wide = io.BytesIO()
    text = "x" * 4 * MB  # one long word, said a hundred thousand times by reference
    column = pd.Categorical.from_codes(np.zeros(100_000, dtype=np.int8), [text])
    pd.DataFrame({"dataset": column, "a": 1.0, "b": 2.0}).to_parquet(wide)
    assert len(wide.getvalue()) < 10 * MB
    refused(send(web, wide.getvalue(), "bomb.parquet"))
    assert web.get("/health").status_code == 200


def test_deep_and_odd_json(web: httpx.Client) -> None:
    line = '{"doc_id": 1, "acc": ' + "[" * 100_000 + "]" * 100_000 + "}"
    refused(send(web, line.encode(), "samples_x.jsonl"))
    refused(send(web, b"{" * 100_000, "samples_x.jsonl"))
    refused(send(web, b'{"doc_id": 1' + b"0" * 10_000 + b', "acc": 1}', "samples_x.jsonl"))
    refused(send(web, json.dumps([[[]]] * 1000).encode(), "list.json"))


def test_tables_beyond_the_limits(web: httpx.Client) -> None:
    header = ",".join(f"c{i}" for i in range(100_000))
    row = ",".join("1" for _ in range(100_000))
    told = send(web, f"{header}\n{row}\n{row}\n".encode())
    refused(told, "at most 2,000 columns, got scores.csv with 100,000")
    refused(send(web, b"a,b\n" + b"1,2\n" * 200_001), "at most 200,000 rows, got scores.csv")
    refused(send(web, b"1" * (10 * MB + 1)), "at most 10 MB", 413)
    refused(send(web, b"1" * (40 * MB)), "at most 10 MB", 413)
    refused(web.post("/api/scores", data={"table": "1,2\n" * 3 * MB}), "at most 10 MB", 413)
    many = "dataset," + ",".join(f"c{i}" for i in range(150)) + "\n"
    many += "".join(
        f"d{i}," + ",".join(str((i * j) % 7) for j in range(150)) + "\n" for i in range(9)
    )
    said = {"table": many, "direction": "higher", "first": "*", "second": "*"}
    refused(web.post("/api/scores", data=said), "at most 100 classifiers to be ranked, got 150")
    said |= {"first": "c1", "second": "c2"}
    assert web.post("/api/scores", data=said).status_code == 200
    page = web.post("/scores", files={"files": ("large.csv", b"1" * (20 * MB))})
    assert page.status_code == 413
    assert "at most 10 MB" in page.text


def test_odd_requests(web: httpx.Client) -> None:
    refused(web.post("/api/scores"), "a form")
    refused(web.post("/api/scores", json={"table": GOOD}), "a form")
    refused(web.post("/api/scores", data={"direction": "higher"}), "a table of scores, got nothing")
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    refused(web.post("/api/scores", content=b"--y\r\nnonsense", headers=broken))
    refused(web.post("/api/scores", content=b"x", headers={"Content-Type": "multipart/form-data"}))
    refused(web.post("/api/scores", data={"table": GOOD, "as": "exe"}), "`as` must be one of html")
    refused(
        web.post("/api/scores", data={"table": GOOD, "direction": "up"}),
        "`direction` must be one of",
    )
    refused(
        web.post("/api/scores", data={"table": GOOD, "spec": "os.system"}),
        "`request` must be made of",
    )
    refused(
        web.post("/api/scores", data={"table": GOOD, "direction": "lower", "first": "c"}),
        "`first` must be one of a, b",
    )
    refused(
        web.post("/api/scores", data={"kept": "!!!", "kept_name": "x"}), "as the form sent it along"
    )
    files = [("files", (f"f{i}.csv", b"a,b\n1,2\n")) for i in range(300)]
    refused(web.post("/api/scores", files=files), "Too many files")
    fields = {f"f{i}": "x" for i in range(2000)}
    refused(
        web.post("/api/scores", data=fields, files={"files": ("f.csv", b"a")}), "Too many fields"
    )
    told = web.get("/paper", params={"t": "1" * 5000})
    assert told.status_code == 422
    assert "at most 4000 letters" in told.text
    assert web.get("/paper?" + "&".join(f"x{i}=1" for i in range(200))).status_code == 422
    assert web.get("/paper?t=%ff%fe&folds=%00").status_code == 422


def test_two_files_of_one_name(web: httpx.Client) -> None:
    line = '{{"doc_id": {}, "filter": "none", "metrics": ["acc"], "acc": {}}}\n'
    one = "".join(line.format(i, i % 2) for i in range(30))
    two = "".join(line.format(i, int(i % 3 > 0)) for i in range(30))
    name = "samples_task_2024-01-01T00-00-00.jsonl"
    files = [("files", (name, one.encode())), ("files", (name, two.encode()))]
    told = web.post("/api/scores", files=files)
    assert told.status_code == 200, told.text
    assert told.json()["names"] == ["file 1", "file 2"]


def test_a_large_upload_does_not_stall_the_others(server: str) -> None:
    rows = np.random.default_rng(0).random((199_000, 2))
    table = "a,b\n" + "".join(f"{x:.17f},{y:.17f}\n" for x, y in rows)
    raw = table.encode()
    assert 7 * MB < len(raw) < 10 * MB
    said = {"rows": "datasets", "direction": "higher"}
    answers: list[Any] = []

    def upload() -> None:
        answers.append(httpx.post(f"{server}/api/scores", data=said, files={"files": ("big.csv", raw)},
                                  timeout=PATIENCE))  # fmt: skip

    sender = threading.Thread(target=upload)
    meanwhile = 0
    with httpx.Client(base_url=server, timeout=PATIENCE) as client:
        client.get("/paper?t=2.9&folds=10")
        sender.start()
        while not answers:
            assert client.get("/paper?t=2.9&folds=10").status_code == 200
            meanwhile += 1
            time.sleep(0.005)
    sender.join()
    slow = "one that takes longer" in answers[0].text  # a busy machine's answer is that sentence
    assert answers[0].status_code == (422 if slow else 200), answers[0].text[:300]
    assert meanwhile > 10  # how long they wait is measured by `python -m benchmarks web`


def test_workers_end_what_takes_too_long() -> None:
    async def tried() -> None:
        workers = Workers(1, seconds=0.5)
        try:
            with pytest.raises(InvalidArgumentError, match=r"takes at most 0\.5 seconds here"):
                await workers.run(time.sleep, 20)
            workers._seconds = PATIENCE  # the others need not be quick
            with pytest.raises(InvalidArgumentError, match="a worker of this service can finish"):
                await workers.run(os._exit, 1)  # L9: killed, which is no matter of memory
            with pytest.raises(InvalidArgumentError, match="fits into the memory"):
                await workers.run(bytearray, 64 * 1024**3)
            assert await workers.run(len, "abc") == 3  # the next one is served
            waiting = [asyncio.create_task(workers.run(time.sleep, 0.2)) for _ in range(33)]
            await asyncio.sleep(0)
            with pytest.raises(BusyError):
                await workers.run(len, "abc")
            for task in waiting:
                task.cancel()
        finally:
            workers.close()

    asyncio.run(tried())


def grown(size: int) -> int:
    """Take memory and keep it, as pyarrow does; return the number of the process."""
    import mmap
    import sys

    vars(sys).setdefault("kept", []).append(mmap.mmap(-1, size))
    return os.getpid()


def loaded(name: str) -> bool:
    import sys

    return name in sys.modules


def test_a_worker_is_replaced_when_memory_ran_short_or_it_has_grown() -> None:
    """One upload once spoiled a worker for everyone who came after it."""

    async def tried() -> None:
        workers = Workers(1, seconds=60)
        try:
            first = await workers.run(os.getpid)
            assert await workers.run(os.getpid) == first  # an ordinary job leaves it in its place
            assert await workers.run(grown, 600 * MB) == first
            assert await workers.run(grown, 600 * MB) == first  # the answer comes, then it ends
            second = await workers.run(os.getpid)
            assert second != first
            waiting = [asyncio.create_task(workers.run(bytearray, 64 * 1024**3))]
            waiting += [asyncio.create_task(workers.run(os.getpid)) for _ in range(5)]
            told, *others = await asyncio.gather(*waiting, return_exceptions=True)
            assert isinstance(told, InvalidArgumentError)
            assert "fits into the memory" in str(told)
            assert len(set(others)) == 1  # nobody who waited is lost
            assert second not in others
        finally:
            workers.close()

    asyncio.run(tried())


def test_after_a_bomb_a_good_table_is_answered_in_every_form() -> None:
    """A Parquet file of 2 KB left 4 GB mapped: then matplotlib could not even be loaded."""
    rows = 150_000
    cells = pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), pa.array(["x" * MB]))
    table = pa.table({"dataset": cells, "a": np.full(rows, 0.5), "b": np.full(rows, 0.4)})
    sink = io.BytesIO()
    parquet.write_table(table, sink, compression="zstd", store_schema=False)
    assert len(sink.getvalue()) < 10_000
    asked = ScoresQuestion(direction="higher", rows="datasets")

    async def tried() -> None:
        workers = Workers(1, seconds=60)
        try:
            for name in ("matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg",
                         "pyarrow.parquet"):  # fmt: skip
                assert await workers.run(loaded, name), name  # before memory was limited
            spoiled = await workers.run(os.getpid)
            with pytest.raises(InvalidArgumentError, match="fits into the memory"):
                await workers.run(bytearray, 10**13)
            bomb = await workers.run(report_scores, {"bomb.parquet": sink.getvalue()}, asked)
            assert bomb.mistakes
            for wanted in FILES:
                good = await workers.run(report_scores, {"good.csv": GOOD.encode()}, asked, wanted)
                assert good.file, (wanted, good.mistakes)
            assert await workers.run(os.getpid) != spoiled
        finally:
            workers.close()

    asyncio.run(tried())


def test_an_interrupt_at_the_terminal_is_not_for_the_workers() -> None:
    """While they load, it would end them with a traceback on the screen."""

    async def masks() -> list[set[int]]:
        workers = Workers(1, seconds=PATIENCE)
        workers.warm()
        try:
            first = await workers.run(signal.pthread_sigmask, signal.SIG_BLOCK, [])
            with pytest.raises(InvalidArgumentError):
                await workers.run(os._exit, 1)
            return [first, await workers.run(signal.pthread_sigmask, signal.SIG_BLOCK, [])]
        finally:
            workers.close()

    for blocked in asyncio.run(masks()):  # of a first worker, and of one that takes its place
        assert signal.SIGINT in blocked
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_second_interrupt_ends_the_server_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    server = Server(uvicorn.Config("replicast.web.app:create_app"))
    server.handle_exit(signal.SIGINT, None)
    assert (server.should_exit, ended) == (True, [])
    server.handle_exit(signal.SIGINT, None)
    assert ended == [130]


def test_a_request_that_takes_too_long_is_answered() -> None:
    sent: list[dict[str, Any]] = []

    async def forever(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(PATIENCE)

    async def send_it(message: Any) -> None:
        sent.append(message)

    asyncio.run(Protection(forever, 0.05)({"type": "http"}, None, send_it))
    assert sent[0]["status"] == 408
    assert b"this one took longer" in sent[1]["body"]
    assert (b"x-content-type-options", b"nosniff") in sent[0]["headers"]


@pytest.mark.parametrize("sent", ["pasted", "chosen"])
def test_a_link_carries_a_small_table_and_what_was_said(web: httpx.Client, sent: str) -> None:
    """Nothing is kept, so the address is all that another machine has."""
    said = {"direction": "higher", "first": "b", "second": "a"}
    files = {"files": ("scores.csv", GOOD.encode())} if sent == "chosen" else None
    data = said if sent == "chosen" else {**said, "table": GOOD}
    told = web.post("/scores", data=data, files=files)
    link = told.text.partition('<a href="/scores?packed=')[2].partition('"')[0]
    assert 0 < len(link) < 1000
    again = web.get(f"/scores?packed={link}")
    assert again.status_code == 200
    article = told.text.partition("<article")[2].partition("</article>")[0]
    assert len(article) > 1000
    assert article in again.text
    assert link in again.text


@pytest.mark.parametrize("broken", ["x", "", "abc=", "AAAA", "é", "eJw" + "A" * 300])
def test_a_broken_link_is_a_sentence(web: httpx.Client, broken: str) -> None:
    told = web.get("/scores", params={"packed": broken})
    assert told.status_code == 422
    assert "Copy the whole link" in told.text


def test_half_of_a_link_is_a_sentence(web: httpx.Client) -> None:
    told = web.post("/scores", data={"direction": "higher", "table": GOOD})
    link = told.text.partition('<a href="/scores?packed=')[2].partition('"')[0]
    for cut in (1, len(link) // 2, len(link) - 1):
        half = web.get(f"/scores?packed={link[:cut]}")
        assert half.status_code == 422, cut
        assert "Copy the whole link" in half.text, cut


def test_a_small_table_is_answered_at_an_address(server: str) -> None:
    """Before any work is done: the answer is computed once, where it can be come back to."""
    with httpx.Client(base_url=server, timeout=60) as client:
        for data, files in (
            ({"table": GOOD}, None),
            ({"table": GOOD, "direction": "higher", "asked": "direction"}, None),
            ({"direction": "higher"}, {"files": ("s.csv", GOOD.encode())}),
            ({"direction": "higher"}, {"files": ("s.csv.gz", gzip.compress(GOOD.encode()))}),
            ({"table": "dataset,a,b\nx,1,?1\n"}, None),
        ):
            told = client.post("/scores", data=data, files=files)
            assert told.status_code == 303
            assert told.headers["Cache-Control"] == "no-store"
            again = client.get(told.headers["location"])
            assert again.status_code == (422 if "?1" in str(data) else 200), again.text[:2000]
            assert again.headers["Cache-Control"] == "no-store"
        kept = client.post("/scores", data={"table": GOOD, "direction": "higher", "as": "csv"})
        assert kept.status_code == 200  # a file has no address
        assert "no-store" not in client.get("/scores").headers.get("Cache-Control", "")


def test_a_packed_file_is_carried_along_as_it_came(web: httpx.Client) -> None:
    """What the form sends along is packed once, whatever was uploaded."""
    for name, raw in (("s.csv", GOOD.encode()), ("s.csv.gz", gzip.compress(GOOD.encode())),
                      ("s.csv.xz", lzma.compress(GOOD.encode()))):  # fmt: skip
        wrong = web.post("/scores", data={"direction": "higher", "dataset": "nowhere"},
                         files={"files": (name, raw)})  # fmt: skip
        assert wrong.status_code == 422
        found = dict(re.findall(r'name="(kept_name|kept)" value="([^"]*)"', wrong.text))
        again = web.post("/scores", data={"direction": "higher", **found})
        assert again.status_code == 200, again.text[:3000]
        assert "<article" in again.text


def test_a_table_too_long_for_a_link_says_so(web: httpx.Client) -> None:
    rng = np.random.default_rng(1)
    rows = "".join(f"d{i},{rng.random()},{rng.random()}\n" for i in range(400))
    told = web.post("/scores", data={"direction": "higher", "table": "dataset,a,b\n" + rows})
    assert "<article" in told.text
    assert "packed=" not in told.text
    assert "too long for an address" in told.text
