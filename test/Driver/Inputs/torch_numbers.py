"""Whether what is imported computes what PyTorch does, in f32 on the host: torch_numbers.py MODULE:NAME ..."""
import copy
import pathlib
import runpy
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
runpy.run_path(str(ROOT / "python/tessera/jax/__main__.py"))["load"]()

import jax  # noqa: E402
import torch  # noqa: E402
from tessera.torch.flow import of_no_device  # noqa: E402
from tessera.torch.model import described, examples, exported, made  # noqa: E402
from tessera.torch.program import as_jax  # noqa: E402
from tessera.torch.types import array  # noqa: E402


def filled(like):
    return torch.randn(like.shape) if like.is_floating_point() else torch.rand(like.shape) > 0.3 if like.dtype == torch.bool else torch.full_like(like, 5)


def error(model):
    """The largest one, in terms of the largest element, over results."""
    for name, tensor in (*model.named_parameters(), *model.named_buffers()):
        if tensor.is_floating_point():
            tensor.data = torch.rand(tensor.shape) + 0.5 if name.endswith("var") else torch.randn(tensor.shape) * 0.1
    inputs, _ = examples(model, described(model, []))
    inputs = [filled(each) for each in inputs]
    function, arguments = as_jax(exported(copy.deepcopy(model), tuple(inputs), {}))
    state = {**model.state_dict(), **dict(model.named_buffers())}
    values = [array(each) for each in inputs] + [array(state[each.name]) for each in arguments[len(inputs):] if not each.weights]
    if arguments[-1].weights:
        values.append({name: array(state[name]) for name in arguments[-1].like})
    with torch.no_grad(), of_no_device():
        wanted = [array(each) for each in torch.utils._pytree.tree_leaves(copy.deepcopy(model)(*inputs))]  # buffers change in place
    return max(float(abs(a - b).max() / abs(a).max()) for a, b in zip(wanted, function(*values)))


if __name__ == "__main__":
    torch.manual_seed(1)
    for word in sys.argv[1:]:
        print(word.rpartition(":")[2], "computes the same" if error(made(word).eval().float()) < 1e-5 else "computes something else")
