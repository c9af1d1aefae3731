"""What to fetch next and when: URLs, robots, scope, frontier, politeness, strategies."""
