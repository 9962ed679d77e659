"""What the site does to the pages before they are rendered."""


def on_page_markdown(markdown: str, **_: object) -> str:
    """Colour examples as a Python prompt does, so that output does not look like code."""
    return markdown.replace("```python\n>>>", "```pycon\n>>>")
