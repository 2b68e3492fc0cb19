"""Whether the second summary is of the same program as the first, and faster by rewrites."""
import json
import sys

plain, rewritten = (json.load(open(path)) for path in sys.argv[1:3])
assert plain["rewrites"] == {}, plain["rewrites"]
assert rewritten["rewrites"] == {"attention-decode": 1, "heads-decode": 1, "join-heads-decode": 1, "one-reshape": 5, "rotation": 2, "rotation-decode": 2}, rewritten["rewrites"]
assert rewritten["estimated_ns"]["before"] == plain["estimated_ns"]["before"]
assert rewritten["estimated_ns"]["after"] < 0.7 * plain["estimated_ns"]["after"], rewritten["estimated_ns"]
assert rewritten["unknown_time"] == plain["unknown_time"]
