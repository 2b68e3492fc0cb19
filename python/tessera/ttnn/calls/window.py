"""Convolutions, pooling and upsampling."""
from __future__ import annotations

import re
from typing import Any

from ..library import Uncovered
from ..question import Layout, Question, core_ranges
from .table import Call, op

CONVOLUTIONS = ("conv2d", "conv_transpose2d")
_SLICES = {"l1_full": "L1Full", "dram_height": "DRAMSliceHeight", "dram_width": "DRAMSliceWidth"}


def is_prepared(question: Question) -> bool:
    """Whether the weights have the form that the device reads, [1, 1, K, N], and not that of the model."""
    shape = question.operands[1].shape
    kernel = tuple(question.get("kernel_size", ()))
    return shape[-2:] != kernel and shape[:2] == (1, 1)


def _config(c: Call) -> Any:
    fields = dict(c.question.group("conv2d_config") or {})
    fields |= {name: value for name, value in ((c.question.config or {}).get("conv2d") or {}).items()
               if name not in ("slice", "num_slices") and value is not None}
    readers = {
        "weights_dtype": c.library.dtype,
        "activation": c.library.unary,
        "core_grid": lambda text: c.library.cores(core_ranges(text)),
        "shard_layout": lambda name: getattr(c.ttnn.TensorMemoryLayout, name.upper()),
        "output_layout": lambda name: c.library.page(name != "row_major"),
    }
    return c.ttnn.Conv2dConfig(**{name: readers[name](value) if name in readers else value for name, value in fields.items()})


def _slices(c: Call) -> Any:
    config = (c.question.config or {}).get("conv2d") or {}
    if config.get("slice") not in _SLICES:
        return None
    kind = getattr(c.ttnn, "Conv2d" + _SLICES[config["slice"]])
    make = getattr(c.ttnn, "Op2DSliceConfig", None) or c.ttnn.Conv2dSliceConfig
    return make(slice_type=kind, num_slices=config.get("num_slices", 0))


_IMAGE = ("batch_size", "input_height", "input_width")
#: What they are called with beside the window and the channels, and how the library calls the slices; conv1d has none.
_SIZES = {"conv1d": ("batch_size", "input_length"), "conv2d": _IMAGE, "conv_transpose2d": (*_IMAGE, "output_padding")}
_SLICES_OF = {"conv2d": "slice_config", "conv_transpose2d": "dram_slice_config"}


def _padding(c: Call) -> list[int]:
    """Height, width; or, as the library wants them, top, bottom, left, right. Pools and transposed convolutions have them as top, left, bottom, right."""
    padding = c.need("padding")
    corners = len(padding) == 4 and ("pool2d" in c.question.op or "conv_transpose2d" in c.question.op)
    return [padding[0], padding[2], padding[1], padding[3]] if corners else padding


def _sizes(c: Call, *more: str) -> dict[str, Any]:
    """What a convolution and the making of its parameters are both called with."""
    return {"padding": _padding(c)} | {name: c.need(name) for name in ("in_channels", "out_channels", "kernel_size", "stride", "dilation", "groups", *more)}


@op("conv1d", "conv2d", "conv_transpose2d")
def convolution(c: Call) -> Any:
    kind = c.question.op
    sizes = _sizes(c, *_SIZES[kind])
    slices = {_SLICES_OF[kind]: _slices(c)} if kind in _SLICES_OF else {}
    result = c.function(kind)(
        input_tensor=c[0], weight_tensor=c[1], device=c.library.device, bias_tensor=c[2] if len(c.operands) > 2 else None, dtype=c.dtype,
        conv_config=_config(c), compute_config=c.compute, memory_config=c.memory, **slices, **sizes)
    return result[0] if isinstance(result, (list, tuple)) else result


def _input_memory(c: Call) -> Any:
    """Where the convolution will read its input, which its weights are prepared for."""
    text = c.need("input_memory_config")
    found = re.search(r"buffer_type<(\w+)>, <(\w+)>", text)
    if found is None:
        raise Uncovered("a memory config without its buffer")
    shard = re.search(r"<(\d+)x(\d+)>, <row_major>", text)
    return c.library.memory(Layout(found[1], found[2], True, "bf16", tuple(map(int, shard.groups())) if shard else (), core_ranges(text)))


def _type(c: Call, name: str) -> Any:
    found = re.search(r"<(\w+)>", c.get(name) or "")
    return c.library.dtype(found[1]) if found else None


def _prepared(c: Call, function: str, **more: Any) -> Any:
    sizes = _sizes(c, *_IMAGE)
    return c.function(function)(
        input_memory_config=_input_memory(c), input_layout=c.library.page("tile" in c.need("input_tensor_layout")), device=c.library.device,
        input_dtype=_type(c, "input_dtype"), output_dtype=_type(c, "output_dtype"), conv_config=_config(c), compute_config=c.compute,
        **more, **sizes)


@op("prepare_conv2d_weights")
def prepared_weights(c: Call) -> Any:
    return _prepared(c, "prepare_conv_weights", weight_tensor=c[0], weights_format=c.get("weights_format", "OIHW"),
                     has_bias=c.get("has_bias", False), slice_config=_slices(c))


@op("prepare_conv2d_bias")
def prepared_bias(c: Call) -> Any:
    return _prepared(c, "prepare_conv_bias", bias_tensor=c[0], slice_config=_slices(c))


@op("prepare_conv_transpose2d_weights")
def prepared_weights_of_transposed(c: Call) -> Any:
    return _prepared(c, "prepare_conv_transpose2d_weights", weight_tensor=c[0], weights_format=c.get("weights_format", "IOHW"),
                     has_bias=c.get("has_bias", False), output_padding=c.get("output_padding", [0, 0]),
                     mirror_kernel=c.get("mirror_kernel", True), dram_slice_config=_slices(c))


@op("prepare_conv_transpose2d_bias")
def prepared_bias_of_transposed(c: Call) -> Any:
    return _prepared(c, "prepare_conv_transpose2d_bias", bias_tensor=c[0], dram_slice_config=_slices(c))


@op("prepare_conv3d_weights")
def prepared_weights_of_volume(c: Call) -> Any:
    return c.function("experimental.prepare_conv3d_weights")(weight_tensor=c[0], groups=c.need("groups"), C_in_block=c.need("c_in_block"),
                                                             alignment=c.need("alignment"), device=c.library.device)


#: How the library calls what the dialect calls in small letters.
_BLOCKS = {"t_out_block": "T_out_block", "w_out_block": "W_out_block", "h_out_block": "H_out_block", "c_out_block": "C_out_block",
           "c_in_block": "C_in_block"}


def _sums_in_f32(c: Call) -> Any:
    """As tt-mlir's runtime calls a convolution of volumes of which nothing is said."""
    return c.ttnn.WormholeComputeKernelConfig(math_fidelity=c.ttnn.MathFidelity.HiFi4, math_approx_mode=True, fp32_dest_acc_en=True, packer_l1_acc=False)


@op("conv3d")
def convolution_of_volume(c: Call) -> Any:
    fields = c.question.group("conv3d_config") or {}
    blocks = {_BLOCKS[name]: value for name, value in fields.items() if name in _BLOCKS}
    if grid := re.search(r"<(\d+)x(\d+)>", str(fields.get("compute_with_storage_grid_size"))):
        rows, columns = map(int, grid.groups())
        blocks["compute_with_storage_grid_size"] = c.library.core(columns, rows)
    config = c.ttnn.Conv3dConfig(**blocks)
    return c.function("experimental.conv3d")(
        input_tensor=c[0], weight_tensor=c[1], device=c.library.device, bias_tensor=c[2] if len(c.operands) > 2 else None, dtype=c.dtype,
        output_channels=c.need("out_channels"), kernel_size=c.need("kernel_size"), stride=c.need("stride"), padding=c.need("padding"),
        dilation=c.get("dilation", [1, 1, 1]), padding_mode=c.get("padding_mode", "zeros"), groups=c.get("groups", 1), config=config,
        compute_kernel_config=_sums_in_f32(c) if c.compute is None else c.compute, memory_config=c.memory)


def _max_pool2d(c: Call, **more: Any) -> Any:
    return c.function("max_pool2d")(
        c[0], c.need("batch_size"), c.need("input_height"), c.need("input_width"), c.need("channels"), c.need("kernel_size"),
        c.need("stride"), _padding(c), c.need("dilation"), c.get("ceil_mode", False), memory_config=c.memory,
        reallocate_halo_output=c.get("reallocate_halo_output", False), config_tensor_in_dram=c.get("config_tensors_in_dram", False), **more)


@op("max_pool2d")
def max_pool2d(c: Call) -> Any:
    result = _max_pool2d(c, **c.library.pages_of_maxima(c.layout))
    return result[0] if isinstance(result, (list, tuple)) else result


@op("max_pool2d_with_indices")
def max_pool2d_with_indices(c: Call) -> Any:
    return _max_pool2d(c, return_indices=True)


@op("global_avg_pool2d")
def global_avg_pool2d(c: Call) -> Any:
    return c.function("global_avg_pool2d")(c[0], memory_config=c.memory)


@op("avg_pool2d")
def avg_pool2d(c: Call) -> Any:
    """What the library would choose by itself is said where it is something else: it divides by the window, and makes rows. Its windows have no
    gaps."""
    if set(c.get("dilation") or [1]) != {1}:
        raise Uncovered("avg_pool2d of windows with gaps")
    said: dict[str, Any] = {}
    if c.compute is not None:
        said["compute_kernel_config"] = c.compute
    if c.get("divisor_override"):
        said["divisor_override"] = c.need("divisor_override")
    if c.layout is not None and c.layout.tiled:
        said["output_layout"] = c.page
    return c.function("avg_pool2d")(
        c[0], c.need("batch_size"), c.need("input_height"), c.need("input_width"), c.need("channels"), c.need("kernel_size"),
        c.need("stride"), _padding(c), c.get("ceil_mode", False), c.get("count_include_pad", True), memory_config=c.memory,
        reallocate_halo_output=c.get("reallocate_halo_output", False), config_tensor_in_dram=c.get("config_tensors_in_dram", False), **said)


@op("upsample")
def upsample(c: Call) -> Any:
    return c.function("upsample")(c[0], c.need("scale_factor"), mode=c.get("mode", "nearest"), memory_config=c.memory)
