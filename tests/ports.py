"""Ports of this machine for servers that a test starts."""

import socket
import time

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


def wait_for(port: int) -> None:
    """Wait until a server accepts connections at a port."""
    for _ in range(1200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(port)
