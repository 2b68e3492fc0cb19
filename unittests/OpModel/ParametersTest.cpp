//===- ParametersTest.cpp - Calibrations of the runtime formulas ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Parameters.h"
#include "tessera/OpModel/OpModel.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace tessera;

namespace {

class CalibrationFile {
public:
  explicit CalibrationFile(const std::string &text) {
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("calibration", "json", descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
  }
  ~CalibrationFile() { llvm::sys::fs::remove(path); }
  llvm::SmallString<64> path;
};

std::string jsonOf(const Calibration &calibration) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(toJson(calibration));
  return text;
}

std::string errorOf(const std::string &text) {
  CalibrationFile file(text);
  llvm::Expected<Calibration> read = readCalibration(file.path);
  return read ? "" : llvm::toString(read.takeError());
}

TEST(ParametersTest, TableIsSound) {
  llvm::StringSet<> names;
  for (const ParameterInfo &info : parameterTable()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name.str() << " twice";
    EXPECT_GE(info.wormhole, 0) << info.name.str();
    EXPECT_GE(info.blackhole, 0) << info.name.str();
    EXPECT_FALSE(info.origin.empty()) << info.name.str();
    if (info.fit == ParameterFit::Shared)
      EXPECT_EQ(info.wormhole, info.blackhole) << info.name.str();
  }
}

TEST(ParametersTest, FilesHoldEveryValue) {
  Calibration changed = builtInCalibration();
  changed.wormhole[Parameter::UnaryExp] = 1234.5;
  changed.blackhole[Parameter::DramRead] = 0.1;
  CalibrationFile file(jsonOf(changed));
  llvm::Expected<Calibration> read = readCalibration(file.path);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(*read, changed);
}

TEST(ParametersTest, FilesMayLeaveValuesOut) {
  CalibrationFile file(R"({"format": "tessera-calibration", "version": 1, "blackhole": {"unary.exp": 1}})");
  llvm::Expected<Calibration> read = readCalibration(file.path);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->blackhole[Parameter::UnaryExp], 1);
  EXPECT_EQ(read->wormhole, builtInCalibration().wormhole);
}

TEST(ParametersTest, BadFilesAreRefused) {
  EXPECT_NE(errorOf("{").find(".json': [1:1, byte=1]"), std::string::npos);
  EXPECT_NE(errorOf(R"({"format": "other", "version": 1})").find("tessera-calibration"), std::string::npos);
  EXPECT_NE(errorOf(R"({"format": "tessera-calibration", "version": 2})").find("\"version\": 1"),
            std::string::npos);
  std::string head = R"({"format": "tessera-calibration", "version": 1, )";
  EXPECT_NE(errorOf(head + R"("grayskull": {}})").find("grayskull"), std::string::npos);
  EXPECT_NE(errorOf(head + R"("blackhole": {"unary.exq": 1}})").find("did you mean 'unary.exp'"),
            std::string::npos);
  EXPECT_NE(errorOf(head + R"("blackhole": {"dram.read": 0}})").find("from 0.001 to 1e9"), std::string::npos);
  EXPECT_NE(errorOf(head + R"("blackhole": {"conv.sharpness": 0.5}})").find("from 1 to 1e9"),
            std::string::npos);
  EXPECT_EQ(errorOf(head + R"("blackhole": {"unary.exp": 0}})"), "");
  for (const char *value : {"-1", "1e10", "\"2\"", "null"})
    EXPECT_NE(errorOf(head + R"("blackhole": {"unary.exp": )" + value + "}}").find("from 0 to 1e9"),
              std::string::npos)
        << value;
  EXPECT_NE(llvm::toString(readCalibration("/nonexistent").takeError()).find("cannot read"),
            std::string::npos);
}

/// The model follows the calibration of its context, and all its values may be extreme.
TEST(ParametersTest, ModelFollowsTheCalibration) {
  LayoutPool pool;
  const DeviceSpec &device = *findDevice("n150");
  TensorDesc tensor{{1024, 1024}, DataType::BFloat16};
  OpSignature op;
  op.name = "ttnn.exp";
  op.operands = {{tensor, 0, false}};
  op.results = {tensor};
  LayoutId dram = pool.intern(dramInterleaved(tensor));
  OpConfig config;
  config.outputs = {dram};
  auto time = [&](const Calibration *calibration) {
    OpModelContext context{device, pool, device.usableL1()};
    context.calibration = calibration;
    return createAnalyticOpModel(context)->runtime({op, dram, config}).total.value();
  };
  Calibration slow = builtInCalibration();
  slow.wormhole[Parameter::UnaryExp] *= 2;
  EXPECT_GT(time(&slow), 1.5 * time(nullptr));
  Calibration other = builtInCalibration();
  other.blackhole[Parameter::UnaryExp] *= 2;
  EXPECT_EQ(time(&other), time(nullptr));
  Calibration least, largest;
  for (size_t i = 0; i < kParameterCount; ++i)
    for (Arch arch : {Arch::WormholeB0, Arch::Blackhole}) {
      least.of(arch)[Parameter(i)] = leastValue(Parameter(i), arch);
      largest.of(arch)[Parameter(i)] = kLargestParameter;
    }
  for (const Calibration *extreme : {&least, &largest}) {
    EXPECT_TRUE(std::isfinite(time(extreme)));
    EXPECT_GT(time(extreme), 0);
  }
}

} // namespace
