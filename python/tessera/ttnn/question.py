"""Questions as Tessera writes them (docs/op-model-backends.md, "Questions"), read into plain data."""
from __future__ import annotations

import dataclasses
import re
from typing import Any


@dataclasses.dataclass(frozen=True)
class Layout:
    """Where a tensor lies."""

    buffer: str  # "dram", "l1", "system_memory", ...
    memory: str  # "interleaved", "height_sharded", ...
    tiled: bool
    dtype: str
    shard: tuple[int, ...]  # elements
    cores: tuple[tuple[int, int, int, int], ...]  # x0, y0, x1, y1, both corners included

    @staticmethod
    def read(json: dict[str, Any] | None) -> Layout | None:
        if json is None:
            return None
        tiled = json["page"] == "tile"
        height, width = json.get("tile", (32, 32)) if tiled else (1, 1)
        shard = list(json.get("shard", ()))
        if len(shard) >= 2:
            shard[-2:] = [shard[-2] * height, shard[-1] * width]
        return Layout(json["buffer"], json.get("memory") or "interleaved", tiled, json["dtype"], tuple(shard),
                      tuple(tuple(cores) for cores in json.get("cores", ())))

    @property
    def on_device(self) -> bool:
        return self.buffer != "system_memory"

    @property
    def sharded(self) -> bool:
        return self.memory != "interleaved"


@dataclasses.dataclass(frozen=True)
class Tensor:
    shape: tuple[int, ...]
    dtype: str
    layout: Layout | None  # None: the library chooses
    same_as: int = 0
    constant: bool = False


def attribute(value: Any) -> Any:
    if isinstance(value, dict) and "float" in value:
        return float(value["float"])
    if isinstance(value, str):
        core = re.fullmatch(r"#ttnn\.core_coord<(\d+), (\d+)>", value)
        return (int(core[1]), int(core[2])) if core else value
    return value


def core_ranges(text: str) -> tuple[tuple[int, ...], ...]:
    """Ranges of cores in the text of an attribute: x0, y0, x1, y1, both corners included."""
    return tuple(tuple(map(int, corners)) for corners in re.findall(r"core_range<\((\d+), ?(\d+)\), ?\((\d+), ?(\d+)\)>", text))


@dataclasses.dataclass(frozen=True)
class Question:
    """An op with its operands' layouts, and what is asked of its results."""

    op: str  # "matmul"
    operands: tuple[Tensor, ...]
    results: tuple[Tensor, ...]
    attributes: dict[str, Any]
    config: dict[str, Any] | None

    @staticmethod
    def read(json: dict[str, Any]) -> Question:
        def tensors(described, layouts):
            return tuple(
                Tensor(tuple(t["shape"]), t["dtype"], Layout.read(layout), t.get("same_as", n), t.get("constant", False))
                for n, (t, layout) in enumerate(zip(described, layouts)))

        return Question(json["op"].split(".", 1)[-1], tensors(json["operands"], json["inputs"]), tensors(json["results"], json["outputs"]),
                        {name: attribute(value) for name, value in json["attributes"].items()}, json.get("config"))

    def as_planned(self) -> Question:
        """As a plan will have it in the program: a convolution's config says in which pages its result is asked for."""
        layout = self.results[0].layout if self.results else None
        if self.op not in ("conv1d", "conv2d", "conv_transpose2d") or layout is None:
            return self
        pages = "tile" if layout.tiled else "row_major"
        return dataclasses.replace(self, attributes=self.attributes | {"conv2d_config.output_layout": pages})

    def get(self, name: str, otherwise: Any = None) -> Any:
        value = self.attributes.get(name)
        return otherwise if value is None else value

    def group(self, prefix: str) -> dict[str, Any] | None:
        """The fields of a struct attribute; None if the op has none."""
        start = prefix + "."
        fields = {name[len(start):]: value for name, value in self.attributes.items() if name.startswith(start)}
        return fields or None
