"""One target a reader: bytes in, a table or one sentence out, nothing else."""

import gzip
import io
import json
import warnings
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

import replicast as rc
from fuzz.golden import GOLDEN
from replicast.design import Design
from replicast.errors import DegenerateScoresWarning, ReplicastError
from replicast.judging.journal import Journal
from replicast.reading import catalogue
from replicast.reading.door import read_scores
from replicast.reading.predicted import read_predicted
from replicast.reading.requests import Request
from replicast.reading.syntaxes.arff import parse_arff

FORMATS = Path(__file__).parents[1] / "tests" / "golden" / "formats"
Target = Callable[[bytes], None]

_DESIGNS: tuple[Design | None, ...] = (
    None, rc.KFold(10), rc.Datasets(), rc.RepeatedKFold(runs=2, folds=5),
)  # fmt: skip
_MISSING = ("refuse", "drop-dataset", "drop-classifier")


def answered(read: Callable[[], object]) -> bool:
    """Say whether reading worked; a refusal must be one short sentence, anything else is a find."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DegenerateScoresWarning)
            read()
    except ReplicastError as error:
        text = str(error)
        if not text or text[-1] not in ".?" or "Traceback" in text or len(text) > 5000:
            raise AssertionError(f"no sentence: {text[:300]!r}") from error
        return False
    return True


def _read(files: dict[str, bytes]) -> object:
    """Read files with options that their own bytes choose, and use what was read."""
    choice = sum(map(len, files.values()))
    table = read_scores(
        files,
        design=_DESIGNS[choice % len(_DESIGNS)],
        missing=_MISSING[choice // 4 % 3],  # type: ignore[arg-type]  # one of the three
    )
    if len(table.classifiers) > 1:
        return table.pair(*table.classifiers[:2])
    return table


def _first_of(golden: tuple[str, ...]) -> Target:
    """Change the first file of a format and leave the others as they are."""
    name, *others = golden
    known = {other.removesuffix(".gz"): _file(other) for other in others}

    def target(data: bytes) -> None:
        answered(lambda: _read({name.removesuffix(".gz"): data, **known}))

    return target


def _inside(name: str, member: str, others: dict[str, str]) -> Target:
    """Change one member of an archive: bytes of a whole one would hardly ever pass its checksums."""

    def target(data: bytes) -> None:
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w") as archive:
            for other, text in others.items():
                archive.writestr(other, text)
            archive.writestr(member, data)
        answered(lambda: _read({name: sink.getvalue()}))

    return target


def _clusters(data: bytes) -> None:
    """Read cases whose cluster column is named, and pair them."""

    def read() -> object:
        table = read_scores({"cases.csv": data}, cluster_column="ward", greater_is_better=True)
        return len(table.classifiers) > 1 and table.pair(*table.classifiers[:2])

    answered(read)


def _predicted(data: bytes) -> None:
    """Read true classes and what models said of them, as scores and as classes."""
    for kind in ("scores", "classes"):
        answered(partial(read_predicted, {"test.csv": data}, kind, Request()))


def _arff(data: bytes) -> None:
    answered(lambda: parse_arff(data.decode("latin-1"), "data.arff"))


def _results(data: bytes) -> None:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(found, dict):
        answered(lambda: read_scores(found))


def _on_disk(name: str, read: Callable[[Path], object]) -> Target:
    def target(data: bytes) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(data)
            answered(lambda: read(path))

    return target


def _entries(data: bytes) -> None:
    """Write lines as a journal does, with checksums that fit, and read them as all journals."""
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder, "journal.jsonl"))
        for line in data.splitlines()[:50]:
            try:
                entry = json.loads(line)
                if isinstance(entry, dict):
                    journal.append({"kind": "x", **entry})
            except (ValueError, RecursionError):  # what JSON cannot hold is never written
                continue
        answered(lambda: str(rc.Ledger(journal.path).calibration()))
        answered(lambda: str(rc.Monitor(journal=journal.path).look()))


def _parquet_seed() -> bytes:
    sink = io.BytesIO()
    frame = pd.DataFrame({"dataset": ["x", "y", "z"], "a": [0.9, 0.8, 0.7], "b": [0.8, 0.8, 0.6]})
    frame.to_parquet(sink)
    return sink.getvalue()


def _journal_seed() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "journal.jsonl")
        ledger, monitor = rc.Ledger(path), rc.Monitor(journal=Path(folder, "watch.jsonl"))
        ledger.record(rc.judge((3.0, 1.0), (2.5, 1.0)))
        monitor.add_many([1, 0, 1], [0, 0, 1])
        return path.read_bytes() + Path(folder, "watch.jsonl").read_bytes()


def _file(path: str) -> bytes:
    raw = (FORMATS / path).read_bytes()
    return gzip.decompress(raw)[:20_000] if path.endswith(".gz") else raw


def _of_formats() -> dict[str, tuple[Target, list[bytes]]]:
    """Return a target for every format, named by the folder of its files, or by folder and file."""
    found: dict[str, tuple[Target, list[bytes]]] = {}
    for form in catalogue.FORMATS:
        folder, _, file = GOLDEN[form.name][0].partition("/")
        name = f"{folder}-{file.partition('.')[0]}" if folder in found else folder
        found[name] = (_first_of(GOLDEN[form.name]), [_file(GOLDEN[form.name][0])])
    return found


_BOOK = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_LINKS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="r1" Type="{_RELATIONS}/%s" Target="%s"/></Relationships>'
)
_XLSX = {
    "_rels/.rels": _LINKS % ("officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": f'<workbook xmlns="{_BOOK}" xmlns:r="{_RELATIONS}"><sheets>'
    '<sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": _LINKS % ("worksheet", "worksheets/s.xml"),
}
_SHEET = (
    f'<worksheet xmlns="{_BOOK}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>dataset</t></is>'
    '</c><c r="B1" t="inlineStr"><is><t>svm</t></is></c><c r="C1" t="inlineStr"><is><t>nb</t></is></c>'
    '</row><row r="2"><c r="A2" t="inlineStr"><is><t>iris</t></is></c><c r="B2"><v>0.9</v></c>'
    '<c r="C2"><v>0.8</v></c></row></sheetData></worksheet>'
)
_OPEN = "urn:oasis:names:tc:opendocument:xmlns"
_CONTENT = (
    f'<office:document-content xmlns:office="{_OPEN}:office:1.0" xmlns:table="{_OPEN}:table:1.0" '
    f'xmlns:text="{_OPEN}:text:1.0"><office:body><office:spreadsheet><table:table table:name="s">'
    "<table:table-row><table:table-cell><text:p>dataset</text:p></table:table-cell><table:table-cell>"
    "<text:p>svm</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell>"
    '<text:p>iris</text:p></table:table-cell><table:table-cell office:value-type="float" '
    'office:value="0.9"><text:p>0.9</text:p></table:table-cell></table:table-row></table:table>'
    "</office:spreadsheet></office:body></office:document-content>"
)

TARGETS: dict[str, tuple[Target, list[bytes]]] = _of_formats()
TARGETS |= {
    "wide": (_first_of(("scores.csv",)), [
        b"dataset,svm,nb\niris,0.95,0.94\nvote,0.96,0.90\n",
        b"svm;nb\n" + b"0.9;0.8\n" * 10,
        "dataset\tsüm\tnb\nä\t1\t2\nb\t2\t3\n".encode("latin-1"),
    ]),
    "long": (_first_of(("scores.csv",)), [
        b"classifier,dataset,run,fold,score\n" + b"".join(
            b"%s,iris,1,%d,0.%d\n" % (name, fold, fold) for name in (b"a", b"b") for fold in range(1, 6)
        ),
        b"model,score,n_train,n_test,seed\na,0.9,90,10,1\nb,0.8,90,10,1\na,0.9,90,10,2\nb,0.7,90,10,2\n",
    ]),
    "markdown": (_first_of(("table.md",)), [
        b"| dataset | svm | **nb** |\n|:---|---|---|\n| iris | 0.9 | *0.8* |\n| vote | 1\\_0 | .7 |\n",
    ]),
    "latex": (_first_of(("table.tex",)), [
        rb"\begin{tabular}{lrr}\toprule Dataset & \multicolumn{2}{c}{Acc} \\ \midrule iris & "
        rb"$\mathbf{9.1} \pm 0.1$ & 8\% \\ vote\_2 & \textbf{7} & 6 \\ \bottomrule\end{tabular}",
    ]),
    "html": (_first_of(("page.html",)), [
        b"<table><tr><th>dataset</th><th colspan=2>svm</th></tr><tr><td>iris</td><td>0.9</td><td>1</td>"
        b"</tr></table>",
    ]),
    "blanks": (_first_of(("table.txt",)), [
        b"# remark\ndataset   svm  nb\niris      0.9  0.8\nvote 2    0.7  NA\n",
        b"       svm nb\niris   0.9 0.8\nvote   0.7 0.6\n",
    ]),
    "xlsx": (_inside("book.xlsx", "xl/worksheets/s.xml", _XLSX), [_SHEET.encode()]),
    "ods": (_inside("book.ods", "content.xml", {"mimetype": "x"}), [_CONTENT.encode()]),
    "inspect-eval": (
        _inside("log.eval", "samples/1.json", {"header.json": '{"version": 2, "eval": {"model": "a"}}'}),
        [b'{"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}}'],
    ),
    "clusters": (_clusters, [
        b"model,case,ward,answer,score\n" + b"".join(
            b"%s,q%d,w%d,%d,0.%d%d\n" % (name, case, case // 2, answer, case, answer)
            for name in (b"a", b"b") for case in range(6) for answer in range(2)
        ),
        b"case,ward,a,b\n" + b"".join(b"q%d,w%d,0.%d,0.%d\n" % (i, i // 3, i, 9 - i) for i in range(9)),
    ]),
    "predicted": (_predicted, [
        b"id,y_true,prob_a,prob_b\n1,0,0.1,0.4\n2,1,0.7,0.5\n3,1,0.9,0.2\n",
        b"model,id,truth,score\na,1,0,0.2\na,2,1,0.7\nb,1,0,0.4\nb,2,1,0.1\n",
        b"y_true;pred_a;pred_b\nyes;yes;no\nno;no;no\n",
    ]),
    "parquet": (_first_of(("scores.parquet",)), [_parquet_seed()]),
    "weka-arff": (_first_of(("weka.arff",)), [_file("weka/nb.arff.gz"), _file("weka/j48.arff.gz")]),
    "sklearn-results": (_results, [_file("sklearn/cross-validate.json")]),
    "ledger": (_on_disk("ledger.jsonl", lambda path: str(rc.Ledger(path).calibration())), [
        _journal_seed(),
    ]),
    "journal-entries": (_entries, [_journal_seed()]),
    "arff-data": (_arff, [
        b"@relation x\n@attribute a numeric\n@attribute 'b c' {x,'y z'}\n@data\n1,x\n?,'y z'\n",
        b"% note\n@RELATION r\n@ATTRIBUTE s string\n@ATTRIBUTE d date\n@DATA\n{0 q}\n",
    ]),
}  # fmt: skip
