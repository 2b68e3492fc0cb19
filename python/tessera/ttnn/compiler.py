"""A stand-in for the RISC-V compiler.

The library compiles firmware when it opens a chip (from 0.70 on), and kernels before it makes a program (from 0.8x on).
Nothing of that ever runs on a mock chip, so one small executable serves for all: the loader reads its segments, symbols and
relocations, and moves it to where the kernel shall lie. The wheel looks for the compiler below its own `runtime/sfpi`.
"""
from __future__ import annotations

import os
import pathlib
import stat
import struct
from collections.abc import Sequence

TOOLS = ("g++", "gcc", "objcopy", "ld", "as")
_TEXT, _DATA = 0x4000, 0x8000  # where the loader expects code and data of a program


def _strings(names: list[str]) -> tuple[bytes, dict[str, int]]:
    table, offsets = b"\0", {"": 0}
    for name in names:
        offsets[name] = len(table)
        table += name.encode() + b"\0"
    return table, offsets


def executable() -> bytes:
    """An ELF file of 32-bit RISC-V: eight instructions that refer to a word of data, with the relocations a linker would keep."""
    lui_a0, addi_a0, lui_a1, addi_a1, nop = 0x00008537, 0x00050513, 0x000045B7, 0x00058593, 0x00000013
    text = struct.pack("<8I", lui_a0, addi_a0, lui_a1, addi_a1, nop, nop, nop, nop)
    data = bytes(16)
    names, name = _strings(["_start", "word"])
    symbol = lambda label, value, info, section: struct.pack("<IIIBBH", name[label], value, 0, info, 0, section)
    symbols = b"".join([
        symbol("", 0, 0, 0),
        symbol("", _TEXT, 3, 1),  # the sections themselves
        symbol("", _DATA, 3, 2),
        symbol("_start", _TEXT, 16, 1),
        symbol("word", _DATA, 16, 2),
    ])
    hi20, lo12 = 26, 27  # R_RISCV_HI20, R_RISCV_LO12_I
    relocations = b"".join(
        struct.pack("<IIi", _TEXT + at, symbol_index << 8 | kind, 0)
        for at, symbol_index, kind in ((0, 4, hi20), (4, 4, lo12), (8, 3, hi20), (12, 3, lo12)))
    section_names, section_name = _strings([".text", ".data", ".rela.text", ".symtab", ".shstrtab", ".strtab"])
    # name, type, flags, address, content, link, info, alignment, size of an entry
    sections = [
        (".text", 1, 6, _TEXT, text, 0, 0, 16, 0),
        (".data", 1, 3, _DATA, data, 0, 0, 16, 0),
        (".rela.text", 4, 0x40, 0, relocations, 4, 1, 4, 12),
        (".symtab", 2, 0, 0, symbols, 6, 3, 4, 16),
        (".shstrtab", 3, 0, 0, section_names, 0, 0, 1, 0),
        (".strtab", 3, 0, 0, names, 0, 0, 1, 0),
    ]
    header, segment = 52, 32
    offset, body, headers = 128, b"", [bytes(40)]
    places = []
    for label, kind, flags, address, content, link, info, align, entry in sections:
        body += bytes(-(offset + len(body)) % max(align, 4))
        at = offset + len(body)
        places.append(at)
        headers.append(struct.pack("<10I", section_name[label], kind, flags, address, at, len(content), link, info, align, entry))
        body += content
    body += bytes(-(offset + len(body)) % 4)
    table = offset + len(body)
    head = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack(
        "<HHIIIIIHHHHHH", 2, 243, 1, _TEXT, header, table, 0, header, segment, 2, 40, len(headers), 5)
    segments = struct.pack("<8I", 1, places[0], _TEXT, _TEXT, len(text), len(text), 5, 16)
    segments += struct.pack("<8I", 1, places[1], _DATA, _TEXT + len(text), len(data), len(data), 6, 16)
    return (head + segments).ljust(offset, b"\0") + body + b"".join(headers)


# Writes what `-o` names, and the list of dependencies that the library's build reads. A shell starts in a fifth of the time of a
# Python, and a question to a library that compiles kernels runs it some twenty times.
_SCRIPT = """#!/bin/sh
# Tessera's stand-in for the RISC-V compiler of mock chips (python/tessera/ttnn/compiler.py): compiles nothing.
case " $* " in *" --version "*) echo "stand-in of Tessera 1"; exit 0 ;; esac # 0.81 keeps what it compiles by this
{first}out= dep= last=
for word in "$@"; do
  case $last in -o) out=$word ;; -MF) dep=$word ;; esac
  last=$word
done
[ -n "$out" ] || exit 0
case $out in */*) [ -d "${{out%/*}}" ] || mkdir -p "${{out%/*}}" ;; esac
cp "${{0%/*}}/stand-in.elf" "$out"
[ -n "$dep" ] || case $out in *.o) dep=${{out%.o}}.d ;; esac
[ -z "$dep" ] || printf '%s:\\n' "$out" > "$dep"
"""


def write(folder: pathlib.Path, names: Sequence[str], first: str = "") -> None:
    """The stand-in under these names, with its answer beside it. `first` is a line of shell that runs at every call."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stand-in.elf").write_bytes(executable())
    for name in names:
        path = folder / name
        path.unlink(missing_ok=True)  # it may be a link to a tool
        path.write_text(_SCRIPT.format(first=first))
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def folder_of(package: pathlib.Path) -> pathlib.Path:
    """Where the library in `package` (site-packages/ttnn) looks for the compiler."""
    return package / "runtime" / "sfpi" / "compiler" / "bin"


def install(package: pathlib.Path) -> pathlib.Path:
    """Puts the stand-in where the library looks, unless a real compiler is there. Returns the folder."""
    folder = folder_of(package)
    real = folder / "riscv-tt-elf-g++"
    if real.exists() and b"stand-in" not in real.read_bytes()[:4096]:
        return folder
    write(folder, [f"riscv-tt-elf-{tool}" for tool in TOOLS])
    return folder
