//===- RuntimeTest.h - Times of described calls ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPMODEL_RUNTIMETEST_H
#define TESSERA_UNITTESTS_OPMODEL_RUNTIMETEST_H

#include "QueryText.h"

#include "gtest/gtest.h"

namespace tessera {

/// Asks the analytic model for times, by default of an n150 and the pinned backend.
class RuntimeTest : public testing::Test {
protected:
  DeviceSpec device = *findDevice("n150");
  LayoutPool layouts;
  BackendVersion version = BackendVersion::Pinned;

  OpRuntime time(llvm::StringRef text) {
    auto model = createAnalyticOpModel({device, layouts, device.usableL1(), version});
    TextQuery q = parseQuery(text, layouts, device);
    ValidationResult result = model->query(q.query());
    EXPECT_NE(result.status, ValidationStatus::MetalBackendError) << text.str() << ": " << result.message;
    return model->runtime(q.query());
  }
  double us(llvm::StringRef text) { return time(text).total.value() / 1000; }
  void useDevice(llvm::StringRef name) {
    ASSERT_NE(findDevice(name), nullptr);
    device = *findDevice(name);
  }
};

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPMODEL_RUNTIMETEST_H
