"""`python -m quire` is the same as `quire`."""

from quire.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
