"""The datasets that come with the package, and the ARFF reader behind them."""

from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replicast as rc
from goldens import published
from replicast import datasets
from replicast.reading.syntaxes.arff import parse_arff, read_arff
from replicast.reading.tables import read_table

OTHER_NAMES = {"credit-rating": "credit-a", "german-credit": "credit-g", "pima-diabetes": "diabetes",
               "Glass": "glass", "heart-disease": "heart-statlog"}  # fmt: skip


def test_every_dataset_loads() -> None:
    assert len(datasets.names()) == 26
    for name in datasets.names():
        found = datasets.load(name)
        assert len(found.X) == len(found.y) > 50
        assert found.y.notna().all()
        assert "Taken from" in found.source
        for column in found.X:
            assert found.X[column].dtype in ("float64", "category")


def test_sizes_agree_with_the_paper() -> None:
    table = {d["name"]: d for d in published("bouckaert_frank_2004")["table1_5x2cv"]["datasets"]}
    seen = 0
    for name, row in table.items():
        ours = OTHER_NAMES.get(name, name)
        if ours in datasets.names():
            seen += 1
            assert len(datasets.load(ours).X) == row["instances"], name
    assert seen >= 18


def test_a_wrong_name() -> None:
    with pytest.raises(rc.InvalidArgumentError, match=r"got 'vtoe'\. Did you mean vote\?"):
        datasets.load("vtoe")


TEXT = """% a comment
@RELATION 'two words'
@attribute 'a b' {x,'y z', '?'}
@attribute n REAL
@attribute s string
@attribute class {no, yes}
@data
x, 1.5, "hello, world", yes
'y z', ?, it\\'s, no
?, -2e3, ?, ?
'?', 4, '', no
"""


def test_arff_details() -> None:
    found = parse_arff(TEXT)
    assert found.relation == "two words"
    frame = found.frame
    assert frame["a b"].cat.categories.tolist() == ["x", "y z", "?"]
    assert frame["a b"].isna().tolist() == [False, False, True, False]
    assert frame["a b"][3] == "?"
    assert frame["n"].tolist()[:1] == [1.5]
    assert np.isnan(frame["n"][1])
    assert frame["s"][0] == "hello, world"
    assert frame["class"].cat.categories.tolist() == ["no", "yes"]


def test_file_plain_and_gzipped(tmp_path: Path) -> None:
    import gzip

    plain, packed = tmp_path / "a.arff", tmp_path / "a.arff.gz"
    plain.write_text(TEXT, encoding="utf-8")
    packed.write_bytes(gzip.compress(TEXT.encode()))
    assert read_arff(plain).frame.equals(read_arff(packed).frame)
    found = datasets.load_file(plain)
    assert (found.name, len(found.X), found.X.shape[1]) == ("a", 3, 3)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("nothing", r"line 1: expected @relation"),
        ("@relation r\n@attribute a numeric\n", r"expected attributes and an @data section"),
        ("@attribute a numeric\n@data\n1\nx\n", r"line 4: expected a number for a, got 'x'"),
        ("@attribute a {p,q}\n@data\nr\n", r"line 3: expected one of p, q for a, got 'r'"),
        ("@attribute a numeric\n@data\n1,2\n", r"line 3: expected 1 values, got '2'"),
        ("@attribute a date\n@data\n1\n", r"line 1: expected a numeric, nominal or string"),
        ("@attribute a {p\n@data\np\n", r"line 1: expected a closing }"),
        ("@attribute a numeric\n@data\n{0 1}\n", r"line 3: .* got 'a sparse row'"),
        (
            "@attribute a real\n@attribute a real\n@data\n1,2\n",
            r"all differ, got 'a' twice",
        ),
    ],
)
def test_arff_mistakes(text: str, match: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=match):
        parse_arff(text)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=r"a readable file, got no\.arff"):
        read_arff(tmp_path / "no.arff")


@given(st.text(max_size=200))
def test_any_text_parses_or_says_why(text: str) -> None:
    with suppress(rc.InvalidArgumentError):
        parse_arff("@attribute a numeric\n@attribute b {x,y}\n@data\n" + text)


def test_modules_come_with_the_package() -> None:
    assert rc.datasets is datasets


def test_tables_of_data_in_every_format(tmp_path: Path) -> None:
    frame = pd.DataFrame({"size": [1.5, 2.5, 3.5], "kind": ["a", "b", "a"]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t")
    frame.to_parquet(tmp_path / "t.parquet")
    text = (
        "@relation t\n@attribute size numeric\n@attribute kind {a,b}\n@data\n1.5,a\n2.5,b\n3.5,a\n"
    )
    (tmp_path / "t.arff").write_text(text)
    (tmp_path / "t.txt").write_bytes("größe;kind\n1,5;é\n".encode("latin-1"))
    assert read_table(tmp_path / "t.txt").columns.tolist() == ["größe", "kind"]
    (tmp_path / "t.data").write_text("size,kind\n1.5,NA\n?,b\n")
    assert read_table(tmp_path / "t.data").isna().to_numpy().tolist() == [
        [False, True],
        [True, False],
    ]
    for name in ("t.csv", "t.tsv", "t.parquet", "t.arff"):
        found = read_table(tmp_path / name)
        assert found["size"].tolist() == [1.5, 2.5, 3.5]
        assert found["kind"].dtype == "category"
        assert found["kind"].astype(str).tolist() == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("none.csv", None, "`data` must be a file that is there, got none.csv."),
        ("t.xlsx", b"PK", "`data` must be a .csv, .tsv, .parquet or .arff file, got t.xlsx."),
        ("t.csv", b"  ", "t.csv, an empty file"),
        ("t.csv", b"\n\n", "t.csv"),
        ("t.csv", b"a,b\n1,2,3\n4,5,6,7\n", "t.csv: expected a table of text, got "),
        ("t.parquet", b"PAR1 not Parquet", "an intact Parquet file, got t.parquet"),
        ("t.csv", b"a\0b", "t.csv, which holds binary data"),
        ("t.arff", b"@relation t\n@attribute\n@data\n", "expected @attribute, a name and a type"),
        ("t.arff", b"@relation t\n@attribute a {x}\n@data\n'x\n", "t.arff"),
    ],
)
def test_tables_of_data_that_cannot_be_read(
    tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(rc.InvalidArgumentError) as caught:
        read_table(tmp_path / name)
    assert sentence in str(caught.value)
    assert str(tmp_path) not in str(caught.value)
