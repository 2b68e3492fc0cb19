//===- SystemDescTest.cpp -------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/SystemDesc.h"
#include "DialectTest.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;

namespace {

/// The figures of a chip description that matter here.
struct Chip {
  const char *arch = "wormhole_b0";
  const char *grid = "8x8";
  int64_t l1Size = 1499136, l1Base = 1024, banks = 12, bankSize = 1073741824, dramAlign = 32, l1Align = 16;

  std::string text() const {
    return llvm::formatv(
        "{{arch = <{0}>, grid = {1}, coord_translation_offsets = 18x18, l1_size = {2}, "
        "num_dram_channels = {4}, dram_channel_size = {5}, noc_l1_address_align_bytes = {7}, "
        "pcie_address_align_bytes = 32, noc_dram_address_align_bytes = {6}, l1_unreserved_base = {3}, "
        "erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, "
        "supported_data_types = [<f32>], supported_tile_sizes = [32x32], dst_physical_size_tiles = 16, "
        "num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, "
        "dram_bank_to_logical_worker_noc0 = [], dram_bank_to_logical_worker_noc1 = []}",
        arch, grid, l1Size, l1Base, banks, bankSize, dramAlign, l1Align);
  }
};

class SystemDesc : public DialectTest {
protected:
  /// A system of `count` chips of one kind.
  FailureOr<DeviceSpec> device(const Chip &chip, unsigned count = 1, ArrayRef<int64_t> mesh = {}) {
    std::string indices, capabilities;
    for (unsigned i = 0; i != count; ++i) {
      indices += i ? ", 0" : "0";
      capabilities += i ? ", 1 : i32" : "1 : i32";
    }
    return device(chip.text(), indices, capabilities, mesh);
  }
  FailureOr<DeviceSpec> device(const std::string &chips, const std::string &indices,
                               const std::string &capabilities, ArrayRef<int64_t> mesh = {}) {
    auto attr =
        parse<ttcore::SystemDescAttr>("#ttcore.system_desc<[{role = host, target_triple = \"x86_64\"}], [" +
                                      chips + "], [" + indices + "], [" + capabilities + "], [0x0x0x0]>");
    if (!attr)
      return failure();
    return ttcore::deviceSpecFromSystemDesc(attr, [&] { return emitError(); }, mesh);
  }
};

TEST_F(SystemDesc, MockWormholeIsAnN150) {
  FailureOr<DeviceSpec> spec = device({});
  ASSERT_TRUE(succeeded(spec));
  EXPECT_EQ(*spec, *findDevice("n150"))
      << "the mock's L1 base of 1024 is below the real one and does not count";
}

TEST_F(SystemDesc, LargerL1BaseOfTheFileCounts) {
  Chip chip;
  chip.l1Base = 200000;
  FailureOr<DeviceSpec> spec = device(chip);
  ASSERT_TRUE(succeeded(spec));
  EXPECT_EQ(spec->l1UnreservedBase, Bytes(200000));
  EXPECT_EQ(spec->name, "system_desc");
  EXPECT_EQ(spec->called(), "system_desc (n150)");
  EXPECT_EQ(findDevice("n150")->called(), "n150");
  EXPECT_EQ(spec->clockGHz, findDevice("n150")->clockGHz);
}

TEST_F(SystemDesc, MeshFromChipCountAndShape) {
  EXPECT_EQ(*device({}, 2), *findDevice("n300"));
  EXPECT_EQ(*device({}, 8, {2, 4}), *findDevice("t3000"));
  EXPECT_EQ(device({}, 8)->mesh, (GridShape{1, 8})) << "one row if no shape is given";
  EXPECT_EQ(device({}, 8, {2, 2})->mesh, (GridShape{2, 2})) << "a part of the system";
  EXPECT_EQ(*device({}, 2, {1, 1}), *findDevice("n150"));
  EXPECT_EQ(device({}, 8, {3, 3})->mesh, (GridShape{1, 8})) << "more than there are";
  EXPECT_EQ(device({}, 4, {-2, -2})->mesh, (GridShape{1, 4}));
  EXPECT_EQ(device({}, 2, {INT64_MAX, 2})->mesh, (GridShape{1, 2}));
}

TEST_F(SystemDesc, Blackhole) {
  Chip chip{"blackhole", "10x13", 1572864, 98304, 8, 4278190080, 64};
  FailureOr<DeviceSpec> spec = device(chip);
  ASSERT_TRUE(succeeded(spec));
  EXPECT_EQ(*spec, *findDevice("p150"));
}

TEST_F(SystemDesc, HarvestedGridKeepsTheArchitecturesFigures) {
  Chip chip;
  chip.grid = "7x8";
  chip.banks = 11;
  FailureOr<DeviceSpec> spec = device(chip);
  ASSERT_TRUE(succeeded(spec));
  EXPECT_EQ(spec->workerGrid, (GridShape{7, 8}));
  EXPECT_EQ(spec->dramBanks, 11);
  EXPECT_EQ(spec->arch, Arch::WormholeB0);
  EXPECT_EQ(spec->nocBytesPerCycle, findDevice("n150")->nocBytesPerCycle);
}

TEST_F(SystemDesc, ChipsThatAreHarvestedInDifferentPlacesShareTheRest) {
  Chip rows, columns;
  rows.grid = "7x9";
  columns.grid = "8x8";
  std::string chips = rows.text() + ", " + columns.text();
  FailureOr<DeviceSpec> both = device(chips, "0, 1", "1 : i32, 1 : i32"),
                        first = device(chips, "0, 1", "1 : i32, 1 : i32", {1, 1});
  ASSERT_TRUE(succeeded(both) && succeeded(first));
  EXPECT_EQ(both->workerGrid, (GridShape{7, 8}));
  EXPECT_EQ(first->workerGrid, (GridShape{7, 9})) << "of the chips that are used";
}

TEST_F(SystemDesc, BrokenDescriptionsAreErrors) {
  auto expectError = [&](FailureOr<DeviceSpec> spec, const char *message) {
    EXPECT_TRUE(failed(spec)) << message;
    EXPECT_NE(messages.find(message), std::string::npos) << messages;
    messages.clear();
  };
  Chip flat, huge, tiny, banks, negative, uneven, unevenDram, quasar, other;
  flat.grid = "64";
  expectError(device(flat), "the worker grid of the system description is not rows x columns");
  huge.grid = "8x65";
  expectError(device(huge),
              "the worker grid of the system description, 8x65, has more than 64 rows or columns");
  uneven.l1Align = 3;
  expectError(device(uneven), "noc_l1_address_align_bytes = 3 of the system description is no power of two");
  unevenDram.dramAlign = 48;
  expectError(device(unevenDram),
              "noc_dram_address_align_bytes = 48 of the system description is no power of two");
  tiny.l1Size = 1024;
  expectError(device(tiny), "l1_size = 1024 of the system description leaves no usable L1");
  banks.banks = 0;
  expectError(device(banks), "num_dram_channels = 0 of the system description is out of range");
  negative.l1Base = -1;
  expectError(device(negative), "l1_unreserved_base = -1 of the system description is out of range");
  expectError(device(Chip().text(), "", ""), "the system description has no chip");
  quasar.arch = "quasar";
  expectError(device(quasar), "arch = quasar of the system description has no built-in device");
  other.banks = 6;
  expectError(device(Chip().text() + ", " + other.text(), "0, 1", "1 : i32, 1 : i32"),
              "the system description has different chips; one kind is supported");
}

} // namespace
