"""Norms, softmax and reductions."""
from __future__ import annotations

from typing import Any

from ..library import Uncovered
from .table import Call, op


@op("rms_norm", "layer_norm")
def norm(c: Call) -> Any:
    return c.function(c.question.op)(c[0], epsilon=c.need("epsilon"), weight=c.group(1), bias=c.group(2), memory_config=c.memory,
                                     compute_kernel_config=c.compute)


@op("rms_norm_residual")
def rms_norm_of_sum(c: Call) -> tuple[Any, Any]:
    """By two calls: no published library has the one, whose kernel computes with HiFi4 and 32-bit sums (facts/dialect 10)."""
    exactly = c.ttnn.WormholeComputeKernelConfig(math_fidelity=c.ttnn.MathFidelity.HiFi4, math_approx_mode=False, fp32_dest_acc_en=True)
    norm = c.function("rms_norm")(c[0], residual_input_tensor=c[1], weight=c[2], epsilon=c.need("epsilon"), memory_config=c.memory,
                                  compute_kernel_config=exactly)
    return norm, c.function("add")(c[0], c[1], memory_config=c.library.memory(c.question.results[1].layout))


@op("batch_norm_inference", "batch_norm_training")
def batch_norm(c: Call) -> Any:
    training = c.question.op.endswith("training")
    return c.function("batch_norm")(c[0], running_mean=c.group(1), running_var=c.group(2), training=training, eps=c.need("epsilon"),
                                    momentum=c.get("momentum", 0.1), weight=c.group(3), bias=c.group(4), memory_config=c.memory,
                                    compute_kernel_config=c.compute)


@op("softmax")
def softmax(c: Call) -> Any:
    return c.function("softmax")(c[0], c.need("dimension"), memory_config=c.memory, compute_kernel_config=c.compute,
                                 numeric_stable=c.get("numericStable", False))


@op("sum", "mean", "max", "min")
def reduce(c: Call) -> Any:
    return c.function(c.question.op)(c[0], c.get("dim_arg"), c.get("keep_dim", False), memory_config=c.memory,
                                     compute_kernel_config=c.compute)


@op("prod")
def product(c: Call) -> Any:
    return c.function("prod")(c[0], c.get("dim_arg"), c.get("keep_dim", False), memory_config=c.memory)


@op("argmax")
def argmax(c: Call) -> Any:
    return c.function("argmax")(c[0], c.get("dim"), c.get("keep_dim", False), memory_config=c.memory)


@op("cumsum", "moreh_cumsum")
def cumulative_sum(c: Call) -> Any:
    return c.function("cumsum")(c[0], c.need("dim"), dtype=c.dtype, memory_config=c.memory)


@op("cumprod")
def cumulative_product(c: Call) -> Any:
    return c.function("cumprod")(c[0], c.need("dim"), memory_config=c.memory)


@op("cumulative")
def cumulative(c: Call) -> Any:
    """Sums and products from the beginning are the library's, all else is done on the host: no published library has it."""
    reduction, from_end = next((name for name in ("logsumexp", "sum", "prod", "min", "max") if name in c.need("reduction")), None), bool(c.get("reverse"))
    if reduction is None:
        raise Uncovered(f"cumulative by {c.need('reduction')}")
    if reduction == "sum" and not from_end:
        return cumulative_sum(c)
    if reduction == "prod" and not from_end:
        return cumulative_product(c)
    result = c.question.results[0]
    found = c.library.on_host("cumulate")(c[0], c.need("dim"), reduction, from_end, c.library.dtype(result.dtype))
    return c.library.placed(found, result.layout)


@op("topk")
def topk(c: Call) -> Any:
    return c.function("topk")(c[0], c.need("k"), c.get("dim", -1), c.get("largest", True), c.get("sorted", True), memory_config=c.memory)


@op("sort")
def sort(c: Call) -> Any:
    if c.get("stable", False) and not c.library.sorts_in_order:
        made = c.library.dtype(c.question.results[1].dtype.replace("si", "u"))
        return c.library.on_host("sort_in_order")(c[0], c.get("dim", -1), c.get("descending", False), c.memory, made, c.library.device)
    return c.function("sort")(c[0], c.get("dim", -1), c.get("descending", False), c.get("stable", False), memory_config=c.memory)


@op("group_norm")
def group_norm(c: Call) -> Any:
    """As tt-mlir's runtime calls it: the library chooses the cores, and makes a result of its own where the operand is tiled."""
    return c.function("group_norm")(c[0], num_groups=c.need("num_groups"), epsilon=c.need("epsilon"), input_mask=c.group(1), weight=c.group(2),
                                    bias=c.group(3), memory_config=c.memory, core_grid=None, inplace=None,
                                    compute_kernel_config=c.compute)


@op("rms_norm_pre_all_gather")
def rms_norm_statistics(c: Call) -> Any:
    return c.function("rms_norm_pre_all_gather")(c[0], dtype=c.dtype, residual_input_tensor=c.group(1), compute_kernel_config=c.compute,
                                                 memory_config=c.memory, use_2d_core_grid=c.get("use_2d_core_grid", False))


@op("layer_norm_pre_all_gather")
def layer_norm_statistics(c: Call) -> Any:
    return c.function("layer_norm_pre_all_gather")(c[0], dtype=c.dtype, residual_input_tensor=c.group(1), compute_kernel_config=c.compute,
                                                   memory_config=c.memory, recip_tensor=c.group(2))


@op("layer_norm_post_all_gather", "rms_norm_post_all_gather")
def norm_by_statistics(c: Call) -> Any:
    return c.function(c.question.op)(c[0], c[1], epsilon=c.get("epsilon", 1e-12), weight=c.group(2), bias=c.group(3), memory_config=c.memory,
                                     compute_kernel_config=c.compute)


@op("sampling")
def sampling(c: Call) -> Any:
    return c.function("sampling")(c[0], c[1], c[2], c[3], c[4], seed=c.get("seed"))
