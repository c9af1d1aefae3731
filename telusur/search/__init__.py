"""Query in, hits out: understand what was typed, ask the index, show why a page is there."""
