//===- DeviceSpecTest.cpp - The built-in devices ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Device/DeviceNames.h"

#include <gtest/gtest.h>

#include <set>

using namespace tessera;

namespace {

struct Expected {
  const char *name;
  Arch arch;
  int64_t cores, chips, usableL1, dramBanks;
};

class BuiltinDevice : public testing::TestWithParam<Expected> {};

// facts/hardware 1.1 (grids), 1.2 (usable L1, 2026-02), 1.5 (banks), 1.8 (meshes).
TEST_P(BuiltinDevice, MatchesFacts) {
  const Expected &expected = GetParam();
  const DeviceSpec *device = findDevice(expected.name);
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->arch, expected.arch);
  EXPECT_EQ(device->cores(), CoreCount(expected.cores));
  EXPECT_EQ(device->mesh.volume(), expected.chips);
  EXPECT_EQ(device->usableL1(), Bytes(expected.usableL1));
  EXPECT_EQ(device->dramBanks, expected.dramBanks);
  EXPECT_FALSE(device->description.empty());
}

INSTANTIATE_TEST_SUITE_P(All, BuiltinDevice,
                         testing::Values(Expected{"n150", Arch::WormholeB0, 64, 1, 1395424, 12},
                                         Expected{"n300", Arch::WormholeB0, 64, 2, 1395424, 12},
                                         Expected{"t3000", Arch::WormholeB0, 64, 8, 1395424, 12},
                                         Expected{"galaxy", Arch::WormholeB0, 72, 32, 1395424, 12},
                                         Expected{"p100a", Arch::Blackhole, 110, 1, 1461760, 7},
                                         Expected{"p150", Arch::Blackhole, 130, 1, 1461760, 8},
                                         Expected{"p150x4", Arch::Blackhole, 130, 4, 1461760, 8}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Devices, GridsAreRowsByColumns) {
  EXPECT_EQ(findDevice("p150")->workerGrid, (GridShape{10, 13}));
  EXPECT_EQ(findDevice("galaxy")->workerGrid, (GridShape{9, 8}));
}

TEST(Devices, DescriptionOfTheNamedBoardLeads) {
  const DeviceSpec *p150 = findDevice("p150");
  DeviceSpec harvested = *p150;
  harvested.name = "system_desc";
  harvested.workerGrid = {10, 11};
  EXPECT_TRUE(hasFewerCores(harvested, *p150));
  EXPECT_EQ(deviceFor(harvested, p150), harvested);
  EXPECT_EQ(deviceFor(harvested, nullptr), harvested);
  EXPECT_EQ(deviceFor(std::nullopt, p150), *p150);
  EXPECT_EQ(deviceFor(std::nullopt, nullptr).name, "n150");
}

TEST(Devices, NameOfAnotherBoardLeads) {
  const DeviceSpec *p150 = findDevice("p150");
  EXPECT_EQ(deviceFor(*findDevice("n150"), p150), *p150);   // another architecture
  EXPECT_EQ(deviceFor(*findDevice("p100a"), p150), *p150);  // other DRAM
  EXPECT_EQ(deviceFor(*findDevice("p150x4"), p150), *p150); // another mesh
  DeviceSpec larger = *p150;
  larger.workerGrid = {11, 12};
  EXPECT_EQ(deviceFor(larger, p150), *p150);
}

// facts/hardware 1.1, 1.2: mock chips of ttnn 0.77.0 and 0.81.1.
TEST(Devices, BoardsOfAMonth) {
  EXPECT_EQ(findDevice("p150@2026-10")->workerGrid, (GridShape{10, 12}));
  EXPECT_EQ(findDevice("p150@2026-10")->l1UnreservedBase, Bytes(111744));
  EXPECT_EQ(findDevice("p150@2026-08")->l1UnreservedBase, Bytes(111488));
  EXPECT_EQ(findDevice("n150@2026-08")->l1UnreservedBase, Bytes(105664));
  EXPECT_EQ(findDevice("n150@2026-10")->workerGrid, (GridShape{8, 8}));
  EXPECT_EQ(findDevice("n150@2026-11"), nullptr);
}

TEST(Devices, L1SmallComesOffTheTop) {
  DeviceSpec device = *findDevice("n150");
  device.l1SmallSize = Bytes(24576);
  EXPECT_EQ(device.usableL1(), Bytes(1395424 - 24576));
}

TEST(Devices, NamesAreUniqueAndOthersUnknown) {
  std::set<std::string> names;
  for (const DeviceSpec &device : builtinDevices())
    EXPECT_TRUE(names.insert(device.name).second) << device.name;
  EXPECT_EQ(findDevice("n151"), nullptr);
  EXPECT_EQ(findDevice(""), nullptr);
}

TEST(Devices, WhoAsksForAnUnknownOneIsToldTheNearestAndAll) {
  EXPECT_EQ(cantFail(deviceNamed("p150")), findDevice("p150"));
  std::string message = llvm::toString(deviceNamed("n15").takeError());
  EXPECT_EQ(message.find("unknown device 'n15'; did you mean 'n150'?; known: n150, n300, "), 0u) << message;
}

TEST(Devices, AlignmentsPerArchitecture) {
  EXPECT_EQ(findDevice("n150")->dramAlignment, Bytes(32));
  EXPECT_EQ(findDevice("p150")->dramAlignment, Bytes(64));
  EXPECT_EQ(name(Arch::WormholeB0), "wormhole_b0");
  EXPECT_EQ(name(Arch::Blackhole), "blackhole");
}

} // namespace
