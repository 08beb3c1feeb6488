"""Servers that a test starts, and ports of this machine for them."""

import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

reserved: list[socket.socket] = []


def free_port() -> int:
    """Return a port that no other program gets by chance before the end of this process.

    A socket that is bound and does not listen keeps it. Servers set SO_REUSEADDR, so they can
    still listen at the port, and a connection to it is refused until one does.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    reserved.append(holder)
    return int(holder.getsockname()[1])


@contextmanager
def run_server(
    command: Sequence[str | Path], port: int, **options: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process that listens at a port, until the end of the block."""
    with subprocess.Popen(command, **options) as process:
        try:
            wait_for(port, process)
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:  # An emulator may wait for a request.
                process.kill()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a server accepts connections at a port."""
    for _ in range(1200):
        if process.poll() is not None:
            raise ChildProcessError(f"{process.args!r} has ended.")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(port)
