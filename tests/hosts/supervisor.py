"""Runs a unit as systemd would, as far as this project's units go: no host of a test has systemd.

python supervisor.py UNIT PIDFILE
"""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def directives(unit: Path) -> Iterator[tuple[str, str]]:
    """Names and values in their order; a name may come twice."""
    for line in unit.read_text().splitlines():
        name, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            yield name, value


def environment(unit: Path) -> dict[str, str]:
    """What `Environment` and `EnvironmentFile` say, and nothing of the caller's."""
    found = {"PATH": PATH}
    for name, value in directives(unit):
        if name == "Environment":
            found |= dict(word.split("=", 1) for word in shlex.split(value))
        elif name == "EnvironmentFile":
            lines = Path(value).read_text().splitlines()
            found |= dict(line.split("=", 1) for line in lines)
    return found


def command(unit: Path) -> list[str]:
    return shlex.split(dict(directives(unit))["ExecStart"])


def hold(pidfile: Path) -> Path:
    """While this file exists, a service that ended is not started again: a test looks at it."""
    return pidfile.with_suffix(".hold")


def supervise(unit: Path, pidfile: Path) -> None:
    """Start the service, and again whenever it ends while the unit says `Restart=always`."""
    told = dict(directives(unit))
    ends = []

    def end(number: int, frame: FrameType | None) -> None:
        ends.append(number)
        service.terminate()

    signal.signal(signal.SIGTERM, end)
    while not ends:
        where, variables = told["WorkingDirectory"], environment(unit)
        service = subprocess.Popen(command(unit), cwd=where, env=variables, start_new_session=True)
        pidfile.write_text(f"{service.pid}\n")
        service.wait()
        with contextlib.suppress(ProcessLookupError):
            # systemd ends what a service leaves behind (KillMode=control-group).
            os.killpg(service.pid, signal.SIGKILL)
        if told.get("Restart") != "always":
            break
        time.sleep(float(told["RestartSec"]))
        while hold(pidfile).exists() and not ends:
            time.sleep(0.05)


if __name__ == "__main__":
    supervise(Path(sys.argv[1]), Path(sys.argv[2]))
