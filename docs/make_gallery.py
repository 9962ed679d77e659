"""Draw every picture of gallery.md from the code on the page: python docs/make_gallery.py"""

import doctest
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

DOCS = Path(__file__).parent
PAGE = DOCS / "gallery.md"
FOLDER = DOCS / "images" / "gallery"


def main() -> None:
    """Run the blocks one after the other; the axes of each are its picture."""
    FOLDER.mkdir(exist_ok=True)
    names: dict[str, Any] = {}
    parts = re.split(r"!\[[^\]]*\]\((.*?)\)", PAGE.read_text(encoding="utf-8"))
    for text, picture in zip(parts[::2], parts[1::2], strict=False):
        for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
            for example in doctest.DocTestParser().get_examples(block):
                exec(example.source, names)
        figure = names["axes"].get_figure(root=True)
        figure.savefig(DOCS / picture, dpi=100)


if __name__ == "__main__":
    main()
