"""python .../tessera/jax compile|worker ...

Loads the package by its place, as `tessera.jax` for models that import it from there: `import tessera` would look for the native module, which
belongs to another Python.
"""
import pathlib
import sys
import types


def load():
    folder = pathlib.Path(__file__).resolve().parent
    if "tessera" not in sys.modules:
        package = types.ModuleType("tessera")
        package.__path__ = [str(folder.parent)]
        sys.modules["tessera"] = package
    # The folder of a program is the first place where modules are looked for; ours must hide none of others.
    sys.path[:] = [path for path in sys.path if pathlib.Path(path or ".").resolve() != folder]


if __name__ == "__main__":
    load()
    from tessera.jax.command import main

    sys.exit(main(sys.argv[1:]))
