"""Start the workers of a freeze, which are forked from the main process."""

import gc
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from threading import Thread

from django.db import connections

from catalogue.models import Post
from site_mirror.snapshot.pool import MAIN_PROCESS_POOL, Pool

GC_THRESHOLD = 100_000
"""Allocations between two runs of the garbage collector: documents have no reference cycles."""
MAX_POSTS_WITHOUT_WORKERS = 200
"""Posts that the main process renders in less time than workers need to start."""


@contextmanager
def worker_pool(jobs: int | None = None) -> Iterator[Pool]:
    """Yield a pool with a worker for each core, or without workers for a small site."""
    jobs = jobs or (count_cores() if Post.objects.count() > MAX_POSTS_WITHOUT_WORKERS else 1)
    if jobs == 1:
        yield MAIN_PROCESS_POOL
        return
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(jobs, context, initializer=prepare_worker) as executor:
        executor.submit(os.getpid)  # Workers are forked here, before this process reads content.
        try:
            yield Pool(executor, jobs)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def prepare_worker() -> None:
    """Prepare a worker, which must not query: the connection belongs to the main process."""
    Thread(target=exit_with_parent, args=[multiprocessing.parent_process()], daemon=True).start()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    for connection in connections.all(initialized_only=True):
        connection.connection = None
        connection.execute_wrappers.append(refuse_query)


def exit_with_parent(parent: BaseProcess | None) -> None:
    """End this worker when its parent is killed, because it would wait for ever otherwise.

    It could also write into a new release.
    """
    if parent:
        parent.join()
        os._exit(1)


def refuse_query(execute: object, sql: str, *rest: object) -> None:
    raise RuntimeError(f"A document asks the database while it is rendered: {sql}")
