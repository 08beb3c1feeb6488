"""The machine on which the benchmarks run."""

import os
import platform
from pathlib import Path
from typing import Any


def describe_machine() -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "processor": processor_name(),
        "memoryBytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def processor_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def machine_sentence(machine: dict[str, Any]) -> str:
    return (
        f"{machine['cores']} cores, {machine['processor']}, "
        f"{machine['memoryBytes'] / 2**30:.0f} GiB, Python {machine['python']}, "
        f"load {machine['load'][0]:.2f} at the start"
    )
