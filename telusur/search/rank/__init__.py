"""What decides the order of hits: bonuses, static rank, crowding, meaning."""
