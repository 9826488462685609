"""Decides what every step computes. No torch, no clock, no randomness of its own."""
