def measure(quick):
    return []
