"""The vendor's library, asked without a chip (docs/judge.md).

Runs under any Python that has `ttnn`, with neither torch nor Tessera's native module: `python FOLDER/ttnn COMMAND`.
"""
