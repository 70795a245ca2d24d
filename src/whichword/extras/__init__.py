"""Leaves: the core never imports them. Each brings its commands, and is entered as a stranger's package would be.

app          the web app                            contestants  other libraries' methods
league       frozen suites, results to be checked   audit        gate and card
outside      relevances made elsewhere              shortcuts    planted words
"""
