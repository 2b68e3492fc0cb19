//===- DeallocateTest.cpp - ttnn.deallocate in and out --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Deallocate.h"

#include "tessera/Dialect/Register.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

/// !t is a tensor in DRAM, !bare one that nothing places.
constexpr const char *kPreamble = R"(
  #dram = #ttnn.buffer_type<dram>
  #tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
  !t = tensor<64x32xbf16, #tiles>
  !bare = tensor<64x32xbf16>
)";

using Lines = std::vector<std::string>;

struct Function {
  explicit Function(const std::string &function, const std::string &preamble = "")
      : context(dialects(), mlir::MLIRContext::Threading::DISABLED) {
    context.allowUnregisteredDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(kPreamble + preamble + function, &context);
    if (module)
      ir = *module->getOps<mlir::func::FuncOp>().begin();
    else
      ADD_FAILURE() << "the function does not parse";
  }
  static mlir::DialectRegistry dialects() {
    mlir::DialectRegistry registry;
    registerTesseraDialects(registry);
    return registry;
  }

  /// The ops of the body without their dialects; of a deallocate what it frees: "free %0".
  Lines lines() {
    Lines result;
    mlir::AsmState names(ir);
    for (mlir::Operation &op : ir.getBody().front()) {
      result.push_back(op.getName().stripDialect().str());
      if (result.back() != "deallocate")
        continue;
      result.back() = "free ";
      llvm::raw_string_ostream os(result.back());
      op.getOperand(0).printAsOperand(os, names);
    }
    return result;
  }
  Lines inserted() {
    insertDeallocates(ir);
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    return lines();
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp ir;
};

TEST(InsertDeallocates, ArgumentsOfACalledFunctionAreTheCallers) {
  Function f(R"(
    func.func @callee(%x: !t) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      %1 = "ttnn.relu"(%0) : (!t) -> !t
      return %1 : !t
    }
    func.func @caller(%x: !t) -> (!t, !t) {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      %1 = func.call @callee(%0) : (!t) -> !t
      return %0, %1 : !t, !t
    })");
  EXPECT_EQ(f.inserted(), Lines({"relu", "relu", "free %0", "return"}));
}

TEST(InsertDeallocates, AFunctionThatDoesNothingFreesItsArguments) {
  Function f("func.func @f(%x: !t) { return }");
  EXPECT_EQ(f.inserted(), Lines({"free %arg0", "return"}));
}

TEST(InsertDeallocates, BehindTheLastReader) {
  Function f(R"(
    func.func @f(%x: !t) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      %1 = "ttnn.exp"(%0) : (!t) -> !t
      %2 = "ttnn.add"(%1, %0) : (!t, !t) -> !t
      return %2 : !t
    })");
  EXPECT_EQ(f.inserted(), (Lines{"relu", "free %arg0", "exp", "add", "free %1", "free %0", "return"}));
}

TEST(InsertDeallocates, WhatNobodyReadsEndsWhereItBegins) {
  Function f(R"(
    func.func @f(%x: !t, %unused: !t) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      %1 = "ttnn.exp"(%x) : (!t) -> !t
      %2 = "ttnn.gelu"(%x) : (!t) -> !t
      return %2 : !t
    })");
  EXPECT_EQ(f.inserted(),
            (Lines{"relu", "free %0", "free %arg1", "exp", "free %1", "gelu", "free %arg0", "return"}));
}

TEST(InsertDeallocates, WhatIsReturnedStays) {
  Function f(R"(
    func.func @f(%x: !t) -> (!t, !t) {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      return %0, %x : !t, !t
    })");
  EXPECT_EQ(f.inserted(), (Lines{"relu", "return"}));
}

TEST(InsertDeallocates, ARegionReadsAtItsOp) {
  Function f(R"(
    func.func @f(%x: !t) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      "x.if"() ({
        %2 = "ttnn.exp"(%0) : (!t) -> !t
        "x.yield"() : () -> ()
      }) : () -> ()
      %1 = "ttnn.gelu"(%x) : (!t) -> !t
      return %1 : !t
    })");
  EXPECT_EQ(f.inserted(), (Lines{"relu", "if", "free %0", "gelu", "free %arg0", "return"}));
}

TEST(InsertDeallocates, WhatTtnnHasNotPlacedIsNotItsToFree) {
  Function f(R"(
    func.func @f(%x: !bare) -> !bare {
      %0 = "ttnn.relu"(%x) : (!bare) -> !bare
      %1 = "ttnn.exp"(%0) : (!bare) -> !bare
      return %1 : !bare
    })");
  EXPECT_EQ(f.inserted(), (Lines{"relu", "exp", "return"}));
}

/// A 1x1 convolution; CONFIG stands for its conv2d_config.
std::string convolution(const std::string &config) {
  std::string text = R"(
    func.func @f(%d: !ttnn.device, %x: !image, %w: !weight) -> !image {
      %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, CONFIGdilation = array<i32: 1, 1>,
        dtype = #ttcore.supportedDataTypes<bf16>, groups = 1 : i32, in_channels = 32 : i32, input_height = 32 : i32,
        input_width = 32 : i32, kernel_size = array<i32: 1, 1>, out_channels = 32 : i32, padding = array<i32: 0, 0, 0, 0>,
        stride = array<i32: 1, 1>}> : (!image, !weight, !ttnn.device) -> !image
      return %0 : !image
    })";
  return text.replace(text.find("CONFIG"), 6, config);
}

constexpr const char *kImages = R"(
  #system_memory = #ttnn.buffer_type<system_memory>
  #image = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 1024 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
  #weight = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 + d2, d3), <1x1>, memref<1024x1xbf16, #system_memory>>
  !image = tensor<1x1x1024x32xbf16, #image>
  !weight = tensor<32x32x1x1xbf16, #weight>
)";

TEST(InsertDeallocates, AConvolutionMayFreeItsInputItself) {
  Function keeps(convolution("conv2d_config = #ttnn.conv2d_config<deallocate_activation = false>, "),
                 kImages);
  EXPECT_EQ(keeps.inserted(), (Lines{"conv2d", "free %arg2", "free %arg1", "return"}));
  Function frees(convolution("conv2d_config = #ttnn.conv2d_config<deallocate_activation = true>, "), kImages);
  EXPECT_EQ(frees.inserted(), (Lines{"conv2d", "free %arg2", "return"}));
  Function silent(convolution(""), kImages);
  EXPECT_EQ(silent.inserted(), (Lines{"conv2d", "free %arg2", "free %arg1", "return"}));
}

TEST(StripDeallocates, AllOfTtnnsGo) {
  Function f(R"(
    func.func @f(%x: !t, %bare: !bare) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      "ttnn.deallocate"(%x) <{force = true}> : (!t) -> ()
      "ttnn.deallocate"(%bare) <{force = false}> : (!bare) -> ()
      %1 = "ttnn.exp"(%0) : (!t) -> !t
      "ttnn.deallocate"(%0) <{force = false}> : (!t) -> ()
      return %1 : !t
    })");
  stripDeallocates(f.ir);
  EXPECT_EQ(f.lines(), (Lines{"relu", "free %arg1", "exp", "return"}));
}

TEST(StripDeallocates, InsertedAnewTheyStandWhereTheyStood) {
  Function f(R"(
    func.func @f(%x: !t) -> !t {
      %0 = "ttnn.relu"(%x) : (!t) -> !t
      %1 = "ttnn.add"(%0, %x) : (!t, !t) -> !t
      return %1 : !t
    })");
  Lines once = f.inserted();
  stripDeallocates(f.ir);
  EXPECT_EQ(f.lines(), (Lines{"relu", "add", "return"}));
  EXPECT_EQ(f.inserted(), once);
}

} // namespace
