"""What `tessera import` makes of functions and of StableHLO before the compiler has it: programs in the Python that `tessera setup jax` made, if it
did."""
import os
import pathlib
import subprocess
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tessera" / "jax"


class Compilable(unittest.TestCase):
    PROGRAM = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp
from tessera.jax.compilable import compilable

def module(dtype, after):
    window = lambda x: after(jax.lax.reduce_window(x, jnp.array(0, dtype), jax.lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"))
    return jax.jit(window).lower(jax.ShapeDtypeStruct((1, 4, 4, 8), dtype)).as_text(debug_info=True)

for dtype, after, converts in ((jnp.bfloat16, lambda x: x / 4, 3), (jnp.float32, lambda x: x / 4, 0), (jnp.bfloat16, lambda x: 4 * x, 0)):
    assert compilable(module(dtype, after)).count("stablehlo.convert") == converts, (dtype, converts)
assert "div" in compilable(module(jnp.bfloat16, lambda x: x / 4)).split("#loc", 1)[1]  # places are kept
assert compilable("stablehlo.reduce_window and no module") == "stablehlo.reduce_window and no module"
"""
    WINDOWS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

def pool(start, meet, taps, steps, sides):
    return lambda x: lax.reduce_window(x, start, meet, (1, *taps, 1), (1, *steps, 1), sides)

image = numpy.random.default_rng(1).normal(size=(2, 9, 12, 5)).astype("float32")
(backend,) = {{device.client for device in jax.devices("cpu")}}
for function, windows in (
    (pool(0., lax.add, (2, 2), (2, 2), "VALID"), 0), (pool(0., lax.add, (3, 2), (2, 1), "SAME"), 0),
    (pool(-numpy.inf, lax.max, (3, 3), (2, 2), "SAME"), 0), (pool(numpy.inf, lax.min, (1, 4), (1, 3), "VALID"), 0),
    (lambda x: lax.cummax(x, 1), 1), (lambda x: lax.reduce_window(x.astype("bfloat16"), -numpy.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), 1),
    # Other numbers to begin with count, too. What was bf16 is so again, as in PyTorch's maxima.
    (pool(1., lax.max, (3, 3), (2, 2), "VALID"), 0), (pool(2., lax.add, (2, 2), (1, 1), "VALID"), 0),
    (lambda x: pool(-numpy.inf, lax.max, (3, 3), (2, 2), "SAME")(x.astype("bfloat16").astype("float32")).astype("bfloat16"), 1),
    (lambda x: pool(1., lax.max, (3, 3), (2, 2), "SAME")(x.astype("bfloat16").astype("float32")), 0),
    # Factors; what is not one counts as often as padding is met, and stays.
    (pool(1., lax.mul, (3, 2), (2, 1), "SAME"), 0), (lambda x: pool(numpy.int32(1), lax.mul, (2, 2), (1, 1), "VALID")((x * 9).astype("int32")), 0),
    (lambda x: pool(numpy.ones((), "bfloat16"), lax.mul, (2, 2), (2, 2), "VALID")(x.round().astype("bfloat16")), 0), (pool(2., lax.mul, (3, 2), (2, 1), "SAME"), 1),
    # Whole numbers are added as they are.
    (lambda x: pool(0, lax.add, (3, 2), (2, 1), "SAME")((x * 1e6).astype("int32")), 0), (lambda x: lax.cumsum((x * 9).astype("int32"), 1), 1),
    (lambda x: pool(numpy.int32(-2**31), lax.max, (3, 3), (2, 2), "SAME")((x * 9).astype("int32")), 0), (lambda x: pool(False, lax.bitwise_or, (2, 2), (2, 2), "VALID")(x > 2), 1),
):
    written = compilable(jax.jit(function).lower(image).as_text())
    assert written.count("stablehlo.reduce_window") == windows, written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = run.execute_sharded([jax.device_put(image)]).disassemble_into_single_device_arrays()[0][0]
    numpy.testing.assert_allclose(numpy.asarray(found, "float32"), numpy.asarray(function(image), "float32"), rtol=1e-5, atol=1e-5)
"""

    GRADIENTS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

def gradient(taps, steps, sides):
    return jax.grad(lambda x: (lax.reduce_window(x, -numpy.inf, lax.max, (1, *taps, 1), (1, *steps, 1), sides).astype("float32") ** 3).sum())

# Some elements of a window are equal: the first one has all of it.
image = numpy.random.default_rng(1).normal(size=(2, 9, 12, 5)).round(1).astype("float32")
(backend,) = {{device.client for device in jax.devices("cpu")}}
for function, kept in (
    (gradient((2, 2), (2, 2), "VALID"), 0), (gradient((3, 3), (2, 2), "SAME"), 0), (gradient((1, 4), (1, 3), "VALID"), 0),
    (gradient((2, 3), (1, 1), ((0, 0), (1, 0), (2, 1), (0, 0))), 0), (lambda x: gradient((2, 2), (2, 2), "VALID")(x.astype("bfloat16")), 1),
):
    written = compilable(jax.jit(function).lower(image).as_text())
    assert written.count("stablehlo.select_and_scatter") == kept, written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = run.execute_sharded([jax.device_put(image)]).disassemble_into_single_device_arrays()[0][0]
    numpy.testing.assert_allclose(numpy.asarray(found, "float32"), numpy.asarray(function(image), "float32"), rtol=1e-5, atol=1e-5)
"""

    ANY = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

numbers = numpy.random.default_rng(1).normal(size=(6, 9, 12)).astype("float32")
(backend,) = {{device.client for device in jax.devices("cpu")}}
# Whole numbers meet by their bits, and are left alone; so is what ors two tensors.
for function, left in (
    (lambda x: jnp.any(x > 1, 1), 0), (lambda x: jnp.any(x > 3), 0), (lambda x: jnp.any(x > 1, (0, 2), keepdims=True) == jnp.any(x > 2), 0),
    (lambda x: lax.reduce(x > 2, True, lax.bitwise_or, (1,)), 0), (lambda x: jnp.any((x > 2) | (x < -2), 2), 1),
    (lambda x: lax.reduce(x.astype("int32"), 1, lax.bitwise_or, (1,)), 1), (lambda x: jnp.all(x > -2, 1), 0),
):
    written = compilable(jax.jit(function).lower(numbers).as_text())
    assert written.count("stablehlo.or") == left, written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = run.execute_sharded([jax.device_put(numbers)]).disassemble_into_single_device_arrays()[0][0]
    numpy.testing.assert_array_equal(numpy.asarray(found), numpy.asarray(function(numbers)))
"""

    REMAINDERS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

numbers = numpy.random.default_rng(1).integers(-40, 40, (6, 9)).astype("int32")
(backend,) = {{device.client for device in jax.devices("cpu")}}
# What corrects the sign itself, or asks for zeros alone, is left alone.
for function, sizes in (
    (lambda x: lax.rem(x, 7), 2), (lambda x: lax.rem(x, jnp.where(x > 3, -5, 3)), 2), (lambda x: jnp.fmod(x * 0.375, 1.5), 2), (lambda x: x % 7, 0),
    (lambda x: x % jnp.where(x > 3, -5, 3), 0), (lambda x: (x * 0.375) % 1.5, 0), (lambda x: x // 7, 0), (lambda x: lax.rem(x, 2) == 0, 0),
    (lambda x: lax.rem(x, 3) == 2, 2), (lambda x: lax.rem(x.astype("uint32"), jnp.uint32(7)), 0),
):
    written = compilable(jax.jit(function).lower(numbers).as_text())
    assert written.count("stablehlo.abs") == sizes, written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = run.execute_sharded([jax.device_put(numbers)]).disassemble_into_single_device_arrays()[0][0]
    numpy.testing.assert_allclose(numpy.asarray(found), numpy.asarray(function(numbers)), rtol=1e-6)
"""

    SORTS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

numbers = numpy.random.default_rng(1).integers(-3, 3, (6, 40)).astype("int32")
(backend,) = {{device.client for device in jax.devices("cpu")}}
for function, orders in (
    (lambda x: lax.sort((x, x[::-1] * 0.5, x[:, ::-1]), dimension=1, num_keys=3), 3), (lambda x: jnp.lexsort((x[0], x[1])), 2),
    (lambda x: lax.sort((x, x[::-1]), dimension=0, num_keys=2, is_stable=False), 2), (lambda x: lax.sort((x, x[::-1]), dimension=1), 1),
    (lambda x: jnp.argsort(x * 0.5, 0), 1), (lambda x: jnp.sort(x, descending=True), 1),
):
    written = compilable(jax.jit(function).lower(numbers).as_text())
    assert written.count("stablehlo.sort") == orders, written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = run.execute_sharded([jax.device_put(numbers)]).disassemble_into_single_device_arrays()
    for one, wanted in zip(found, jax.tree.leaves(function(numbers)), strict=True):
        numpy.testing.assert_array_equal(numpy.asarray(one[0]), numpy.asarray(wanted))
"""

    ENDS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp, numpy
from jaxlib import xla_client
from tessera.jax.compilable import compilable

rows = numpy.random.default_rng(1).permutation(160).reshape(4, 40).astype("float32")
(backend,) = {{device.client for device in jax.devices("cpu")}}
for function, turned in (
    (lambda x: jnp.sort(x, -1)[:, -5:], 1), (lambda x: jnp.argsort(x, -1)[1:3, -5:], 1), (lambda x: jnp.argsort(x, -1)[:, -5:][:, ::-1], 0),
    (lambda x: jax.lax.sort((x, 2 * x), dimension=0, num_keys=1)[1][1:], 1), (lambda x: jnp.sort(x, -1)[:, :5], 0), (lambda x: jnp.sort(x, -1)[:, 5:9], 0),
    (lambda x: jnp.sort(x, -1)[:, -1], 0), (lambda x: jnp.sort(x, -1)[:, 35:] + jnp.sort(x, -1).sum(), 1),
):
    before = jax.jit(function).lower(rows).as_text()
    written = compilable(before)
    assert written.count("stablehlo.reverse") == turned, written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = run.execute_sharded([jax.device_put(rows)]).disassemble_into_single_device_arrays()[0][0]
    numpy.testing.assert_array_equal(numpy.asarray(found), numpy.asarray(function(rows)))
"""

    ROWS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

table = numpy.asarray(jnp.arange(6 * 8 * 64).reshape(6, 8, 64), jnp.bfloat16)
(backend,) = {{device.client for device in jax.devices("cpu")}}
# Whole tiles have an op, and other types no lookup; what is cut elsewhere, or is known before, is left alone.
for function, lookups in (
    (lambda x, i: x[i], 1), (lambda x, i: lax.dynamic_slice_in_dim(x, i, 3), 1), (lambda x, i: lax.dynamic_slice_in_dim(x[:, 0], i, 2), 1),
    (lambda x, i: lax.scan(lambda carry, row: (carry + row, carry), x[0], x)[1] + x[0] * i, 0), (lambda x, i: x.astype("float32")[i], 0),
    (lambda x, i: lax.dynamic_slice_in_dim(x, i, 3, axis=1), 0), (lambda x, i: x.reshape(3, 32, 32)[i], 0), (lambda x, i: lax.dynamic_slice_in_dim(x, 2, 3), 0),
):
    for place in (0, 5, 7):
        given = [table, numpy.int32(place)]
        written = compilable(jax.jit(function, keep_unused=True).lower(*given).as_text())
        assert written.count('"stablehlo.gather"') == lookups, written
        run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
        found = run.execute_sharded([jax.device_put(each) for each in given]).disassemble_into_single_device_arrays()[0][0]
        numpy.testing.assert_array_equal(numpy.asarray(found), numpy.asarray(jax.jit(function)(*given)))
"""

    VOLUMES = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

rng = numpy.random.default_rng(1)
volume, weight = rng.normal(size=(1, 4, 5, 6, 3)).astype("float32"), rng.normal(size=(3, 2, 3, 3, 4)).astype("float32")
(backend,) = {{device.client for device in jax.devices("cpu")}}

def convolved(steps, sides, **how):
    return lambda x, w: lax.conv_general_dilated(x, w, steps, sides, dimension_numbers=("NDHWC", "DHWIO", "NDHWC"), **how)

for function, pads in (
    (convolved((1, 1, 1), ((2, 0), (0, 1), (1, 1))), 1), (convolved((2, 1, 2), "SAME"), 1), (convolved((1, 1, 1), ((1, 1),) * 3, rhs_dilation=(1, 2, 1)), 0),
    (convolved((1, 1, 1), "VALID"), 0), (lambda x, w: lax.conv_transpose(x, w, (2, 2, 3), "VALID", dimension_numbers=("NDHWC", "DHWIO", "NDHWC")), 1),
    (convolved((1, 1, 1), ((2, -1), (0, 1), (1, 1)), lhs_dilation=(3, 1, 2)), 1),
    (lambda x, w: lax.conv_general_dilated(x[0], w[0], (1, 1), ((0, 1), (1, 0)), dimension_numbers=("NHWC", "HWIO", "NHWC")), 0),
):
    written = compilable(jax.jit(function).lower(volume, weight).as_text())
    assert written.count("stablehlo.pad") == pads, written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = run.execute_sharded([jax.device_put(each) for each in (volume, weight)]).disassemble_into_single_device_arrays()[0][0]
    numpy.testing.assert_allclose(numpy.asarray(found), numpy.asarray(function(volume, weight)), rtol=1e-4, atol=1e-4)
"""

    PRODUCTS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

rng = numpy.random.default_rng(1)
x, scores, weight = (numpy.asarray(rng.normal(size=shape), jnp.bfloat16) for shape in ((2, 32, 64), (4, 64), (64, 96)))
(backend,) = {{device.client for device in jax.devices("cpu")}}

def wide(value):
    return value.astype("float32")

# What is multiplied in both types is on the right in f32; in one type alone, and on the right anyway, all is as it was.
for function, swapped in (
    (lambda x, s, w: (wide(x) @ wide(s).T, x @ w), 1), (lambda x, s, w: (wide(x.reshape(64, 64)) @ wide(s).T, x @ w), 1),
    (lambda x, s, w: (lax.dot_general(wide(x), wide(s), (((2,), (1,)), ((), ()))), (x @ w)[0]), 1), (lambda x, s, w: (wide(x) @ wide(s).T, wide(x) @ wide(w)), 0),
    (lambda x, s, w: (wide(s) @ wide(x[0]).T, x @ w), 0), (lambda x, s, w: (x @ s.T, x @ w), 0),
):
    plain = jax.jit(function).lower(x, scores, weight).as_text()
    written = compilable(plain)
    assert written.count("stablehlo.transpose") == plain.count("stablehlo.transpose") + swapped, written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = run.execute_sharded([jax.device_put(each) for each in (x, scores, weight)]).disassemble_into_single_device_arrays()
    for one, wanted in zip(found, function(x, scores, weight), strict=True):
        numpy.testing.assert_allclose(numpy.asarray(wide(one[0])), numpy.asarray(wide(wanted)), rtol=1e-2, atol=1e-2)
"""

    CHOICES = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.calls import paged_update_cache
from tessera.jax.compilable import compilable

numbers = numpy.random.default_rng(1).normal(size=(6, 9)).astype("float32")
(backend,) = {{device.client for device in jax.devices("cpu")}}

def halved(x):
    return lax.while_loop(lambda x: x.max() > 1, lambda x: x / 2, x)

# What goes on for as long as it finds is not run for nothing.
for function, left in (
    (lambda x, n: lax.cond(n > 1, jnp.sin, lambda x: -x, x), 0), (lambda x, n: lax.switch(n, [jnp.sin, jnp.cos, lambda x: -x], x), 0),
    (lambda x, n: lax.cond(n > 1, lambda: (x.sum(0), n), lambda: (x[0], n + 1)), 0), (lambda x, n: lax.cond(n > 1, jnp.sort, halved, x), 1),
    (lambda x, n: lax.cond(n > 1, lambda x: lax.cond(n > 2, jnp.cumsum, jnp.ravel, x), lambda x: lax.fori_loop(0, 3, lambda _, x: x / 2, x).ravel(), x), 0),
    (lambda x, n: lax.scan(lambda state, row: (lax.cond(row[0] > 0, lambda: state + row, lambda: state), state[0]), x[0], x), 0),
):
    for n in range(-1, 4):
        given = [numbers, numpy.int32(n)]
        written = compilable(jax.jit(function, keep_unused=True).lower(*given).as_text())
        assert written.count("stablehlo.case") == left, written
        run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
        found = run.execute_sharded([jax.device_put(each) for each in given]).disassemble_into_single_device_arrays()
        for one, wanted in zip(found, jax.tree.leaves(jax.jit(function)(*given)), strict=True):
            numpy.testing.assert_allclose(numpy.asarray(one[0]), numpy.asarray(wanted), rtol=1e-5)

# Nor is what changes a tensor.
cache, token, places = jnp.zeros((4, 2, 32, 64), jnp.bfloat16), jnp.zeros((1, 4, 2, 64), jnp.bfloat16), jnp.zeros((4,), jnp.int32)
writes = lambda cache, n: lax.cond(n > 1, lambda: paged_update_cache(cache, token, places, places[:, None]), lambda: cache)
assert compilable(jax.jit(writes).trace(cache, 1).lower(lowering_platforms=("tt",)).as_text()).count("stablehlo.case") == 1
"""

    LOOPS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import re
import jax, jax.numpy as jnp, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

rng = numpy.random.default_rng(1)
stack, weight = rng.normal(size=(6, 8, 64)).astype("float32"), numpy.asarray(rng.normal(size=(64, 64)) * 0.1, jnp.bfloat16)
(backend,) = {{device.client for device in jax.devices("cpu")}}

def scanned(step, of=lambda x: x, begin=lambda x: x[0]):
    return lambda x, w: lax.scan(lambda state, part: step(state, part, w), begin(of(x)), of(x))

def both(state, part, w):
    return part - state * 2, state

def steady(state, part, w):
    wide = w.astype("float32") * 0.5
    return jnp.tanh(state @ wide.T) + part + jnp.exp(wide)[0] + jnp.ones((8, 64)) * 3, None

def nested(state, part, w):
    return lax.fori_loop(0, 3, lambda _, y: y @ jnp.sin(w.astype("float32")), state) + jnp.cos(w[0]), part

def cut_alike(x, w):
    return lax.fori_loop(0, 4, lambda n, y: y + lax.dynamic_index_in_dim(x, n + 1, keepdims=False) + x[2], x[0])

# For each: stacks that are padded to tiles, stacks that are scattered to, and ops that are in front of the first loop then.
for function, padded, scattered, moved in (
    (scanned(both), 1, 0, ()), (scanned(both, lambda x: x.astype("bfloat16")), 1, 0, ()), (scanned(both, lambda x: x[:, 0]), 1, 0, ()),
    (scanned(both, lambda x: x[:, 0, 0]), 1, 0, ()), (scanned(both, lambda x: (x * 9).astype("int32").reshape(6, 2, 4, 64), lambda x: x[0]), 1, 0, ()),
    (scanned(both, lambda x: x.reshape(3, 16, 64)[:, :, None] + jnp.zeros((32, 1))), 0, 0, ()), (scanned(steady), 1, 0, ("exponential", "multiply", "convert")),
    (scanned(nested), 1, 0, ("sine", "convert", "cosine")), (cut_alike, 1, 0, ("slice",)),
    (lambda x, w: lax.fori_loop(0, 4, lambda n, y: y.at[n, 2].set(y[n + 1, 3] + 1), x), 0, 1, ()),
    (lambda x, w: lax.while_loop(lambda s: s[0].sum() < 40, lambda s: (s[0] + jnp.abs(w).sum(), s[1] + 1), (x[0], 0)), 0, 0, ("abs",)),
):
    written = compilable(jax.jit(function, keep_unused=True).lower(stack, weight).as_text())
    before, _, after = written.partition("stablehlo.while")
    assert written.count("stablehlo.pad") == padded, written
    assert written.count("stablehlo.dynamic_update_slice") + written.count('"stablehlo.scatter"') == scattered, written
    assert all(f"stablehlo.{{name}}" in before and not re.search(f"stablehlo.{{name}} %(arg|0)", after) for name in moved), written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = run.execute_sharded([jax.device_put(each) for each in (stack, weight)]).disassemble_into_single_device_arrays()
    for one, wanted in zip(found, jax.tree.leaves(jax.jit(function)(stack, weight)), strict=True):
        numpy.testing.assert_allclose(numpy.asarray(one[0], "float32"), numpy.asarray(wanted, "float32"), rtol=2e-2, atol=1e-4)
"""

    TRIANGLES = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp, numpy
from jax import lax
from jaxlib import xla_client
from tessera.jax.compilable import compilable

rng = numpy.random.default_rng(1)
# Numbers beyond the triangle are not of it; all alike, the inverse has small numbers and powers of the triangle have large ones.
matrix, alike = rng.normal(size=(2, 43, 43)).astype("float32") + 7 * numpy.eye(43, dtype="float32"), numpy.ones((2, 43, 43), "float32")
sides = rng.normal(size=(2, 43, 5)).astype("float32")
(backend,) = {{device.client for device in jax.devices("cpu")}}
for of_left in (True, False):
    for lower in (True, False):
        for transpose_a in (True, False):
            for a, unit_diagonal in ((matrix, False), (matrix * 0.1, True), (alike, True), (alike[:, :1, :1] * 3, False)):
                b = sides[:, :a.shape[-1]]
                given = [a, b if of_left else numpy.ascontiguousarray(b.transpose(0, 2, 1))]
                function = lambda a, b: lax.linalg.triangular_solve(a, b, left_side=of_left, lower=lower, transpose_a=transpose_a, unit_diagonal=unit_diagonal)
                written = compilable(jax.jit(function).trace(*given).lower(lowering_platforms=("tt",)).as_text())
                assert "triangular" not in written, written
                run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
                found = run.execute_sharded([jax.device_put(each) for each in given]).disassemble_into_single_device_arrays()[0][0]
                numpy.testing.assert_allclose(numpy.asarray(found), numpy.asarray(function(*given)), rtol=1e-4, atol=1e-4)
"""

    DONATED = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import functools, re
import jax, jax.numpy as jnp
from tessera.jax.lowering import lowered

def step(x, cache, place):
    cache = {{"keys": cache["keys"].at[place].set(x)}}
    return x * 2, cache

given = ["4x8xbf16", {{"keys": "16x4x8xbf16"}}, "si32"]
jitted = functools.partial(jax.jit, donate_argnums=(1,))(step)
# What the caller gives up is made a result of in place: as jax.jit says, or the user.
for function, donate, aliases in ((step, [], []), (step, ["cache"], ["1"]), (jitted, [], ["1"]), (jitted, ["0-"], ["0", "1"])):
    text = lowered(function, "m.py:step", given, [], donate)
    assert re.findall("tf.aliasing_output = ([0-9]+)", text) == aliases, (donate, text)
"""

    def test_arguments_that_are_given_up(self):
        self.run_program(self.DONATED)

    FACTORS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, numpy
from jaxlib import xla_client
from tessera.jax.compilable import compilable

rng = numpy.random.default_rng(1)
(backend,) = {{device.client for device in jax.devices("cpu")}}
for shape in ((2, 43, 43), (16, 16), (1, 1), (2, 3, 8, 8)):
    roots = rng.normal(size=shape).astype("float32")
    matrix = roots @ roots.swapaxes(-1, -2) + numpy.eye(shape[-1], dtype="float32")
    wanted = numpy.linalg.cholesky(matrix)
    type_ = "tensor<" + "x".join(map(str, shape)) + "xf32>"
    for lower in (True, False):
        word = str(lower).lower()
        # The other triangle may hold anything.
        given = numpy.tril(matrix) if lower else numpy.triu(matrix)
        written = compilable(f"func.func @main(%a: {{type_}}) -> {{type_}} {{{{ %0 = stablehlo.cholesky %a, lower = {{word}} : {{type_}} return %0 : {{type_}} }}}}")
        assert "cholesky" not in written and written.count("stablehlo.while") == 1, written
        run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
        found = run.execute_sharded([jax.device_put(given)]).disassemble_into_single_device_arrays()[0][0]
        numpy.testing.assert_allclose(numpy.asarray(found), wanted if lower else wanted.swapaxes(-1, -2), rtol=1e-4, atol=1e-5)
"""

    COMPLEX = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp, numpy
from jaxlib import xla_client
from tessera.jax.compilable import compilable

rng = numpy.random.default_rng(1)
(backend,) = {{device.client for device in jax.devices("cpu")}}
turns = numpy.exp(1j * numpy.arange(20)).astype("complex64")  # a constant of many numbers

def moved(x):
    z = jnp.pad(jax.lax.complex(x, x[::-1]).swapaxes(0, 1), ((0, 2), (1, 0)), constant_values=1 + 2j)
    z = jnp.concatenate([z, z[:, :2]], 1).at[:, 1].set(3j).at[numpy.array([0, 0])].add(z[0, 0])
    return z.real, z[::-1].imag, jnp.where(z.real > 0, z, 0).imag, z.sum(0).real, jnp.cumsum(z, 0).imag, z[jnp.argsort(x[0])].real

def computed(x):
    z, whole = jax.lax.complex(x, x * x - 1) * turns, jax.lax.complex(x.round(), (2 * x).round())
    return abs(z), jnp.angle(z), (z / (2 + z.conj())).imag, jnp.exp(z / 9).real, jnp.log(z).imag, (whole == whole[0]) * x, (whole != whole[0]) * x, (z @ z.T).imag

def carried(x):
    def outer(state, row):
        last, parts = jax.lax.scan(lambda z, each: (z * (0.5 + 0.5j) + each, z.imag), state, jnp.stack([row, 2 * row]))
        return last, parts.sum(0)
    last, parts = jax.lax.scan(outer, jnp.zeros(x.shape[1:], "complex64"), x)
    return last.real, last.imag, parts

def returned(x):  # as the compiler has it
    return jnp.fft.fft(x) * turns

transforms = (
    lambda x: (jnp.fft.rfft(x).imag, jnp.fft.irfft(jnp.fft.rfft(x) * (1 + 2j), n=x.shape[-1]), jnp.fft.ifft(x * (1 - 1j)).imag),
    lambda x: (jnp.fft.fft2(x).imag, jnp.fft.rfft2(x).real, jnp.fft.irfft2(jnp.fft.rfft2(x) * 2j, s=x.shape), jnp.fft.rfft(x, axis=0).imag))
for function, shape in ((moved, (6, 20)), (computed, (6, 20)), (carried, (6, 20)), (returned, (6, 20)), (transforms[0], (3, 20)), (transforms[0], (3, 15)), (transforms[0], (1, 1)),
                        (transforms[1], (12, 15)), (transforms[0], (2, 2048)), (transforms[0], (2, 2025)), (transforms[0], (1, 1031))):
    x = rng.normal(size=shape).astype("float32")
    written = compilable(jax.jit(function).lower(x).as_text())
    assert "stablehlo.fft" not in written and ("complex<" in written) == (function is returned), written
    run = backend.compile_and_load(written, xla_client.DeviceList((jax.devices("cpu")[0],)), xla_client.CompileOptions())
    found = [each[0] for each in run.execute_sharded([jax.device_put(x)]).disassemble_into_single_device_arrays()]
    for made, wanted in zip(found, jax.tree.leaves(jax.jit(function)(x)), strict=True):
        numpy.testing.assert_allclose(numpy.asarray(made), numpy.asarray(wanted), rtol=1e-4, atol=1e-5 * numpy.abs(wanted).max())
"""

    def test_complex_tensors_are_two_real_ones(self):
        self.run_program(self.COMPLEX)

    CALLS = """
import runpy
runpy.run_path({folder!r} + "/__main__.py")["load"]()
import jax, jax.numpy as jnp
from tessera.jax.worker import named

told = "failed to legalize operation 'stablehlo.custom_call'"
module = jax.jit(jnp.linalg.qr).trace(jax.ShapeDtypeStruct((8, 8), "float32")).lower(lowering_platforms=("tt",)).as_text()
assert named(told, module).startswith(told + " ("), named(told, module)
assert named("another error", module) == "another error"
assert named(told, "%0 = stablehlo.custom_call @tt.mark_argument(%a)") == told
"""

    def test_what_is_called_outside_of_stablehlo_has_a_name(self):
        self.run_program(self.CALLS)

    def run_program(self, program):
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
        pythons = sorted(cache.glob("tessera/jax/venv-*/bin/python"))
        if not pythons:
            self.skipTest("'tessera setup jax' was not run here")
        subprocess.run([pythons[-1], "-c", program.format(folder=str(FOLDER))], check=True, env=os.environ | {"JAX_PLATFORMS": "cpu"})

    def test_choices_are_of_results(self):
        self.run_program(self.CHOICES)

    def test_what_no_step_changes_is_before_the_loop(self):
        self.run_program(self.LOOPS)

    def test_triangles_are_solved_by_products(self):
        self.run_program(self.TRIANGLES)

    def test_factors_of_symmetric_matrices_are_loops(self):
        self.run_program(self.FACTORS)

    def test_sums_over_windows_are_divided_in_f32(self):
        self.run_program(self.PROGRAM)

    def test_windows_of_f32_are_products_and_slices(self):
        self.run_program(self.WINDOWS)

    def test_gradients_of_maxima_of_f32_are_of_f32(self):
        self.run_program(self.GRADIENTS)

    def test_whether_any_is_true_is_a_maximum(self):
        self.run_program(self.ANY)

    def test_remainders_are_of_numbers_without_a_sign(self):
        self.run_program(self.REMAINDERS)

    def test_orders_by_several_keys_follow_each_other(self):
        self.run_program(self.SORTS)

    def test_ends_of_orders_are_beginnings_of_others(self):
        self.run_program(self.ENDS)

    def test_rows_at_computed_places_are_looked_up(self):
        self.run_program(self.ROWS)

    def test_volumes_are_padded_before(self):
        self.run_program(self.VOLUMES)

    def test_what_is_multiplied_in_two_types_is_on_the_left_in_one(self):
        self.run_program(self.PRODUCTS)


if __name__ == "__main__":
    unittest.main()
