from os import PathLike
from typing import Any, Mapping, Optional, Sequence, Union

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

def optimize(
    path_or_text: Union[str, PathLike[str]],
    device: Optional[str] = ...,
    policy: str = ...,
    overrides: Optional[Union[str, Mapping[str, str]]] = ...,
    conv2d_overrides: Optional[Union[str, Mapping[str, str]]] = ...,
    mem_reconfigs: Optional[Union[str, Mapping[str, str]]] = ...,
    l1_usage_cap: float = ...,
    numerics: str = ...,
) -> Optimized: ...
def layout(shape: Sequence[int], memory: str, dtype: str = ..., device: str = ...) -> dict[str, Any]: ...
def query(
    op: str,
    inputs: Sequence[str],
    config: str = ...,
    outputs: Sequence[str] = ...,
    attributes: Optional[Mapping[str, Any]] = ...,
    device: str = ...,
    l1_usage_cap: float = ...,
) -> dict[str, Any]: ...
