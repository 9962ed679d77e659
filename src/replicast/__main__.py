"""`python -m replicast` is the command `replicast`."""

from replicast.cli import main

if __name__ == "__main__":
    main()
