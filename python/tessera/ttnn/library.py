"""The vendor's library with one mock chip open, and what calls of it are made of."""
from __future__ import annotations

import re
from typing import Any

from .question import Layout, Question, Tensor

DTYPES = {
    "f32": "float32", "bf16": "bfloat16", "bfp_bf8": "bfloat8_b", "bfp_bf4": "bfloat4_b", "u32": "uint32", "si32": "int32",
    "u16": "uint16", "u8": "uint8",
}
_FIDELITIES = {"lofi": "LoFi", "hifi2": "HiFi2", "hifi3": "HiFi3", "hifi4": "HiFi4"}
_MATMUL_CONFIGS = {
    "reuse": "MatmulMultiCoreReuseProgramConfig",
    "multicast_2d": "MatmulMultiCoreReuseMultiCastProgramConfig",
    "multicast_1d": "MatmulMultiCoreReuseMultiCast1DProgramConfig",
    "multicast_dram_sharded": "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig",
}
#: tt-mlir opens its devices with that much L1_SMALL.
L1_SMALL = 65536


class Uncovered(Exception):
    """The question cannot be put to this library."""


class Library:
    """One chip of one version of the library. A process has one: the library does not open a second."""

    def __init__(self, l1_small: int = L1_SMALL):
        import ttnn

        self.ttnn = ttnn
        self.graph = ttnn._ttnn.graph
        self.device = ttnn.open_device(device_id=0, l1_small_size=l1_small)
        # A program that is found in the cache allocates no circular buffers that a capture could see.
        self.device.disable_and_clear_program_cache()
        self._host: dict[tuple[Any, ...], Any] = {}

    def about(self) -> dict[str, Any]:
        """Version, grid (rows, columns), and where L1 for tensors begins and ends."""
        import importlib.metadata

        grid = self.device.compute_with_storage_grid_size()
        begin, end = self.l1_range()
        return {"library": "ttnn", "version": importlib.metadata.version("ttnn"), "grid": [grid.y, grid.x], "l1_begin": begin, "l1_end": end}

    @property
    def sorts_in_order(self) -> bool:
        """Whether it has a sort that keeps the order of equal elements."""
        return tuple(int(part) for part in self.about()["version"].split(".")[:2]) >= (0, 81)

    def l1_range(self) -> tuple[int, int]:
        """Addresses between which L1 buffers lie: they are given out from the end downwards."""
        view = self.ttnn.device.get_memory_view(self.device, self.ttnn.BufferType.L1)
        page = Layout("l1", "interleaved", True, "bf16", (), ())
        probe = self.make(Tensor((1, 1, 32, 32), "bf16", page))
        end = probe.buffer_address() + 2048  # one tile of two-byte numbers
        self.ttnn.deallocate(probe)
        return end - view.total_bytes_per_bank, end

    # ---- parts of calls ----------------------------------------------------------------------------------

    def function(self, path: str) -> Any:
        """`ttnn.PATH` itself, without the wrapper that imports torch."""
        found: Any = self.ttnn
        for name in path.split("."):
            found = getattr(found, name, None)
            if found is None:
                raise Uncovered("this library has no ttnn." + path)
        return getattr(found, "function", found)

    def dtype(self, name: str) -> Any:
        if name not in DTYPES:
            raise Uncovered("data type " + name)
        return getattr(self.ttnn, DTYPES[name])

    def page(self, tiled: bool) -> Any:
        return self.ttnn.TILE_LAYOUT if tiled else self.ttnn.ROW_MAJOR_LAYOUT

    def core(self, column: int, row: int) -> Any:
        return self.ttnn.CoreCoord(column, row)

    def cores(self, ranges: Any) -> Any:
        t = self.ttnn
        return t.CoreRangeSet({t.CoreRange(t.CoreCoord(x0, y0), t.CoreCoord(x1, y1)) for x0, y0, x1, y1 in ranges})

    def memory(self, layout: Layout | None) -> Any:
        """The memory config; None on the host, or if the library chooses."""
        t = self.ttnn
        if layout is None or not layout.on_device:
            return None
        buffers = {"dram": t.BufferType.DRAM, "l1": t.BufferType.L1, "l1_small": t.BufferType.L1_SMALL}
        if layout.buffer not in buffers:
            raise Uncovered("buffer " + layout.buffer)
        if not layout.sharded:
            return t.MemoryConfig(t.TensorMemoryLayout.INTERLEAVED, buffers[layout.buffer])
        if not layout.cores or layout.memory == "nd_sharded":
            raise Uncovered("a layout without cores")
        shard = t.ShardSpec(self.cores(layout.cores), list(layout.shard[-2:]), t.ShardOrientation.ROW_MAJOR)
        return t.MemoryConfig(getattr(t.TensorMemoryLayout, layout.memory.upper()), buffers[layout.buffer], shard)

    def unary(self, written: str) -> Any:
        """A fused activation: `<op_type = silu>`, `silu` or `leaky_relu(0.1)`."""
        name, *params = re.findall(r"[\w.+-]+", re.sub("op_type =|params =|: f32", "", written))
        kind = getattr(self.ttnn.UnaryOpType, name.upper(), None)
        if kind is None:
            raise Uncovered("activation " + written)
        return self.ttnn.UnaryWithParam(kind, *map(float, params))

    def compute(self, question: Question) -> Any:
        fields = question.group("compute_config")
        if fields is None:
            return None
        if "math_fidelity" in fields:
            fields["math_fidelity"] = getattr(self.ttnn.MathFidelity, _FIDELITIES[fields["math_fidelity"]])
        return self.ttnn.WormholeComputeKernelConfig(**fields)

    def matmul_program(self, question: Question) -> Any:
        config = (question.config or {}).get("matmul")
        if config is None:
            return None
        kind = config["kind"]
        fields = {"in0_block_w": config["in0_block_w"], "per_core_M": config["per_core_m"], "per_core_N": config["per_core_n"]}
        activation = self.unary(config["fused_activation"]) if config["fused_activation"] else None
        if kind != "multicast_dram_sharded":
            fields["compute_with_storage_grid_size"] = self.core(*config["grid"])
            fields |= {name: config[name] for name in ("out_subblock_h", "out_subblock_w")}
        if kind in ("multicast_1d", "multicast_2d"):
            fields |= {name: config[name] for name in ("out_block_h", "out_block_w", "fuse_batch")}
        if kind == "multicast_1d":
            fields["mcast_in0"] = config["mcast_in0"]
        if kind == "multicast_2d":
            fields["transpose_mcast"] = config["transpose_mcast"]
        if kind != "reuse":
            fields["fused_activation"] = activation
        return getattr(self.ttnn, _MATMUL_CONFIGS[kind])(**fields)

    def pages_of_maxima(self, layout: Layout | None) -> dict[str, Any]:
        """What is said of the pages of maxima over windows: nothing, as tt-mlir's runtime leaves them rows whatever the module says."""
        return {}

    def on_host(self, name: str) -> Any:
        """A function of on_host.py, for programs."""
        raise Uncovered("it works on the host")

    def whole_number(self, tensor: Any) -> Any:
        """The number that a tensor holds. A mock chip holds none, and no op is accepted or refused by it."""
        return 0

    def on_device(self, name: str) -> Any:
        """A function of on_device.py, which works by the library's own."""
        from . import on_device  # which needs the library, and who writes programs has none

        return getattr(on_device, name)

    # ---- tensors -----------------------------------------------------------------------------------------

    def make(self, tensor: Tensor, host: bool = False) -> Any:
        """A tensor without content, where the question says, or on the host."""
        layout = tensor.layout
        if layout is None:
            raise Uncovered("an operand without a layout")
        shape = list(tensor.shape) or [1]
        if host or not layout.on_device:
            dtype = "bf16" if layout.dtype.startswith("bfp") else layout.dtype
            key = (tuple(shape), dtype, layout.tiled and not host)
            if key not in self._host:
                self._host[key] = self.function("zeros")(shape, self.dtype(dtype), self.page(key[2]))
            return self._host[key]
        return self.function("empty")(shape, self.dtype(layout.dtype), self.page(layout.tiled), self.device, self.memory(layout))

    def is_live(self, tensor: Any) -> bool:
        """Whether it is a tensor on the chip that nobody has freed."""
        return isinstance(tensor, self.ttnn.Tensor) and tensor.storage_type() == self.ttnn.StorageType.DEVICE and tensor.is_allocated()

    def free(self, tensor: Any, force: bool = True) -> None:
        if self.is_live(tensor):
            self.ttnn.deallocate(tensor, force)


def describe(library: Library, tensor: Any) -> dict[str, Any]:
    """Where the library has put a tensor, in the words of a question's layout."""
    names = {name: short for short, name in DTYPES.items()}
    name = lambda value: str(value).split(".")[-1].lower()
    out: dict[str, Any] = {"shape": list(tensor.shape), "dtype": names.get(name(tensor.dtype), name(tensor.dtype)),
                           "page": "tile" if tensor.layout == library.ttnn.TILE_LAYOUT else "row_major"}
    if tensor.storage_type() != library.ttnn.StorageType.DEVICE:
        return out | {"buffer": "system_memory"}
    config = tensor.memory_config()
    out |= {"buffer": name(config.buffer_type), "memory": name(config.memory_layout)}
    if config.shard_spec is not None:
        ranges = sorted((r.start.x, r.start.y, r.end.x, r.end.y) for r in config.shard_spec.grid.ranges())
        out |= {"shard": list(config.shard_spec.shape), "cores": [list(r) for r in ranges],
                "orientation": name(config.shard_spec.orientation)}
    return out


def covered(ranges: Any) -> frozenset[tuple[int, int]]:
    """The cores of a list of ranges."""
    return frozenset((x, y) for x0, y0, x1, y1 in ranges for x in range(x0, x1 + 1) for y in range(y0, y1 + 1))


def differences(told: dict[str, Any], wanted: Tensor, indices: bool = False) -> list[str]:
    """What of a result is not as it was asked for: names of the fields of describe(), with what shape and type are. Indices may be called si32: no
    index has the upper bit."""
    layout = wanted.layout
    if layout is None:
        return []
    out = []
    if tuple(told["shape"]) not in (wanted.shape, wanted.shape or (1,)):
        is_, asked = ("x".join(map(str, shape)) or "scalar" for shape in (told["shape"], wanted.shape))
        out.append(f"shape ({is_}, not {asked})")
    if told["dtype"] != layout.dtype and not (indices and (told["dtype"], layout.dtype) == ("u32", "si32")):
        out.append(f"dtype ({told['dtype']}, not {layout.dtype})")
    if (told["page"] == "tile") != layout.tiled:
        out.append("page")
    if told["buffer"] != layout.buffer:
        out.append("buffer")
    if layout.on_device and told.get("memory") != layout.memory:
        out.append("memory")
    elif layout.sharded and "shard" in told:
        if tuple(told["shard"]) != layout.shard[-2:]:
            out.append("shard")
        if covered(told["cores"]) != covered(layout.cores):
            out.append("cores")
        if told["orientation"] != "row_major":
            out.append("orientation")
    return out


