"""What this machine's devices reach: products, copies, copies between devices, sums over processes.

Each probe warms up, measures many rounds, and gives the median with its spread. Nothing of an engine runs
here: the figures are what an engine can be held against.
"""
