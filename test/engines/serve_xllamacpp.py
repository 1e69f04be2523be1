"""Serves a GGUF file with the server in the package xllamacpp: serve_xllamacpp.py FILE NAME PORT."""

import signal
import sys

import xllamacpp

file, name, port = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = file
params.model_alias = {name}
params.port = int(port)
params.endpoint_metrics = True
params.use_jinja = True
params.n_ctx = 4 * 8_192
params.n_parallel = 4
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
# The server runs on threads of its own.
signal.pause()
