"""The log: one line for each record, and nothing in it that points to a person."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import DisallowedHost
from django.db import OperationalError, connection
from django.test import Client, override_settings

from catalogue.admin.passwords import password_link
from site_mirror import logs
from tests.freeze import makers

Lines = Callable[[], list[str]]
FORMATTERS = {"json": logs.JsonFormatter, "text": logs.TextFormatter}
ENDS_OF_LINES = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
SECRETS = ("192.0.2.7", "a-secret", "Mozilla", "sessionid")
HEADERS = {
    "user-agent": "Mozilla/5.0",
    "cookie": "sessionid=a-secret",
    "referer": "https://a-secret.example/",
    "authorization": "Bearer a-secret",
    "x-forwarded-for": "192.0.2.7",
}


@pytest.fixture
def small_site(db: None) -> None:
    makers.make_site()


@pytest.fixture(params=FORMATTERS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def lines(kind: str) -> Iterator[Lines]:
    """The lines that this process has logged during the test."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMATTERS[kind]())
    root = logging.getLogger()
    root.addHandler(handler)
    yield lambda: stream.getvalue().splitlines()
    root.removeHandler(handler)


def ask(path: str, method: str = "GET", **more: Any) -> Any:
    client = Client(raise_request_exception=False, REMOTE_ADDR="192.0.2.7")
    return client.generic(method, path, headers=HEADERS | more.pop("headers", {}), **more)


def test_each_request_is_one_line(small_site: None, lines: Lines, kind: str) -> None:
    asked = [("/about", "GET"), ("/nope", "GET"), ("/api/v1/apps", "POST"), ("/about/", "HEAD")]
    statuses = [
        ask(path, method, QUERY_STRING="key=a-secret").status_code for path, method in asked
    ]

    assert statuses == [200, 404, 405, 308]
    assert len(lines()) == len(asked)
    for line, (path, method), status in zip(lines(), asked, statuses, strict=True):
        assert not any(secret in line for secret in SECRETS)
        assert_tells(line, kind, method, path, status)


TEXT = re.compile(
    r"(?P<time>\S+Z) (?P<level>[A-Z]+) (?P<logger>\S+) \[(?P<request>[0-9a-f]{16})\] "
    r"(?P<method>\S+) (?P<path>\S+) (?P<status>\d{3}) (?P<duration_ms>[\d.]+) ms"
)


def assert_tells(line: str, kind: str, method: str, path: str, status: int) -> None:
    if kind == "json":
        found = json.loads(line)
        assert list(found) == [*TEXT.groupindex]
    else:
        matched = TEXT.fullmatch(line)
        assert matched is not None, line
        found = matched.groupdict()
    assert (found["level"], found["logger"]) == ("INFO", "site_mirror.access")
    assert (found["method"], found["path"], int(found["status"])) == (method, path, status)
    assert 0 < float(found["duration_ms"]) < 60_000
    assert datetime.fromisoformat(found["time"]).utcoffset().total_seconds() == 0


def test_an_error_has_one_record_with_its_cause(
    small_site: None, lines: Lines, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*anything: Any) -> None:
        raise RuntimeError("a fault\nof two lines")

    monkeypatch.setattr("site_mirror.views.live_context", fail)
    assert ask("/about", QUERY_STRING="key=a-secret").status_code == 500

    error, access = lines()
    assert not any(secret in error for secret in SECRETS)
    assert "ERROR" in error
    assert "Traceback" in error
    assert "RuntimeError: a fault\\nof two lines" in error
    assert "Internal Server Error" in error
    assert " 500 " in access or '"status": 500' in access
    identifier = re.compile(r"[0-9a-f]{16}")
    assert identifier.findall(error)[0] == identifier.findall(access)[0]


def test_a_database_that_is_gone_is_one_record(small_site: None, lines: Lines) -> None:
    def gone(*query: Any) -> None:
        raise OperationalError("no route to host")

    with connection.execute_wrapper(gone):
        assert ask("/api/v1/apps").status_code == 503

    error, _ = lines()
    assert "Service Unavailable" in error
    assert "OperationalError: no route to host" in error


@pytest.mark.parametrize("end", ENDS_OF_LINES, ids=lambda end: f"U+{ord(end):04X}")
def test_no_text_ends_a_line(lines: Lines, end: str) -> None:
    forged = f"first{end}2026-01-01T00:00:00.000Z ERROR forged \x1b[31m"
    logging.getLogger("a.logger").error("%s", forged)
    logging.getLogger("a.logger").error("failed", exc_info=ValueError(forged))

    assert len(lines()) == 2
    assert all("\x1b" not in line and end not in line for line in lines())


@pytest.mark.parametrize("path", ["/a%0Ab", "/a%0D%0Ab", "/%E2%80%A8", "/%1b[31m", "/%ff"])
def test_no_path_ends_a_line(small_site: None, lines: Lines, path: str) -> None:
    ask(path)

    assert len(lines()) == 1
    assert lines()[0].isprintable()


def test_a_long_path_is_cut(small_site: None, lines: Lines) -> None:
    ask(f"/{'a' * 7000}")

    assert len(lines()[0]) < logs.LONGEST_PATH + 300


@pytest.mark.parametrize("form", ["{}/", "{}", "{}/x", "/{}/"])
def test_a_link_that_sets_a_password_is_not_logged(db: None, lines: Lines, form: str) -> None:
    link = urlsplit(password_link(User.objects.create_user("linh")))
    token = link.path.rstrip("/").rpartition("/")[2]
    ask(form.format(link.path.rstrip("/")))

    [line] = lines()
    assert "/set-password/" in line
    assert token not in line


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize(
    ("proposed", "sane"),
    [("abc-1.2_3", True), ("a" * 64, True), ("a" * 65, False), ("a b", False), ("a\nb", False)],
)
def test_the_id_of_a_request_is_the_proxys_if_it_is_trusted_and_sane(
    small_site: None, lines: Lines, proposed: str, sane: bool, trusted: bool
) -> None:
    with override_settings(BEHIND_PROXY=trusted):
        found = ask("/nope", headers={"x-request-id": proposed})

    [line] = lines()
    assert (proposed in line) is (trusted and sane)
    assert "X-Request-ID" not in found.headers


def test_requests_have_no_line_where_they_are_not_wanted(small_site: None, lines: Lines) -> None:
    with override_settings(ACCESS_LOG=False):
        ask("/about")

    assert lines() == []


def test_records_outside_of_requests_have_no_id(lines: Lines, kind: str) -> None:
    logging.getLogger("a.logger").warning("Careful, %s.", "đi")
    [line] = lines()

    if kind == "json":
        assert json.loads(line)["message"] == "Careful, đi."
        assert "request" not in json.loads(line)
    else:
        assert line.endswith("WARNING a.logger Careful, đi.")


def test_a_host_of_somebody_else_is_an_answer_and_no_error(small_site: None, lines: Lines) -> None:
    ask("/about", headers={"host": "evil.example"})

    [line] = lines()
    assert DisallowedHost.__name__ not in line
    assert "400" in line
