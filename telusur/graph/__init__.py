"""Links in, ranks out: what the web of a collection says about its pages."""
