"""``python -m rankgate``."""

from rankgate.cli import main

if __name__ == "__main__":
    main()
