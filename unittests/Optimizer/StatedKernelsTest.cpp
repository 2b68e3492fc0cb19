//===- StatedKernelsTest.cpp - Kernels that do not depend on free L1 --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/StatedKernels.h"
#include "tessera/Dialect/Register.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

/// One matmul of an n150, its layouts and no program config.
constexpr const char *kModule = R"(
  #dram = #ttnn.buffer_type<dram>
  #l1 = #ttnn.buffer_type<l1>
  #shards = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <6x8>, memref<3x8x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,5)>]>>
  #rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<17x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
  #weights = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
  #pages = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x17x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
  #hifi2 = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>
  !w = tensor<2048x2048xbf16, #weights>
)";

/// A function as the policy "declared" plans it, and what pinning makes of that.
class StatedKernels : public testing::Test {
protected:
  void plan(const std::string &function) {
    mlir::DialectRegistry registry;
    registerTesseraDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(kModule + function, &context);
    ASSERT_TRUE(module);
    OptimizerOptions options;
    options.policy = "declared";
    mlir::FailureOr<OptimizationResult> optimized = optimize(*module, options);
    ASSERT_TRUE(succeeded(optimized));
    result = std::move(*optimized);
    const Problem &problem = result.functions.front().built.problem;
    model = createAnalyticOpModel({problem.device, *problem.layouts, problem.l1Budget});
    stated = withStatedKernels(problem, before(), *model);
  }
  const Plan &before() { return result.functions.front().plan; }
  const Problem &problem() { return result.functions.front().built.problem; }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  OptimizationResult result;
  std::unique_ptr<OpModel> model;
  Plan stated;
};

TEST_F(StatedKernels, SayWhatTheLibraryWouldChooseWithRoom) {
  ASSERT_NO_FATAL_FAILURE(plan(R"(
    func.func @f(%x: tensor<544x2048xbf16, #shards>, %w: !w) -> tensor<544x2048xbf16, #pages> {
      %0 = "ttnn.matmul"(%x, %w) <{compute_config = #hifi2, transpose_a = false, transpose_b = false}> : (tensor<544x2048xbf16, #shards>, !w) -> tensor<544x2048xbf16, #pages>
      return %0 : tensor<544x2048xbf16, #pages>
    })"));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(before().configs.front().specific));
  const auto *config = std::get_if<MatmulProgramConfig>(&stated.configs.front().specific);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->kind, MatmulProgramConfig::Kind::MultiCast2D);
  EXPECT_EQ(config->grid, (CoreCoord{8, 6}));
  EXPECT_EQ(config->perCoreM, 3);
  EXPECT_EQ(config->perCoreN, 8);
  // The same program, to the nanosecond and the byte.
  EXPECT_EQ(planCost(problem(), stated, *model).total(), planCost(problem(), before(), *model).total());
  PlanCheck check = checkPlan(problem(), stated, *model), open = checkPlan(problem(), before(), *model);
  EXPECT_TRUE(check.ok());
  EXPECT_EQ(check.l1.buffers, open.l1.buffers);
}

/// With a program config and no compute config the library multiplies in one pass instead of two.
TEST_F(StatedKernels, DoNotChangeWhatIsComputed) {
  ASSERT_NO_FATAL_FAILURE(plan(R"(
    func.func @f(%x: tensor<544x2048xbf16, #shards>, %w: !w) -> tensor<544x2048xbf16, #pages> {
      %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<544x2048xbf16, #shards>, !w) -> tensor<544x2048xbf16, #pages>
      return %0 : tensor<544x2048xbf16, #pages>
    })"));
  EXPECT_EQ(stated.configs, before().configs);
}

TEST_F(StatedKernels, AreLeftToTheLibraryWhereNothingLiesInL1) {
  ASSERT_NO_FATAL_FAILURE(plan(R"(
    func.func @f(%x: tensor<544x2048xbf16, #rows>, %w: !w) -> tensor<544x2048xbf16, #rows> {
      %0 = "ttnn.matmul"(%x, %w) <{compute_config = #hifi2, transpose_a = false, transpose_b = false}> : (tensor<544x2048xbf16, #rows>, !w) -> tensor<544x2048xbf16, #rows>
      return %0 : tensor<544x2048xbf16, #rows>
    })"));
  EXPECT_EQ(stated.configs, before().configs);
}

} // namespace
