"""The log: one line for each record, without data about persons."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from io import StringIO
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.handlers.wsgi import WSGIHandler
from django.test import override_settings

from catalogue.admin.passwords import password_link
from site_mirror.live import logs
from tests.api.wsgi_client import Answer, call_application
from tests.freeze import sites
from tests.live.public_answers import without_database

ReadLines = Callable[[], list[str]]
FORMATTERS = {"json": logs.JsonFormatter, "text": logs.TextFormatter}
SEPARATORS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
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
    sites.make_site()


@pytest.fixture(params=FORMATTERS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def lines(kind: str) -> Iterator[ReadLines]:
    """A function that returns the lines that were logged during the test."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMATTERS[kind]())
    root = logging.getLogger()
    root.addHandler(handler)
    yield lambda: stream.getvalue().splitlines()
    root.removeHandler(handler)


def send_request(path: str, method: str = "GET", query: str = "", **headers: str) -> Answer:
    sent = {f"HTTP_{name.upper().replace('-', '_')}": text for name, text in HEADERS.items()}
    raw = unquote_to_bytes(path).decode("latin-1")
    application = logs.AccessLog(WSGIHandler())
    return call_application(method, raw, application, QUERY_STRING=query, **sent, **headers)


def test_each_request_is_one_line(small_site: None, lines: ReadLines, kind: str) -> None:
    requests = [("/about", "GET"), ("/nope", "GET"), ("/api/v1/apps", "POST"), ("/about/", "HEAD")]
    statuses = [send_request(path, method, "key=a-secret").status for path, method in requests]

    assert statuses == [200, 404, 405, 308]
    assert len(lines()) == len(requests)
    for line, (path, method), status in zip(lines(), requests, statuses, strict=True):
        assert not any(secret in line for secret in SECRETS)
        assert_access_line(line, kind, method, path, status)


TEXT_LINE = re.compile(
    r"(?P<time>\S+Z) (?P<level>[A-Z]+) (?P<logger>\S+) \[(?P<request>[0-9a-f]{16})\] "
    r"(?P<method>\S+) (?P<path>\S+) (?P<status>\d{3}) (?P<duration_ms>[\d.]+) ms"
)


def assert_access_line(line: str, kind: str, method: str, path: str, status: int) -> None:
    if kind == "json":
        record = json.loads(line)
        assert list(record) == [*TEXT_LINE.groupindex]
    else:
        match = TEXT_LINE.fullmatch(line)
        assert match is not None, line
        record = match.groupdict()
    assert (record["level"], record["logger"]) == ("INFO", "site_mirror.access")
    assert (record["method"], record["path"], int(record["status"])) == (method, path, status)
    assert 0 < float(record["duration_ms"]) < 60_000
    assert datetime.fromisoformat(record["time"]).utcoffset().total_seconds() == 0


def test_an_error_has_one_record_with_its_cause(
    small_site: None, lines: ReadLines, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*anything: Any) -> None:
        raise RuntimeError("a fault\nof two lines")

    monkeypatch.setattr("site_mirror.live.views.live_context", fail)
    assert send_request("/about", query="key=a-secret").status == 500

    error, access = lines()
    assert not any(secret in error for secret in SECRETS)
    assert "ERROR" in error
    assert "Traceback" in error
    assert "RuntimeError: a fault\\nof two lines" in error
    assert "Internal Server Error" in error
    assert " 500 " in access or '"status": 500' in access
    identifier = re.compile(r"[0-9a-f]{16}")
    assert identifier.findall(error)[0] == identifier.findall(access)[0]


def test_a_lost_database_is_one_record(small_site: None, lines: ReadLines) -> None:
    with without_database():
        assert send_request("/api/v1/apps").status == 503

    error, _ = lines()
    assert "Service Unavailable" in error
    assert "OperationalError: could not connect to server" in error


def test_no_character_of_a_record_ends_a_line(small_site: None, lines: ReadLines) -> None:
    forged = [f"first{end}2026-01-01T00:00:00.000Z ERROR forged \x1b[31m" for end in SEPARATORS]
    for text in forged:
        logging.getLogger("a.logger").error("%s", text)
        logging.getLogger("a.logger").error("failed", exc_info=ValueError(text))
    paths = ["/a%0Ab", "/a%0D%0Ab", "/%E2%80%A8", "/%1b[31m", "/%ff", f"/{'a' * 7000}"]
    for path in paths:
        send_request(path)

    assert len(lines()) == 2 * len(forged) + len(paths)
    assert all(line.isprintable() for line in lines())
    assert 2000 < len(lines()[-1]) < 2300


def test_a_link_that_sets_a_password_is_not_logged(db: None, lines: ReadLines) -> None:
    path = urlsplit(password_link(User.objects.create_user("linh"))).path.rstrip("/")
    for form in ("{}/", "{}", "{}/x", "/{}/"):
        send_request(form.format(path))
        assert "/set-password/" in lines()[-1]
        assert path.rpartition("/")[2] not in lines()[-1]


@pytest.mark.parametrize(
    ("behind_proxy", "proposed", "is_logged"),
    [
        *((True, text, True) for text in ("abc-1.2_3", "a" * 64)),
        *((True, text, False) for text in ("a" * 65, "a b", "a\nb")),
        (False, "abc-1.2_3", False),
    ],
)
def test_the_log_has_the_request_id_of_a_proxy_if_it_is_valid(
    small_site: None, lines: ReadLines, behind_proxy: bool, proposed: str, is_logged: bool
) -> None:
    with override_settings(BEHIND_PROXY=behind_proxy):
        response = send_request("/nope", HTTP_X_REQUEST_ID=proposed)

    [line] = lines()
    assert (proposed in line) is is_logged
    assert "x-request-id" not in response.headers


def test_a_wrong_host_is_logged_as_a_400(small_site: None, lines: ReadLines) -> None:
    send_request("/about", HTTP_HOST="evil.example")

    [line] = lines()
    assert "DisallowedHost" not in line
    assert "400" in line


def test_records_outside_of_requests_have_no_id(lines: ReadLines, kind: str) -> None:
    logging.getLogger("a.logger").warning("Careful, %s.", "đi")
    [line] = lines()

    if kind == "json":
        assert json.loads(line)["message"] == "Careful, đi."
        assert "request" not in json.loads(line)
    else:
        assert line.endswith("WARNING a.logger Careful, đi.")
