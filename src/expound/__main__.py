"""`python -m expound` is the `expound` command."""

import sys

# Unless it runs with -P, Python looks for modules in the current folder first: what lies there is the user's.
if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]

from expound.cli import main

if __name__ == "__main__":
    main()
