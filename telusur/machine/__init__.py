"""The machine itself: memory, disk, open files, time limits."""
