"""Golden vectors: Ops in which devices exchange tensors."""
import torch

from goldens.formats import Tensor
from goldens.tensors import normal, some


def collective(family):
    """2 x 3 devices; clusters along axis 0 have two members, along axis 1 three."""
    mesh = [2, 3]
    for dtype in ("bf16", "f32", "si32"):
        x = some((6, 6, 5), dtype)
        grid = x.values.reshape(2, 3, 6, 5)
        for axis in (0, 1):
            members = mesh[axis]
            for kind, function in {"sum": torch.sum, "max": torch.amax, "min": torch.amin}.items():
                reduced = function(grid, dim=axis, keepdim=True).expand(grid.shape)
                exact = kind != "sum" or dtype == "si32"
                spec = {"reduce_type": f"#ttcore.reduce_type<{kind}>", "cluster_axis": axis}
                family.add("all_reduce", [x], reduced.reshape(6, 6, 5), dtype, exact, mesh, **spec)
                parts = torch.stack(reduced.chunk(members, -2))
                own = parts[torch.arange(2)[:, None] if axis == 0 else torch.arange(3)[None], torch.arange(2)[:, None], torch.arange(3)[None]]
                family.add("reduce_scatter", [x], own.reshape(6, 6 // members, 5), dtype, exact, mesh, scatter_dim=-2, **spec)
            parts = torch.stack(grid.chunk(members, -2))
            own = parts[torch.arange(2)[:, None] if axis == 0 else torch.arange(3)[None], torch.arange(2)[:, None], torch.arange(3)[None]]
            family.add("mesh_partition", [x], own.reshape(6, 6 // members, 5), dtype, True, mesh, dim=0, cluster_axis=axis)
            joined = torch.cat(list(grid.movedim(axis, 0)), -1).unsqueeze(axis).expand(*mesh, 6, 5 * members)
            family.add("all_gather", [x], joined.reshape(6, 6, 5 * members), dtype, True, mesh, all_gather_dim=1, cluster_axis=axis)
    x = normal((6, 2, 33), "f32")
    everywhere = x.values.sum(0, keepdim=True).expand(6, 2, 33)
    family.add("all_reduce_async", [x], everywhere, "f32", False, mesh, reduce_type="#ttcore.reduce_type<sum>")
