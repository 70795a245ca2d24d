"""What every room builds on and no reader needs first: files and locks, kernels, typed settings, lazy torch."""
