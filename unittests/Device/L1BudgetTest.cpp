//===- L1BudgetTest.cpp - How much L1 a program may use -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Device/L1Budget.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tessera;

namespace {

TEST(L1Budget, DefaultIsThatOfThePublicCode) {
  DeviceSpec device = *findDevice("n150");
  device.l1Size = device.l1UnreservedBase + device.l1SmallSize + Bytes(1498112); // facts/ir 1.5
  EXPECT_EQ(l1Budget(device), Bytes(1423206));
}

TEST(L1Budget, CapIsAShare) {
  const DeviceSpec &device = *findDevice("n150");
  EXPECT_EQ(l1Budget(device, 0.5), Bytes(697712));
  EXPECT_EQ(l1Budget(device, 0), Bytes(0));
  for (double good : {0.0, 0.5, 1.0})
    EXPECT_EQ(checkL1UsageCap(good), "");
  for (double bad : {-0.1, 1.1, double(NAN), double(INFINITY)})
    EXPECT_NE(checkL1UsageCap(bad), "") << bad;
}

/// facts/allocator 5: a compiled program sees 1,329,888 bytes on Wormhole.
TEST(L1Budget, IsNeverMoreThanL1SmallLeaves) {
  DeviceSpec device = *findDevice("n150");
  EXPECT_EQ(l1Budget(device), Bytes(1325652));
  EXPECT_EQ(l1Budget(device, 1), Bytes(1329888));
  EXPECT_EQ(l1Budget(*findDevice("p150"), 1), Bytes(1396224));
  device.l1SmallSize = kL1SmallSize;
  EXPECT_EQ(l1Budget(device, 1), Bytes(1329888));
  device.l1Size = device.l1UnreservedBase + Bytes(1024);
  EXPECT_EQ(l1Budget(device, 1), Bytes(0));
}

} // namespace
