"""Budgets in a cache that several processes share: a real Redis, there and gone."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

from api.clients import PAUSE, OwnCounts, SharedCounts
from tests.needs import needs_program
from tests.origins import serving
from tests.test_server import free_port, wait_for

CLIENT = b"\xc0\x00\x02\x01"
KEY = f"budget_{CLIENT.hex()}"
NOW, SECONDS = 1000.0, 60


@contextmanager
def redis(folder: Path, port: int) -> Iterator[str]:
    """The address of a Redis that keeps nothing on disk, until the end of the block."""
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
    with redis(tmp_path, free_port()) as address:
        yield address


def counts_of(address: str) -> SharedCounts:
    """The counts of one process."""
    return SharedCounts(RedisCache(address, {}), OwnCounts())


def end_of(address: str) -> int:
    """Seconds until a client's count ends; -1 for one that never ends."""
    cache = RedisCache(address, {})
    return int(cache._cache.get_client().ttl(cache.make_key(KEY)))  # type: ignore[attr-defined]


def test_processes_count_together(address: str) -> None:
    one, other = counts_of(address), counts_of(address)

    assert [each.add(CLIENT, NOW, SECONDS) for each in (one, other, one)] == [1, 2, 3]
    assert other.add(b"other", NOW, SECONDS) == 1
    assert 0 < end_of(address) <= SECONDS


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

    assert counts_of(address).add(CLIENT, NOW, SECONDS) == 1
    assert 0 < end_of(address) <= SECONDS


def test_a_process_counts_by_itself_until_the_cache_is_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    port = free_port()
    counts = counts_of(f"redis://127.0.0.1:{port}/0")

    assert [counts.add(CLIENT, NOW, SECONDS) for _ in range(3)] == [1, 2, 3]
    assert len(caplog.records) == 1
    with redis(tmp_path, port):
        assert counts.add(CLIENT, NOW + PAUSE - 1, SECONDS) == 4
        assert counts.add(CLIENT, NOW + PAUSE, SECONDS) == 1


@pytest.mark.server
def test_the_origin_answers_with_a_cache_and_after_it_is_gone(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, CACHE_URL=f"redis://127.0.0.1:{port}/0") as origin:
        with redis(tmp_path, port) as address:
            assert origin.status() == 200
            assert RedisCache(address, {})._cache.get_client().dbsize() == 1  # type: ignore[attr-defined]

        assert [origin.status() for _ in range(3)] == [200] * 3
