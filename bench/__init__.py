"""Programs that measure: quality, speed and memory, with peers side by side."""
