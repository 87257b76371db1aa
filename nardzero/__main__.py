"""`python -m nardzero` is the `nardzero` command."""

import sys

from nardzero.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
