"""Runs a program, in the folder that is named, on the telling library beside this."""
import sys

sys.path.insert(0, sys.argv[1])
import main  # noqa: E402
import ttnn  # noqa: E402

inputs = [ttnn.Tensor(name) for name, _, _ in main.INPUTS]
taken = list(inputs)
inputs.clear()
result = main.forward(taken, None)
print("returned", ", ".join(each.name for each in result))
