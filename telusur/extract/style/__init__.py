"""Style sheets as far as they decide what a reader sees: colours, lengths, rules, the cascade."""
