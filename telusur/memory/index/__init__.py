"""An index in memory: how documents match and score, in plain Python."""
