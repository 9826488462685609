"""`python -m quire.cli`, the same as `quire`."""

import sys

from quire.cli import main

sys.exit(main())
