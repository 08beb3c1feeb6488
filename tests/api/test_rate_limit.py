"""The request budget of each client address, and the 429 after it is spent."""

import runpy
import tracemalloc
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from rest_framework.settings import api_settings

from api.contract import BUDGET
from api.request_counts import OwnCounts, SharedCounts
from api.throttling import OWN_COUNTS, BudgetThrottle
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE
from tests.api.wsgi_client import Answer, call_application

pytestmark = pytest.mark.usefixtures("content")

SETTINGS_FILE = Path(settings.BASE_DIR) / "site_mirror" / "settings.py"
CLIENT, OTHER = "192.0.2.1", "192.0.2.2"
PREFLIGHT = {"HTTP_ORIGIN": "https://x.example", "HTTP_ACCESS_CONTROL_REQUEST_METHOD": "GET"}
BUDGET_HEADERS = {
    "ratelimit-policy": '"default";q=600;w=60',
    "ratelimit-limit": "600",
    "ratelimit-remaining": "600",
    "ratelimit-reset": "60",
}


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> int:
    """Set the budget to three requests a minute, and return the number."""
    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": "3/min"})
    return 3


def spend_budget(requests: int, **environ: Any) -> None:
    for _ in range(requests):
        assert call_application("GET", f"{BASE}/health", **environ).status == HTTPStatus.OK


def send_request(address: str = f"{BASE}/health", method: str = "GET", **environ: Any) -> Answer:
    return call_application(method, address, **environ)


def test_the_request_after_the_budget_of_the_contract_is_a_429() -> None:
    spend_budget(1)
    [(client, (begun, count))] = OWN_COUNTS.windows.items()
    assert count == 1
    OWN_COUNTS.windows[client] = (begun, BUDGET.requests - 1)
    spend_budget(1)

    assert send_request().status == HTTPStatus.TOO_MANY_REQUESTS


@pytest.mark.exhaustive("sends the 600 requests of a whole budget")
def test_the_request_after_600_requests_is_a_429() -> None:
    spend_budget(BUDGET.requests)

    assert send_request().status == HTTPStatus.TOO_MANY_REQUESTS


def test_every_address_of_the_api_spends_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": "1/min"})
    for address in ADDRESSES:
        OWN_COUNTS.clear()

        assert [send_request(address).status for _ in range(2)] == [200, 429], address


def test_a_spent_budget_refuses_every_address(small_budget: int) -> None:
    spend_budget(small_budget)
    found = {address: send_request(address).status for address in API_ADDRESSES}

    assert found == dict.fromkeys(API_ADDRESSES, HTTPStatus.TOO_MANY_REQUESTS)


@pytest.mark.parametrize("address", [f"{BASE}/nope", f"{BASE}/apps/nope", "/api/x"])
def test_unknown_addresses_spend_the_budget(small_budget: int, address: str) -> None:
    found = [send_request(address).status for _ in range(small_budget + 1)]

    assert found == [404] * small_budget + [429]


def test_two_clients_have_a_budget_each(small_budget: int) -> None:
    spend_budget(small_budget, REMOTE_ADDR=CLIENT)

    assert send_request(REMOTE_ADDR=CLIENT).status == HTTPStatus.TOO_MANY_REQUESTS
    assert send_request(REMOTE_ADDR=OTHER).status == HTTPStatus.OK


def test_a_forged_client_address_does_not_give_another_budget(
    small_budget: int,
) -> None:
    spend_budget(small_budget, HTTP_X_FORWARDED_FOR="203.0.113.1")

    assert send_request(HTTP_X_FORWARDED_FOR="203.0.113.2").status == HTTPStatus.TOO_MANY_REQUESTS


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
@pytest.mark.parametrize("is_proxied", [False, True])
def test_the_budget_belongs_to_an_ipv4_address_or_an_ipv6_network(
    small_budget: int,
    monkeypatch: pytest.MonkeyPatch,
    one: str,
    other: str,
    *,
    is_same: bool,
    is_proxied: bool,
) -> None:
    monkeypatch.setattr(api_settings, "NUM_PROXIES", int(is_proxied))
    name = "HTTP_X_FORWARDED_FOR" if is_proxied else "REMOTE_ADDR"
    spend_budget(small_budget, **{name: one})

    assert send_request(**{name: one}).status == 429
    assert send_request(**{name: other}).status == (429 if is_same else 200)


@pytest.mark.parametrize("name", ["", "unknown", "x" * 100_000, "1.2.3.4:80", "1.2.3.4, x"])
def test_an_invalid_forwarded_address_is_ignored(
    small_budget: int, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(api_settings, "NUM_PROXIES", 1)
    spend_budget(small_budget, REMOTE_ADDR=CLIENT)

    assert send_request(REMOTE_ADDR=CLIENT, HTTP_X_FORWARDED_FOR=name).status == 429


def test_refused_requests_do_not_extend_the_window(
    small_budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = [1000.0]
    monkeypatch.setattr(BudgetThrottle, "timer", staticmethod(lambda: moments[-1]))
    spend_budget(small_budget)
    for moment in (1000.0, 1030.0, 1059.9):
        moments.append(moment)
        assert send_request().status == 429
    moments.append(1060.0)

    spend_budget(small_budget)
    assert send_request().status == 429


def test_refused_requests_do_not_extend_a_window_in_the_shared_cache() -> None:
    counts = SharedCounts(LocMemCache("windows", {}), OwnCounts())
    with time_machine.travel(1000, tick=False) as clock:
        for number, moment in enumerate((1000, 1030, 1059), 1):
            clock.move_to(moment)
            assert counts.add(b"client", moment, 60) == number
        clock.move_to(1061)

        assert counts.add(b"client", 1061, 60) == 1


@pytest.mark.parametrize("is_shared", [False, True])
def test_the_setting_shared_cache_selects_where_requests_are_counted(
    small_budget: int, monkeypatch: pytest.MonkeyPatch, *, is_shared: bool
) -> None:
    monkeypatch.setattr("django.conf.settings.SHARED_CACHE", is_shared)
    spend_budget(small_budget, REMOTE_ADDR=CLIENT)

    assert send_request(REMOTE_ADDR=CLIENT).status == 429
    assert send_request(REMOTE_ADDR=OTHER).status == 200
    assert bool(OWN_COUNTS.windows) is not is_shared


def test_no_client_removes_the_count_of_another() -> None:
    counts = OwnCounts(max_clients=1000)
    for _ in range(5):
        counts.add(b"known", now=0, seconds=60)
    for number in range(50_000):
        counts.add(number.to_bytes(8, "big"), now=1, seconds=60)

    assert counts.add(b"known", now=59, seconds=60) == 6
    assert len(counts.windows) == 1001
    assert counts.add(b"a newcomer", now=59, seconds=60) > 1000
    assert counts.add(b"a newcomer", now=61, seconds=60) == 1
    assert len(counts.windows) == 1


@pytest.mark.exhaustive("measures the memory of 300,000 counts")
def test_counts_of_300_000_clients_need_less_than_40_megabytes() -> None:
    tracemalloc.start()
    counts = OwnCounts()
    for number in range(300_000):
        counts.add(number.to_bytes(8, "big"), now=number / 10_000, seconds=60)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert size < 40_000_000


@pytest.mark.parametrize(
    "named", [{"HTTP_FORWARDED": "for=203.0.113.9"}, {"HTTP_X_REAL_IP": "203.0.113.9"}]
)
def test_other_headers_do_not_name_a_client(small_budget: int, named: dict[str, str]) -> None:
    spend_budget(small_budget)

    assert send_request(**named).status == HTTPStatus.TOO_MANY_REQUESTS


def test_behind_a_proxy_the_client_is_the_last_forwarded_address(
    small_budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_settings, "NUM_PROXIES", 1)
    spend_budget(small_budget, HTTP_X_FORWARDED_FOR=f"198.51.100.7, {CLIENT}")

    assert send_request(HTTP_X_FORWARDED_FOR=f"198.51.100.8, {CLIENT}").status == 429
    assert send_request(HTTP_X_FORWARDED_FOR=f"198.51.100.7, {OTHER}").status == 200


def test_a_refusal_is_a_problem_of_its_own_type(small_budget: int, get: Get) -> None:
    spend_budget(small_budget, REMOTE_ADDR="127.0.0.1")

    for address in API_ADDRESSES:
        answer = get(address)

        assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json() == {
            "type": "https://studio.example/docs/problems#rate-limit-exceeded",
            "title": "Too Many Requests",
            "status": 429,
            "detail": "The budget is 600 requests per 60 seconds. Wait 60 seconds.",
            "instance": f"https://studio.example{address}",
        }


def test_a_refusal_has_the_policy_and_retry_after(small_budget: int) -> None:
    spend_budget(small_budget)

    for address in API_ADDRESSES:
        headers = send_request(address).headers

        assert {name: headers[name] for name in BUDGET_HEADERS} == BUDGET_HEADERS
        assert int(headers["retry-after"]) >= int(headers["ratelimit-reset"]) >= 1
        assert headers["cache-control"] == "no-store"
        assert headers["access-control-allow-origin"] == "*"
        assert "Retry-After" in headers["access-control-expose-headers"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_refusal_of_a_head_has_no_body_and_the_headers_of_a_get(small_budget: int) -> None:
    spend_budget(small_budget)
    get, head = send_request(), send_request(method="HEAD")

    assert head.body == b""
    assert (head.status, head.headers) == (get.status, get.headers)


@pytest.mark.parametrize("preflight", [{}, PREFLIGHT], ids=["plain", "preflight"])
@pytest.mark.parametrize("form", ["{}", "{}/", "/{}", "{}//"])
def test_options_ignores_a_spent_budget(
    small_budget: int, preflight: dict[str, str], form: str
) -> None:
    expected = send_request(method="OPTIONS").headers
    spend_budget(small_budget)

    for address in (*API_ADDRESSES, f"{BASE}/nope"):
        answer = send_request(form.format(address), "OPTIONS", **preflight)

        assert answer.status == HTTPStatus.NO_CONTENT
        assert answer.headers == expected


def test_the_page_about_problems_exists(get: Get) -> None:
    assert get("/docs/problems").status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    "requests",
    [2, pytest.param(BUDGET.requests + 1, marks=pytest.mark.exhaustive("sends 601 requests"))],
)
def test_a_disabled_limit_refuses_and_counts_no_request(
    monkeypatch: pytest.MonkeyPatch, requests: int
) -> None:
    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": None})

    spend_budget(requests)

    assert OWN_COUNTS.windows == {}


@pytest.mark.parametrize(
    ("switch", "rate"),
    [({}, "600/min"), ({"RATE_LIMIT": "1"}, "600/min"), ({"RATE_LIMIT": "0"}, None)],
)
def test_the_setting_rate_limit_disables_the_limit(
    monkeypatch: pytest.MonkeyPatch, switch: dict[str, str], rate: str | None
) -> None:
    monkeypatch.delenv("RATE_LIMIT", raising=False)
    for name, value in switch.items():
        monkeypatch.setenv(name, value)

    found = runpy.run_path(str(SETTINGS_FILE))["REST_FRAMEWORK"]["DEFAULT_THROTTLE_RATES"]

    assert found == {"budget": rate}


@pytest.mark.parametrize(("switch", "proxies"), [("0", 0), ("1", 1)])
def test_the_setting_behind_proxy_sets_the_number_of_proxies(
    monkeypatch: pytest.MonkeyPatch, switch: str, proxies: int
) -> None:
    monkeypatch.setenv("BEHIND_PROXY", switch)

    assert runpy.run_path(str(SETTINGS_FILE))["REST_FRAMEWORK"]["NUM_PROXIES"] == proxies


def test_the_address_of_a_refused_client_is_not_logged(
    small_budget: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("DEBUG"):
        spend_budget(small_budget, REMOTE_ADDR=CLIENT)
        send_request(REMOTE_ADDR=CLIENT)

    assert CLIENT not in caplog.text
