"""Request counts that processes share in Redis, with Redis and after its end."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

from api.request_counts import CACHE_RETRY_SECONDS, OwnCounts, SharedCounts
from tests.live_origins import serve_origin
from tests.ports import free_port, wait_for
from tests.requirements import needs_program

CLIENT = b"\xc0\x00\x02\x01"
KEY = f"budget_{CLIENT.hex()}"
NOW, SECONDS = 1000.0, 60


@contextmanager
def run_redis(folder: Path, port: int) -> Iterator[str]:
    """Run a Redis without files and yield its address."""
    program = needs_program("redis-server", "redis-server")
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            wait_for(port)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with run_redis(tmp_path, free_port()) as address:
        yield address


def make_counts(address: str) -> SharedCounts:
    """Return the shared counts as one process uses them."""
    return SharedCounts(RedisCache(address, {}), OwnCounts())


def remaining_seconds(address: str) -> int:
    """Return the seconds until a client's count ends; -1 if it never ends."""
    cache = RedisCache(address, {})
    return int(cache._cache.get_client().ttl(cache.make_key(KEY)))  # type: ignore[attr-defined]


def test_two_processes_share_a_count(address: str) -> None:
    one, other = make_counts(address), make_counts(address)

    assert [each.add(CLIENT, NOW, SECONDS) for each in (one, other, one)] == [1, 2, 3]
    assert other.add(b"other", NOW, SECONDS) == 1
    assert 0 < remaining_seconds(address) <= SECONDS


def test_a_count_ends_even_if_its_window_ends_while_it_is_moved(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def incr(self: RedisCacheClient, key: str, delta: int) -> int:
        client = self.get_client(key, write=True)
        if not client.exists(key):
            raise ValueError
        client.delete(key)
        return int(client.incr(key, delta))

    monkeypatch.setattr(RedisCacheClient, "incr", incr)

    assert make_counts(address).add(CLIENT, NOW, SECONDS) == 1
    assert 0 < remaining_seconds(address) <= SECONDS


def test_a_process_counts_in_its_memory_while_redis_is_down(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    port = free_port()
    counts = make_counts(f"redis://127.0.0.1:{port}/0")

    assert [counts.add(CLIENT, NOW, SECONDS) for _ in range(3)] == [1, 2, 3]
    assert len(caplog.records) == 1
    with run_redis(tmp_path, port):
        assert counts.add(CLIENT, NOW + CACHE_RETRY_SECONDS - 1, SECONDS) == 4
        assert counts.add(CLIENT, NOW + CACHE_RETRY_SECONDS, SECONDS) == 1


@pytest.mark.server
def test_the_origin_works_with_redis_and_after_its_end(tmp_path: Path) -> None:
    port = free_port()
    with serve_origin(tmp_path, CACHE_URL=f"redis://127.0.0.1:{port}/0") as origin:
        with run_redis(tmp_path, port) as address:
            assert origin.status() == 200
            assert RedisCache(address, {})._cache.get_client().dbsize() == 1  # type: ignore[attr-defined]

        assert [origin.status() for _ in range(3)] == [200] * 3
