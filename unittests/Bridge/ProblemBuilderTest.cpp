//===- ProblemBuilderTest.cpp - From a TTNN function to a Problem ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/ProblemBuilder.h"

#include "ConfigAttributes.h"
#include "tessera/Dialect/Register.h"
#include "tessera/OpModel/MockOpModel.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

/// !t is a tensor in DRAM, !h one on the host, !r one in rows, !bare one that nothing places.
constexpr const char *kPreamble = R"(
  #dram = #ttnn.buffer_type<dram>
  #system_memory = #ttnn.buffer_type<system_memory>
  #tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
  #rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #dram>, <interleaved>>
  #host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>
  !t = tensor<64x32xbf16, #tiles>
  !r = tensor<64x32xbf16, #rows>
  !h = tensor<64x32xbf16, #host>
  !bare = tensor<64x32xbf16>
)";

/// The problem of the first function, by a mock that knows all ops but ttnn.softmax.
struct Built {
  explicit Built(const std::string &program) : context(dialects(), mlir::MLIRContext::Threading::DISABLED) {
    context.allowUnregisteredDialects();
    mlir::ScopedDiagnosticHandler collect(&context, [&](mlir::Diagnostic &diagnostic) {
      (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Remark ? remarks : errors)
          .push_back(diagnostic.str());
      return mlir::success();
    });
    model.behaviour("ttnn.softmax").forced = ValidationStatus::NotImplemented;
    module = mlir::parseSourceString<mlir::ModuleOp>(kPreamble + program, &context);
    if (module)
      built = buildProblem(*module->getOps<mlir::func::FuncOp>().begin(), model, signatures, {});
    EXPECT_EQ(errors, std::vector<std::string>());
    EXPECT_EQ(checkProblem(problem), "");
  }

  static mlir::DialectRegistry dialects() {
    mlir::DialectRegistry registry;
    registerTesseraDialects(registry);
    return registry;
  }
  /// "name kind" of each value.
  std::vector<std::string> values() {
    std::vector<std::string> result;
    for (const Value &value : problem.values)
      result.push_back(value.name + (value.kind == ValueKind::Argument   ? " argument"
                                     : value.kind == ValueKind::Constant ? " constant"
                                                                         : " activation"));
    return result;
  }
  /// "location role" of each op.
  std::vector<std::string> roles() {
    std::vector<std::string> result;
    for (const Op &op : problem.ops)
      result.push_back(op.location + (op.role == OpRole::Compute      ? " compute"
                                      : op.role == OpRole::Conversion ? " conversion"
                                      : op.role == OpRole::Sink       ? " sink"
                                                                      : " fixed"));
    return result;
  }

  mlir::MLIRContext context;
  LayoutPool layouts;
  SignaturePool signatures;
  MockOpModel model{OpModelContext{*findDevice("n150"), layouts, Bytes(1300 * 1024)}};
  std::vector<std::string> remarks, errors;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  BuiltProblem built;
  const Problem &problem = built.problem;
};

using Lines = std::vector<std::string>;

TEST(ProblemBuilder, ValuesInProgramOrderWithTheirKinds) {
  Built f(R"(
    func.func @f(%x: !t {ttcore.argument_type = #ttcore.argument_type<input>},
                 %w: !t {ttcore.argument_type = #ttcore.argument_type<parameter>},
                 %k: !t {ttcore.argument_type = #ttcore.argument_type<constant>},
                 %cache: !t {ttcore.argument_type = #ttcore.argument_type<constant>, ttcore.kv_cache},
                 %plain: !t, %bare: !bare) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      return %0 : !t
    })");
  // A cache is written by the function: no constant, whatever it says. A tensor that nothing places is not a value.
  EXPECT_EQ(f.values(), (Lines{"%arg0 argument", "%arg1 constant", "%arg2 constant", "%arg3 argument",
                               "%arg4 argument", "relu_0 activation"}));
}

TEST(ProblemBuilder, OpsAreNamedByLocationOrCounted) {
  Built f(R"(
    func.func @f(%x: !t) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      %1 = "ttnn.relu"(%0) : (!t) -> !t loc("encoder")
      %2 = "ttnn.relu"(%1) : (!t) -> !t
      %3 = "ttnn.exp"(%2) : (!t) -> !t
      return %3 : !t
    })");
  EXPECT_EQ(f.roles(), (Lines{"relu_0 compute", "encoder compute", "relu_1 compute", "exp_0 compute"}));
}

TEST(ProblemBuilder, UsesAndReturnsOfAValue) {
  Built f(R"(
    func.func @f(%x: !t) -> (!t, !t) {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      %1 = "ttnn.add"(%0, %0) : (!t, !t) -> !t
      return %1, %0 : !t, !t
    })");
  EXPECT_EQ(f.problem.values[1].uses, (std::vector<Use>{{OpId(1), 0}, {OpId(1), 1}}));
  EXPECT_EQ(f.problem.values[1].producer, OpId(0));
  EXPECT_TRUE(f.problem.values[1].returned);
  EXPECT_FALSE(f.problem.values[0].returned);
  EXPECT_EQ(f.problem.returned, (std::vector<ValueId>{ValueId(2), ValueId(1)}));
}

TEST(ProblemBuilder, WhatHasNothingToDoWithTensorsIsOutside) {
  Built f(R"(
    func.func @f(%x: !t) -> !t {
      %d = "ttnn.get_device"() : () -> !ttnn.device
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      "ttnn.deallocate"(%x) <{force = false}> : (!t) -> ()
      return %0 : !t
    })");
  EXPECT_EQ(f.roles(), (Lines{"relu_0 compute"}));
}

TEST(ProblemBuilder, OperandNumbersSkipWhatIsNoTensor) {
  Built f(R"(
    func.func @f(%d: !ttnn.device, %x: !t, %h: !h) -> !t {
      %0 = "ttnn.to_device"(%h, %d) : (!h, !ttnn.device) -> !r
      "x.if"(%d) ({
        %1 = "ttnn.relu"(%x) : (!t) -> !t
        "x.yield"() : () -> ()
      }) : (!ttnn.device) -> ()
      return %x : !t
    })");
  ASSERT_EQ(f.problem.ops.size(), 2u);
  EXPECT_EQ(f.built.binding.operandNumbers[0], std::vector<unsigned>{0});
  EXPECT_EQ(f.problem.ops[1].operands, std::vector<ValueId>{ValueId(0)});
  EXPECT_EQ(f.built.binding.operandNumbers[1], std::vector<unsigned>{ProblemBinding::kCaptured});
}

TEST(ProblemBuilder, OpsThatNobodyDecidesAreFixed) {
  Built f(R"(
    func.func @f(%d: !ttnn.device, %x: !t, %bare: !bare) -> !t {
      %host = "ttnn.from_device"(%x) : (!t) -> !h
      %0 = "ttnn.relu"(%x) {tessera.pin} : (!t) -> !t
      %1 = "ttnn.relu"(%x) : (!t) -> !bare
      %2 = "ttnn.relu"(%bare) : (!bare) -> !t
      %3 = "ttnn.gelu"(%0) : (!t) -> !t
      return %3 : !t
    })");
  EXPECT_EQ(f.roles(),
            (Lines{"from_device_0 fixed", "relu_0 fixed", "relu_1 fixed", "relu_2 fixed", "gelu_0 compute"}));
}

TEST(ProblemBuilder, OneRemarkForEachOpThatTheModelDoesNotKnow) {
  Built f(R"(
    func.func @f(%x: !t) -> !t {
      %0 = "ttnn.softmax"(%x) <{dimension = 1 : si32}> : (!t) -> !t
      %1 = "ttnn.softmax"(%0) <{dimension = 1 : si32}> : (!t) -> !t
      %2 = "ttnn.relu"(%1) : (!t) -> !t
      return %2 : !t
    })");
  EXPECT_EQ(f.roles(), (Lines{"softmax_0 fixed", "softmax_1 fixed", "relu_0 compute"}));
  EXPECT_EQ(f.remarks, (Lines{"'ttnn.softmax' keeps its layouts: the op model does not know it"}));
}

TEST(ProblemBuilder, ConversionsOfTheProgramAreDecidedToo) {
  Built f(R"(
    func.func @f(%r: !r, %cache: !t, %new: !t) -> !t {
      %0 = "ttnn.to_layout"(%r) : (!r) -> !t
      %1 = "ttnn.to_memory_config"(%0) : (!t) -> !t
      "ttnn.copy"(%new, %cache) : (!t, !t) -> ()
      return %1 : !t
    })");
  EXPECT_EQ(f.roles().front(), "to_layout_0 conversion");
  EXPECT_EQ(f.roles().back(), "copy_0 sink");
}

TEST(ProblemBuilder, SameOpsShareASignature) {
  Built f(R"(
    func.func @f(%x: !t, %w: !t {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> !t {
      %0 = "ttnn.add"(%x, %w) : (!t, !t) -> !t
      %1 = "ttnn.add"(%0, %w) : (!t, !t) -> !t
      %2 = "ttnn.add"(%1, %0) : (!t, !t) -> !t
      return %2 : !t
    })");
  EXPECT_EQ(f.problem.ops[0].signature, f.problem.ops[1].signature);
  // A constant operand makes another question.
  EXPECT_NE(f.problem.ops[1].signature, f.problem.ops[2].signature);
  EXPECT_TRUE(f.problem.signature(OpId(0)).operands[1].constant);
}

TEST(ProblemBuilder, ActivationsAreOfTheSignature) {
  Built f(R"(
    func.func @f(%x: !t, %y: !t) -> !t {
      %0 = "ttnn.add"(%x, %y) : (!t, !t) -> !t
      %1 = "ttnn.add"(%x, %y) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (!t, !t) -> !t
      %2 = "ttnn.add"(%0, %1) <{input_tensor_a_activations = [#ttnn.unary_with_param<op_type = silu>]}> : (!t, !t) -> !t
      %3 = "ttnn.add"(%2, %1) <{input_tensor_b_activations = [#ttnn.unary_with_param<op_type = relu>, #ttnn.unary_with_param<op_type = leaky_relu, params = [0.125 : f32]>]}> : (!t, !t) -> !t
      return %3 : !t
    })");
  EXPECT_EQ(f.problem.ops[0].signature, f.problem.ops[1].signature) << "an empty list is no list";
  EXPECT_EQ(f.problem.signature(OpId(2)).string("input_tensor_a_activations"), "silu");
  EXPECT_EQ(f.problem.signature(OpId(3)).string("input_tensor_b_activations"), "relu, leaky_relu(0.125)");
}

TEST(ProblemBuilder, TheDeclaredConfigurationIsLegalAndFirst) {
  Built f(R"(
    func.func @f(%x: !t) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      return %0 : !t
    })");
  const Op &relu = f.problem.ops[0];
  EXPECT_EQ(relu.declared.outputs, (llvm::SmallVector<LayoutId, 1>{f.problem.values[0].declared}));
  EXPECT_EQ(relu.legal.front(), relu.declared);
  EXPECT_GT(relu.legal.size(), 1u);
}

/// Written as rank 0, or as a 1x1 tensor's.
TEST(ProblemBuilder, ATensorOfRankZeroHasALayout) {
  Built f(R"(
    #one = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
    #none = #ttnn.ttnn_layout<() -> (0, 0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
    func.func @f(%x: tensor<bf16, #one>, %y: tensor<bf16, #none>) -> tensor<bf16, #one> {
      %0 = "ttnn.add"(%x, %y) : (tensor<bf16, #one>, tensor<bf16, #none>) -> tensor<bf16, #one>
      return %0 : tensor<bf16, #one>
    })");
  EXPECT_EQ(f.remarks, std::vector<std::string>());
  EXPECT_EQ(f.roles(), (std::vector<std::string>{"add_0 compute"}));
  EXPECT_EQ(f.problem.values[0].declared, f.problem.values[1].declared);
}

/// What a plan chooses is what the op says afterwards, whatever it said before.
TEST(ProblemBuilder, AppliedConfigurationsAreReadBack) {
  Built f(R"(
    func.func @f(%x: tensor<2x4x32x64xbf16>, %w: tensor<1x8x64x96xbf16>, %s: tensor<2x4x1x8xbf16>, %i: tensor<1x1x196x64xbf16>, %k: tensor<64x64x3x3xbf16>) {
      %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
      %0 = "ttnn.sparse_matmul"(%x, %w, %s) <{nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
      %1 = "ttnn.conv2d"(%i, %k, %d) <{batch_size = 1 : i32, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 14 : i32, input_width = 14 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x196x64xbf16>, tensor<64x64x3x3xbf16>, !ttnn.device) -> tensor<1x1x196x64xbf16>
      return
    })");
  ASSERT_TRUE(f.module);
  MatmulProgramConfig blocks;
  blocks.kind = MatmulProgramConfig::Kind::MultiCast1D;
  blocks.grid = {3, 1};
  blocks.in0BlockW = blocks.perCoreM = blocks.perCoreN = blocks.outBlockH = blocks.outBlockW = 1;
  blocks.outSubblockH = blocks.outSubblockW = 1;
  Conv2dConfig backend;
  backend.slice = Conv2dConfig::Slice::Backend;
  f.module->walk([&](mlir::Operation *op) {
    llvm::StringRef name = op->getName().getStringRef();
    if (name != "ttnn.sparse_matmul" && name != "ttnn.conv2d")
      return;
    OpSpecificConfig chosen = name == "ttnn.conv2d" ? OpSpecificConfig(backend) : OpSpecificConfig(blocks);
    applyConfig(op, chosen);
    EXPECT_EQ(configOf(op), chosen) << name.str();
    EXPECT_FALSE(op->hasAttr("matmul_program_config"));
    applyConfig(op, std::monostate());
    EXPECT_EQ(configOf(op), OpSpecificConfig()) << name.str();
  });
}

TEST(ProblemBuilder, WhichFunctionsAreOptimized) {
  Built f(R"(
    func.func @plain(%x: !t) -> !t { return %x : !t }
    func.func @forward(%x: !t) -> !t attributes {tt.function_type = "forward_device"} { return %x : !t }
    func.func @consteval(%x: !t) -> !t attributes {tt.function_type = "const_eval"} { return %x : !t }
    func.func private @declaration(!t) -> !t
  )");
  Lines optimized;
  for (mlir::func::FuncOp function : f.module->getOps<mlir::func::FuncOp>())
    if (isForwardDeviceFunction(function))
      optimized.push_back(function.getSymName().str());
  EXPECT_EQ(optimized, (Lines{"plain", "forward"}));
}

/// The op model is asked once, and no budget searches what another has found: both stand in the table that was given.
TEST(ProblemBuilder, OtherBudgetsKnowWhatWasFound) {
  Built b(R"(func.func @main(%arg0: !t) -> !t {
    %0 = "ttnn.relu"(%arg0) : (!t) -> !t
    return %0 : !t
  })");
  OpCostTable table(b.model);
  BuiltProblem built = buildProblem(*b.module->getOps<mlir::func::FuncOp>().begin(), table, b.signatures, {});
  EXPECT_GT(table.statistics().misses, 0u);
  BudgetedProblem tighter(built.problem, table, Bytes(built.problem.l1Budget.value() / 2));
  EXPECT_TRUE(tighter.fits);
  EXPECT_TRUE(tighter.model.shares(table));
  EXPECT_EQ(tighter.problem.found, built.problem.found);
}

} // namespace
