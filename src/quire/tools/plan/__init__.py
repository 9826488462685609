"""`quire plan`: what a model needs on a machine that need not be there, by the engine's own arithmetic.

`subject` finds the model, `site` the machine. `resolve` of the engine decides, as at a start; `memory` shows
its figures line by line, `steps` predicts times from bandwidth and arithmetic, `layouts` tries ways to share
the model out, and `plan` puts it together. Nothing here imports torch, unless this machine has a GPU to ask.
"""
