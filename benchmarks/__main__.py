"""`python -m benchmarks COMMAND`: see docs/performance.md."""

import signal
import sys

from benchmarks.commands import main

if __name__ == "__main__":
    # SIGTERM raises KeyboardInterrupt, so that a benchmark removes its folders and processes.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
