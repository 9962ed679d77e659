"""What the site does to the pages before they are rendered."""

from replicast import METHODS

TESTS = "<!-- every test of METHODS -->"


def on_page_markdown(markdown: str, **_: object) -> str:
    """Colour examples as a Python prompt does, and show the reference of every test."""
    tests = "\n\n".join(f"::: replicast.{method.test.__name__}" for method in METHODS.values())
    return markdown.replace("```python\n>>>", "```pycon\n>>>").replace(TESTS, tests)
