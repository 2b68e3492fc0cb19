"""How much longer an op takes in a program of 5000 ops than in one of 500: processor time of tessera, for the shapes that the
policies' and rewrites' own loops could make quadratic. Prints one line for each, with the bound that must hold.

    long_programs.py SCRATCH
"""
import pathlib
import resource
import subprocess
import sys

BOUND = 3.0
FEW, MANY = 500, 5000
TENSOR = "tensor<256x1024xbf16, #l>"


def eltwise(name, result, *operands):
    return f'  {result} = "ttnn.{name}"({", ".join(operands)}) : ({", ".join([TENSOR] * len(operands))}) -> {TENSOR}\n'


def chain(count):
    """Each op reads the one before."""
    for i in range(count):
        yield eltwise("relu", f"%{i}", f"%{i - 1}" if i else "%a")


def fan_out(count):
    """All ops read the first one's result."""
    yield eltwise("relu", "%0", "%a")
    for i in range(1, count):
        yield eltwise("add", f"%{i}", f"%{i - 1}", "%0")


def branches(count):
    """Half of the ops make results that all live until the other half adds them up, the last one first."""
    half = count // 2
    for i in range(half):
        yield eltwise("relu", f"%{i}", "%a")
    for i in range(half, count):
        yield eltwise("add", f"%{i}", f"%{i - 1}", f"%{max(0, 2 * half - 2 - i)}")


def module(shape, count):
    return (
        "#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x32x!ttcore.tile<32x32, bf16>, "
        "#ttnn.buffer_type<dram>>, <interleaved>>\n"
        f"func.func @main(%a: {TENSOR}) -> {TENSOR} {{\n{''.join(shape(count))}  return %{count - 1} : {TENSOR}\n}}\n"
    )


def spent_by_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def processor_time(shape, policy, count, folder):
    """Seconds per op; the least of three runs of the short program."""
    path = folder / f"{shape.__name__}.mlir"
    path.write_text(module(shape, count))
    times = []
    for _ in range(3 if count == FEW else 1):
        before = spent_by_children()
        subprocess.run(["tessera", "optimize", path, "--policy", policy, "-q"], check=True)
        times.append(spent_by_children() - before)
    return min(times) / count


slow = False
for shape, policy in ((chain, "df-sharding"), (fan_out, "df-sharding"), (fan_out, "greedy"), (branches, "greedy")):
    few, many = (processor_time(shape, policy, count, pathlib.Path(sys.argv[1])) for count in (FEW, MANY))
    slow |= many > BOUND * few
    print(f"{shape.__name__}, {policy}: {few * 1e6:.0f} us per op of {FEW}, {many * 1e6:.0f} of {MANY}")
sys.exit(1 if slow else 0)
