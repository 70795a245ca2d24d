"""How often the verdict is wrong, and how often it says nothing: simulated games whose truth is known."""
