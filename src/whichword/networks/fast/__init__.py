"""Every exact faster way through the networks, attached from outside: the definitions stand without it.

Each way is tested equal to the definition it shortens (`tests/networks/fast`), and the contract of the methods is
tested with and without them.
"""


def attach() -> None:
    """Give every network its shortcuts."""
    from whichword.networks.fast.network import FastNetwork
    from whichword.networks.network import Network

    Network.shortcuts = staticmethod(FastNetwork)
