"""The runner of a CUDA GPU: rows that live on the device, one copy to it a step, CUDA graphs for decoding."""
