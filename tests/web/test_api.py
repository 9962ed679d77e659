"""The JSON interface: the library's numbers, sentences for what is wrong, headers on everything."""

import html
import itertools
import json
import re
import subprocess
import sys
from typing import Any

import httpx
import numpy as np
import pytest

import replicast as rc
from patience import PATIENCE
from replicast.power_analysis import power
from replicast.presentation.telling import tell
from replicast.replication.records import Replication
from replicast.web.pages import papers
from replicast.web.protection import HEADERS
from serving import COMMAND

LEVELS = (0.05, 0.01)
GRID: list[tuple[dict[str, Any], Replication]] = [
    *(
        ({"t": t, "folds": k, "runs": r, "significance": a},
         rc.replicate(t=t, folds=k, runs=r, significance=a))
        for t, k, r, a in itertools.product((-8.0, -1.3, 0.0, 2.1, 2.9, 40.0), (2, 10), (1, 10), LEVELS)
    ),
    *(
        ({"t": t, "datasets": n}, rc.replicate(t=t, datasets=n))
        for t, n in itertools.product((0.5, 2.1, -3.0), (5, 20, 300))
    ),
    *(
        ({"z": z, "datasets": n, "significance": a},
         rc.replicate(z=z, datasets=n, significance=a))
        for z, n, a in itertools.product((0.0, 1.2, -2.1), (10, 20, 1000), LEVELS)
    ),
    (
        {"z": 2.437, "datasets": 20, "spread": 0.779},
        rc.replicate(z=2.437, datasets=20, spread=0.779),
    ),
    *(
        ({"wins": w, "datasets": n}, rc.replicate(wins=w, datasets=n))
        for w, n in ((29, 44), (3, 12), (10, 10), (22.5, 44), (5, 5))
    ),
    *(
        ({"pvalue": p, "folds": 10, "runs": r},
         rc.replicate(
             pvalue=p, design=rc.KFold(10) if r == 1 else rc.RepeatedKFold(runs=r, folds=10)))
        for p, r in itertools.product((1e-9, 0.003, 0.049, 0.6), (1, 10))
    ),
    ({"pvalue": 0.03, "splits": 100, "n_train": 900, "n_test": 100},
     rc.replicate(pvalue=0.03, design=rc.RandomSplits(splits=100, n_train=900, n_test=100))),
    *(
        ({"first_only": a, "second_only": b, "cases": n},
         rc.replicate(discordant=(a, b), cases=n))
        for a, b, n in ((40, 20, 500), (0, 9, 10), (3, 3, 100), (4000, 3800, 100_000))
    ),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "found"), GRID, ids=map(str, range(len(GRID))))
def test_numbers_are_the_librarys(web: httpx.Client, asked: dict[str, Any], found: Any) -> None:
    named = {**asked, "first": "first", "second": "second"}
    told = web.get("/api/paper", params=named).json()
    assert told["replication"] == json.loads(json.dumps(found.to_dict()))
    curve = web.get("/api/curve", params=asked).json()
    assert curve == json.loads(json.dumps(rc.replication_curve(found).to_dict()))
    page = html.unescape(web.get("/paper", params=named).text)
    assert told["quote"] in page
    assert told["headline"] in page


@pytest.mark.parametrize(
    "asked", [{}, {"effect": 0.3}, {"setting": "datasets", "datasets": 40}, {"runs": 10, "vary": "runs"},
              {"vary": "folds"}]
)  # fmt: skip
def test_plans_are_the_librarys(web: httpx.Client, asked: dict[str, Any]) -> None:
    told = web.get("/api/plan", params=asked).json()
    effect = asked.get("effect", 1.2)
    over = asked.get("setting") == "datasets"
    n = 40 if over else 10 * asked.get("runs", 1)
    design: Any = (
        rc.Datasets(40)
        if over
        else rc.KFold(10)
        if n == 10
        else rc.RepeatedKFold(runs=10, folds=10)
    )
    method = "paired-ttest" if over else "corrected-ttest"
    assert told["power"] == power(effect, design, method=method).to_dict()
    found = rc.replicate(t=effect / np.sqrt(1 / n + (0 if over else 1 / 9)), design=design)
    assert told["replication"]["probability"] == pytest.approx(found.probability, rel=1e-12)
    ways = ["datasets"] if over else ["cases", "runs", "folds"]
    for way, plan in zip(ways, told["plans"], strict=True):
        assert plan["needed"] == rc.plan(found, probability=0.8, vary=way).needed
    page = web.get("/plan", params=asked)
    assert page.status_code == 200
    assert f"Power and chance of replication against {asked.get('vary', '')}" in page.text


@pytest.mark.parametrize("second", [(2.0, 1.0), (-0.4, 0.8)])
def test_judgements_are_the_librarys(web: httpx.Client, second: tuple[float, float]) -> None:
    asked = {"estimate": 3.1, "se": 1.2, "replication_estimate": second[0],
             "replication_se": second[1]}  # fmt: skip
    found = rc.judge((3.1, 1.2), second)
    assert web.get("/api/judge", params=asked).json() == json.loads(json.dumps(found.to_dict()))
    page = html.unescape(web.get("/judge", params=asked).text)
    assert tell(found).headline in page
    for row in tell(found).lines:
        assert row.value in page
    assert "For example" in web.get("/judge").text


MEANS = {"first_mean": 93.4, "second_mean": 92.1, "first_sd": 1.2, "second_sd": 1.0}


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"folds": 10}, {"folds": 10}),
        (
            {"folds": 10, "runs": 10, "relation": "close"},
            {"folds": 10, "runs": 10, "relation": "close"},
        ),
        ({"datasets": 20, "direction": "lower"}, {"datasets": 20, "greater_is_better": False}),
        ({"folds": 10, "seeds": 5, "setting": "seeds"}, {"seeds": 5}),
        ({"cases": 500}, {"cases": 500}),
    ],
)
def test_means_are_the_librarys(
    web: httpx.Client, asked: dict[str, Any], where: dict[str, Any]
) -> None:
    found = rc.replicate(means=(93.4, 92.1), sds=(1.2, 1.0), **where)
    told = web.get("/api/means", params=MEANS | asked)
    assert told.json() == json.loads(json.dumps(found.to_dict()))
    page = html.unescape(web.get("/means", params=MEANS | asked).text)
    assert tell(found).headline in page
    for row in tell(found).rows:
        assert row.value in page
    assert 'href="/means"' in web.get("/paper").text
    assert "For example" in web.get("/means").text


def test_clusters_of_cases_can_be_named(web: httpx.Client) -> None:
    rng = np.random.default_rng(4)
    rows = [f"{m},q{i},p{i // 4},{rng.random():.3f}" for i in range(40) for m in ("new", "old")]
    table = "\n".join(["model,case,ward,score", *rows])
    said = {"table": table, "direction": "higher", "cluster": "ward"}
    told = web.post("/api/scores", data=said).json()
    assert told["evidence"]["design"] == "cases:count=40,clusters=10,answers=1"
    assert "in 10 clusters" in web.post("/scores", data=said).text
    refused = web.post("/api/scores", data=said | {"cluster": "wards"})
    assert (refused.status_code, "a column wards" in refused.text) == (422, True)


def test_scores_are_the_librarys(web: httpx.Client) -> None:
    rows = "".join(f"d{i},{0.8 + i * 7 % 5 / 100},{0.78 + i % 4 / 100}\n" for i in range(14))
    table = f"dataset,new,old\n{rows}"
    told = web.post("/api/scores", data={"table": table, "direction": "higher"}).json()
    read = rc.read_scores({"pasted table": table.encode()}, greater_is_better=True)
    found = rc.compare(read.pair("new", "old"))
    expected = {**found.to_dict(), "account": list(read.account), "direction": read.direction}
    assert told == json.loads(json.dumps(expected))
    lower = web.post("/api/scores", data={"table": table, "direction": "lower"}).json()
    assert lower["evidence"]["estimate"] == -told["evidence"]["estimate"]


def test_open_questions(web: httpx.Client) -> None:
    table = "a,b,c\n" + "".join(f"{i * i},{i + 1.5},{9 - i / 2}\n" for i in range(6))
    told = web.post("/api/scores", data={"table": table})
    assert told.status_code == 422
    asked = [one["field"] for one in told.json()["questions"]]
    assert sorted(asked) == ["direction", "first", "rows", "second"]  # all at once
    said = {"table": table, "rows": "datasets"}
    told = web.post("/api/scores", data=said)
    asked = {one["field"]: one["choices"] for one in told.json()["questions"]}
    assert asked["direction"] == ["higher", "lower"]
    assert asked["first"] == ["*", "a", "b", "c"]
    done = {**said, "direction": "lower", "first": "a", "second": "*"}
    assert web.post("/api/scores", data=done).json()["control"] == "a"
    gap = "dataset,a,b\nx,1,2\ny,,2\nz,3,1\n"
    long = "classifier,dataset,score\na,x,1\nb,x,2\na,y,1\nb,y,3\na,z,2\n"
    for table_with_gap in (gap, long):
        told = web.post("/api/scores", data={"table": table_with_gap, "direction": "higher"}).json()
        assert [one["field"] for one in told["questions"]] == ["missing"]
    said = {"table": long, "missing": "drop-dataset", "direction": "higher"}
    assert web.post("/api/scores", data=said).status_code == 200
    runs = {"table": table, "rows": "runs", "folds": "4"}
    assert "`folds` must be a number that divides the 6" in web.post("/api/scores", data=runs).text
    splits = {"table": table, "rows": "splits", "n_train": "90"}
    assert "`n_test` must be given with random splits" in web.post("/api/scores", data=splits).text
    splits |= {"n_test": "10", "direction": "higher", "first": "a", "second": "c"}
    told = web.post("/api/scores", data=splits).json()
    assert told["evidence"]["method"] == "corrected-ttest"


BESIDE = {  # where the page says more than the sentence without its name
    "/api/paper?t=1": "Give a number, for instance 10.",
    "/api/judge?estimate=3&se=1": "Give a number, for instance 2.0.",
    "/api/means?first_mean=3&folds=10": "Give a number, for instance 92.1.",
}


def _beside(sentence: str) -> str:
    """Write a sentence as the page does at the field itself."""
    return re.sub("`\\w+` must be", "This must be", sentence).replace("got ", "not ")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (
            "/api/paper",
            "`t` must be given, or `z`, `wins`, `pvalue` or `first_only`: one of them, got nothing.",
        ),
        ("/api/paper?t=1&pvalue=0.1", "got t and pvalue."),
        ("/api/paper?t=x&folds=10", "`t` must be a number from -1,000 to 1,000, got 'x'."),
        ("/api/paper?t=nan&folds=10", "`t` must be a number from"),
        ("/api/paper?t=1&folds=1", "`folds` must be a whole number from 2 to 1,000, got '1'."),
        ("/api/paper?t=1&fold=10", "Did you mean folds?"),
        ("/api/paper?t=1", "A statistic means nothing without the design it comes from."),
        ("/api/paper?z=9&datasets=10", "`z` must be at most 2.803 in size"),
        ("/api/paper?wins=50&datasets=44", "`wins` must be a number from 0 to 44"),
        ("/api/paper?pvalue=0&folds=10", "`pvalue` must be a number between 0 and 1, got '0'."),
        ("/api/paper?first_only=9&second_only=9&cases=10", "leaves the sum at most the cases"),
        ("/api/plan?effect=9", "`effect` must be a number from 0.05 to 3, got '9'."),
        ("/api/plan?vary=datasets", "`vary` must be cases, runs or folds on one dataset"),
        ("/api/judge?estimate=3&se=0", "`se` must be a number from 1e-06 to 1,000,000, got '0'."),
        ("/api/judge?estimate=3&se=1", "`replication_estimate` must be given, got nothing."),
        ("/api/means?first_mean=3&folds=10", "`second_mean` must be given, got nothing."),
        (
            "/api/means?first_mean=3&second_mean=2&first_sd=-1&second_sd=1&folds=10",
            "`first_sd` must be a number from 0 to 1,000,000, got '-1'.",
        ),
        ("/api/plan?vary=luck", "`vary` must be one of cases, runs, folds, datasets, got 'luck'."),
    ],
)
def test_mistakes_get_a_sentence(web: httpx.Client, path: str, sentence: str) -> None:
    told = web.get(path)
    assert told.status_code == 422
    assert sentence in told.json()["error"]
    assert all(one["text"] in told.json()["error"] for one in told.json()["fields"])
    page = web.get(path.removeprefix("/api"))
    if path != "/api/paper":
        assert page.status_code == 422
        shown = re.findall(
            r'<span class="error" id="([\w-]+)-error" data-error="[^"]*">([^<]+)</span>', page.text
        )
        (place,) = [one["field"] for one in told.json()["fields"]]
        ((field, words),) = shown
        assert field == place
        assert BESIDE.get(path, _beside(sentence)) in html.unescape(words)


def test_health_and_description(web: httpx.Client) -> None:
    assert web.get("/health").json() == {"status": "ok", "version": rc.__version__}
    described = web.get("/openapi.json").json()
    assert set(described["paths"]) == {
        "/api/paper", "/api/curve", "/api/plan", "/api/means", "/api/judge", "/api/scores",
        "/health",
    }  # fmt: skip
    page = web.get("/api").text
    for path in described["paths"]:
        assert path in page
    assert web.get("/", follow_redirects=False).headers["location"] == "/paper"


@pytest.mark.parametrize(
    "path",
    ["/paper", "/means", "/plan", "/judge", "/scores", "/api", "/health", "/nothing", "/static/web.css",
     "/static/no.js", "/api/paper", "/api/nothing", "/openapi.json",
     "/static/..%2fapp.py", "/paper?t=%00"],
)  # fmt: skip
def test_headers_are_on_everything(web: httpx.Client, path: str) -> None:
    told = web.get(path)
    for name, value in HEADERS.items():
        assert told.headers[name] == value
    assert "server" not in told.headers
    policy = told.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert told.status_code < 500


def test_other_methods_are_refused(web: httpx.Client) -> None:
    for path in ("/paper", "/api/paper", "/health", "/scores"):
        told = web.request("DELETE", path)
        assert told.status_code == 405
        assert "DELETE" in told.text
    assert web.get("/nothing").status_code == 404


SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"


def test_injected_script_is_escaped(web: httpx.Client) -> None:
    rows = "x<svg onload=alert(3)>,0.9,0.8\ny,0.8,0.7\nz,0.9,0.7\n"
    table = f"dataset,{SCRIPT},b\n{rows}"
    pages = [
        web.get("/paper", params={"t": "2.9", "folds": "10", "first": SCRIPT, "second": SCRIPT}),
        web.get("/paper", params={"t": SCRIPT, "folds": SCRIPT, "report": SCRIPT, SCRIPT: "1"}),
        web.get("/plan", params={"effect": SCRIPT, SCRIPT: "x"}),
        web.get(f"/{SCRIPT}"),
        web.post("/scores", data={"table": table}),
        web.post("/scores", data={"table": table, "direction": "higher"}),
        web.post("/scores", data={"table": SCRIPT, "first": SCRIPT, "metric": SCRIPT}),
        web.post("/scores", files={"files": (SCRIPT, b"a,b\n1,x\n")}),
        web.post("/scores", data={"table": table, "direction": "higher", "as": "html"}),
        web.post("/scores", data={"table": table, "direction": "higher", "as": "svg"}),
        web.post("/scores", data={"table": "a,b\n1,2\n", SCRIPT: SCRIPT, "kept_name": SCRIPT}),
    ]
    for told in pages:
        assert told.status_code < 500
        assert "<script>alert" not in told.text
        assert "<img src=x" not in told.text
        assert "<svg onload" not in told.text
    assert html.escape(SCRIPT, quote=False)[:30] in pages[0].text


def test_no_file_of_the_server_is_read(web: httpx.Client) -> None:
    for name in ("/etc/passwd", "../../etc/passwd", "file:///etc/passwd", "pyproject.toml"):
        told = web.post("/api/scores", data={"table": name})
        assert told.status_code == 422
        assert "root:" not in told.text
        told = web.post(
            "/api/scores", files={"files": (name, b"dataset,a,b\nx,1,q\ny,1,2\nz,1,2\n")}
        )
        assert "passwd, row 2" in told.text or "pyproject.toml, row 2" in told.text


def test_a_port_in_use_is_said(server: str) -> None:
    command = [*COMMAND, server.rpartition(":")[2]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert "`--port` must be free" in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def test_the_interface_is_as_described(server: str) -> None:
    """Let schemathesis make requests from the description, right ones and wrong ones."""
    checks = (
        "not_a_server_error,status_code_conformance,content_type_conformance,"
        "response_schema_conformance,negative_data_rejection,unsupported_method"
    )
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", f"{server}/openapi.json",
        "--checks", checks, "--phases", "coverage,fuzzing", "--max-examples", "20", "--seed", "1",
        "--workers", "2", "--no-color", "--request-timeout", f"{PATIENCE:g}",
    ]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=3 * PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


@pytest.mark.parametrize("t", [0.3, 2.9, 7.0])
def test_the_curve_of_a_page_is_that_of_its_result(t: float) -> None:
    """All t of one design share a curve, which the page keeps."""
    found = rc.replicate(t=t, folds=10, test="corrected")
    kept, own = papers._curve(found), rc.replication_curve(found)
    for field in ("pvalues", "calibrated", "as_published"):
        assert getattr(kept, field) == pytest.approx(getattr(own, field), abs=1e-12)


def test_ties_beside_a_statistic_are_no_wins(web: httpx.Client) -> None:
    """They are fields of another report of the same form."""
    answer = web.get("/api/paper?z=2.5&datasets=20&ties=9&report=z")
    assert answer.status_code == 200
