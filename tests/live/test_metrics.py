"""Prometheus gets the figures of all workers of the live origin, if it is asked to."""

from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.live.test_serve import kill_workers
from tests.live_origins import serve_origin
from tests.ports import free_port


@pytest.mark.server
def test_the_figures_of_all_workers_are_added_and_no_request_is_logged(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With `ACCESS_LOG=1`, requests are logged (`test_serve.py`)."""
    metrics, target = free_port(), tmp_path / "site"
    (target / "releases").mkdir(parents=True)
    (target / "current").symlink_to("releases")
    options = ("--metrics", str(metrics), "--snapshot", str(target), "--workers", "2")
    with serve_origin(tmp_path, *options, RATE_LIMIT="0", ACCESS_LOG="0") as origin:
        statuses = [origin.status("/api/v1/nope") for _ in range(40)]
        statuses += [origin.status("/admin/login/")]
        figures = read_figures(metrics)
        assert kill_workers(origin) == 200
        later = read_figures(metrics)

    assert {*statuses} == {404, 200}
    assert "GET /api/v1/nope 404" not in capfd.readouterr().err
    assert figures['catalogue_requests_total{part="api",status="404"}'] == 40
    assert figures['catalogue_requests_total{part="admin",status="200"}'] == 1
    assert 0 < figures["catalogue_kept_responses_total"] < 40
    assert figures["catalogue_kept_bytes"] > 0
    assert 0 <= figures["catalogue_release_age_seconds"] < 3600
    assert later['catalogue_requests_total{part="api",status="404"}'] == 40
    assert 0 < later["catalogue_kept_bytes"] <= figures["catalogue_kept_bytes"]


@pytest.mark.server
def test_requests_are_counted_without_a_cache(tmp_path: Path) -> None:
    options = ("--metrics", str(metrics := free_port()))
    with serve_origin(tmp_path, *options, RATE_LIMIT="0", RESPONSE_CACHE_MB="0") as origin:
        assert origin.status("/api/v1/nope") == 404
        figures = read_figures(metrics)

    assert figures['catalogue_requests_total{part="api",status="404"}'] == 1


def read_figures(port: int) -> dict[str, float]:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(figure) for name, figure in pairs}
