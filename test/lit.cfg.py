# What lit needs to know of Tessera's tests.
#
# Substitutions:  %python    the interpreter that runs lit
#                 %tessera   the path of the tessera binary
#                 %plugins   the folder of the example op model plug-ins
#                 %shared    the folder of shared reference material
#                 %cache     the user's folder of caches, below which 'tessera setup' installs
#                 %allocator recorded runs of the device's allocator: all of them if they are there, else the sample of evidence/
# Features:       shared       that folder is there. Tests that read it say `REQUIRES: shared`.
#                 conformance  its folder of modules that tt-mlir accepts or rejects is there, too.
#                 sanitizer  the tools are built with sanitizers, which reserve most of the address space
#                 bash, zsh, fish   that shell is there.
#                 mpirun     Open MPI is there.
#                 jax, ttnn-0.81.1   the package is set up (tessera setup) in the cache folder, %cache, and works without a chip.
import glob
import os
import shutil
import sys

import lit.formats

config.name = "Tessera"
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tessera_bin_root, "test")
config.test_format = lit.formats.ShTest(execute_external=False)
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.tessera_bin_root, "bin"), config.llvm_tools_dir, os.environ["PATH"]]
)

if config.tessera_sanitize:
    config.available_features.add("sanitizer")
shared = os.path.abspath(
    os.environ.get("TESSERA_SHARED") or os.path.join(config.tessera_src_root, "..", "shared")
)
config.substitutions.append(("%shared", shared))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%tessera", os.path.join(config.tessera_bin_root, "bin", "tessera")))
config.substitutions.append(("%plugins", os.path.join(config.tessera_bin_root, "plugins")))
if os.path.isdir(os.path.join(shared, "models", "ttnn")):
    config.available_features.add("shared")
else:
    lit_config.note(f"no model files under {shared} (set TESSERA_SHARED): tests that read them are skipped")

config.available_features.update(shell for shell in ("bash", "zsh", "fish") if shutil.which(shell))
if shutil.which("mpirun"):
    config.available_features.add("mpirun")
else:
    lit_config.note("no mpirun: devices are not spread over processes")
if os.path.isdir(os.path.join(shared, "conformance")):
    config.available_features.add("conformance")
else:
    lit_config.note(f"no {shared}/conformance: what tt-mlir accepts and rejects is not compared")
recorded = os.path.join(shared, "facts", "allocator")
if not os.path.isdir(recorded):
    recorded = os.path.join(config.tessera_src_root, "evidence", "allocator")
config.substitutions.append(("%allocator", recorded))

cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
config.substitutions.append(("%cache", cache))
for feature, mark, setup in (
    ("jax", "jax/venv-*/tessera.ready", "jax"),
    ("torch", "jax/torch-*/tessera.ready", "torch"),
    ("ttnn-0.81.1", "ttnn/venv-0.81.1/tessera.ready", "ttnn --version 0.81.1"),
):
    if glob.glob(os.path.join(cache, "tessera", mark)):
        config.available_features.add(feature)
    else:
        lit_config.note(f"no {feature} in {cache} (tessera setup {setup}): the road from a model to a program is not run")
