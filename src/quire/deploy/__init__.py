"""Quire started and watched by others, such as Ray Serve. Images, chart and manifests are in deploy/."""
