"""The paper's table again: which networks and runs it takes, what they give, and what becomes of its claims."""
