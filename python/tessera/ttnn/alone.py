"""Runs main.py alone, on the device that ttnn finds: python run.py

Inputs are random where torch is there, else zeros. With TT_METAL_MOCK_CLUSTER_DESC_PATH naming the description of a chip, and
TT_METAL_SLOW_DISPATCH_MODE=1, no chip is needed: nothing is computed then, but every op is checked and every tensor gets its
address.
"""
import importlib.util
import pathlib
import time

import ttnn


def load():
    path = pathlib.Path(__file__).resolve().parent / "main.py"
    spec = importlib.util.spec_from_file_location("main", path)
    main = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(main)
    return main


def made(shape, dtype):
    """A host tensor in rows."""
    try:
        import torch
    except ImportError:
        return ttnn.zeros(list(shape), dtype, ttnn.ROW_MAJOR_LAYOUT)
    floats = dtype in (ttnn.bfloat16, ttnn.float32)
    values = torch.randn(shape) if floats else torch.zeros(shape, dtype=torch.int32)
    return ttnn.from_torch(values, dtype=dtype, layout=ttnn.ROW_MAJOR_LAYOUT)


def run():
    main = load()
    device = ttnn.open_device(device_id=0, l1_small_size=65536)
    try:
        inputs = [made(shape, dtype) for _, shape, dtype in main.INPUTS]
        for what in ("first run, with constants", "second run"):
            begin = time.perf_counter()
            results = main.forward(inputs, device)
            ttnn.synchronize_device(device)
            print(f"{what}: {1e3 * (time.perf_counter() - begin):.1f} ms")
        for n, result in enumerate(results):
            print(f"result {n}: {list(result.shape)} {result.dtype}")
    finally:
        ttnn.close_device(device)


if __name__ == "__main__":
    run()
