"""A site has the same bytes whatever executor renders it."""

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import time_machine

from catalogue.read_transactions import read_transaction
from site_mirror.freeze.site import NO_DELETIONS, gates_of, read_site
from site_mirror.pages import blog_sources
from site_mirror.snapshot.freeze import freeze
from site_mirror.snapshot.pool import Pool
from site_mirror.snapshot.target import Target
from tests.freeze.incremental import corpus, freezes

pytestmark = pytest.mark.django_db


class PicklingExecutor(Executor):
    """Pickles arguments and results, as an executor on another machine would."""

    def submit(self, do: Any, /, *values: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        there, given = pickle.loads(pickle.dumps((do, values)))  # noqa: S301
        future.set_result(pickle.loads(pickle.dumps(there(*given, **options))))  # noqa: S301
        return future


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(
            lambda: ThreadPoolExecutor(3),
            id="threads",
            marks=pytest.mark.exhaustive("freezes a blog three times"),
        ),
        pytest.param(PicklingExecutor, id="bytes"),
    ],
)
def test_a_site_has_the_same_bytes_with_any_executor(
    make: Callable[[], Executor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blog_sources, "MEAN_POSTS_IN_GROUP", 8)
    monkeypatch.setattr(blog_sources, "MAX_POSTS_IN_GROUP", 16)
    corpus.make_site()
    corpus.make_blog(60)
    freezes.freeze(tmp_path / "alone")

    target, clock = Target(tmp_path / "site"), time_machine.travel(corpus.NOW, tick=False)
    with target.locked(), make() as executor, clock, read_transaction():
        site, context = read_site(corpus.NOW, corpus.NOW)
        freeze(target, site, Pool(executor, 3), gates_of(context, NO_DELETIONS))

    assert freezes.find_differences(tmp_path / "site", tmp_path / "alone") == set()
