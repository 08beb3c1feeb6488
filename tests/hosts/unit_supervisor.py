"""A replacement for systemd, which runs the units of this project for tests.

python unit_supervisor.py UNIT PIDFILE
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


def hold_file(pidfile: Path) -> Path:
    """Return the path of a file; while it exists, an ended service is not restarted."""
    return pidfile.with_suffix(".hold")


def supervise(unit: Path, pidfile: Path) -> None:
    """Start the service; restart it after each end if the unit has `Restart=always`."""
    options = dict(read_directives(unit))
    signals = []

    def handle_signal(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        service.terminate()

    signal.signal(signal.SIGTERM, handle_signal)
    while not signals:
        where, variables = options["WorkingDirectory"], read_environment(unit)
        service = subprocess.Popen(
            read_command(unit), cwd=where, env=variables, start_new_session=True
        )
        pidfile.write_text(f"{service.pid}\n")
        service.wait()
        with contextlib.suppress(ProcessLookupError):
            # systemd kills the remaining processes of a service, too (KillMode=control-group).
            os.killpg(service.pid, signal.SIGKILL)
        if options.get("Restart") != "always":
            break
        time.sleep(float(options["RestartSec"]))
        while hold_file(pidfile).exists() and not signals:
            time.sleep(0.05)


if __name__ == "__main__":
    supervise(Path(sys.argv[1]), Path(sys.argv[2]))
