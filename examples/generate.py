#!/usr/bin/env python3
"""Writes the example modules of this folder: TTNN IR in the form that tt-mlir emits with its optimizer off.

    examples/generate.py examples/          rewrites llama_decode.mlir and resnet_block.mlir

The shapes are those of public models: one decoder layer of Llama 3.2 1B (hidden 2048, 32 heads, 8 KV heads, head
dimension 64, feed-forward 8192) decoding one token for 32 users with a cache of 128 positions, and one bottleneck
block of ResNet-50 (56 x 56, 256 -> 64 -> 256 channels, batch 8). Weights are arguments, so the files hold no data.
"""
import math
import pathlib
import sys

SYSTEM_DESC = (
    '#ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{arch = <wormhole_b0>, grid = 8x8, '
    "coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, "
    "noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, "
    "l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, "
    "dram_unreserved_end = 1073741824, supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, "
    "<bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  "
    "16x32,  32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, "
    "dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), "
    "(6, 4), (5, 4), (2, 6), (3, 4), (4, 4)], dram_bank_to_logical_worker_noc1 = [(7, 3), (0, 0), (3, 0), (4, 0), "
    "(0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, 4)]}], [0], [1 : i32], [ 0x0x0x0]>"
)
HIFI4 = "#ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>"


def collapsed(shape, tiled):
    """The affine map that folds all but the last dimension into rows, and the rows."""
    padded = list(shape)
    if tiled and len(padded) > 1:
        padded[-2] = -(-padded[-2] // 32) * 32
    dims = [f"d{i}" for i in range(len(shape))]
    if len(shape) == 1:
        return "(d0) -> (0, d0)", 1
    terms, stride = [], 1
    for i in range(len(shape) - 2, -1, -1):
        terms.insert(0, dims[i] if stride == 1 else f"{dims[i]} * {stride}")
        stride *= padded[i]
    rows = sum((shape[i] - 1) * math.prod(padded[i + 1 : -1]) for i in range(len(shape) - 1)) + 1
    return f"({', '.join(dims)}) -> ({' + '.join(terms)}, {dims[-1]})", rows


class Module:
    """Collects layouts in order of use and ops of one function; deallocates come after each last use."""

    def __init__(self, function):
        self.function, self.layouts, self.args, self.ops, self.types = function, {}, [], [], {}

    def tensor(self, shape, dtype="bf16", tiled=True, memory="dram"):
        linear, rows = collapsed(shape, tiled)
        columns = shape[-1]
        if tiled:
            memref = f"{-(-rows // 32)}x{-(-columns // 32)}x!ttcore.tile<32x32, {dtype}>"
        else:
            memref = f"{rows}x{columns}x{dtype}"
        tail = ", <interleaved>" if memory == "dram" else ""
        text = f"#ttnn.ttnn_layout<{linear}, <1x1>, memref<{memref}, #{memory}>{tail}>"
        number = self.layouts.setdefault(text, len(self.layouts))
        suffix = str(number) if number else ""
        return f"tensor<{'x'.join(map(str, shape))}x{dtype}, #ttnn_layout{suffix}>"

    def arg(self, name, shape, kind="parameter", **kwargs):
        value = f"%arg{len(self.args)}"
        extra = ", ttcore.kv_cache" if kind == "cache" else ""
        kind = "input" if kind == "cache" else kind
        self.types[value] = self.tensor(shape, **kwargs)
        self.args.append(
            f"{value}: {self.types[value]} {{ttcore.argument_type = #ttcore.argument_type<{kind}>{extra}, "
            f'ttir.name = "{name}"}}'
        )
        return value

    def op(self, name, operands, shape, props="", dtype="bf16", **kwargs):
        value = f"%{sum(1 for o in self.ops if o[0])}"
        self.types[value] = "!ttnn.device" if name == "get_device" else self.tensor(shape, dtype, **kwargs)
        self.ops.append((value, name, operands, props))
        return value

    def write(self, name, operands, props):
        self.ops.append((None, name, operands, props))

    def line(self, value, name, operands, props):
        props = f" <{{{props}}}>" if props else ""
        types = ", ".join(self.types[o] for o in operands)
        target, result = (f"{value} = ", self.types[value]) if value else ("", "()")
        return f'        {target}"ttnn.{name}"({", ".join(operands)}){props} : ({types}) -> {result}'

    def text(self, returned):
        last = {o: i for i, (_, _, operands, _) in enumerate(self.ops) for o in operands}
        order = {value: i for i, value in enumerate(self.types)}
        body = []
        for i, op in enumerate(self.ops):
            body.append(self.line(*op))
            dead = [o for o in dict.fromkeys(op[2]) if last[o] == i and o not in returned and self.types[o] != "!ttnn.device"]
            for o in sorted(dead, key=lambda o: order[o], reverse=True):
                body.append(f'        "ttnn.deallocate"({o}) <{{force = false}}> : ({self.types[o]}) -> ()')
        types = ", ".join(self.types[v] for v in returned)
        results = types if len(returned) == 1 else f"({types})"
        layouts = [f"#ttnn_layout{n or ''} = {text}" for text, n in self.layouts.items()]
        return "\n".join(
            ["#dram = #ttnn.buffer_type<dram>", f"#system_desc = {SYSTEM_DESC}"]
            + (["#system_memory = #ttnn.buffer_type<system_memory>"] if any("#system" in t for t in self.layouts) else [])
            + layouts
            + [
                "module {",
                "  ttcore.device_module {",
                "    builtin.module attributes {ttcore.system_desc = #system_desc} {",
                f"      func.func @{self.function}({', '.join(self.args)}) -> {results} "
                'attributes {tt.function_type = "forward_device"} {',
                *body,
                f"        return {', '.join(returned)} : {types}",
                "      }",
                "    }",
                "  }",
                "}",
                "",
                "",
            ]
        )


def ints(values, suffix=" : i32"):
    return "[" + ", ".join(f"{v}{suffix}" for v in values) + "]"


def llama_decode():
    users, hidden, heads, kv_heads, dim, ffn, cache = 32, 2048, 32, 8, 64, 8192, 128
    m = Module("main")
    x = m.arg("hidden_states", [users, hidden], "input")
    k_cache = m.arg("k_cache", [users, kv_heads, cache, dim], "cache")
    v_cache = m.arg("v_cache", [users, kv_heads, cache, dim], "cache")
    position = m.arg("position", [users], "input", dtype="ui32", tiled=False)
    mask = m.arg("mask", [users, 1, 1, cache], "input")
    cos, sin = (m.arg(n, [1, 1, 1, dim], "input") for n in ("cos", "sin"))
    norm1, norm2 = (m.arg(n, [hidden]) for n in ("input_layernorm", "post_attention_layernorm"))
    w_qkv = m.arg("qkv_proj", [hidden, (heads + 2 * kv_heads) * dim])
    w_o = m.arg("o_proj", [hidden, hidden])
    w_gate, w_up, w_down = m.arg("gate_proj", [hidden, ffn]), m.arg("up_proj", [hidden, ffn]), m.arg("down_proj", [ffn, hidden])

    def norm(value, weight):
        props = f"compute_config = {HIFI4}, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>"
        return m.op("rms_norm", [value, weight], [users, hidden], props)

    def matmul(a, b, shape, activation=""):
        props = (f'activation = "{activation}", ' if activation else "") + f"compute_config = {HIFI4}, transpose_a = false, transpose_b = false"
        return m.op("matmul", [a, b], shape, props)

    def cut(value, begins, ends):
        return m.op("slice_static", [value], [e - b for b, e in zip(begins, ends)],
                    f"begins = {ints(begins)}, ends = {ints(ends)}, step = {ints([1] * len(begins))}")

    def reshape(value, shape):
        return m.op("reshape", [value], shape, f"shape = {ints(shape)}")

    def rotate(value, count):
        shape, half = [users, count, 1, dim], [users, count, 1, dim // 2]
        low = cut(value, [0, 0, 0, 0], half)
        high = cut(value, [0, 0, 0, dim // 2], shape)
        turned = m.op("concat", [m.op("neg", [high], half), low], shape, "dim = 3 : si32")
        return m.op("add", [m.op("multiply", [value, cos], shape), m.op("multiply", [turned, sin], shape)], shape)

    normed = norm(x, norm1)
    qkv = matmul(normed, w_qkv, [users, (heads + 2 * kv_heads) * dim])
    q = reshape(cut(qkv, [0, 0], [users, heads * dim]), [users, heads, 1, dim])
    k = reshape(cut(qkv, [0, heads * dim], [users, (heads + kv_heads) * dim]), [users, kv_heads, 1, dim])
    v = reshape(cut(qkv, [0, (heads + kv_heads) * dim], [users, (heads + 2 * kv_heads) * dim]), [users, kv_heads, 1, dim])
    q, k = rotate(q, heads), rotate(k, kv_heads)
    for target, new in ((k_cache, k), (v_cache, v)):
        m.write("update_cache", [target, reshape(new, [1, kv_heads, users, dim]), position], "batch_offset = 0 : i32")
    keys = m.op("repeat_interleave", [k_cache], [users, heads, cache, dim], "dim = 1 : si32, repeats = 4 : ui32")
    values = m.op("repeat_interleave", [v_cache], [users, heads, cache, dim], "dim = 1 : si32, repeats = 4 : ui32")
    keys = m.op("permute", [keys], [users, heads, dim, cache], "permutation = array<i64: 0, 1, 3, 2>")
    scores = matmul(q, keys, [users, heads, 1, cache])
    scores = m.op("add", [scores, mask], [users, heads, 1, cache])
    weights = m.op("softmax", [scores], [users, heads, 1, cache], f"compute_config = {HIFI4}, dimension = -1 : si32, numericStable = true")
    attended = reshape(matmul(weights, values, [users, heads, 1, dim]), [users, heads * dim])
    attended = m.op("add", [matmul(attended, w_o, [users, hidden]), x], [users, hidden])
    normed = norm(attended, norm2)
    gated = m.op("multiply", [matmul(normed, w_gate, [users, ffn], "silu"), matmul(normed, w_up, [users, ffn])], [users, ffn])
    out = m.op("add", [matmul(gated, w_down, [users, hidden]), attended], [users, hidden])
    return m.text([k_cache, v_cache, out])


def resnet_block():
    batch, side, wide, narrow = 8, 56, 256, 64
    rows = batch * side * side
    m = Module("forward")
    x = m.arg("x", [1, 1, rows, wide], "input")
    weights = [
        m.arg(name, [c_out, c_in, kernel, kernel], tiled=False, memory="system_memory")
        for name, c_in, c_out, kernel in (("conv1", wide, narrow, 1), ("conv2", narrow, narrow, 3), ("conv3", narrow, wide, 1))
    ]
    device = m.op("get_device", [], [1], "mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>")

    def conv(value, weight, c_in, c_out, kernel):
        pad = kernel // 2
        props = (
            f"batch_size = {batch} : i32, compute_config = {HIFI4}, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = true>, "
            f"dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = {c_in} : i32, input_height = {side} : i32, "
            f"input_width = {side} : i32, kernel_size = array<i32: {kernel}, {kernel}>, out_channels = {c_out} : i32, "
            f"padding = array<i32: {pad}, {pad}, {pad}, {pad}>, stride = array<i32: 1, 1>"
        )
        return m.op("conv2d", [value, weight, device], [1, 1, rows, c_out], props)

    hidden = m.op("relu", [conv(x, weights[0], wide, narrow, 1)], [1, 1, rows, narrow])
    hidden = m.op("relu", [conv(hidden, weights[1], narrow, narrow, 3)], [1, 1, rows, narrow])
    hidden = conv(hidden, weights[2], narrow, wide, 1)
    out = m.op("relu", [m.op("add", [hidden, x], [1, 1, rows, wide])], [1, 1, rows, wide])
    return m.text([out])


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    (folder / "llama_decode.mlir").write_text(llama_decode())
    (folder / "resnet_block.mlir").write_text(resnet_block())
