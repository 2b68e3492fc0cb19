//===- GuardTest.cpp - Tests of the guard ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Guard/Guard.h"

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

/// A function of one argument pair in DRAM; `#l1` may be used in `body`.
std::string module(const std::string &body, const std::string &attributes = "") {
  return R"(#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
#c = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
func.func @main(%x: tensor<64x64xbf16, #a>, %y: tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a> )" +
         attributes + " {\n" + body + "}\n";
}

const char kPlain[] =
    R"(  %0 = "ttnn.subtract"(%x, %y) <{mode = "fast"}> {note = 1 : i32} : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  %1 = "ttnn.relu"(%0) : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  return %1 : tensor<64x64xbf16, #a>
)";

std::string lost(const std::string &before, const std::string &after, GuardOptions options = {}) {
  return lostBetween({before, "before"}, {after, "after"}, options);
}

std::string replaced(std::string text, llvm::StringRef from, llvm::StringRef to) {
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to.str());
}

class Guard : public ::testing::Test {
protected:
  std::string before = module(kPlain);
  std::string change(llvm::StringRef from, llvm::StringRef to) {
    return lost(before, replaced(before, from, to));
  }
};

TEST_F(Guard, AModuleKeepsItself) { EXPECT_EQ(lost(before, before), ""); }

TEST_F(Guard, AMissingPropertyIsNamedWithItsPlace) {
  EXPECT_EQ(change("<{mode = \"fast\"}> ", ""), "'ttnn.subtract' lost its property 'mode', at before:7:8");
}

TEST_F(Guard, MapsAreWhatTheyCompute) {
  GuardOptions read;
  read.planned = false;
  const std::pair<const char *, bool> kMaps[] = {{"(d0, d1) -> (d0 * 1, d1)", true},
                                                 {"(row, column) -> (row, column)", true},
                                                 {"(d0, d1) -> (d0 + 0, 1 * d1)", true},
                                                 {"(d0, d1) -> (d0 * 2, d1)", false},
                                                 {"(d0, d1) -> (d1, d0)", false}};
  for (auto [map, same] : kMaps) {
    std::string other = before;
    for (int layouts = 0; layouts != 3; ++layouts)
      other = replaced(other, "<(d0, d1) -> (d0, d1)", std::string("<") + map);
    EXPECT_EQ(lost(before, other, read) == "", same) << map;
    EXPECT_EQ(lost(other, before, read) == "", same) << map;
  }
}

TEST_F(Guard, WhatAnOpSaysCounts) {
  EXPECT_NE(change("\"fast\"", "\"slow\""), "");
  EXPECT_NE(change(" {note = 1 : i32}", ""), "");
  EXPECT_NE(change("note = 1", "note = 2"), "");
  EXPECT_NE(change("ttnn.relu", "ttnn.exp"), "");
}

TEST_F(Guard, DataFlowCounts) {
  EXPECT_NE(change("(%x, %y)", "(%y, %x)"), "");
  EXPECT_NE(change("(%x, %y)", "(%x, %x)"), "");
  EXPECT_NE(change("return %1", "return %0"), "");
  EXPECT_NE(change("\"ttnn.relu\"(%0)", "\"ttnn.relu\"(%x)"), "");
}

/// With a function that runs once, of whose result exp is taken.
std::string withCached(const std::string &function) {
  return "#a = #ttnn.ttnn_layout<dram>\n" + function + R"(
func.func @main(%x: tensor<8xbf16, #a>) -> tensor<8xbf16, #a> {
  %0 = ttcore.load_cached(@once, [%x]) : (tensor<8xbf16, #a>) -> tensor<8xbf16, #a>
  %1 = "ttnn.exp"(%0) : (tensor<8xbf16, #a>) -> tensor<8xbf16, #a>
  return %1 : tensor<8xbf16, #a>
}
)";
}

TEST(GuardForms, FunctionsThatRunOnceMayBeInGenericForm) {
  std::string custom = withCached(R"(func.func @once(%y: tensor<8xbf16, #a>) -> tensor<8xbf16, #a> {
  %0 = "ttnn.relu"(%y) : (tensor<8xbf16, #a>) -> tensor<8xbf16, #a>
  return %0 : tensor<8xbf16, #a>
})");
  std::string generic = withCached(
      R"("func.func"() <{function_type = (tensor<8xbf16, #a>) -> tensor<8xbf16, #a>, sym_name = "once"}> ({
^bb0(%y: tensor<8xbf16, #a>):
  %0 = "ttnn.relu"(%y) : (tensor<8xbf16, #a>) -> tensor<8xbf16, #a>
  "func.return"(%0) : (tensor<8xbf16, #a>) -> ()
}) : () -> ())");
  EXPECT_EQ(lost(generic, custom), "");
  EXPECT_EQ(lost(custom, generic), "");
}

TEST_F(Guard, DefaultsMayBeAdded) {
  EXPECT_EQ(change("mode = \"fast\"", "mode = \"fast\", force = false"), "");
}

TEST_F(Guard, FunctionsKeepTheirAttributes) {
  std::string marked = module(kPlain, R"(attributes {tt.function_type = "forward_device", new = 3 : i32})");
  EXPECT_EQ(lost(marked, marked), "");
  EXPECT_NE(lost(marked, before), "");
  EXPECT_NE(lost(marked, replaced(marked, "new = 3", "new = 4")), "");
}

/// What a plan does: x and y in L1, freed there, the result in DRAM again.
const char kPlanned[] =
    R"(  %p = "ttnn.to_memory_config"(%x) : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #b>
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<64x64xbf16, #a>) -> ()
  %q = "ttnn.to_memory_config"(%y) : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #b>
  %0 = "ttnn.subtract"(%p, %q) <{mode = "fast"}> {note = 1 : i32} : (tensor<64x64xbf16, #b>, tensor<64x64xbf16, #b>) -> tensor<64x64xbf16, #b>
  %1 = "ttnn.relu"(%0) : (tensor<64x64xbf16, #b>) -> tensor<64x64xbf16, #b>
  %2 = "ttnn.to_memory_config"(%1) : (tensor<64x64xbf16, #b>) -> tensor<64x64xbf16, #a>
  return %2 : tensor<64x64xbf16, #a>
)";

TEST(GuardForms, FunctionsForTheHostKeepTheirTypes) {
  std::string host = "llvm.func @cpu(%a: !llvm.ptr, %n: i64) {\n  llvm.return\n}\n";
  EXPECT_EQ(lost(host, host), "");
  EXPECT_NE(lost(host, replaced(host, "%n: i64", "%n: i32")), "");
}

TEST_F(Guard, PlansAreLookedThrough) {
  std::string plan = module(kPlanned);
  EXPECT_EQ(lost(before, plan), "");
  EXPECT_NE(lost(before, replaced(plan, "(%p, %q)", "(%q, %p)")), "");
  EXPECT_NE(lost(before, replaced(plan, "return %2", "return %y")), "");
  GuardOptions same;
  same.planned = false;
  EXPECT_NE(lost(before, plan, same), "");
}

TEST_F(Guard, ReadersMayAddToLayoutsAndTakeNothing) {
  GuardOptions read;
  read.planned = false;
  const char kTwo[] =
      R"(  %0 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #b>
  %1 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #d>
  return %x : tensor<64x64xbf16, #a>
)";
  std::string as = module(kTwo);
  as = replaced(
      as, "func.func",
      R"(#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
func.func)");
  std::string old = replaced(as, "<2x2>", "<2x2, (d0, d1) -> (0, d0, d1)>");
  std::string today =
      replaced(as, "<block_sharded>", "<block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,1)>]>");
  EXPECT_EQ(lost(as, as, read), "");
  EXPECT_EQ(lost(old, today, read), "");
  EXPECT_NE(lost(today, old, read), "");
  EXPECT_NE(lost(as, replaced(as, "<block_sharded>", "<width_sharded>"), read), "");
  EXPECT_NE(lost(as, replaced(as, "-> tensor<64x64xbf16, #d>", "-> tensor<64x64xbf16, #b>"), read), "");
}

TEST_F(Guard, ConversionsOfElementsAreOps) {
  std::string converted =
      replaced(before, "  %1 = \"ttnn.relu\"(%0)",
               R"(  %f = "ttnn.typecast"(%0) : (tensor<64x64xbf16, #a>) -> tensor<64x64xf32, #c>
  %g = "ttnn.typecast"(%f) : (tensor<64x64xf32, #c>) -> tensor<64x64xbf16, #a>
  %1 = "ttnn.relu"(%g))");
  EXPECT_EQ(lost(converted, converted), "");
  EXPECT_NE(lost(before, converted), "");
  EXPECT_NE(lost(converted, before), "");
}

TEST_F(Guard, ATypecastBehindAnOpMayMakeItsType) {
  std::string quotient = module(
      R"(  %0 = "ttnn.divide"(%x, %y) : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #a>) -> tensor<64x64xf32, #c>
  %1 = "ttnn.exp"(%0) : (tensor<64x64xf32, #c>) -> tensor<64x64xf32, #c>
  %2 = "ttnn.typecast"(%1) : (tensor<64x64xf32, #c>) -> tensor<64x64xbf16, #a>
  return %2 : tensor<64x64xbf16, #a>
)");
  std::string cast = replaced(quotient, "-> tensor<64x64xf32, #c>\n", R"(-> tensor<64x64xbf16, #a>
  %f = "ttnn.typecast"(%0) : (tensor<64x64xbf16, #a>) -> tensor<64x64xf32, #c>
)");
  cast = replaced(cast, "\"ttnn.exp\"(%0)", "\"ttnn.exp\"(%f)");
  EXPECT_EQ(lost(quotient, cast), "");
  // Another type that the user asks for, of whichever op, makes it no loss.
  GuardOptions given;
  given.dataTypesAreGiven = true;
  EXPECT_EQ(lost(quotient, cast, given), "");
  EXPECT_NE(lost(quotient, replaced(cast, "ttnn.exp", "ttnn.relu"), given), "");
}

TEST_F(Guard, DeallocatesThatSayMoreStay) {
  std::string telling =
      replaced(before, "  return",
               R"(  "ttnn.deallocate"(%0) <{force = false}> {why = "done"} : (tensor<64x64xbf16, #a>) -> ()
  return)");
  EXPECT_EQ(lost(telling, telling), "");
  EXPECT_NE(lost(telling, before), "");
  EXPECT_EQ(lost(before, replaced(telling, " {why = \"done\"}", "")), "");
}

TEST_F(Guard, PlacesThatArePlannedAgainGo) {
  std::string held = replaced(
      before, "  %0 = ",
      R"(  %place = "ttnn.empty"(%x) <{shape = #ttnn.shape<64x64>}> : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #b>
  "ttnn.deallocate"(%place) <{force = false}> : (tensor<64x64xbf16, #b>) -> ()
  %0 = )");
  EXPECT_EQ(lost(held, before), "");
  EXPECT_EQ(lost(before, held), "");
  GuardOptions same;
  same.planned = false;
  EXPECT_NE(lost(held, before, same), "");
  // One that nobody frees holds no place.
  std::string read = replaced(held, R"("ttnn.deallocate"(%place))", R"("ttnn.print"(%place))");
  EXPECT_NE(lost(read, before), "");
}

TEST_F(Guard, NarrowIntegersAreStoredWithoutASign) {
  auto bytes = [](llvm::StringRef stored) {
    return ("#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x" + stored +
            R"(, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @main(%x: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %0 = "ttnn.relu"(%x) : (tensor<64x64xi8>) -> tensor<64x64xi8, #a>
  %1 = "ttnn.relu"(%0) : (tensor<64x64xi8, #a>) -> tensor<64x64xi8>
  return %1 : tensor<64x64xi8>
})")
        .str();
  };
  EXPECT_EQ(lost(bytes("i8"), bytes("ui8")), "");
  EXPECT_NE(lost(bytes("i8"), bytes("si8")), "");
  EXPECT_NE(lost(bytes("i8"), bytes("i16")), "");
}

TEST_F(Guard, WritesHaveAnOrder) {
  std::string body = R"(  "ttnn.fill_cache"(%x, %y) : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #a>) -> ()
)";
  EXPECT_NE(lost(module(body + kPlain), module(replaced(kPlain, "  return", body + "  return"))), "");
}

TEST_F(Guard, AnActivationMayMoveIntoTheProgramConfig) {
  const char kMatmul[] =
      R"(  %0 = "ttnn.matmul"(%x, %y) <{activation = "relu"}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  return %0 : tensor<64x64xbf16, #a>
)";
  std::string fused = "<{matmul_program_config = #ttnn.config<w = 1, fused_activation = "
                      "#ttnn.unary_with_param<op_type = relu>>}>";
  std::string matmul = module(kMatmul);
  EXPECT_EQ(lost(matmul, replaced(matmul, "<{activation = \"relu\"}>", fused)), "");
  EXPECT_NE(lost(matmul, replaced(matmul, "<{activation = \"relu\"}> ", "")), "");
  EXPECT_NE(lost(matmul, replaced(matmul, "<{activation = \"relu\"}>", replaced(fused, "relu", "gelu"))), "");
  EXPECT_NE(lost(replaced(matmul, "<{activation = \"relu\"}> ", ""), matmul), "");
  std::string parameters = replaced(fused, "relu", "relu, params = [0.5 : f32]");
  EXPECT_NE(lost(replaced(matmul, "<{activation = \"relu\"}>", parameters), matmul), "");
}

TEST_F(Guard, CachedFunctionsAreLookedInto) {
  auto program = [](const std::string &callee, const std::string &body) {
    return module(R"(  %w = ttcore.load_cached(@)" + callee +
                  R"(, [%y]) : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  %0 = "ttnn.add"(%x, %w) : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  return %0 : tensor<64x64xbf16, #a>
)") + "func.func private @" +
           callee +
           R"((%y: tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a> attributes {tt.function_type = "const_eval"} {
)" + body + "}\n";
  };
  std::string exp = R"(  %0 = "ttnn.exp"(%y) : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  return %0 : tensor<64x64xbf16, #a>
)";
  std::string converted = R"(  %0 = "ttnn.exp"(%y) : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  %1 = "ttnn.to_memory_config"(%0) : (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #b>
  return %1 : tensor<64x64xbf16, #b>
)";
  EXPECT_EQ(lost(program("f", exp), program("f_0", converted)), "");
  EXPECT_NE(lost(program("f", exp), program("f_0", replaced(converted, "ttnn.exp", "ttnn.relu"))), "");
  EXPECT_NE(lost(program("f", exp), program("f", "  return %y : tensor<64x64xbf16, #a>\n")), "");
  // That another function runs the same does not excuse what this one lost.
  std::string marked = replaced(program("f", exp), "{tt.function_type", "{note, tt.function_type");
  EXPECT_NE(lost(marked, program("f", exp)), "");
  EXPECT_NE(lost(marked, program("f_0", converted)), "");
  EXPECT_EQ(lost(marked, replaced(program("f_0", converted), "{tt.function_type", "{note, tt.function_type")),
            "");
  EXPECT_NE(lost(program("f", exp), replaced(program("f", exp), "tt.function_type = \"const_eval\"", "")),
            "");
  EXPECT_NE(lost(program("f", replaced(exp, "(%y) :", "(%y) {note} :")), program("f_0", converted)), "");
  EXPECT_NE(lost(replaced(program("f", exp), "[%y]) :", "[%y]) {note} :"), program("f_0", converted)), "");
}

TEST_F(Guard, OpsThatSayLittleDoNotTakeThePlaceOfThoseThatSayMore) {
  auto twice = [](const std::string &first, const std::string &second) {
    auto exp = [](const std::string &result, const std::string &said) {
      return "  %" + result + " = \"ttnn.exp\"(%x) " + said +
             ": (tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>\n";
    };
    return module(exp("0", first) + exp("1", second) + "  return %x : tensor<64x64xbf16, #a>\n");
  };
  EXPECT_EQ(lost(twice("", "{note = [1]} "), twice("{note = [1]} ", "")), "");
  EXPECT_EQ(lost(twice("{note = {}} ", "{note = {k = 1}} "), twice("{note = {k = 1}} ", "{note = {}} ")), "");
  EXPECT_NE(lost(twice("", "{note = [1]} "), twice("", "")), "");
}

TEST_F(Guard, RegionsAndUnknownOpsCount) {
  std::string text = R"("new.op"() <{key = #new.attr<[1, 2]>}> ({
  ^first(%a: i32):
    %0 = "new.inner"(%a) {k = 1 : i32} : (i32) -> i32
    "new.end"(%0) : (i32) -> ()
  }) : () -> ()
)";
  EXPECT_EQ(lost(text, text), "");
  EXPECT_NE(lost(text, replaced(text, "k = 1", "k = 2")), "");
  EXPECT_NE(lost(text, replaced(text, "\"new.end\"(%0)", "\"new.end\"(%a)")), "");
  EXPECT_NE(lost(text, replaced(text, "[1, 2]", "[1]")), "");
}

TEST_F(Guard, PropertiesOfMlirsOwnOpsCount) {
  std::string text = R"("func.func"() <{sym_name = "f", function_type = () -> (), new = 1 : i32}> ({
    "func.return"() : () -> ()
  }) : () -> ()
)";
  std::string read = R"(module {
  func.func @f() {
    return
  }
}
)";
  EXPECT_EQ(lost(replaced(text, ", new = 1 : i32", ""), read), "");
  EXPECT_NE(lost(text, read), "");
}

TEST_F(Guard, ResourcesCount) {
  std::string text = R"("new.op"() {w = dense_resource<blob> : tensor<1xi32>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001000000"
    }
  }
#-}
)";
  EXPECT_EQ(lost(text, text), "");
  EXPECT_NE(lost(text, replaced(text, "0x0400000001000000", "0x0400000002000000")), "");
}

TEST_F(Guard, ResourcesThatNothingIsMadeOfMayGo) {
  std::string text = R"("new.op"() {w = dense_resource<blob> : tensor<1xi32>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001000000",
      idle: "0x0400000002000000"
    }
  }
#-}
)";
  EXPECT_EQ(lost(text, replaced(text, ",\n      idle: \"0x0400000002000000\"", "")), "");
  EXPECT_NE(lost(text, replaced(text, "0x0400000001000000", "0x0400000003000000")), "");
  std::string op = "\"new.op\"() : () -> ()\n";
  EXPECT_EQ(lost(op + "{-# dialect_resources: { builtin: { idle: \"0x0400000002000000\" } } #-}\n", op), "");
  EXPECT_NE(lost(op + "{-# external_resources: { other: { key: \"0x0400000002000000\" } } #-}\n", op), "");
}

TEST_F(Guard, LocationsCountIfAsked) {
  std::string named = replaced(before, "return %1", "return %1");
  named = replaced(named, "-> tensor<64x64xbf16, #a>\n  %1", "-> tensor<64x64xbf16, #a> loc(\"here\")\n  %1");
  EXPECT_EQ(lost(named, before), "");
  GuardOptions options;
  options.locations = true;
  EXPECT_EQ(lost(named, named, options), "");
  EXPECT_NE(lost(named, before, options), "");
}

TEST_F(Guard, WhatCannotBeReadIsSaid) { EXPECT_NE(lost(before, "func.func @main("), ""); }

} // namespace
