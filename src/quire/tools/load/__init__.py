"""Load for an engine or a server, and what is measured under it.

`lengths`, `arrivals`, `prompts`, `texts`, `trace` and `workload` say what is asked and when;
`address`, `foreign`, `http`, `connection`, `lag`, `dialects`, `drive` and `peer` ask it; `measures`, `noise`,
`result`, `asked`, `compare` and `tables` say what came of it; `chart` and `plot` show it, `files` keeps it.
`steps`, `roofline` and `sweep` find how much load pays, `startup` takes a start apart.
"""
