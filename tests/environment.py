"""A pytest plugin: the settings of a test run, and a summary of the tests that were left out."""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

os.environ["SECRET_KEY"] = "tests only " * 8
os.environ["SITE_ROOT"] = "https://studio.example"
os.environ["ALLOWED_HOSTS"] = "studio.example,testserver,127.0.0.1,localhost"
os.environ.pop("DEBUG", None)
os.environ.pop("SOURCE_DATE_EPOCH", None)

NEEDS = {
    "browser": "Chromium",
    "server": "programs such as nginx, Caddy, PostgreSQL and Redis",
    "npm": "the npm packages of tests/, and Java",
    "disk": "root and loop devices",
    "slow": "time",
}
"""What the tests with each marker need beside Python."""

left_out: "Counter[str]" = Counter()


@pytest.fixture(autouse=True)
def _unspent_request_counts() -> Iterator[None]:
    """Requests of other tests are not counted."""
    yield
    if "api.throttling" in sys.modules:
        sys.modules["api.throttling"].OWN_COUNTS.clear()


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count the tests that the expression of `-m` leaves out, by their first marker."""
    for item in items:
        marker = next((name for name in NEEDS if item.get_closest_marker(name)), "")
        left_out[marker] += bool(marker)


def pytest_sessionfinish(session: pytest.Session) -> None:
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Take over the counts of a worker of pytest-xdist; every worker collects the same tests."""
    left_out.update(node.workeroutput["left_out"] if not left_out and not error else {})


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if not sum(left_out.values()):
        return
    terminalreporter.section("NOT RUN", yellow=True, bold=True)
    for marker, need in NEEDS.items():
        if left_out[marker]:
            terminalreporter.line(f"{left_out[marker]:5} tests need {need} ({marker})")
    terminalreporter.line("“make test-all” runs them; .ci/run installs what they need.")
