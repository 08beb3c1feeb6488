"""The JavaScript files of this package, which are part of the configurations of hosts."""

from pathlib import Path

HOSTS_FOLDER = Path(__file__).parent


def read_program(path: str) -> bytes:
    """Return the bytes of a JavaScript file by its path below `hosts/`."""
    return (HOSTS_FOLDER / path).read_bytes()
