"""Which lines of a page are content: features, the network, its model, labelled blocks."""
