"""From one language into another: what a translator promises, and a simple one."""
