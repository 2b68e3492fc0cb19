"""Mock chips: descriptions of boards that the library takes for hardware.

The grid of worker cores is what harvesting leaves of Wormhole's 10 rows of 8 and of Blackhole's 14 columns of 10; slow dispatch
leaves all of them to programs.
"""
from __future__ import annotations

import dataclasses
import pathlib


@dataclasses.dataclass(frozen=True)
class Chip:
    """What of a board decides the library's answers; Tessera's device table has the boards."""

    arch: str  # "wormhole_b0" or "blackhole"
    rows: int
    columns: int
    dram_banks: int

    @property
    def blackhole(self) -> bool:
        return self.arch == "blackhole"

    @property
    def missing(self) -> int:
        """Rows (Wormhole) or columns (Blackhole)."""
        return 14 - self.columns if self.blackhole else 10 - self.rows

    @property
    def harvest_mask(self) -> int:
        """One bit for each that is missing. Which ones does not matter to logical coordinates: the upper bits."""
        return ((1 << self.missing) - 1) << (8 - self.missing)

    @property
    def trouble(self) -> str:
        """Why the library has no such chip; empty if it has: it takes two rows or columns away at most, and no others than those."""
        whole, banks = (self.rows == 10, (7, 8)) if self.blackhole else (self.columns == 8, (12,))
        if whole and 0 <= self.missing <= 2 and self.dram_banks in banks:
            return ""
        grids = "10x12, 10x13 or 10x14 cores and 7 or 8" if self.blackhole else "8x8, 9x8 or 10x8 cores and 12"
        return f"the library has no mock chip of {self.rows}x{self.columns} cores and {self.dram_banks} DRAM banks: a {self.arch} has {grids} there"

    @property
    def dram_mask(self) -> int:
        """One bit for each bank of Blackhole's eight that is missing."""
        return (1 << (8 - self.dram_banks)) - 1 if self.blackhole else 0


def description(chip: Chip) -> str:
    """The cluster description (YAML) of one such chip."""
    blackhole = chip.blackhole
    type_, number = ("p150", 0x401005B0000) if blackhole else ("n150", 0x100018511732025)
    lines = [
        f"arch: {{0: {chip.arch}}}",
        "chips: {}" if blackhole else "chips: {0: [0, 0, 0, 0]}",
        "ethernet_connections: []",
        "chips_with_mmio: [{0: 0}]",
        "harvesting: {0: {noc_translation: true, "
        f"harvest_mask: {chip.harvest_mask}, dram_harvesting_mask: {chip.dram_mask}, "
        f"eth_harvesting_mask: {288 if blackhole else 0}, pcie_harvesting_mask: {2 if blackhole else 0}"
        + (", l2cpu_harvesting_mask: 0" if blackhole else "")
        + "}}",
        f"boards: [[{{board_id: {number}}}, {{board_type: {type_}}}, {{chips: [0]}}]]",
    ]
    if blackhole:
        lines += [
            "ethernet_connections_to_remote_devices: []",
            "io_device_type: PCIe",
            "chip_unique_ids: {0: 4476187513037}",
            'chip_to_bus_id: {0: "0x01"}',
            "asic_locations: {0: 0}",
        ]
    return "\n".join(lines) + "\n"


def write_description(chip: Chip, folder: pathlib.Path) -> pathlib.Path:
    """Writes the description below `folder`, under a name that says its content; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{chip.arch}-{chip.rows}x{chip.columns}-{chip.dram_banks}.yaml"
    if not path.exists() or path.read_text() != description(chip):
        path.write_text(description(chip))
    return path.resolve()


def environment(chip: Chip, folder: pathlib.Path) -> dict[str, str]:
    """What the library reads before it is imported."""
    return {
        "TT_METAL_MOCK_CLUSTER_DESC_PATH": str(write_description(chip, folder)),
        "TT_METAL_SLOW_DISPATCH_MODE": "1",
        "TT_METAL_INSPECTOR": "0",
        "TT_METAL_LOGGER_LEVEL": "FATAL",
        "LOGURU_LEVEL": "ERROR",
        "TT_METAL_CACHE": str(folder / "kernels"),
    }
