"""A pytest plugin: the settings of a test run, and what its summary says of tests."""

import gc
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.core.cache import cache
from django.test import override_settings
from hypothesis import HealthCheck, settings

from tests.shared_results import FOLDER

os.environ["SECRET_KEY"] = "tests only " * 8
os.environ["SITE_ROOT"] = "https://studio.example"
os.environ["ALLOWED_HOSTS"] = "studio.example,testserver,127.0.0.1,localhost"
# Each test has content of its own.
os.environ["RESPONSE_CACHE_MB"] = "0"
os.environ.pop("DEBUG", None)
os.environ.pop("SOURCE_DATE_EPOCH", None)

# Each run has the same examples; `make test-all` asks for random ones (--hypothesis-profile).
settings.register_profile(
    "same",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("random", settings.get_profile("same"), derandomize=False)
settings.load_profile("same")

NEEDS = {
    "exhaustive": "time, or a quiet machine",
    "browser": "Chromium",
    "server": "programs such as nginx, PostgreSQL and Redis",
    "npm": "the npm packages of tests/, and Java",
    "disk": "root",
}
"""What the tests with each marker need beside Python."""

left_out: "Counter[str]" = Counter()


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> None:
    """Hash passwords once; a million times would take half of the time of the admin's tests."""
    from django.contrib.auth.hashers import PBKDF2PasswordHasher

    PBKDF2PasswordHasher.iterations = 1


@pytest.fixture(scope="session", autouse=True)
def _static_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the origin an empty folder for the admin's static files: it must exist.

    The desk finds no release, and no file of this project is a request for one.
    It is the same for all tests, because a release that one test froze for others has a digest of
    the settings.
    """
    desk = tmp_path_factory.mktemp("desk")
    paths = {"SNAPSHOT": desk / "site", "PUBLISH_REQUEST": desk / "request"}
    with override_settings(STATIC_ROOT=tmp_path_factory.mktemp("static"), **paths):
        yield


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    """Forget the requests of other tests, and the description of the API with their content."""
    from api.schema import describe

    cache.clear()
    describe.cache_clear()


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder for results that all processes of this run share."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = TemporaryDirectory()
        os.environ[FOLDER] = folder.name
        config.add_cleanup(folder.cleanup)


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Refuse a test that only `make test-all` runs and that does not say why."""
    for item in items:
        for marker in item.iter_markers("exhaustive"):
            if len(marker.args) != 1 or not isinstance(marker.args[0], str):
                raise pytest.UsageError(f"{item.nodeid}: write exhaustive('the reason').")


def pytest_collection_finish() -> None:
    """Keep the collector of garbage from going through all collected tests again and again."""
    gc.freeze()


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


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any) -> Iterator[None]:
    """Name the tests that were left out and, last, those that passed only at their second try."""
    if sum(left_out.values()):
        terminalreporter.section("NOT RUN", yellow=True, bold=True)
        for marker, need in NEEDS.items():
            if left_out[marker]:
                terminalreporter.line(f"{left_out[marker]:5} tests need {need} ({marker})")
        terminalreporter.line("“.ci/run” runs those of programs, and “make test-all” runs all.")
    yield
    flaky = find_flaky(terminalreporter.stats)
    if flaky and "PYTEST_XDIST_WORKER" not in os.environ:
        terminalreporter.section("FLAKY", yellow=True, bold=True)
        for name in flaky:
            terminalreporter.line(f"{name} failed, and passed when it was run once more.")
        if "FLAKY_TESTS" in os.environ:  # A file, in which .ci/run collects those of all its steps.
            with Path(os.environ["FLAKY_TESTS"]).open("a") as file:
                file.writelines(f"{name}\n" for name in flaky)


def find_flaky(reports: dict[str, list[pytest.TestReport]]) -> list[str]:
    """Return the names of tests that failed at their first try and passed at their second."""
    names = {
        outcome: {report.nodeid for report in reports.get(outcome, [])}
        for outcome in ("rerun", "passed", "failed", "error")
    }
    return sorted((names["rerun"] & names["passed"]) - names["failed"] - names["error"])
