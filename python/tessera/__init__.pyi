from os import PathLike
from typing import Any, Mapping, Optional, Sequence, Union

__version__: str

class Diagnostic:
    severity: str
    message: str
    file: str
    line: int
    column: int

class TesseraError(Exception):
    diagnostics: list[Diagnostic]

class Optimized:
    ir: str
    diagnostics: list[Diagnostic]
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def decisions(self) -> dict[str, Any]: ...
    @property
    def unknown_times(self) -> int: ...
    def to_html(self, against: Optional[Optimized] = ...) -> str: ...
    def explain(self, op: Optional[str] = ...) -> Any: ...
    def time_by(self, by: str) -> list[dict[str, Any]]: ...
    def rows(self, table: str = ...) -> list[dict[str, Any]]: ...
    def to_dataframe(self, table: str = ...) -> Any: ...
    def diff(self, other: Optimized) -> list[dict[str, Any]]: ...
    def save(
        self,
        path: Union[str, PathLike[str]],
        summary: Optional[Union[str, PathLike[str]]] = ...,
        decisions: Optional[Union[str, PathLike[str]]] = ...,
        report: Optional[Union[str, PathLike[str]]] = ...,
    ) -> None: ...

def optimize(
    path_or_text: Union[str, PathLike[str]],
    device: Optional[str] = ...,
    policy: Optional[str] = ...,
    overrides: Optional[Union[str, Mapping[str, str]]] = ...,
    conv2d_overrides: Optional[Union[str, Mapping[str, str]]] = ...,
    mem_reconfigs: Optional[Union[str, Mapping[str, str]]] = ...,
    l1_usage_cap: Optional[float] = ...,
    numerics: Optional[str] = ...,
    rewrites: Optional[str] = ...,
    *,
    max_legal_layouts: Optional[int] = ...,
    spill: Optional[str] = ...,
    beam_width: Optional[int] = ...,
    beam_objective: Optional[str] = ...,
    beam_without: Optional[Union[str, Sequence[str]]] = ...,
    gap: Optional[Union[str, float]] = ...,
    time_limit: Optional[float] = ...,
    schedule: Optional[str] = ...,
    drop_slow_chains: bool = ...,
    chains_as_designed: bool = ...,
    row_major_enabled: bool = ...,
    l1_interleaved_fallback_analysis_enabled: bool = ...,
    keep_constants: bool = ...,
    strict: bool = ...,
    bound: bool = ...,
    op_model: Optional[str] = ...,
    backend_version: Optional[str] = ...,
    op_model_cache: Optional[Union[str, PathLike[str]]] = ...,
) -> Optimized: ...
def candidates(path_or_text: Union[str, PathLike[str]], op: str, all: bool = ..., **options: Any) -> dict[str, Any]: ...
def policies() -> list[str]: ...
def compare(
    path_or_text: Union[str, PathLike[str]], policies: Optional[Sequence[str]] = ..., **options: Any
) -> dict[str, Optimized]: ...
def verify(
    before: Union[str, PathLike[str], Optimized], after: Union[str, PathLike[str], Optimized], inputs: str = ...
) -> dict[str, Any]: ...
def devices() -> dict[str, dict[str, Any]]: ...
def layout(shape: Sequence[int], memory: str, dtype: str = ..., device: str = ...) -> dict[str, Any]: ...

class MetalLayout:
    attribute: str
    shape: tuple[int, ...]
    grid: tuple[int, ...]
    dtype: str
    tile: Optional[tuple[int, int]]
    collapsed: tuple[int, ...]
    shard_shape: tuple[int, ...]
    memref: tuple[int, ...]
    cores: int
    elements: int
    padding_elements: int
    utilisation: float
    page_bytes: int
    page_stride: int
    bytes_per_core: int
    reserved_bytes_per_core: int
    total_bytes: int
    ttnn: Optional[dict[str, Any]]
    not_ttnn_because: str
    def tilize(self, dtype: Optional[str] = ..., tile: Sequence[int] = ...) -> MetalLayout: ...
    def untilize(self, dtype: Optional[str] = ...) -> MetalLayout: ...
    def parallelize(self, grid: Sequence[int], collapse: Optional[Sequence[tuple[int, int]]] = ...) -> MetalLayout: ...
    def locate(self, *index: int) -> dict[str, Any]: ...
    def padding(self) -> list[dict[str, Any]]: ...

def metal_layout(
    shape: Sequence[int],
    grid: Sequence[int],
    dtype: str = ...,
    tile: Optional[Sequence[int]] = ...,
    collapse: Sequence[tuple[int, int]] = ...,
    align: Optional[Sequence[int]] = ...,
    oob: str = ...,
    memory: str = ...,
    device: str = ...,
) -> MetalLayout: ...
def query(
    op: str,
    inputs: Sequence[str],
    config: str = ...,
    outputs: Sequence[str] = ...,
    attributes: Optional[Mapping[str, Any]] = ...,
    device: str = ...,
    l1_usage_cap: float = ...,
) -> dict[str, Any]: ...
