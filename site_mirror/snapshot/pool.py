"""Build batches, in the main process or in workers, and return their results in order.

The order does not depend on which process builds a batch, so neither do the bytes of a release.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from site_mirror.documents.built import Built
from site_mirror.snapshot.batch import Batch
from site_mirror.snapshot.build import BuildJob, DocumentCheck, ReuseJob
from site_mirror.snapshot.cache import read_result
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.workspace import Workspace
from site_mirror.snapshot.write import Moment

MAX_PENDING_BATCHES = 8
"""Batches for each worker that are queued or running: enough to keep workers busy while the main
process builds a batch, and few enough for memory, because each has its rows."""


class Pool(Struct, frozen=True):
    """The workers of an executor; without one, the main process builds everything."""

    executor: Executor | None = None
    workers: int = 1

    def submit(self, job: BuildJob | ReuseJob) -> "Future[Any] | None":
        return self.executor.submit(job.run) if self.executor else None

    def close(self) -> None:
        """End the workers, whose batches must be finished."""
        if self.executor:
            self.executor.shutdown()


MAIN_PROCESS_POOL = Pool()


class Pending(Struct, frozen=True):
    """A batch that is submitted to a worker, or that waits for the main process.

    With `reuse`, it may be in the build cache, and is built only if it is not. `future` is the
    result of a build, or whether the batch was reused.
    """

    build: BuildJob
    reuse: ReuseJob | None = None
    future: "Future[Any] | None" = None


class Builder(Struct, frozen=True):
    """Builds batches into a workspace; `check` examines each document that is rendered."""

    workspace: Workspace
    pool: Pool
    now: Moment
    check: DocumentCheck

    def results(self, batches: Iterable[Batch], built: Built) -> Iterator[BatchResult]:
        """Yield a result for each batch, in their order. Raises the first error, once workers stop.

        Several batches are submitted before the first result is awaited. The main process builds a
        local batch when its turn comes, while workers build those that follow.
        """
        pending: deque[Pending] = deque()
        waiting, max_waiting = 0, MAX_PENDING_BATCHES * self.pool.workers
        try:
            for batch in batches:
                pending.append(self.submit_batch(batch, built))
                waiting += not batch.is_local
                while waiting > max_waiting:
                    waiting -= not pending[0].build.batch.is_local
                    yield self.finish_batch(pending.popleft())
            while pending:
                yield self.finish_batch(pending.popleft())
        # A worker that still writes would put files into a staging folder that is being removed.
        finally:
            wait([each.future for each in pending if each.future and not each.future.cancel()])

    def submit_batch(self, batch: Batch, built: Built) -> Pending:
        build = BuildJob(batch, self.workspace, self.now, self.check, built)
        if self.workspace.has_result(batch.digest):
            reuse = ReuseJob(batch.digest, self.workspace)
            return Pending(build, reuse, self.pool.submit(reuse))
        if batch.is_local or self.pool.executor is None:
            return Pending(build)
        return Pending(build, future=self.pool.submit(load_job(build)))

    def finish_batch(self, pending: Pending) -> BatchResult:
        if pending.reuse:
            reused = pending.future.result() if pending.future else pending.reuse.run()
            result = read_result(self.workspace.published, pending.reuse.digest) if reused else None
            return result or load_job(pending.build).run()
        return pending.future.result() if pending.future else load_job(pending.build).run()


def load_job(build: BuildJob) -> BuildJob:
    """Read the rows of a batch in the main process, because workers must not query."""
    # The connection of the main process is in the transaction of this freeze.
    return replace(build, batch=build.batch.load())
