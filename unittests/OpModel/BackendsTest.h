//===- BackendsTest.h - What tests of backends share ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPMODEL_BACKENDSTEST_H
#define TESSERA_UNITTESTS_OPMODEL_BACKENDSTEST_H

#include "QueryText.h"

#include "tessera/OpModel/Backends.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <sqlite3.h>

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

namespace tessera {

/// One of each kind of answer: legal, refused, unmatched, unknown, too large; configurations, open results.
inline constexpr llvm::StringLiteral kQueries[] = {
    "ttnn.add 64x1024@l1, 64x1024@l1 -> 64x1024@l1",
    "ttnn.add 64x1024@l1, =0 -> 64x1024@l1",
    "ttnn.matmul 64x64@dram, 32x64@dram -> 64x64@dram",
    "ttnn.relu 64x64@l1 -> 64x64@?",
    "ttnn.frobnicate 64x64@dram -> 64x64@dram ; a=1 b=[1,2] c=true",
    "ttnn.frobnicate 64x64@dram -> 64x64@dram ; a=1 b=[1,2] c=false",
    "ttnn.matmul 256x256@dram, 256x256@dram -> 256x256@bs8x8 ; ; mcast2d grid=8x8 k=2 m=1 n=1",
    "ttnn.matmul 256x256@hs8, 256x256@dram -> 256x256@hs4",
    "ttnn.matmul 8192x8192@l1, 8192x8192@l1 -> 8192x8192@bs8x8",
};

inline constexpr size_t kPage = 16384; ///< of the SQLite file

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

  void write(const std::string &path, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    ASSERT_FALSE(error) << error.message();
    os << text;
  }

  void sql(const std::string &path, const char *statement) {
    sqlite3 *database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, statement, nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  std::string contents(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  OpModelContext context() { return {device, layouts, device.usableL1(), BackendVersion::Newest}; }
  TextQuery parse(llvm::StringRef text) { return parseQuery(text, layouts, device); }

  /// The backend; a test failure and an abort of the test if it cannot be used.
  std::optional<OpModelBackend> backend(const std::string &choice) { return backend(OpModelOptions{choice}); }
  std::optional<OpModelBackend> backend(const OpModelOptions &options) {
    llvm::Expected<OpModelBackend> made = OpModelBackend::create(options, context());
    if (made)
      return std::move(*made);
    ADD_FAILURE() << options.choice << ": " << llvm::toString(made.takeError());
    return std::nullopt;
  }
  /// Why it cannot be used; "" if it can.
  std::string refusal(const std::string &choice) { return refusal(OpModelOptions{choice}); }
  std::string refusal(const OpModelOptions &options) {
    llvm::Expected<OpModelBackend> made = OpModelBackend::create(options, context());
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
