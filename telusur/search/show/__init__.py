"""What a reader sees of a hit: snippet, marked words."""
