"""What the pages of one site have in common: its frame, learned without labels."""
