"""A real browser that opens reports, and holds each visit to silence: nothing logged, nothing asked for, nothing refused."""

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import pytest

from rankgate.reports import render, trend_page
from tests.reports.conftest import HOSTILE, all_results
from tests.reports.pages import full, titled
from tests.reports.test_trend import NDCG, POINTS, over, point

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

#: Where tests/browser/install put what it installed.
VARIABLE: Final = "RANKGATE_BROWSER"
AXE: Final = Path("node_modules/axe-core/axe.min.js")

#: Pages of measures over time: one that creeps, and one with texts that are hard on it.
TRENDS: Final = {
    "trend": POINTS,
    "trend hostile": [
        point(week, {NDCG: 0.5 + week / 9, ("P@1", text): 0.5}, fingerprint=text, broken=("max_drop",) if week else ())
        for week, (_, text, _) in enumerate(HOSTILE)
    ],
}

#: What the policy refused is an event of the page, which is there before any script of the page.
LISTEN: Final = """
  window.refused = [];
  document.addEventListener("securitypolicyviolation", (event) => window.refused.push(event.violatedDirective));
"""


@pytest.fixture(scope="session")
def folder() -> Path:
    """Where axe-core lies."""
    named = os.environ.get(VARIABLE)
    if not named:
        pytest.skip(f"{VARIABLE} does not say where tests/browser/install put axe-core")
    return Path(named)


@pytest.fixture(scope="session")
def axe(folder: Path) -> str:
    """The source of axe-core."""
    return (folder / AXE).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser(folder: Path) -> Iterator["Browser"]:
    """Debian's Chromium."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    assert program, "no chromium on the PATH: tests/browser/install installs it"
    with sync_playwright() as playwright:
        # Chromium's own sandbox does not start for root, as CI's containers run.
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def reports() -> Mapping[str, str]:
    """Of every way that a gate can end, of one with titles, of the largest that is promised; and pages of trends."""
    results = {**all_results(), "titled": titled(), "full": full()}
    found = {name: render("html", result) for name, result in results.items()}
    return {**found, **{name: trend_page.render(over(points)) for name, points in TRENDS.items()}}


@dataclass
class Visits:
    """Opens reports, each in a browser window of its own, and keeps what went wrong in them."""

    browser: "Browser"
    reports: Mapping[str, str]
    folder: Path
    pages: list["Page"] = field(default_factory=list)
    noise: list[str] = field(default_factory=list)

    def __call__(
        self, name: str, *, width: int = 1280, scheme: Literal["light", "dark"] = "light", at: str = "", **more: Any
    ) -> "Page":
        """Open a report.

        Args:
            width: Of the window, in CSS pixels.
            scheme: ``light`` or ``dark``, as the system prefers it.
            at: What follows the file's name in the address.
            more: For the browser's context.
        """
        path = self.folder / f"{name.replace(' ', '-')}.html"
        path.write_text(self.reports[name], encoding="utf-8", newline="")
        context = self.browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, **more)
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: self.noise.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.noise.append(str(error)))
        page.on("request", lambda request: self._asked(request.url, path))
        page.goto(f"{path.as_uri()}{at}")
        self.pages.append(page)
        return page

    def _asked(self, url: str, path: Path) -> None:
        if url.partition("#")[0] != path.as_uri():
            self.noise.append(f"asked for {url}")

    def end(self) -> None:
        """Close all windows, each with a picture of what it showed last."""
        for number, page in enumerate(self.pages):
            page.screenshot(path=self.folder / f"{number}.png")
            if page.evaluate("typeof refused") == "object":
                self.noise += page.evaluate("refused")
            page.context.close()


@pytest.fixture
def visit(browser: "Browser", reports: Mapping[str, str], tmp_path: Path) -> Iterator[Visits]:
    """Opens reports; fails the test when a page logged, asked for or was refused anything."""
    visits = Visits(browser, reports, tmp_path)
    yield visits
    visits.end()
    assert [] == visits.noise
