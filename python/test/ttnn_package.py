"""The Python side of `tessera judge`, as far as it goes without the vendor's library."""
import functools
import itertools
import math
import pathlib
import struct
import sys
import types
import unittest

# As __main__.py does: by its place, without `tessera`.
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tessera" / "ttnn"
import importlib.util  # noqa: E402

_spec = importlib.util.spec_from_file_location("ttnn_main", FOLDER / "__main__.py")
_main = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_main)
_main.load()

from tessera_ttnn import ask, boards, compiler, library, question, run_program, text  # noqa: E402
from tessera_ttnn.server import Worker  # noqa: E402

LAYOUT = {"buffer": "l1", "memory": "height_sharded", "page": "tile", "tile": [32, 32], "dtype": "bf16", "grid": [2, 1], "shard": [1, 4],
          "cores": [[0, 0, 1, 0]]}
QUESTION = {
    "op": "ttnn.multiply", "operands": [{"shape": [64, 128], "dtype": "bf16", "same_as": 0, "constant": False}] * 2,
    "results": [{"shape": [64, 128], "dtype": "bf16"}],
    "attributes": {"compute_config.math_fidelity": "hifi4", "value": {"float": "-inf"}, "grid": "#ttnn.core_coord<12, 10>"},
    "inputs": [LAYOUT, LAYOUT], "outputs": [LAYOUT], "config": None}


class Chips(unittest.TestCase):
    def test_the_grid_is_what_harvesting_leaves(self):
        self.assertEqual(boards.Chip("wormhole_b0", 8, 8, 12).harvest_mask, 0b11000000)
        self.assertEqual(boards.Chip("wormhole_b0", 9, 8, 12).harvest_mask, 0b10000000)
        self.assertEqual(boards.Chip("blackhole", 10, 13, 8).harvest_mask, 0b10000000)
        self.assertEqual(boards.Chip("blackhole", 10, 11, 7).dram_mask, 1)

    def test_no_two_chips_share_a_description(self):
        chips = [boards.Chip("wormhole_b0", rows, 8, 12) for rows in (7, 8, 9, 10)] + [
            boards.Chip("blackhole", 10, columns, banks) for columns in (11, 12, 13, 14) for banks in (7, 8)]
        self.assertEqual(len({boards.description(chip) for chip in chips}), len(chips))


class Programs(unittest.TestCase):
    def test_what_is_no_program_of_the_module_is_told(self):
        program = types.SimpleNamespace(INPUTS=(("x", (32, 64), None), ("s", (), None)))
        with self.assertRaisesRegex(ValueError, "the program has no forward"):
            run_program.check_parts(program, [])
        program.forward = lambda input, device: []
        run_program.check_parts(program, [[32, 64], []])
        for takes, what in (([[32, 64], [2]], "input 1 is a number, and the module's 2"), ([[32, 64]], "input 1 is a number, and the module's nothing"),
                            ([[32, 32], []], "input 0 is 32 x 64, and the module's 32 x 32")):
            with self.assertRaisesRegex(ValueError, f"a program of another module: its {what}"):
                run_program.check_parts(program, takes)


class StandInCompiler(unittest.TestCase):
    def test_segments_lie_where_their_headers_say(self):
        image = compiler.executable()
        self.assertEqual(image[:4], b"\x7fELF")
        kind, machine, _, entry, segments, sections = struct.unpack_from("<HHIIII", image, 16)
        self.assertEqual((kind, machine, entry), (2, 243, 0x4000))
        for n in range(2):
            type_, offset, address, _, size, _, _, align = struct.unpack_from("<8I", image, segments + 32 * n)
            self.assertEqual((type_, offset % align, address % align), (1, 0, 0))
            self.assertLessEqual(offset + size, sections)


class Questions(unittest.TestCase):
    def test_a_shard_is_read_in_elements(self):
        q = question.Question.read(QUESTION)
        self.assertEqual(q.operands[0].layout.shard, (32, 128))
        self.assertEqual((q.op, q.get("value"), q.get("grid")), ("multiply", float("-inf"), (12, 10)))
        self.assertEqual(q.group("compute_config"), {"math_fidelity": "hifi4"})
        self.assertIsNone(q.group("program_config"))

    def test_a_planned_convolution_says_in_which_pages_its_result_is(self):
        rows = LAYOUT | {"page": "row_major", "shard": [32, 128]}
        for op, layout, pages in ((op, *each) for op in ("conv1d", "conv2d", "conv_transpose2d") for each in ((LAYOUT, "tile"), (rows, "row_major"))):
            q = question.Question.read(QUESTION | {"op": f"ttnn.{op}", "outputs": [layout]})
            self.assertIsNone(q.group("conv2d_config"))
            self.assertEqual(q.as_planned().group("conv2d_config"), {"output_layout": pages})
        other = question.Question.read(QUESTION)
        self.assertIs(other.as_planned(), other)

    def test_a_result_elsewhere_is_told(self):
        wanted = question.Question.read(QUESTION).results[0]
        told = {"shape": [64, 128], "dtype": "bf16", "page": "tile", "buffer": "l1", "memory": "height_sharded", "shard": [32, 128],
                "cores": [[0, 0, 0, 0], [1, 0, 1, 0]], "orientation": "row_major"}
        self.assertEqual(library.differences(told, wanted), [])
        self.assertEqual(library.differences(told | {"orientation": "col_major", "page": "row_major"}, wanted), ["page", "orientation"])
        self.assertEqual(library.differences(told | {"cores": [[0, 0, 2, 0]]}, wanted), ["cores"])
        self.assertEqual(library.differences(told | {"dtype": "f32", "shape": [64, 1, 128]}, wanted),
                         ["shape (64x1x128, not 64x128)", "dtype (f32, not bf16)"])


class Activations(unittest.TestCase):
    def test_parameters_are_told(self):
        kinds = types.SimpleNamespace(SILU="silu", ROUND="round", LEAKY_RELU="leaky_relu")
        of = types.SimpleNamespace(ttnn=types.SimpleNamespace(UnaryOpType=kinds, UnaryWithParam=lambda kind, *params: (kind, *params)))
        for written, told in (("silu", ("silu",)), ("<op_type = silu>", ("silu",)), ("round(-1)", ("round", -1)),
                              ("leaky_relu(1.0E-1)", ("leaky_relu", 0.1)), ("<op_type = round, params = [0.0 : f32]>", ("round", 0))):
            self.assertEqual(library.Library.unary(of, written), told)
        with self.assertRaisesRegex(library.Uncovered, "activation gobble"):
            library.Library.unary(of, "gobble(1)")


class Numbers(unittest.TestCase):
    def test_what_32_bits_hold_is_written_in_few_digits(self):
        single = lambda number: struct.unpack("f", struct.pack("f", number))[0]
        written = {single(1e-5): "1e-05", single(0.1): "0.1", single(-3e38): "-3e+38", 500000.0: "500000.0", -0.0: "-0.0", float("inf"): 'float("inf")'}
        for number, digits in written.items():
            self.assertEqual(text.render(number), digits)
        self.assertEqual(text.render(single(16777213.0)), "16777213.0")
        # What they do not hold stays as it is.
        self.assertEqual([text.render(number) for number in (0.1, 1e300)], ["0.1", "1e+300"])


class Windows(unittest.TestCase):
    def test_paddings_are_told_in_the_order_of_the_library(self):
        from tessera_ttnn.calls import window

        def told(op, padding):
            return window._padding(types.SimpleNamespace(need=lambda name: padding, question=types.SimpleNamespace(op=op)))

        for op in ("max_pool2d", "avg_pool2d", "conv_transpose2d"):
            self.assertEqual(told(op, [1, 0, 2, 3]), [1, 2, 0, 3])  # given as top, left, bottom, right
            self.assertEqual(told(op, [1, 0]), [1, 0])
        self.assertEqual(told("conv2d", [1, 0, 2, 3]), [1, 0, 2, 3])


class Answers(unittest.TestCase):
    def test_buffers_of_a_program_begin_where_the_last_one_ends_on_any_of_their_cores(self):
        one, both = [[0, 0, 0, 0]], [[0, 0, 1, 0]]
        program = [{"bytes": 100, "cores": one}, {"bytes": 10, "cores": both}, {"bytes": 1, "cores": [[1, 0, 1, 0]]}]
        self.assertEqual(ask.highest_end(program), 111)

    def test_results_and_operands_are_told_apart(self):
        node = lambda kind, buffer, size, type_="L1": {"node_type": "buffer_" + kind, "connections": [buffer],
                                                       "params": {"type": type_, "size": str(size), "max_size_per_bank": str(size)}}
        trace = [node("allocate", 1, 1000), node("allocate", 2, 2000, "DRAM"), node("allocate", 3, 30), node("allocate", 4, 7, "DRAM"),
                 node("allocate", 5, 5), node("deallocate", 3, 30), node("allocate", 6, 2)]
        self.assertEqual((ask.tensors_peak(trace, "L1", 1), ask.tensors_peak(trace, "DRAM", 1)), (35, 7))

    def test_the_message_is_the_line_below_info(self):
        error = RuntimeError("TT_FATAL @ /x/sdpa.cpp:156: check\ninfo:\nthe mask must be in DRAM\nbacktrace:\n")
        self.assertEqual(ask.message_of(error), "the mask must be in DRAM [sdpa.cpp:156]")

    def test_of_checks_that_tell_of_others_the_innermost_counts(self):
        error = RuntimeError("TT_FATAL @ /x/program.cpp:419: false\ninfo:\nno binaries for norm TT_THROW @ /x/build.cpp:149: tt::exception\n"
                             "info:\ntrisc0 build failed. Log: In file included from a.h:1:\n/x/y.cc:3:1: error: no such file\nbacktrace:\n")
        self.assertEqual(ask.message_of(error),
                         "trisc0 build failed. Log: In file included from a.h:1:: /x/y.cc:3:1: error: no such file [build.cpp:149]")


class Names(unittest.TestCase):
    def test_what_a_function_is_handed_keeps_the_name_that_it_was_made_by(self):
        import ast
        from tessera_ttnn import run_program
        text = "def forward(input):\n    a = f(input)\n    layer([a])\ndef layer(state):\n    a, = state\n    b = f(a)\n    state = [b]\n"
        recorded = ast.unparse(run_program._Recorded({"layer": {"b": ["b", "c"]}}).visit(ast.parse(text)))
        self.assertEqual([line.strip() for line in recorded.split("\n") if "record(" in line],
                         ["_tessera_record('forward', a=a)", "_tessera_record('layer', b=b)"])


class RowNumbers(unittest.TestCase):
    """Whole numbers of 32 bits in place of the library's."""

    def numbers(self, index, sizes):
        def each(work):
            def of(*operands):
                count = max(len(operand) for operand in operands if isinstance(operand, list))
                rows = [operand if isinstance(operand, list) else [operand] * count for operand in operands]
                return [(work(*row) + 2**31) % 2**32 - 2**31 for row in zip(*rows, strict=True)]
            return of

        fake = types.SimpleNamespace(
            TILE_LAYOUT=None, ROW_MAJOR_LAYOUT=None, to_layout=lambda tensor, layout: tensor, slice=lambda tensor, begin, end: tensor.rows[begin[1]],
            add=each(lambda a, b: a + b), subtract=each(lambda a, b: a - b), multiply=each(lambda a, b: a * b),
            clamp=each(lambda a, low, high: min(max(a, low), high)))
        before = sys.modules.get("ttnn")
        sys.modules["ttnn"] = fake
        try:
            spec = importlib.util.spec_from_file_location("on_device", FOLDER / "on_device.py")
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        finally:
            del sys.modules["ttnn"]
            if before:
                sys.modules["ttnn"] = before
        return module.row_numbers(types.SimpleNamespace(rows=index, shape=[1, len(index), len(index[0])]), sizes)

    def test_what_fits_is_counted_and_what_does_not_is_outside_of_the_table(self):
        places = (-2**31, -21, -7, -4, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 20, 33, 2**31 - 1)
        for sizes in ([4, 7], [7, 1], [3, 4, 2]):
            count = math.prod(sizes)
            begins = list(itertools.product(places, repeat=len(sizes)))
            for begin, number in zip(begins, self.numbers([list(part) for part in zip(*begins)], sizes), strict=True):
                expected = None
                if all(0 <= place < size for place, size in zip(begin, sizes)):
                    expected = functools.reduce(lambda number, part: number * part[1] + part[0], zip(begin, sizes), 0)
                self.assertEqual(number if 0 <= number < count else None, expected, (begin, sizes))


class Protection(unittest.TestCase):
    """A process that dies or says nothing is an answer."""

    def exchange(self, program, limit=30.0):
        with open("/dev/null", "wb") as log:
            worker = Worker({}, log)
            import subprocess
            worker.start = lambda: setattr(worker, "process", subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE,
                                                                               stdout=subprocess.PIPE)) or worker.process
            return worker.exchange(b"{}\n", limit)

    def test_an_answer(self):
        self.assertEqual(self.exchange("import sys, time; sys.stdin.readline(); print('[]', flush=True); time.sleep(100)"), (b"[]\n", ""))

    def test_a_crash(self):
        self.assertEqual(self.exchange("import os; os.kill(os.getpid(), 11)"), (b"", "ended by SIGSEGV"))

    def test_half_an_answer(self):
        self.assertEqual(self.exchange("import sys; sys.stdout.write('[1'); sys.exit(3)"), (b"", "ended with exit code 3"))

    def test_silence(self):
        self.assertEqual(self.exchange("import time; time.sleep(100)", 0.5), (b"", "no answer within 0 s"))


if __name__ == "__main__":
    unittest.main()
