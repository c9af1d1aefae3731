"""What readers of a store must return."""
