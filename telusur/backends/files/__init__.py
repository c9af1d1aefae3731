"""Plain files of a collection: its lock, its socket, arrays, vectors, word lists, its timeline."""
