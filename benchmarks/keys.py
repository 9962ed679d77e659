"""Milliseconds from a key to the answer, as a browser sees them: the pause before asking included."""

import shutil
from statistics import median, quantiles

from benchmarks.load import served
from benchmarks.timing import Target, at_most

KEYS = 60
_NAMES = ("chromium", "chromium-browser", "google-chrome")
# types a number into a field; ends when its answer stands there and has been painted
_TYPE = """([name, text]) => new Promise((done) => {
  const field = document.querySelector(`[name=${name}]`);
  const result = document.querySelector("[data-result]");
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
  });
  watch.observe(result, { childList: true });
  field.value = text;
  const begun = performance.now();
  field.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def run() -> list[Target]:
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, _NAMES)))
    with served() as (_, port), sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://127.0.0.1:{port}/paper?t=2.9&folds=10&test=corrected")
        took = [page.evaluate(_TYPE, ["t", f"{2 + k / 100:.2f}"]) for k in range(KEYS + 5)][5:]
        browser.close()
    return [
        at_most("key to answer, every number new, median", median(took), 250, 100, "ms"),
        at_most("key to answer, 19 of 20 within", quantiles(took, n=20)[-1], 400, 150, "ms"),
    ]
