"""The request budget of each client address, and the 429 after it is spent."""

import runpy
import subprocess
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.cache.backends.redis import RedisCache

from api.contract import BUDGET
from api.throttling import BudgetThrottle
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, BASE
from tests.api.wsgi_client import Answer, call_application
from tests.live_origins import serve_origin
from tests.ports import free_port, run_server
from tests.requirements import needs_program

SETTINGS_FILE = Path(settings.BASE_DIR) / "site_mirror" / "settings" / "__init__.py"
CLIENT, OTHER = "192.0.2.1", "192.0.2.2"
HEALTH = f"{BASE}/health"
PREFLIGHT = {"HTTP_ORIGIN": "https://x.example", "HTTP_ACCESS_CONTROL_REQUEST_METHOD": "GET"}


@pytest.fixture
def small_budget(content: object, monkeypatch: pytest.MonkeyPatch) -> int:
    """Set the budget to three requests a minute, and return the number."""
    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": "3/min"})
    return 3


def send_request(address: str = HEALTH, method: str = "GET", **environ: Any) -> Answer:
    return call_application(method, address, **environ)


def spend_budget(requests: int, **environ: Any) -> None:
    assert [send_request(**environ).status for _ in range(requests)] == [200] * requests


def test_every_address_spends_the_budget_also_an_unknown_one(small_budget: int) -> None:
    addresses = [f"{BASE}/nope", f"{BASE}/apps/nope", "/api/x"]

    assert [send_request(address).status for address in addresses] == [404] * small_budget
    assert [send_request(address).status for address in addresses] == [429] * 3
    assert send_request("/openapi.json").status == 429


CLIENTS = [
    (CLIENT, OTHER, False),
    ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
    ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
    ("::ffff:192.0.2.1", "192.0.2.1", True),
    ("fe80::1%eth0", "fe80::2", True),
    ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
    ("unix:", "", True),
]
DIRECT, FORWARDED = "REMOTE_ADDR", "HTTP_X_FORWARDED_FOR"


@pytest.mark.parametrize(
    ("behind_proxy", "one", "other", "is_same"),
    [
        *((False, {DIRECT: one}, {DIRECT: other}, same) for one, other, same in CLIENTS),
        *((True, {FORWARDED: one}, {FORWARDED: other}, same) for one, other, same in CLIENTS),
        (False, {DIRECT: None}, {DIRECT: None}, True),
        *(
            (False, {}, {name: OTHER}, True)
            for name in (FORWARDED, "HTTP_FORWARDED", "HTTP_X_REAL_IP")
        ),
        (True, {FORWARDED: f"{OTHER}, {CLIENT}"}, {FORWARDED: f"203.0.113.9, {CLIENT}"}, True),
        (True, {FORWARDED: f"203.0.113.9, {CLIENT}"}, {FORWARDED: f"203.0.113.9, {OTHER}"}, False),
    ],
)
def test_the_budget_belongs_to_an_ipv4_address_or_an_ipv6_network(
    small_budget: int,
    settings: Any,
    behind_proxy: bool,
    one: dict[str, Any],
    other: dict[str, Any],
    is_same: bool,
) -> None:
    settings.BEHIND_PROXY = behind_proxy
    spend_budget(small_budget, **one)

    assert send_request(**one).status == 429
    assert send_request(**other).status == (429 if is_same else 200)


def test_refused_requests_do_not_extend_the_window(
    small_budget: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with time_machine.travel(1000, tick=False) as clock:
        spend_budget(small_budget)
        for moment in (1000, 1030, 1059):
            clock.move_to(moment)
            assert send_request().status == 429
        clock.move_to(1061)

        spend_budget(small_budget)
        assert send_request().status == 429
    assert CLIENT not in caplog.text


def test_a_refusal_is_a_problem_with_the_policy_at_every_address(
    small_budget: int, get: Get
) -> None:
    spend_budget(small_budget, REMOTE_ADDR="127.0.0.1")

    for address in ADDRESSES:
        answer = get(address)

        assert answer.status_code == 429
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json() == {
            "type": "https://studio.example/docs/problems#rate-limit-exceeded",
            "title": "Too Many Requests",
            "status": 429,
            "detail": "The budget is 600 requests per 60 seconds. Wait 60 seconds.",
            "instance": f"https://studio.example{address}",
        }
        assert answer["RateLimit-Policy"] == '"default";q=600;w=60'
        assert answer["RateLimit-Limit"] == answer["RateLimit-Remaining"] == "600"
        assert answer["RateLimit-Reset"] == answer["Retry-After"] == "60"
        assert answer["Cache-Control"] == "no-store"
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert "Retry-After" in answer["Access-Control-Expose-Headers"]
    assert get("/docs/problems").status_code == 200


def test_options_ignores_a_spent_budget(small_budget: int) -> None:
    expected = send_request(method="OPTIONS").headers
    spend_budget(small_budget)

    for address in (*ADDRESSES, f"{BASE}/nope", f"{BASE}/apps/", f"/{BASE}/apps"):
        for environ in ({}, PREFLIGHT):
            answer = send_request(address, "OPTIONS", **environ)
            assert (answer.status, answer.headers) == (HTTPStatus.NO_CONTENT, expected)


@pytest.mark.parametrize(("switch", "rate"), [(None, "600/min"), ("1", "600/min"), ("0", None)])
def test_the_setting_rate_limit_disables_the_limit(
    content: object, monkeypatch: pytest.MonkeyPatch, switch: str | None, rate: str | None
) -> None:
    monkeypatch.delenv("RATE_LIMIT", raising=False)
    if switch:
        monkeypatch.setenv("RATE_LIMIT", switch)
    rates = runpy.run_path(str(SETTINGS_FILE))["REST_FRAMEWORK"]["DEFAULT_THROTTLE_RATES"]
    assert rates == {"budget": rate}

    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": rate and "1/min"})
    assert [send_request().status for _ in range(2)] == [200, 429 if rate else 200]


def test_requests_are_answered_while_the_cache_does_not_answer(
    small_budget: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(BudgetThrottle, "next_attempt", 0.0)
    monkeypatch.setattr("api.throttling.cache", RedisCache(f"redis://127.0.0.1:{free_port()}", {}))

    spend_budget(small_budget + 1)

    assert [record.name for record in caplog.records].count("api.throttling") == 1


@pytest.mark.server
def test_processes_count_together_in_redis_and_work_after_its_end(tmp_path: Path) -> None:
    port, folders = free_port(), (tmp_path / "one", tmp_path / "other")
    program = needs_program("redis-server", "redis-server")
    redis = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", tmp_path]
    address = f"redis://127.0.0.1:{port}/0"
    for folder in folders:
        folder.mkdir()
    with (
        serve_origin(folders[0], CACHE_URL=address) as one,
        serve_origin(folders[1], CACHE_URL=address) as other,
    ):
        with run_server(redis, port, stdout=subprocess.DEVNULL):
            assert (one.status(), other.status()) == (200, 200)
            cache = RedisCache(address, {})
            assert cache.incr("budget_127.0.0.1", BUDGET.requests - 3) == BUDGET.requests - 1

            assert [each.status() for each in (one, other, one)] == [200, 429, 429]

        assert [each.status() for each in (one, other, one)] == [200, 200, 200]
