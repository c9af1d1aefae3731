"""Strategies: small classes that score links; the frontier hands out the best first.

`by_name` has those that come with Telusur. Importing the contract from here loads none of them.
"""

from telusur.crawl.strategies.contract import Again, Scored, Setup, Strategy, Visit

__all__ = ["Again", "Scored", "Setup", "Strategy", "Visit"]
