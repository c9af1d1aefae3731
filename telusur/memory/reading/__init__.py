"""Reading what is committed in a store in memory."""
