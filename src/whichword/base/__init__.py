"""What every room leans on and nobody reads first: files and locks, kernels, typed settings, lazy torch."""
