"""`python -m expound` is the `expound` command."""

from expound.cli import main

if __name__ == "__main__":
    main()
