"""Docstrings written for Sphinx, shown by the site: choices and references in plain words."""

import re
from typing import Any

import griffe


class PlainDocstrings(griffe.Extension):
    """Rewrite what only Sphinx understands before docstrings are parsed."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of every object that has one."""
        if obj.docstring is not None:
            obj.docstring.value = plain(obj.docstring.value)


def plain(text: str) -> str:
    """Write `{"a", "b"}` as words, and footnotes as a list."""
    text = re.sub(r'(?m)^(\w[\w, ]* : )\{("[^}]*)\}', _choices, text)
    text = re.sub(r"(?m)^(\s*)\.\. \[(\d)\] ", r"\1- (\2) ", text)
    return re.sub(r"\[(\d)\]_", r"(\1)", text)


def _choices(found: re.Match[str]) -> str:
    return found[1] + "one of " + found[2].replace('"', "")
