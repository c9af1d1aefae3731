"""The only code that touches network, disk, clock and databases."""
