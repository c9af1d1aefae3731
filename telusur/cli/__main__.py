"""`python -m telusur.cli`: the command line when the script `telusur` is not on the PATH."""

from telusur.cli import main

if __name__ == "__main__":
    main()
