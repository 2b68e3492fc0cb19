//===- TTNNInterfacesTest.cpp ---------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "DialectTest.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::ttnn;

namespace {

constexpr llvm::StringLiteral kLayouts = R"(
  #dram = #ttnn.buffer_type<dram>
  #tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>,
                            memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
  #rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xbf16, #dram>, <interleaved>>
)";

class TTNNInterfaces : public DialectTest {
protected:
  /// A module of one function with %x and %y, 32x32 tensors in layout #tile, and a device %d.
  OwningOpRef<ModuleOp> function(llvm::StringRef body) {
    std::string text = kLayouts.str() +
                       "!t = tensor<32x32xbf16, #tile>\n!cache = tensor<2x1x32x32xbf16>\n"
                       "func.func @f(%x: !t, %y: !t, %d: !ttnn.device) {\n" +
                       body.str() + "\nreturn\n}\nfunc.func private @kernel(!t) -> !t\n";
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    return module;
  }
  static Operation *firstOp(ModuleOp module) {
    return &cast<func::FuncOp>(module.getBody()->front()).getBody().front().front();
  }
  /// The mnemonics of the function's ops after the pass, but for the return.
  std::vector<std::string> run(std::unique_ptr<Pass> pass, llvm::StringRef body) {
    OwningOpRef<ModuleOp> module = function(body);
    PassManager manager(&context);
    manager.addNestedPass<func::FuncOp>(std::move(pass));
    EXPECT_TRUE(succeeded(manager.run(*module))) << messages;
    std::vector<std::string> names;
    for (Operation &op :
         cast<func::FuncOp>(module->getBody()->front()).getBody().front().without_terminator())
      names.push_back(op.getName().stripDialect().str());
    return names;
  }
  using Names = std::vector<std::string>;
};

//===- Layouts -------------------------------------------------------------===//

TEST_F(TTNNInterfaces, LayoutOfAResultCanBeReplaced) {
  OwningOpRef<ModuleOp> module = function(R"(%0 = "ttnn.exp"(%x) : (!t) -> !t)");
  auto op = dyn_cast<TTNNLayoutOpInterface>(firstOp(*module));
  ASSERT_TRUE(op);
  auto rows = cast<TTNNLayoutAttr>(
      parseType<RankedTensorType>("tensor<32x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
                                  "memref<32x32xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>")
          .getEncoding());
  EXPECT_NE(op.getLayout(0), rows);
  ASSERT_TRUE(succeeded(op.setLayout(0, rows)));
  EXPECT_EQ(op.getLayout(0), rows);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  EXPECT_EQ(type.getShape(), (llvm::ArrayRef<int64_t>{32, 32}));
  EXPECT_TRUE(type.getElementType().isBF16());
  EXPECT_TRUE(succeeded(verify(op)));
}

TEST_F(TTNNInterfaces, LayoutThatCannotBeIsRefused) {
  OwningOpRef<ModuleOp> module = function(R"(%0 = "ttnn.exp"(%x) : (!t) -> !t)");
  auto op = cast<TTNNLayoutOpInterface>(firstOp(*module));
  TTNNLayoutAttr before = op.getLayout(0);
  auto cube =
      parse<TTNNLayoutAttr>("#ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, "
                            "memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>");
  auto tooSmall =
      parse<TTNNLayoutAttr>("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
                            "memref<0x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>");
  EXPECT_TRUE(failed(op.setLayout(0, cube)));
  EXPECT_TRUE(failed(op.setLayout(0, tooSmall)));
  EXPECT_TRUE(failed(op.setLayout(1, before)));
  EXPECT_TRUE(failed(op.setLayout(0, nullptr)));
  EXPECT_EQ(op.getLayout(0), before);
  EXPECT_FALSE(op.getLayout(1));
}

//===- Data types ----------------------------------------------------------===//

TEST_F(TTNNInterfaces, DataTypeChangesTypeAndLayout) {
  OwningOpRef<ModuleOp> module = function(R"(%0 = "ttnn.exp"(%x) : (!t) -> !t)");
  auto op = cast<TTNNDtypeOpInterface>(firstOp(*module));
  EXPECT_EQ(op.getDataType(), tessera::DataType::BFloat16);
  ASSERT_TRUE(succeeded(op.setDataType(tessera::DataType::Float32)));
  EXPECT_EQ(
      op->getResult(0).getType(),
      parseType<Type>("tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
                      "memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>"));
  ASSERT_TRUE(succeeded(op.setDataType(tessera::DataType::BFP_BFloat8)));
  EXPECT_EQ(op->getResult(0).getType(),
            parseType<Type>(
                "tensor<32x32x!ttcore.tile<32x32, bfp_bf8>, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
                "memref<1x1x!ttcore.tile<32x32, bfp_bf8>, #ttnn.buffer_type<dram>>, <interleaved>>>"));
  EXPECT_TRUE(succeeded(verify(op)));
}

TEST_F(TTNNInterfaces, BlockFloatsExistInTilesOnly) {
  OwningOpRef<ModuleOp> module = function(R"(%0 = "ttnn.to_layout"(%x) : (!t) -> tensor<32x32xbf16, #rows>)");
  auto op = cast<TTNNDtypeOpInterface>(firstOp(*module));
  Type before = op->getResult(0).getType();
  EXPECT_TRUE(failed(op.setDataType(tessera::DataType::BFP_BFloat8)));
  EXPECT_EQ(op->getResult(0).getType(), before);
  EXPECT_TRUE(succeeded(op.setDataType(tessera::DataType::Float32)));
  EXPECT_EQ(op.getDataType(), tessera::DataType::Float32);
}

TEST_F(TTNNInterfaces, MovingDataKeepsTheDataType) {
  OwningOpRef<ModuleOp> module = function(R"(%0 = "ttnn.assign"(%x) : (!t) -> !t)");
  EXPECT_FALSE(isa<TTNNDtypeOpInterface>(firstOp(*module)));
  EXPECT_TRUE(isa<TTNNLayoutOpInterface>(firstOp(*module)));
}

TEST_F(TTNNInterfaces, PreparedWeightsRepeatTheirDataType) {
  OwningOpRef<ModuleOp> module = function(R"(
    %w = "ttnn.source"() : () -> tensor<32x1x1x1xbf16>
    %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{
      batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false,
      in_channels = 1 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 4 : i32,
      input_memory_config = #ttnn.memory_config<#dram, <interleaved>>,
      input_tensor_layout = #ttnn.layout<tile>, input_width = 4 : i32, kernel_size = array<i32: 1, 1>,
      out_channels = 32 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>,
      weights_format = "OIHW"}> : (tensor<32x1x1x1xbf16>, !ttnn.device)
      -> tensor<1x1x1x32xbf16, #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>,
         memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>)");
  auto op = cast<PrepareConv2dWeightsOp>(firstOp(*module)->getNextNode());
  ASSERT_TRUE(
      succeeded(cast<TTNNDtypeOpInterface>(op.getOperation()).setDataType(tessera::DataType::BFP_BFloat8)));
  EXPECT_EQ(op.getOutputDtype(), ttcore::DataType::BFP_BFloat8);
}

//===- Compute kernel configs and in-place ops -----------------------------===//

TEST_F(TTNNInterfaces, ComputeConfigIsAnAttribute) {
  OwningOpRef<ModuleOp> module = function(R"(%0 = "ttnn.matmul"(%x, %y) : (!t, !t) -> !t)");
  auto op = dyn_cast<TTNNComputeKernelConfigOpInterface>(firstOp(*module));
  ASSERT_TRUE(op);
  EXPECT_FALSE(op.getComputeConfigAttr());
  auto config =
      parse<DeviceComputeKernelConfigAttr>("#ttnn.device_compute_kernel_config<math_fidelity = hifi2>");
  op.setComputeConfigAttr(config);
  EXPECT_EQ(cast<MatmulOp>(op.getOperation()).getComputeConfigAttr(), config);
}

TEST_F(TTNNInterfaces, CacheOpsWriteTheCache) {
  OwningOpRef<ModuleOp> module = function(R"(
    %c = "ttnn.source"() : () -> !cache
    %i = "ttnn.source"() : () -> tensor<1x1x8x32xbf16>
    "ttnn.fill_cache"(%c, %i) <{batch_offset = 0 : i32}> : (!cache, tensor<1x1x8x32xbf16>) -> ())");
  Operation *cache = firstOp(*module), *fill = cache->getNextNode()->getNextNode();
  auto op = dyn_cast<TTNNInPlaceOpInterface>(fill);
  ASSERT_TRUE(op);
  EXPECT_EQ(op.getWrittenOperand().get(), cache->getResult(0));
  EXPECT_FALSE(isa<TTNNInPlaceOpInterface>(cache));
}

//===- Effects -------------------------------------------------------------===//

// What CSE and dead code elimination may do follows from the effects.
TEST_F(TTNNInterfaces, EqualOpsMerge) {
  EXPECT_EQ(run(createCSEPass(), R"(
    %d0 = "ttnn.get_device"() : () -> !ttnn.device
    %d1 = "ttnn.get_device"() : () -> !ttnn.device
    %0 = "ttnn.zeros"(%d0) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> !t
    %1 = "ttnn.zeros"(%d1) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> !t
    %2 = "ttnn.add"(%0, %1) : (!t, !t) -> !t
    "test.use"(%2) : (!t) -> ())"),
            (Names{"get_device", "zeros", "add", "use"}));
}

TEST_F(TTNNInterfaces, UnusedOpsGo) {
  EXPECT_EQ(run(createCSEPass(), R"(
    %0 = "ttnn.matmul"(%x, %y) : (!t, !t) -> !t
    %1 = "ttnn.empty"(%d) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> !t
    %2 = "ttnn.mesh_partition"(%x) <{cluster_axis = 1 : ui32, dim = 0 : si32}> : (!t) -> !t)"),
            Names());
}

TEST_F(TTNNInterfaces, EmptyTensorsDoNotMerge) {
  EXPECT_EQ(run(createCSEPass(), R"(
    %0 = "ttnn.empty"(%d) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> !t
    %1 = "ttnn.empty"(%d) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> !t
    %2 = ttnn.d2m_subgraph @kernel ins(%x : !t) outs(%0 : !t) : !t
    %3 = ttnn.d2m_subgraph @kernel ins(%x : !t) outs(%1 : !t) : !t)"),
            (Names{"empty", "empty", "d2m_subgraph", "d2m_subgraph"}));
}

// The first result is gone when the second is needed.
TEST_F(TTNNInterfaces, FreedTensorsDoNotMerge) {
  EXPECT_EQ(run(createCSEPass(), R"(
    %0 = "ttnn.exp"(%x) : (!t) -> !t
    %1 = "ttnn.neg"(%0) : (!t) -> !t
    "ttnn.deallocate"(%0) <{force = false}> : (!t) -> ()
    %2 = "ttnn.exp"(%x) : (!t) -> !t
    %3 = "ttnn.add"(%1, %2) : (!t, !t) -> !t
    "ttnn.deallocate"(%2) <{force = false}> : (!t) -> ()
    "test.use"(%3) : (!t) -> ())"),
            (Names{"exp", "neg", "deallocate", "exp", "add", "deallocate", "use"}));
}

// A cache is another tensor after it was written.
TEST_F(TTNNInterfaces, ReadsOfACacheStayBehindItsWrites) {
  llvm::StringRef text = R"(
    %c = "ttnn.source"() : () -> !cache
    %i = "ttnn.source"() : () -> tensor<1x1x8x32xbf16>
    %0 = "ttnn.exp"(%c) : (!cache) -> !cache
    %1 = "ttnn.exp"(%c) : (!cache) -> !cache
    "ttnn.fill_cache"(%c, %i) <{batch_offset = 0 : i32}> : (!cache, tensor<1x1x8x32xbf16>) -> ()
    %2 = "ttnn.exp"(%c) : (!cache) -> !cache
    %3 = "ttnn.where"(%0, %1, %2) : (!cache, !cache, !cache) -> !cache
    "test.use"(%3) : (!cache) -> ())";
  EXPECT_EQ(run(createCSEPass(), text),
            (Names{"source", "source", "exp", "fill_cache", "exp", "where", "use"}));
}

} // namespace
