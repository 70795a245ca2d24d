"""For those who answer for a model: `gate` compares a re-trained one with its predecessor, `card` describes a run."""
