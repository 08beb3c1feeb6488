"""Who renders a freeze: this process, or several that are copies of it."""

import gc
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from threading import Thread

import django
from django.db import connections

from site_mirror.snapshot.crews import ALONE, Crew

SELDOM = 100_000
"""New objects between two looks for cycles among them."""
SMALL = 200
"""Posts that one process has rendered before others are started."""


@contextmanager
def crew(jobs: int, executor: Executor | None = None) -> Iterator[Crew]:
    """Processes that live as long as the freeze does, or an executor that is its owner's."""
    if executor is not None:
        yield Crew(executor, jobs)
        return
    if jobs == 1:
        yield ALONE
        return
    context = multiprocessing.get_context(start_method())
    with ProcessPoolExecutor(jobs, context, initializer=prepare) as own:
        try:
            yield Crew(own, jobs, leave=own.shutdown)
        except BaseException:
            own.shutdown(wait=False, cancel_futures=True)
            raise


def start_method() -> str:
    """A copy of this process where there is such a thing: what is imported is there at once."""
    known = multiprocessing.get_all_start_methods()
    return "fork" if "fork" in known else "spawn"


def prepare() -> None:
    """Whoever renders has nothing to ask: a query is a fault, and the connection is another's."""
    Thread(target=end_with, args=[multiprocessing.parent_process()], daemon=True).start()
    django.setup()
    collect_seldom()
    for connection in connections.all(initialized_only=True):
        connection.connection = None
        connection.execute_wrappers.append(refuse)


def end_with(parent: BaseProcess | None) -> None:
    """A process whose parent is gone waits for nothing more, and may not be found at work."""
    if parent:
        parent.join()
        os._exit(1)


def collect_seldom() -> None:
    """Look for cycles less often: documents are made by the thousand and leave none behind."""
    gc.freeze()
    gc.set_threshold(SELDOM)


def refuse(execute: object, sql: str, *rest: object) -> None:
    raise RuntimeError(f"A document asks the database while it is rendered: {sql}")
