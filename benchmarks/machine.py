"""What the figures were measured on."""

import os
import platform
from pathlib import Path
from typing import Any


def described() -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "processor": processor(),
        "memoryBytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def in_words(machine: dict[str, Any]) -> str:
    return (
        f"{machine['cores']} cores, {machine['processor']}, "
        f"{machine['memoryBytes'] / 2**30:.0f} GiB, Python {machine['python']}, "
        f"load {machine['load'][0]:.2f} at the start"
    )
