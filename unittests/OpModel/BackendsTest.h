//===- BackendsTest.h - What tests of backends share ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPMODEL_BACKENDSTEST_H
#define TESSERA_UNITTESTS_OPMODEL_BACKENDSTEST_H

#include "QueryText.h"

#include "tessera/OpModel/Backends.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

namespace tessera {

/// Backends for n150 with files in a folder of their own, gone after the test.
class BackendsTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tessera-backends", folder)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  OpModelContext context() { return {device, layouts, device.usableL1()}; }
  TextQuery parse(llvm::StringRef text) { return parseQuery(text, layouts, device); }

  /// The backend; a test failure and an abort of the test if it cannot be used.
  std::optional<OpModelBackend> backend(const std::string &choice) {
    llvm::Expected<OpModelBackend> made = OpModelBackend::create(choice, context());
    if (made)
      return std::move(*made);
    ADD_FAILURE() << choice << ": " << llvm::toString(made.takeError());
    return std::nullopt;
  }
  /// Why it cannot be used; "" if it can.
  std::string refusal(const std::string &choice) {
    llvm::Expected<OpModelBackend> made = OpModelBackend::create(choice, context());
    return made ? "" : llvm::toString(made.takeError());
  }

  static void expectEqual(const ValidationResult &actual, const ValidationResult &expected,
                          llvm::StringRef what) {
    EXPECT_EQ(name(actual.status).str(), name(expected.status).str()) << what.str() << ": " << actual.message;
    EXPECT_EQ(actual.rule, expected.rule) << what.str();
    EXPECT_EQ(actual.message, expected.message) << what.str();
    EXPECT_EQ(actual.constraints.cbL1PeakSize, expected.constraints.cbL1PeakSize) << what.str();
    EXPECT_EQ(actual.constraints.tensorL1PeakSize, expected.constraints.tensorL1PeakSize) << what.str();
    EXPECT_EQ(actual.constraints.peakL1MemorySize, expected.constraints.peakL1MemorySize) << what.str();
    EXPECT_EQ(actual.constraints.outputL1BufferSize, expected.constraints.outputL1BufferSize) << what.str();
    EXPECT_EQ(actual.constraints.outputLayouts, expected.constraints.outputLayouts) << what.str();
  }
  static void expectEqual(const OpRuntime &actual, const OpRuntime &expected) {
    EXPECT_EQ(actual.compute, expected.compute);
    EXPECT_EQ(actual.l1, expected.l1);
    EXPECT_EQ(actual.noc, expected.noc);
    EXPECT_EQ(actual.dram, expected.dram);
    EXPECT_EQ(actual.dispatch, expected.dispatch);
    EXPECT_EQ(actual.total, expected.total);
  }

  llvm::SmallString<128> folder;
  DeviceSpec device = *findDevice("n150");
  LayoutPool layouts;
};

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPMODEL_BACKENDSTEST_H
