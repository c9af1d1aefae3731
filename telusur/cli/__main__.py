"""`python -m telusur.cli`: the command line without the script `telusur`."""

from telusur.cli import main

if __name__ == "__main__":
    main()
