"""The colours of everything a person sees, by what they are for: light, and dark."""

from collections.abc import Sequence
from typing import Literal

Tone = Literal[
    "ink", "soft", "line", "page", "card", "accent", "band", "warm", "warn", "warn-page", "error",
    "error-page", "good", "good-page",
]  # fmt: skip

PALETTE: dict[Tone, tuple[str, str]] = {
    "ink": ("#1a2332", "#e8ecf1"),
    "soft": ("#55606f", "#a9b3c0"),
    "line": ("#d8dee5", "#333d49"),
    "page": ("#fbfbfa", "#14181d"),
    "card": ("#ffffff", "#1b2027"),
    "accent": ("#1b579f", "#86b6f2"),
    "band": ("#bcd3ef", "#2d4869"),
    "warm": ("#a4561f", "#eaa873"),
    "warn": ("#7a4f00", "#f2cb7e"),
    "warn-page": ("#fff5dd", "#2b2415"),
    "error": ("#a3201a", "#ff9f96"),
    "error-page": ("#fdecea", "#3a1d1b"),
    "good": ("#1d6b3a", "#7fd0a0"),
    "good-page": ("#e6f3ea", "#1a3324"),
}
# where a notebook says that it is dark, whatever the system prefers
_DARK_NOTEBOOKS = (
    '[data-jp-theme-light="false"]',
    "body.vscode-dark",
    'html[theme="dark"]',
)


def light(tone: Tone) -> str:
    """Return the colour of a tone on white, for files."""
    return PALETTE[tone][0]


def style_sheet(selector: str = ":root") -> str:
    """Return the colours as variables of a style sheet: light, dark, and light again on paper."""
    day, night = ("".join(f"--{tone}:{pair[k]};" for tone, pair in PALETTE.items()) for k in (0, 1))
    dark = f"{selector}{{color-scheme:dark;{night}}}"
    rules = [
        f"{selector}{{color-scheme:light;{day}}}",
        f"@media screen and (prefers-color-scheme:dark){{{dark}}}",
    ]
    if selector != ":root":
        rules += [
            f'[data-jp-theme-light="true"] {selector},body.vscode-light {selector}'
            f"{{color-scheme:light;{day}}}",
            f"@media screen{{{_within(_DARK_NOTEBOOKS, selector)}{{color-scheme:dark;{night}}}}}",
        ]
    return "\n".join(rules) + "\n"


def _within(places: Sequence[str], selector: str) -> str:
    return ",".join(f"{place} {selector}" for place in places)
