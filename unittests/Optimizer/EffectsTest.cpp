//===- EffectsTest.cpp - What memory effects order --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/Register.h"
#include "tessera/Optimizer/Optimizer.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

/// Aliases that the programs below use: %d a device, !t a tensor on it, !s a semaphore.
constexpr const char *kPreamble = R"(
  #dram = #ttnn.buffer_type<dram>
  #layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
  !t = tensor<64x32xbf16, #layout>
  !s = !ttnn.global_semaphore
)";

/// Per op "name: ops that must stay before it > values that it writes".
std::vector<std::string> orderOf(const std::string &function) {
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      ADD_FAILURE() << diagnostic.str();
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kPreamble + function, &context);
  if (!module)
    return {};
  OptimizerOptions options;
  options.policy = "declared";
  mlir::FailureOr<OptimizationResult> result = optimize(*module, options);
  if (failed(result))
    return {};
  const Problem &problem = result->functions.front().built.problem;
  EXPECT_EQ(checkProblem(problem), "");
  std::vector<std::string> lines;
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    std::string line = problem.ops[i].location + ":";
    for (OpId before : problem.ops[i].after)
      line += " " + problem[before].location;
    for (unsigned operand : problem.ops[i].writes)
      line += " > " + problem[problem.ops[i].operands[operand]].name;
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

/// The other devices wait in the order of the program.
TEST(Effects, ExchangesBetweenDevicesKeepTheirOrder) {
  EXPECT_EQ(orderOf(R"(
    func.func @f(%x: !t, %y: !t) -> (!t, !t) {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      %1 = "ttnn.all_reduce"(%0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (!t) -> !t
      %2 = "ttnn.relu"(%y) : (!t) -> !t
      %3 = "ttnn.all_reduce"(%2) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (!t) -> !t
      return %1, %3 : !t, !t
    })"),
            (Lines{"relu_0:", "all_reduce_0:", "relu_1:", "all_reduce_1: all_reduce_0"}));
}

TEST(Effects, FilesKeepTheirOrder) {
  EXPECT_EQ(orderOf(R"(
    func.func @f(%d: !ttnn.device, %x: !t) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      "ttnn.dump_tensor"(%x) <{file_path = "a.tensorbin"}> : (!t) -> ()
      %1 = "ttnn.load_tensor"(%d) <{file_path = "a.tensorbin"}> : (!ttnn.device) -> !t
      "ttnn.dump_tensor"(%x) <{file_path = "a.tensorbin"}> : (!t) -> ()
      %2 = "ttnn.add"(%0, %1) : (!t, !t) -> !t
      return %2 : !t
    })"),
            (Lines{"relu_0:", "dump_tensor_0: relu_0", "load_tensor_0: dump_tensor_0",
                   "dump_tensor_1: dump_tensor_0 load_tensor_0", "add_0: dump_tensor_1"}));
}

TEST(Effects, SemaphoresKeepTheirOrder) {
  EXPECT_EQ(orderOf(R"(
    func.func @f(%d: !ttnn.device, %x: !t, %s: !s) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      "ttnn.reset_global_semaphore"(%s) <{value = 0 : ui32}> : (!s) -> ()
      %1 = "ttnn.gelu"(%0) : (!t) -> !t
      "ttnn.generic"(%0, %1, %s) <{operandSegmentSizes = array<i32: 2, 1>, program = #ttnn.program<>}> : (!t, !t, !s) -> ()
      return %1 : !t
    })"),
            (Lines{"relu_0:", "reset_global_semaphore_0:", "gelu_0:",
                   "generic_0: reset_global_semaphore_0 gelu_0 > relu_0 > gelu_0"}));
}

TEST(Effects, TracesAreBarriers) {
  EXPECT_EQ(orderOf(R"(
    func.func @f(%d: !ttnn.device, %x: !t) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> tensor<ui32, #ttnn.trace_id>
      %1 = "ttnn.gelu"(%0) : (!t) -> !t
      "ttnn.end_trace_capture"(%d, %id) : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> ()
      "ttnn.execute_trace"(%d, %id) : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> ()
      return %1 : !t
    })"),
            (Lines{"relu_0:", "begin_trace_capture_0: relu_0", "gelu_0: begin_trace_capture_0",
                   "end_trace_capture_0: begin_trace_capture_0 gelu_0",
                   "execute_trace_0: begin_trace_capture_0 end_trace_capture_0"}));
}

TEST(Effects, WritersOfTensorsKeepTheirReadersApart) {
  EXPECT_EQ(orderOf(R"(
    func.func @f(%x: !t, %slot: !t) -> !t {
      %0 = "ttnn.relu"(%slot) : (!t) -> !t
      "ttnn.copy"(%x, %slot) : (!t, !t) -> ()
      %1 = "ttnn.relu"(%slot) : (!t) -> !t
      %2 = "ttnn.point_to_point"(%1, %slot) <{receiver_coord = array<i64: 0>, sender_coord = array<i64: 1>}> : (!t, !t) -> !t
      %3 = "ttnn.relu"(%slot) : (!t) -> !t
      %4 = ttnn.tt_lang_op(%3, %slot) {arg_roles = "in,out", kernel_id = "k", version_tag = "1"} : (!t, !t) -> (!t)
      return %4 : !t
    })"),
            (Lines{"relu_0:", "copy_0: relu_0 > %arg1", "relu_1: copy_0",
                   "point_to_point_0: copy_0 relu_1 > %arg1", "relu_2: point_to_point_0",
                   "tt_lang_op_0: relu_0 copy_0 relu_1 point_to_point_0 relu_2 > %arg1"}));
}

TEST(Effects, TensorsOutsideTheProblemKeepTheirOrder) {
  EXPECT_EQ(orderOf(R"(
    func.func @f(%x: !t, %cache: tensor<1x8x64x32xbf16>, %new: tensor<1x8x32x32xbf16>) -> !t {
      %0 = "ttnn.relu"(%cache) : (tensor<1x8x64x32xbf16>) -> tensor<1x8x64x32xbf16>
      "ttnn.fill_cache"(%cache, %new) <{batch_offset = 0 : i32}> : (tensor<1x8x64x32xbf16>, tensor<1x8x32x32xbf16>) -> ()
      %1 = "ttnn.gelu"(%cache) : (tensor<1x8x64x32xbf16>) -> tensor<1x8x64x32xbf16>
      return %x : !t
    })"),
            (Lines{"relu_0:", "fill_cache_0: relu_0", "gelu_0: fill_cache_0"}));
}

} // namespace
