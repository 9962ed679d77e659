"""What a user does first, with the installed wheel: `make dist` runs it in an empty environment."""

import subprocess
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

LARGEST = 3 * 1024**2


def main(wheel: Path) -> None:
    """Check size, names, data, command line and page of the installed package."""
    size = wheel.stat().st_size
    assert size < LARGEST, f"the wheel has {size:,} bytes"
    import replicast as rc

    assert "site-packages" in rc.__file__, rc.__file__
    for name in rc.__all__:
        getattr(rc, name)
    assert round(rc.replicate(t=2.262, folds=10).as_published, 4) == 0.5235
    iris = rc.datasets.load("iris")
    assert len(iris.y) == 150
    with as_file(files("replicast") / "data" / "breast-cancer-10x10.csv") as path:
        found = rc.compare(rc.read_scores(path).pair("svm", "naive-bayes"))
    assert found.verdict.outcome == "first better"
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("replicast")), "demo", "--output", folder]
        subprocess.run(command, check=True, capture_output=True)
        assert list(Path(folder).iterdir())
    from replicast.web.pages.papers import paper_page

    assert paper_page("t=2.9&folds=10")[0] == 200
    print(f"wheel of {size / 1024**2:.2f} MB, {len(rc.__all__)} names: works")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
