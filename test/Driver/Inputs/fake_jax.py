#!/usr/bin/env python3
"""Stands in for a Python with jax-tt-plugin: answers `compile` by what the request asks for, without JAX."""
import json
import pathlib
import sys

words = dict(zip(sys.argv[3::2], sys.argv[4::2]))
request = json.loads(pathlib.Path(words["--request"]).read_text())
MODULE = "module {\n  func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<32x32xbf16> {\n    return %arg0 : tensor<32x32xbf16>\n  }\n}\n"
asked = request.get("function") or request.get("model") or request["stablehlo"]
if "dies" in asked:
    sys.exit(3)
answer = {"trouble": f"asked for {json.dumps(request, sort_keys=True)} on {words['--arch']} {words['--grid']}"}
if "good" in asked:
    answer = {"module": MODULE}
elif "garbled" in asked:
    answer = {"module": "module {"}
pathlib.Path(words["--into"]).write_text(json.dumps(answer))
