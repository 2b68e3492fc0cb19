"""python .../tessera/ttnn serve|install-compiler|boards ...

Loads the package by its place: `import tessera` would look for the native module, which belongs to another Python.
"""
import importlib.util
import pathlib
import sys


def load():
    folder = pathlib.Path(__file__).resolve().parent
    spec = importlib.util.spec_from_file_location("tessera_ttnn", folder / "__init__.py", submodule_search_locations=[str(folder)])
    package = importlib.util.module_from_spec(spec)
    sys.modules["tessera_ttnn"] = package
    spec.loader.exec_module(package)
    # The folder of a program is the first place where modules are looked for; ours must hide none of others.
    sys.path[:] = [path for path in sys.path if pathlib.Path(path or ".").resolve() != folder]


if __name__ == "__main__":
    load()
    from tessera_ttnn.command import main

    sys.exit(main(sys.argv[1:]))
