"""From bytes to lines: encodings, the tree, what is visible, layout, links."""
