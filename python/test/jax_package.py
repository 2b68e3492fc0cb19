"""The Python side of `tessera import`, as far as it goes without JAX."""
import functools
import importlib.util
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tessera" / "jax"
_spec = importlib.util.spec_from_file_location("jax_main", FOLDER / "__main__.py")
_main = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_main)
_main.load()

from tessera.jax import chip, command, model  # noqa: E402
from tessera.ttnn import boards  # noqa: E402


class Shapes(unittest.TestCase):
    def test_dimensions_and_type(self):
        self.assertEqual(model.shape("32x2048xbf16"), ((32, 2048), "bfloat16"))
        self.assertEqual(model.shape("si32"), ((), "int32"))
        self.assertEqual([model.shape(f"4x{name}")[1] for name in ("i8", "si8", "int8", "float32")], ["int8", "int8", "int8", "float32"])

    def test_bad_ones_say_how(self):
        for word in ("32x2048", "32x-1xbf16", "0xbf16", "", "axbf16", "32xf16"):
            with self.assertRaisesRegex(model.Trouble, "32x2048xbf16"):
                model.shape(word)


class Functions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, text):
        path = pathlib.Path(self.folder.name) / "a_model.py"
        path.write_text(text)
        return str(path)

    def test_of_a_file(self):
        self.assertEqual(model.find(self.file("def f(x, *ws): return 7\n") + ":f")(0), 7)

    def test_bad_ones_say_what(self):
        good = self.file("def f(x): pass\ny = 1\n")
        for word, message in ((good, "names no function"), (good + ":g", "has no 'g' to call; it has f"), (good + ":y", "has no 'y' to call"),
                              ("/nowhere.py:f", "no file"), ("no_such_module_at_all:f", "no module")):
            with self.assertRaisesRegex(model.Trouble, message):
                model.find(word)
        with self.assertRaisesRegex(model.Trouble, "needs the package 'no_such_package'"):
            model.find(self.file("import no_such_package\n") + ":f")
        with self.assertRaisesRegex(model.Trouble, r"ZeroDivisionError.*a_model.py:2"):
            model.find(self.file("\n1 / 0\n") + ":f")
        with self.assertRaisesRegex(model.Trouble, r"cannot be loaded: SystemExit: 3 .a_model.py:1"):
            model.find(self.file("raise SystemExit(3)\n") + ":f")

    def test_names_and_weights(self):
        names = model.names_of(lambda x, w, *rest: None, 4)
        self.assertEqual(names, ["x", "w", "rest_0", "rest_1"])
        self.assertEqual(model.positions("--params", ["w", "2-"], names), {1, 2, 3})
        self.assertEqual(model.positions("--params", ["0", "1-2"], names), {0, 1, 2})
        for word in ("v", "4", "3-9", "2-1"):
            with self.assertRaisesRegex(model.Trouble, "--donate"):
                model.positions("--donate", [word], names)

    def test_another_number_of_tensors(self):
        def f(x, w):
            pass

        with self.assertRaisesRegex(model.Trouble, "cannot be called with 3 tensors"):
            model.names_of(f, 3)


class Arguments(unittest.TestCase):
    WEIGHTS = {"w": 1, "b": 2}

    def of(self, function, *shapes):
        found = model.arguments_of(function, list(shapes), lambda default: isinstance(default, dict))
        return [(a.name, a.like, a.weights) for a in found]

    def test_annotations_and_weights(self):
        def f(x: "8xbf16", weights=self.WEIGHTS, train=False, mask: "8xi1" = None):
            return x, weights, train, mask

        self.assertEqual(self.of(f), [("x", "8xbf16", False), ("weights", self.WEIGHTS, True), ("mask", "8xi1", False)])
        found = model.arguments_of(f, [], lambda default: isinstance(default, dict))
        self.assertEqual(model.call(f, found, (1, 2, 3)), (1, 2, False, 3))

    def test_shapes_and_weights(self):
        def f(x, y, weights=self.WEIGHTS, *, more=self.WEIGHTS):
            return x, y, weights, more

        self.assertEqual([name for name, *_ in self.of(f, "8xf32", "8xf32")], ["x", "y", "weights", "more"])
        found = model.arguments_of(f, ["8xf32", "8xf32"], lambda default: isinstance(default, dict))
        self.assertEqual(model.call(f, found, (1, 2, 3, 4)), (1, 2, 3, 4))
        self.assertEqual(self.of(lambda *xs: None, "8xf32", "4xf32"), [("xs_0", "8xf32", False), ("xs_1", "4xf32", False)])

    def test_trees_in_place_of_words(self):
        def f(x, weights, more=self.WEIGHTS):
            return x, weights, more

        self.assertEqual(self.of(f, "8xf32", {"w": "8xf32"}), [("x", "8xf32", False), ("weights", {"w": "8xf32"}, False), ("more", self.WEIGHTS, True)])
        found = model.arguments_of(f, ["8xf32", {"w": "8xf32"}], lambda default: isinstance(default, dict))
        self.assertEqual(model.call(f, found, (1, 2, 3)), (1, 2, 3))

    def test_a_function_without_a_name(self):
        with self.assertRaisesRegex(model.Trouble, "partial.* cannot be called with 2 tensors"):
            model.arguments_of(functools.partial(lambda x, y: x, 1), ["8xf32"] * 2, lambda default: False)

    def test_a_shape_that_nobody_says(self):
        for function, what in ((lambda x, w=self.WEIGHTS: None, "x has"), (lambda train=False: None, "its arguments have")):
            with self.assertRaisesRegex(model.Trouble, f"what shape {what}; give one --shape"):
                self.of(function)
        with self.assertRaisesRegex(model.Trouble, "takes no arguments"):
            self.of(lambda: None)

    def test_what_is_handed_on_by_name_alone(self):
        def f(x: "8xf32", *, scale: "1xf32"):
            return x, scale

        self.assertEqual(model.call(f, model.arguments_of(f, [], lambda default: False), (1, 2)), (1, 2))


class StandIn(unittest.TestCase):
    def test_it_compiles_nothing_and_counts(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            environment = os.environ | chip.environment(boards.Chip("blackhole", 10, 12, 8), folder)
            run = lambda *words: subprocess.run(["ccache", "sloppiness=x", "/no/g++", *words], env=environment, capture_output=True, text=True, check=True)
            self.assertIn("stand-in", run("--version").stdout)
            run("-c", "x.cc", "-o", str(folder / "deep" / "x.o"))
            self.assertEqual((folder / "deep" / "x.o").read_bytes()[:4], b"\x7fELF")
            self.assertTrue((folder / "deep" / "x.d").read_text().startswith(str(folder / "deep" / "x.o") + ":"))
            self.assertEqual(chip.calls_file(folder).stat().st_size, 1)


    def test_the_plugin_writes_below_the_folder(self):
        with tempfile.TemporaryDirectory() as name:
            environment = chip.environment(boards.Chip("blackhole", 10, 12, 8), pathlib.Path(name))
            self.assertEqual(environment["TT_METAL_LOGS_PATH"], name)


class Parent(unittest.TestCase):
    """A parent that is killed while its child, of whom it waits for an answer, has a folder of its own."""

    CHILD = """
import os, sys, tempfile, time
sys.path.insert(0, {folder!r})
from parent import end_with_parent
end_with_parent(tidily={tidily})
with tempfile.TemporaryDirectory(dir={scratch!r}):
    print(os.getpid(), flush=True)
    time.sleep(60)
"""
    PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"

    def left_behind(self, tidily):
        with tempfile.TemporaryDirectory() as scratch:
            child = self.CHILD.format(folder=str(FOLDER.parent / "ttnn"), tidily=tidily, scratch=scratch)
            # SIGINT is ignored, as in the background of a shell.
            with subprocess.Popen([sys.executable, "-c", self.PARENT, child], stdout=subprocess.PIPE,
                                  preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as parent:
                parent.stdout.readline()
                parent.kill()
                parent.stdout.read()  # to the end: the child has the other end of the pipe
            return os.listdir(scratch)

    @unittest.skipUnless(sys.platform == "linux", "no other system tells a process of its parent's end")
    def test_a_child_ends_with_it(self):
        self.assertEqual(self.left_behind(tidily=True), [])
        self.assertEqual(len(self.left_behind(tidily=False)), 1)


class Commands(unittest.TestCase):
    def test_a_log_says_why(self):
        with tempfile.TemporaryDirectory() as name:
            log = pathlib.Path(name) / "log"
            log.write_text("starting\nLLVM ERROR: no such grid\nstack of calls\n")
            self.assertEqual(command.said(log), "LLVM ERROR: no such grid")
            log.write_text("")
            self.assertEqual(command.said(log), "it said nothing")

    def test_a_log_says_where(self):
        with tempfile.TemporaryDirectory() as name:
            log = pathlib.Path(name) / "log"
            for line, where in (('loc(callsite("sqrt" at "jit(f)"("/home/me/model.py":199:11))): error: no such op', " (model.py:199)"),
                                ('loc("add"("jit(f)"("/home/me/model.py":7:1))): error: no', " (model.py:7)"), ('loc("-":3:2): error: no', ""), ("", "")):
                log.write_text(f'starting\nloc("/home/me/model.py":1:1): warning: slow\n{line}\nmodule_builder.cc ERR| failed\n')
                self.assertEqual(command.place(log), where)

    def test_what_killed_imports_left_goes(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for left in ("import-1", "import-2/generated", "generated"):
                (folder / left).mkdir(parents=True)
            with command.own_folder(folder) as scratch:
                self.assertEqual({path.name for path in folder.iterdir()}, {"lock", "generated", scratch.name})
            self.assertEqual({path.name for path in folder.iterdir()}, {"lock", "generated"})


if __name__ == "__main__":
    unittest.main()
