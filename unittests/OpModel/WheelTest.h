//===- WheelTest.h - Figures of ttnn 0.77.0 on a mock chip ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPMODEL_WHEELTEST_H
#define TESSERA_UNITTESTS_OPMODEL_WHEELTEST_H

#include "QueryText.h"

#include "gtest/gtest.h"

namespace tessera {

/// Asks the formulas of the newest version, with all of L1.
class WheelTest : public testing::Test {
protected:
  LayoutPool layouts;

  ValidationResult ask(llvm::StringRef text, llvm::StringRef chip = "n150") {
    DeviceSpec device = *findDevice(chip);
    TextQuery q = parseQuery(text, layouts, device);
    return createAnalyticOpModel({device, layouts, device.usableL1(), BackendVersion::Newest})
        ->query(q.query());
  }
  bool legal(llvm::StringRef text) { return ask(text).status != ValidationStatus::MetalBackendError; }
  int64_t buffers(llvm::StringRef text, llvm::StringRef chip = "n150") {
    return ask(text, chip).constraints.cbL1PeakSize.value();
  }
  int64_t tensors(llvm::StringRef text) { return ask(text).constraints.tensorL1PeakSize.value(); }
};

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPMODEL_WHEELTEST_H
