"""`quire doctor`: what this machine has, what that means for Quire, and what to do about it.

`software`, `host`, `gpus`, `model` and `speed` look, each at its own part, and tell findings; `examine` asks
them in turn. Outside commands have a time limit (`ask`), and torch is asked in a process of its own
(`torch_facts`): whatever is missing, hangs or crashes is a finding.
"""
