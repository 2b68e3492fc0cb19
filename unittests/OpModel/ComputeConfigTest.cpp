//===- ComputeConfigTest.cpp - What the backend takes where nothing is said -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The table of facts/hardware 4.8, row by row.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/ComputeConfig.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

OpSignature product(llvm::StringRef name, DataType a, DataType b, DataType result) {
  OpSignature op;
  op.name = name.str();
  op.operands = {{TensorDesc{{64, 64}, a}}, {TensorDesc{{64, 64}, b}}};
  op.results = {TensorDesc{{64, 64}, result}};
  return op;
}

ComputeConfig of(const OpSignature &op, bool configured = false,
                 BackendVersion version = BackendVersion::Pinned) {
  OpSpecificConfig specific;
  if (configured)
    specific = MatmulProgramConfig();
  return computeConfigOf(op, specific, Arch::WormholeB0, version).value();
}

constexpr DataType kBf16 = DataType::BFloat16, kBfp8 = DataType::BFP_BFloat8, kF32 = DataType::Float32;

TEST(ComputeConfig, AProgramConfigTakesAPassAway) {
  OpSignature matmul = product("ttnn.matmul", kBf16, kBf16, kBf16);
  EXPECT_EQ(of(matmul), (ComputeConfig{2, false, false, true}));
  EXPECT_EQ(of(matmul, true), (ComputeConfig{1, false, false, true}));
  EXPECT_EQ(of(product("ttnn.linear", kBf16, kBfp8, kBf16)).fidelity, 2);
  EXPECT_EQ(of(product("ttnn.linear", kBfp8, kBfp8, kBf16)).fidelity, 1);
}

TEST(ComputeConfig, F32IsExactWhateverTheProgramConfig) {
  OpSignature matmul = product("ttnn.matmul", kF32, kF32, kF32);
  EXPECT_EQ(of(matmul), (ComputeConfig{4, false, true, false}));
  EXPECT_EQ(of(matmul, true), of(matmul));
  EXPECT_EQ(of(matmul, true, BackendVersion::Newest).fidelity, 3);
  EXPECT_EQ(of(product("ttnn.matmul", kBf16, kBf16, kF32), true), (ComputeConfig{1, false, true, false}));
}

TEST(ComputeConfig, ConvolutionsTakeFourPasses) {
  EXPECT_EQ(of(product("ttnn.conv2d", kBf16, kBf16, kBf16)), (ComputeConfig{4, true, false, false}));
  EXPECT_EQ(of(product("ttnn.conv_transpose2d", kF32, kF32, kF32)), (ComputeConfig{4, true, true, false}));
}

TEST(ComputeConfig, WhatIsStatedInPartIsTheStructsForTheRest) {
  OpSignature matmul = product("ttnn.matmul", kBf16, kBf16, kBf16);
  matmul.addAttribute("compute_config.fp32_dest_acc_en", true);
  EXPECT_EQ(of(matmul), (ComputeConfig{1, true, true, false}));
}

TEST(ComputeConfig, WhatIsWrittenIsRead) {
  OpSignature matmul = product("ttnn.matmul", kBf16, kBf16, kBf16);
  EXPECT_FALSE(statesComputeConfig(matmul));
  for (int fidelity : {1, 2, 3, 4}) {
    ComputeConfig config{fidelity, fidelity == 2, fidelity > 2, fidelity == 3};
    OpSignature stated = withComputeConfig(matmul, config);
    EXPECT_TRUE(statesComputeConfig(stated));
    EXPECT_EQ(of(stated, true), config);
  }
}

TEST(ComputeConfig, OtherOpsHaveNone) {
  EXPECT_EQ(
      computeConfigOf(product("ttnn.add", kBf16, kBf16, kBf16), {}, Arch::WormholeB0, BackendVersion::Pinned),
      std::nullopt);
}

} // namespace
