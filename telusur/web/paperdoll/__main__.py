"""`python -m telusur.web.paperdoll`: the workbench on invented data."""

import sys

from telusur.web.paperdoll.doll import main

if __name__ == "__main__":
    sys.exit(main())
