"""What docs/python.md does not show of `import tessera`: package.py REPOSITORY.

All options of `tessera optimize`, stubs that say what there is, refusals, Ctrl-C, tables."""
import ast
import inspect
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

import tessera

ROOT = pathlib.Path(sys.argv.pop(1))
MODEL = ROOT / "examples/resnet_block.mlir"


def parameters(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


class Stubs(unittest.TestCase):
    def test_say_what_there_is(self):
        tree = ast.parse((pathlib.Path(tessera.__file__).parent / "__init__.pyi").read_text())

        def signature(function):
            given = function.args
            names = [each.arg for each in (*given.args, *given.kwonlyargs) if each.arg != "self"]
            return [*names, *(each.arg for each in (given.vararg, given.kwarg) if each)]

        stubs = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self.assertEqual(set(tessera.__all__) - {"__version__"}, set(stubs))
        for name, stub in stubs.items():
            real = getattr(tessera, name)
            if isinstance(stub, ast.FunctionDef):
                self.assertEqual(signature(stub), parameters(real), name)
                continue
            methods = {each.name: each for each in stub.body if isinstance(each, ast.FunctionDef)}
            public = {each for each, what in vars(real).items() if not each.startswith("_") and (inspect.isfunction(what) or isinstance(what, property))}
            self.assertEqual(public, set(methods), name)
            for each, method in methods.items():
                if inspect.isfunction(vars(real)[each]):
                    self.assertEqual(signature(method), parameters(vars(real)[each]), f"{name}.{each}")


class Files(unittest.TestCase):
    def setUp(self):
        self.plan = tessera.optimize(MODEL, policy="greedy")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_are_written_all_or_none(self):
        with self.assertRaises(tessera.TesseraError) as refused:
            self.plan.save(self.folder / "plan.mlir", summary=self.folder / "missing" / "s.json")
        self.assertIn("cannot write", str(refused.exception))
        self.assertEqual(self.names(), [])

    def test_do_not_overwrite_one_another(self):
        with self.assertRaises(tessera.TesseraError) as refused:
            self.plan.save(self.folder / "plan", decisions=self.folder / "." / "plan")
        self.assertIn("two outputs both write", str(refused.exception))
        self.assertEqual(self.names(), [])

    def test_keep_links_and_devices(self):
        (self.folder / "link").symlink_to("plan.mlir")
        self.plan.save(self.folder / "link", summary="/dev/null")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual((self.folder / "plan.mlir").read_text(), self.plan.ir)
        self.assertFalse(pathlib.Path("/dev/null").is_file())

    def test_have_the_permissions_that_the_umask_leaves(self):
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        self.plan.save(self.folder / "plan.mlir")
        self.assertEqual((self.folder / "plan.mlir").stat().st_mode & 0o777, 0o600)

    def test_may_be_called_dash(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.plan.save("-")
        self.assertEqual((self.folder / "-").read_text(), self.plan.ir)



class Options(unittest.TestCase):
    def test_are_all_of_the_program(self):
        names = {tessera._OTHER_NAMES.get(name, name.replace("-", "_")) for name in (each.lstrip("-") for each in tessera._native.option_names())}
        self.assertEqual(names, set(parameters(tessera.optimize)) - {"path_or_text"})

    def test_decide_as_the_program_does(self):
        options = {"policy": "beam", "schedule": "dfs", "beam_width": 2, "max_legal_layouts": 4, "l1_usage_cap": 0.5, "row_major_enabled": True,
                   "beam_without": ["polish", "forks"], "rewrites": "none"}
        words = ["--policy", "beam", "--schedule", "dfs", "--beam-width", "2", "--max-legal-layouts", "4", "--tensor-l1-usage-cap", "0.5",
                 "--row-major-enabled", "--beam-without", "polish,forks", "--rewrites", "none"]
        program = subprocess.run(["tessera", "optimize", str(MODEL), "-q", "-o", "-", *words], capture_output=True, text=True, check=True).stdout
        plan = tessera.optimize(MODEL, **options)
        self.assertEqual(plan.ir.rstrip(), program.rstrip())
        self.assertNotEqual(plan.ir, tessera.optimize(MODEL, rewrites="none").ir)

    def test_keep_names_and_version(self):
        named = tessera.optimize(re.sub(r'("ttnn.add".*)', r'\1 loc("mine")', MODEL.read_text(), count=1), backend_version="0.81.1").ir
        self.assertIn('"mine"', named)
        self.assertIn('fused<["tessera.ttnn", "0.81.1"]>', named)
        nameless = tessera.optimize(MODEL, backend_version="0.81.1").ir
        self.assertTrue(nameless.rstrip().endswith('} loc(fused<["tessera.ttnn", "0.81.1"]>[unknown])'))
        self.assertEqual(nameless.count("loc("), 1)

    def test_prove_a_bound(self):
        self.assertIsNone(tessera.optimize(MODEL, policy="greedy").summary["bound_ns"])
        self.assertGreater(tessera.optimize(MODEL, policy="greedy", bound=True).summary["bound_ns"], 0)


class Queries(unittest.TestCase):
    def test_take_attributes_as_Python_has_them(self):
        turned = tessera.query("permute", ["2x3x64@dram"], outputs=["3x2x64@dram"], attributes={"permutation": [1, 0, 2]})
        self.assertEqual((turned["status"], turned["attributes"]), ("success", {"permutation": [1, 0, 2]}))
        kept = tessera.query("sum", ["64x64@dram"], outputs=["64x1@dram"], attributes={"dim_arg": (1,), "keep_dim": True})
        self.assertEqual(kept["attributes"], {"dim_arg": [1], "keep_dim": True})
        text = tessera.query("relu", ["64x64@dram"], attributes={"note": "it's one; word"})
        self.assertEqual(text["attributes"], {"note": "it's one; word"})


class Refusals(unittest.TestCase):
    def test_are_all_TesseraErrors(self):
        plan = tessera.optimize(MODEL, policy="declared")
        for call, said in {
            lambda: tessera.optimize(MODEL, policy="greedy", beam_width=16): "--beam-width has no effect",
            lambda: tessera.optimize(MODEL, beam_width=0): "beam-width",
            lambda: tessera.optimize(MODEL, beam_width="many"): "--beam-width",
            lambda: tessera.optimize(MODEL, l1_usage_cap=[1]): "--tensor-l1-usage-cap",
            lambda: tessera.optimize(MODEL, overrides=["relu_0"]): "overrides are a dict by op, or their text, not ['relu_0']",
            lambda: tessera.optimize(MODEL, spill="all"): "spill",
            lambda: tessera.optimize(MODEL, schedule="any"): "schedule",
            lambda: tessera.optimize(MODEL, op_model="none"): "unknown op model",
            lambda: tessera.optimize(MODEL, overrides=5): "",
            lambda: tessera.optimize(MODEL, overrides={"relu_0": "nowhere"}): "nowhere",
            lambda: tessera.optimize(MODEL, device="n15"): "n150",
            lambda: tessera.optimize(5): "a module is a path or its text",
            lambda: tessera.optimize(""): "a module is a path or its text, not ''",
            lambda: tessera.optimize(b"module {}" * 100): "not b'module {}module {}module {}module {}mo",
            lambda: tessera.optimize("/no/such.mlir"): "cannot read",
            lambda: tessera.optimize("module {" * 6000 + "\n"): "nests more than 256 deep",
            lambda: tessera.optimize("module attributes {t.a = array<index: 1>} {}\n"): "array<...> of index",
            lambda: tessera.candidates(MODEL, "relu_0", policy="greedy"): "every policy",
            lambda: tessera.candidates(MODEL, "relu_0", polish=1): "unknown option 'polish'",
            lambda: tessera.candidates(MODEL, "no_such_op"): "no_such_op",
            lambda: tessera.compare(MODEL, 5): "",
            lambda: tessera.compare(MODEL, ["gredy"]): "did you mean 'greedy'",
            lambda: tessera.compare(MODEL, "greedy"): "a list of names, not 'greedy'",
            lambda: tessera.verify(MODEL, 5): "a module is",
            lambda: tessera.verify(MODEL, plan, inputs="zeros"): "takes 4 inputs",
            lambda: plan.explain("no_such_op"): "no_such_op",
            lambda: plan.explain(5): "explain() takes no values such as 5",
            lambda: tessera.optimize("func.func @f() { return }"): "<text>:1:1: the module has no ttnn ops",
            lambda: plan.time_by("kinds"): "did you mean 'kind'",
            lambda: plan.diff("plan"): "a plan is what",
            lambda: plan.rows("step"): "did you mean 'steps'",
            lambda: plan.save("/no/such/folder/plan.mlir"): "cannot write",
            lambda: plan.save(5.5): "",
            lambda: tessera.layout(64, "l1"): "",
            lambda: tessera.layout((64, 64), "l2"): "l2",
            lambda: tessera.metal_layout(64, (1, 1)): "",
            lambda: tessera.metal_layout((64, 64), (1, 1)).locate("x"): "",
            lambda: tessera.metal_layout((64, 64), (1, 1)).locate(): "an element of 64x64 has 2 indices, not ()",
            lambda: tessera.metal_layout((64, 64), (1, 1)).locate(""): "an element of 64x64 has 2 indices, not ('',)",
            lambda: tessera.query(5, []): "",
            lambda: tessera.query("matmul", ["64x64@l3"]): "l3",
            lambda: tessera.query("matmul", ["64x64@dram"], attributes=5): "",
        }.items():
            with self.subTest(said=said), self.assertRaises(tessera.TesseraError) as refused:
                call()
            self.assertIn(said, str(refused.exception))
            self.assertTrue(str(refused.exception))


class Interrupts(unittest.TestCase):
    def test_are_heard_while_planning(self):
        text = subprocess.run([sys.executable, ROOT / "test/Driver/Inputs/branches.py", "400"], capture_output=True, text=True, check=True).stdout
        script = "import sys, tessera; text = sys.stdin.read(); print('begun', flush=True); tessera.optimize(text)"
        child = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        child.stdin.write(text)
        child.stdin.close()
        self.assertEqual(child.stdout.readline(), "begun\n")
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        began = time.monotonic()
        self.assertIn("KeyboardInterrupt", child.stderr.read())
        child.wait()
        child.stdout.close(), child.stderr.close()
        self.assertLess(time.monotonic() - began, 5)


class Tables(unittest.TestCase):
    def setUp(self):
        self.plan = tessera.optimize(MODEL)

    def test_are_lists_of_dicts(self):
        steps = self.plan.rows()
        self.assertEqual(len(steps), sum(len(f["steps"]) for f in self.plan.decisions["functions"]))
        self.assertEqual([step["time_ns"] for step in steps], [step["time"]["total_ns"] for f in self.plan.decisions["functions"] for step in f["steps"]])
        self.assertEqual({tensor["layout"].split("/")[0] for tensor in self.plan.rows("tensors")}, {"dram", "l1", "system_memory"})

    def test_are_data_frames(self):
        pandas = types.ModuleType("pandas")
        pandas.DataFrame = lambda rows: ("frame", rows)
        before, sys.modules["pandas"] = sys.modules.get("pandas"), pandas
        try:
            self.assertEqual(self.plan.to_dataframe("tensors"), ("frame", self.plan.rows("tensors")))
            sys.modules["pandas"] = None  # as if it were not there
            with self.assertRaisesRegex(tessera.TesseraError, "pip install pandas"):
                self.plan.to_dataframe()
        finally:
            if before is None:
                del sys.modules["pandas"]
            else:
                sys.modules["pandas"] = before


class Imports(unittest.TestCase):
    def test_frameworks_are_asked_for_when_they_are_needed(self):
        """Both modules load without any; what is missing is an error that says how to get it."""
        import tessera.jax
        import tessera.torch

        with mock.patch.dict(sys.modules, {"jax": None, "torch": None}):
            with self.assertRaisesRegex(tessera.TesseraError, "needs the package 'torch'; .* pip install torch"):
                tessera.torch.trace(object(), "32x32xbf16")
            with self.assertRaisesRegex(tessera.TesseraError, "needs the package 'jax'; .* pip install jax"):
                tessera.jax.trace(lambda x: x, "32x32xbf16")


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
