"""Any executor renders a site as this process does."""

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import time_machine

from site_mirror.freezing import freeze_site
from tests.freeze import makers
from tests.freeze.incremental import corpus, freezes

pytestmark = pytest.mark.django_db


class Elsewhere(Executor):
    """Hands over nothing but bytes, as another machine would."""

    def submit(self, do: Any, /, *values: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        there, given = pickle.loads(pickle.dumps((do, values)))  # noqa: S301
        future.set_result(pickle.loads(pickle.dumps(there(*given, **options))))  # noqa: S301
        return future


@pytest.mark.parametrize(
    "make", [lambda: ThreadPoolExecutor(3), Elsewhere], ids=["threads", "bytes"]
)
def test_a_site_has_the_same_bytes_by_any_executor(
    make: Callable[[], Executor], tmp_path: Path
) -> None:
    corpus.make()
    corpus.make_blog(300)
    freezes.freeze(tmp_path / "alone")

    with make() as executor, time_machine.travel(corpus.NOW, tick=False):
        freeze_site(
            tmp_path / "site",
            at=corpus.NOW,
            moment=corpus.NOW,
            progress=makers.unseen,
            executor=executor,
        )

    assert freezes.differences(tmp_path / "site", tmp_path / "alone") == set()
