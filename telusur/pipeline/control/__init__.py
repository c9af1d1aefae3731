"""Control and status of a crawl: pause, stop, limits, progress."""
