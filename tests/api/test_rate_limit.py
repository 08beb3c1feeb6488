"""The budget: counted for each client address, and what happens when it is spent."""

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

from api.clients import OwnCounts, SharedCounts
from api.contract import BUDGET
from api.throttling import OWN, BudgetThrottle
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE
from tests.api.wire import Answer, call

pytestmark = pytest.mark.usefixtures("content")

SETTINGS = Path(settings.BASE_DIR) / "site_mirror" / "settings.py"
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
    """The throttle with a budget that a test spends quickly."""
    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": "3/min"})
    return 3


def spend(requests: int, **environ: Any) -> None:
    for _ in range(requests):
        assert call("GET", f"{BASE}/health", **environ).status == HTTPStatus.OK


def ask(address: str = f"{BASE}/health", method: str = "GET", **environ: Any) -> Answer:
    return call(method, address, **environ)


def test_the_budget_of_the_contract_is_spent_by_its_last_request_and_not_before() -> None:
    spend(BUDGET.requests)

    assert ask().status == HTTPStatus.TOO_MANY_REQUESTS


def test_every_address_of_the_api_draws_on_the_budget(small_budget: int) -> None:
    for address in ADDRESSES:
        OWN.clear()
        found = [ask(address).status for _ in range(small_budget + 1)]

        assert found == [200] * small_budget + [429], address


def test_a_spent_budget_is_spent_for_every_address(small_budget: int) -> None:
    spend(small_budget)
    found = {address: ask(address).status for address in API_ADDRESSES}

    assert found == dict.fromkeys(API_ADDRESSES, HTTPStatus.TOO_MANY_REQUESTS)


@pytest.mark.parametrize("address", [f"{BASE}/nope", f"{BASE}/apps/nope", "/api/x"])
def test_guessing_addresses_spends_the_budget_too(small_budget: int, address: str) -> None:
    found = [ask(address).status for _ in range(small_budget + 1)]

    assert found == [404] * small_budget + [429]


def test_two_clients_have_a_budget_each(small_budget: int) -> None:
    spend(small_budget, REMOTE_ADDR=CLIENT)

    assert ask(REMOTE_ADDR=CLIENT).status == HTTPStatus.TOO_MANY_REQUESTS
    assert ask(REMOTE_ADDR=OTHER).status == HTTPStatus.OK


def test_a_client_does_not_get_another_budget_by_naming_another_address(
    small_budget: int,
) -> None:
    spend(small_budget, HTTP_X_FORWARDED_FOR="203.0.113.1")

    assert ask(HTTP_X_FORWARDED_FOR="203.0.113.2").status == HTTPStatus.TOO_MANY_REQUESTS


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
def test_a_client_is_an_ipv4_address_or_an_ipv6_network(
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
    spend(small_budget, **{name: one})

    assert ask(**{name: one}).status == 429
    assert ask(**{name: other}).status == (429 if is_same else 200)


@pytest.mark.parametrize("name", ["", "unknown", "x" * 100_000, "1.2.3.4:80", "1.2.3.4, x"])
def test_a_name_that_is_not_an_address_does_not_change_who_is_counted(
    small_budget: int, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(api_settings, "NUM_PROXIES", 1)
    spend(small_budget, REMOTE_ADDR=CLIENT)

    assert ask(REMOTE_ADDR=CLIENT, HTTP_X_FORWARDED_FOR=name).status == 429


def test_a_spent_budget_comes_back_after_its_window_whatever_was_refused(
    small_budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = [1000.0]
    monkeypatch.setattr(BudgetThrottle, "timer", staticmethod(lambda: moments[-1]))
    spend(small_budget)
    for moment in (1000.0, 1030.0, 1059.9):
        moments.append(moment)
        assert ask().status == 429
    moments.append(1060.0)

    spend(small_budget)
    assert ask().status == 429


def test_a_window_in_the_shared_cache_ends_whatever_was_refused() -> None:
    counts = SharedCounts(LocMemCache("windows", {}), OwnCounts())
    with time_machine.travel(1000, tick=False) as clock:
        for number, moment in enumerate((1000, 1030, 1059), 1):
            clock.move_to(moment)
            assert counts.add(b"client", moment, 60) == number
        clock.move_to(1061)

        assert counts.add(b"client", 1061, 60) == 1


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_client_is_counted_by_the_processes_own_memory_or_by_the_shared_cache(
    small_budget: int, monkeypatch: pytest.MonkeyPatch, *, is_shared: bool
) -> None:
    monkeypatch.setattr("django.conf.settings.SHARED_CACHE", is_shared)
    spend(small_budget, REMOTE_ADDR=CLIENT)

    assert ask(REMOTE_ADDR=CLIENT).status == 429
    assert ask(REMOTE_ADDR=OTHER).status == 200
    assert bool(OWN.windows) is not is_shared


def test_no_client_removes_the_count_of_another() -> None:
    counts = OwnCounts(most=1000)
    for _ in range(5):
        counts.add(b"known", now=0, seconds=60)
    for number in range(50_000):
        counts.add(number.to_bytes(8, "big"), now=1, seconds=60)

    assert counts.add(b"known", now=59, seconds=60) == 6
    assert len(counts.windows) == 1001
    assert counts.add(b"a newcomer", now=59, seconds=60) > 1000
    assert counts.add(b"a newcomer", now=61, seconds=60) == 1
    assert len(counts.windows) == 1


def test_counts_of_many_clients_take_little_memory() -> None:
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
    spend(small_budget)

    assert ask(**named).status == HTTPStatus.TOO_MANY_REQUESTS


def test_behind_a_proxy_the_client_is_whom_the_proxy_names_last(
    small_budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_settings, "NUM_PROXIES", 1)
    spend(small_budget, HTTP_X_FORWARDED_FOR=f"198.51.100.7, {CLIENT}")

    assert ask(HTTP_X_FORWARDED_FOR=f"198.51.100.8, {CLIENT}").status == 429
    assert ask(HTTP_X_FORWARDED_FOR=f"198.51.100.7, {OTHER}").status == 200


def test_a_refusal_is_a_problem_of_its_own_type(small_budget: int, get: Get) -> None:
    spend(small_budget, REMOTE_ADDR="127.0.0.1")

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


def test_a_refusal_says_the_policy_and_when_to_come_back(small_budget: int) -> None:
    spend(small_budget)

    for address in API_ADDRESSES:
        headers = ask(address).headers

        assert {name: headers[name] for name in BUDGET_HEADERS} == BUDGET_HEADERS
        assert int(headers["retry-after"]) >= int(headers["ratelimit-reset"]) >= 1
        assert headers["cache-control"] == "no-store"
        assert headers["access-control-allow-origin"] == "*"
        assert "Retry-After" in headers["access-control-expose-headers"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_refusal_of_a_head_has_no_body_and_the_headers_of_a_get(small_budget: int) -> None:
    spend(small_budget)
    get, head = ask(), ask(method="HEAD")

    assert head.body == b""
    assert (head.status, head.headers) == (get.status, get.headers)


@pytest.mark.parametrize("preflight", [{}, PREFLIGHT], ids=["plain", "preflight"])
@pytest.mark.parametrize("form", ["{}", "{}/", "/{}", "{}//"])
def test_options_is_answered_in_every_form_even_when_the_budget_is_spent(
    small_budget: int, preflight: dict[str, str], form: str
) -> None:
    expected = ask(method="OPTIONS").headers
    spend(small_budget)

    for address in (*API_ADDRESSES, f"{BASE}/nope"):
        answer = ask(form.format(address), "OPTIONS", **preflight)

        assert answer.status == HTTPStatus.NO_CONTENT
        assert answer.headers == expected


def test_the_page_that_explains_the_refusal_is_there(get: Get) -> None:
    assert get("/docs/problems").status_code == HTTPStatus.OK


def test_a_switched_off_limit_refuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BudgetThrottle, "THROTTLE_RATES", {"budget": None})

    spend(BUDGET.requests + 1)


@pytest.mark.parametrize(
    ("switch", "rate"),
    [({}, "600/min"), ({"RATE_LIMIT": "1"}, "600/min"), ({"RATE_LIMIT": "0"}, None)],
)
def test_one_setting_turns_the_limit_off(
    monkeypatch: pytest.MonkeyPatch, switch: dict[str, str], rate: str | None
) -> None:
    monkeypatch.delenv("RATE_LIMIT", raising=False)
    for name, value in switch.items():
        monkeypatch.setenv(name, value)

    found = runpy.run_path(str(SETTINGS))["REST_FRAMEWORK"]["DEFAULT_THROTTLE_RATES"]

    assert found == {"budget": rate}


@pytest.mark.parametrize(("switch", "proxies"), [("0", 0), ("1", 1)])
def test_a_proxy_is_trusted_only_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, switch: str, proxies: int
) -> None:
    monkeypatch.setenv("BEHIND_PROXY", switch)

    assert runpy.run_path(str(SETTINGS))["REST_FRAMEWORK"]["NUM_PROXIES"] == proxies


def test_nobody_is_logged(small_budget: int, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        spend(small_budget, REMOTE_ADDR=CLIENT)
        ask(REMOTE_ADDR=CLIENT)

    assert CLIENT not in caplog.text
