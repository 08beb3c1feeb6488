"""`python -m benchmarks COMMAND`: see docs/performance.md."""

import sys

from benchmarks.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
