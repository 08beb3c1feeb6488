"""A replacement for systemd, which starts a unit of this project for tests.

python unit_supervisor.py UNIT
"""

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def read_directives(unit: Path) -> Iterator[tuple[str, str]]:
    """Yield names and values in their order; a name may occur twice."""
    for line in unit.read_text().splitlines():
        name, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            yield name, value


def read_environment(unit: Path) -> dict[str, str]:
    """Return the variables of `Environment` and `EnvironmentFile`, and none of the caller's."""
    variables = {"PATH": PATH}
    for name, value in read_directives(unit):
        if name == "Environment":
            variables |= dict(word.split("=", 1) for word in shlex.split(value))
        elif name == "EnvironmentFile":
            lines = Path(value).read_text().splitlines()
            variables |= dict(line.split("=", 1) for line in lines)
    return variables


def read_command(unit: Path) -> list[str]:
    return shlex.split(dict(read_directives(unit))["ExecStart"])


def start_service(unit: Path) -> None:
    """Become the service."""
    os.chdir(dict(read_directives(unit))["WorkingDirectory"])
    program, *words = read_command(unit)
    os.execve(program, [program, *words], read_environment(unit))  # noqa: S606 - as systemd does


if __name__ == "__main__":
    start_service(Path(sys.argv[1]))
