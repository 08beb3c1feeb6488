"""`python -m benchmarks COMMAND`: see docs/performance.md."""

import signal
import sys

from benchmarks.commands import main

if __name__ == "__main__":
    # A benchmark that is told to end takes its folders and its processes with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
