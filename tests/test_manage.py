"""Commands leave the search for cycles to those who need it."""

import atexit
import gc
import runpy
from pathlib import Path

import pytest

MANAGE = Path(__file__).parents[1] / "manage.py"


def test_a_command_looks_for_cycles_seldom_and_not_at_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks, ends = list[int](), list[object]()
    monkeypatch.setattr("django.core.management.execute_from_command_line", lambda words: None)
    monkeypatch.setattr(gc, "set_threshold", looks.append)
    monkeypatch.setattr(atexit, "register", ends.append)

    runpy.run_path(str(MANAGE), run_name="__main__")

    assert looks == [500_000]
    assert ends == [gc.freeze]


def test_a_server_looks_for_cycles_as_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = list[int]()
    monkeypatch.setattr("django.core.management.execute_from_command_line", lambda words: None)
    monkeypatch.setattr("sys.argv", ["manage.py", "serve", "--port", "8000"])
    monkeypatch.setattr(gc, "set_threshold", looks.append)
    monkeypatch.setattr(atexit, "register", lambda function: None)

    runpy.run_path(str(MANAGE), run_name="__main__")

    assert looks == []
