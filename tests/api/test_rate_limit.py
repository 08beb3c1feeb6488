"""The budget: counted for each client address, and what happens when it is spent."""

import runpy
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from rest_framework.settings import api_settings

from api.contract import BUDGET
from api.throttling import BudgetThrottle
from tests.api.conftest import Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE
from tests.api.wire import Answer, call

pytestmark = pytest.mark.usefixtures("content")

SETTINGS = Path(settings.BASE_DIR) / "site_mirror" / "settings.py"
CLIENT, OTHER = "192.0.2.1", "192.0.2.2"
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
        cache.clear()
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


def test_a_preflight_is_answered_even_when_the_budget_is_spent(small_budget: int) -> None:
    spend(small_budget)
    preflight = {"HTTP_ORIGIN": "https://x.example", "HTTP_ACCESS_CONTROL_REQUEST_METHOD": "GET"}

    assert ask(method="OPTIONS", **preflight).status == HTTPStatus.NO_CONTENT


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
