"""Commands of `manage.py` collect garbage seldom; the server does as usual."""

import atexit
import gc
import runpy
from pathlib import Path

import pytest

MANAGE = Path(__file__).parents[1] / "manage.py"


def test_a_command_collects_garbage_seldom_and_not_at_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks, ends = list[int](), list[object]()
    monkeypatch.setattr("django.core.management.execute_from_command_line", lambda words: None)
    monkeypatch.setattr(gc, "set_threshold", looks.append)
    monkeypatch.setattr(atexit, "register", ends.append)

    runpy.run_path(str(MANAGE), run_name="__main__")

    assert looks == [500_000]
    assert ends == [gc.freeze]


def test_a_server_collects_garbage_as_often_as_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = list[int]()
    monkeypatch.setattr("django.core.management.execute_from_command_line", lambda words: None)
    monkeypatch.setattr("sys.argv", ["manage.py", "serve", "--port", "8000"])
    monkeypatch.setattr(gc, "set_threshold", looks.append)
    monkeypatch.setattr(atexit, "register", lambda function: None)

    runpy.run_path(str(MANAGE), run_name="__main__")

    assert looks == []
