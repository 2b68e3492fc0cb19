//===- SystemDesc.cpp - #ttcore.system_desc as a device --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A module may describe the system that it is compiled for
// (`ttcore.system_desc`). Sizes of memories and grids are taken from there, and
// what it does not say (bandwidths, clocks, what the library reserves) from the
// built-in board that is most like it. A description comes from a file, so each
// figure is checked before anything is divided or shifted by it.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/SystemDesc.h"

#include "mlir/IR/Diagnostics.h"

#include <algorithm>

using namespace mlir;

namespace tessera::ttcore {
namespace {

using EmitError = function_ref<InFlightDiagnostic()>;

tessera::Arch archOf(ChipDescAttr chip) {
  return chip.getArch().getValue() == Arch::Blackhole ? tessera::Arch::Blackhole : tessera::Arch::WormholeB0;
}

/// Rows x columns of chips.
GridShape meshOf(int64_t chips, ArrayRef<int64_t> meshShape) {
  GridShape mesh{1, chips};
  // A mesh of rank 1 is the row that is assumed anyway.
  if (meshShape.size() == 2)
    mesh = {meshShape[0], meshShape[1]};
  // A mesh no larger than the system in either direction, so that the product cannot overflow. It may be a part of the system, as a
  // model for one chip is on a board with two.
  bool inRange = mesh.rows >= 1 && mesh.rows <= chips && mesh.columns >= 1 && mesh.columns <= chips;
  return inRange && mesh.volume() <= chips ? mesh : GridShape{1, chips};
}

/// Emits an error if a figure of the chip is missing or out of range.
LogicalResult checkChip(ChipDescAttr chip, EmitError emitError) {
  constexpr int64_t kMax = int64_t(1) << 40; // 1 TiB: sizes and counts beyond it are nonsense
  auto inRange = [&](StringRef key, int64_t value, int64_t least) -> LogicalResult {
    if (value >= least && value <= kMax)
      return success();
    return emitError() << key << " = " << value << " of the system description is out of range";
  };
  auto isAlignment = [&](StringRef key, int64_t value) -> LogicalResult {
    if (failed(inRange(key, value, 1)))
      return failure();
    if (llvm::isPowerOf2_64(value))
      return success();
    return emitError() << key << " = " << value << " of the system description is no power of two";
  };
  constexpr int64_t kMostCores = 64; // a coordinate on the NoC has 6 bits (facts/hardware 1.4)
  if (chip.getArch().getValue() == Arch::Quasar)
    return emitError() << "arch = quasar of the system description has no built-in device";
  ArrayRef<int64_t> grid = chip.getGrid();
  if (grid.size() != 2 || grid[0] < 1 || grid[1] < 1)
    return emitError() << "the worker grid of the system description is not rows x columns";
  if (grid[0] > kMostCores || grid[1] > kMostCores)
    return emitError() << "the worker grid of the system description, " << grid[0] << "x" << grid[1]
                       << ", has more than " << kMostCores << " rows or columns";
  return success(succeeded(inRange("l1_size", chip.getL1Size(), 1)) &&
                 succeeded(inRange("l1_unreserved_base", chip.getL1UnreservedBase(), 0)) &&
                 succeeded(inRange("num_dram_channels", chip.getNumDramChannels(), 1)) &&
                 succeeded(inRange("dram_channel_size", chip.getDramChannelSize(), 1)) &&
                 succeeded(isAlignment("noc_l1_address_align_bytes", chip.getNocL1AddressAlignBytes())) &&
                 succeeded(isAlignment("noc_dram_address_align_bytes", chip.getNocDramAddressAlignBytes())));
}

/// What the chips of a system must have in common.
auto memoriesOf(ChipDescAttr chip) {
  return std::tuple(chip.getArch(), chip.getL1Size(), chip.getL1UnreservedBase(), chip.getNumDramChannels(),
                    chip.getDramChannelSize(), chip.getNocL1AddressAlignBytes(),
                    chip.getNocDramAddressAlignBytes());
}

/// The cores that all chips have, which are harvested in different places: tt-mlir's device has no others.
FailureOr<GridShape> gridOf(ArrayRef<ChipDescAttr> chips, EmitError emitError) {
  GridShape grid{INT64_MAX, INT64_MAX};
  for (ChipDescAttr chip : chips) {
    if (failed(checkChip(chip, emitError)))
      return failure();
    if (memoriesOf(chip) != memoriesOf(chips.front()))
      return emitError() << "the system description has different chips; one kind is supported";
    grid = {std::min(grid.rows, chip.getGrid()[0]), std::min(grid.columns, chip.getGrid()[1])};
  }
  return grid;
}

/// The built-in device of the architecture that is most like what is described, of those that are as like the first.
/// Banks count before the mesh, and that before the grid: bandwidth goes with banks, and harvested boards have the grid
/// of others.
const DeviceSpec *closestBuiltin(tessera::Arch arch, GridShape grid, GridShape mesh, int64_t dramBanks) {
  const DeviceSpec *closest = nullptr;
  int likeness = -1;
  for (const DeviceSpec &device : builtinDevices()) {
    int like = 4 * (device.dramBanks == dramBanks) + 2 * (device.mesh == mesh) + (device.workerGrid == grid);
    if (device.arch != arch || like <= likeness)
      continue;
    closest = &device;
    likeness = like;
  }
  return closest;
}

} // namespace

FailureOr<DeviceSpec> deviceSpecFromSystemDesc(SystemDescAttr system, EmitError emitError,
                                               ArrayRef<int64_t> meshShape) {
  ArrayRef<int64_t> indices = system.getChipDescIndices();
  if (indices.empty())
    return emitError() << "the system description has no chip";
  GridShape mesh = meshOf(indices.size(), meshShape);
  SmallVector<ChipDescAttr> chips;
  for (int64_t index : indices.take_front(mesh.volume()))
    chips.push_back(system.getChipDescs()[index]);
  FailureOr<GridShape> grid = gridOf(chips, emitError);
  if (failed(grid))
    return failure();
  ChipDescAttr chip = chips.front();
  const DeviceSpec *builtin = closestBuiltin(archOf(chip), *grid, mesh, chip.getNumDramChannels());
  if (!builtin)
    return emitError() << "no built-in device of architecture " << name(archOf(chip));

  DeviceSpec spec = *builtin;
  spec.workerGrid = *grid;
  spec.mesh = mesh;
  spec.l1Size = Bytes(chip.getL1Size());
  // Mock descriptions say 1024, which no release leaves free (facts/ir 1.5, facts/hardware 1.2).
  spec.l1UnreservedBase = std::max(spec.l1UnreservedBase, Bytes(chip.getL1UnreservedBase()));
  spec.dramBanks = chip.getNumDramChannels();
  spec.dramBankSize = Bytes(chip.getDramChannelSize());
  spec.l1Alignment = Bytes(chip.getNocL1AddressAlignBytes());
  spec.dramAlignment = Bytes(chip.getNocDramAddressAlignBytes());
  if (spec.usableL1() <= Bytes(0))
    return emitError() << "l1_size = " << chip.getL1Size()
                       << " of the system description leaves no usable L1";
  // A file that describes a built-in board is that board, with its name in reports.
  if (spec == *builtin)
    return spec;
  spec.name = "system_desc";
  spec.board = builtin->name;
  spec.description = ("from the module's system description; the rest as " + builtin->name);
  return spec;
}

} // namespace tessera::ttcore
