//===- ModuleTextTest.cpp - What MLIR's parser is not given ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/ModuleText.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

constexpr unsigned kMost = kDeepestModule;

std::string check(llvm::StringRef text, bool allowBytecode = false) {
  return llvm::toString(checkModuleText(llvm::MemoryBufferRef(text, "m.mlir"), allowBytecode));
}

std::string repeated(llvm::StringRef text, size_t times) {
  std::string all;
  while (times--)
    all += text;
  return all;
}

std::string nested(llvm::StringRef open, llvm::StringRef close, size_t times) {
  return repeated(open, times) + repeated(close, times);
}

/// `!t1 = tuple<!t0>` and so on, `count` lines.
std::string chain(llvm::StringRef line, unsigned count) {
  std::string text;
  for (unsigned i = 1; i <= count; ++i) {
    std::string step = line.str();
    for (auto [name, number] : {std::pair("NEW", i), std::pair("OLD", i - 1)})
      for (size_t at; (at = step.find(name)) != std::string::npos;)
        step.replace(at, 3, std::to_string(number));
    text += step;
  }
  return text;
}

const std::string kTooDeep = "nests more than 256 deep; MLIR's parser could not take it";

bool tooDeep(const std::string &text) {
  std::string error = check(text);
  EXPECT_TRUE(error.empty() || llvm::StringRef(error).ends_with(kTooDeep)) << error;
  return !error.empty();
}

TEST(ModuleText, EveryBracketNests) {
  for (auto [open, close] : {std::pair("module {", "}"), {"tuple<", ">"}, {"[", "]"}, {"(", ")"}}) {
    EXPECT_FALSE(tooDeep(nested(open, close, kMost))) << open;
    EXPECT_TRUE(tooDeep(nested(open, close, kMost + 1))) << open;
    EXPECT_FALSE(tooDeep(repeated(nested(open, close, 1), 10000))) << open;
  }
  EXPECT_EQ(check("module {\n  " + repeated("[", kMost)), "m.mlir:2:258: error: " + kTooDeep);
}

TEST(ModuleText, ByteOrderMarksAreNamed) {
  EXPECT_EQ(check("\xEF\xBB\xBFmodule {}"),
            "m.mlir:1:1: error: the text begins with a byte order mark, which MLIR's "
            "parser does not take; save it as UTF-8 without");
  EXPECT_EQ(check("module attributes {a = \"\xEF\xBB\xBF\"} {}"), "");
}

TEST(ModuleText, OperatorsNestUntilTheExpressionEnds) {
  EXPECT_TRUE(tooDeep("#m = affine_map<(d0) -> (" + repeated("-", kMost) + "d0)>"));
  EXPECT_TRUE(tooDeep("#m = affine_map<(d0) -> (d0" + repeated(" + 2floordiv 3", kMost / 2) + ")>"));
  EXPECT_FALSE(tooDeep("#m = affine_map<(d0) -> (" + repeated("d0 + 1 floordiv 2, ", 1000) + "d0)>"));
  EXPECT_FALSE(tooDeep("#d = dense<[" + repeated("-1, ", 1000) + "-1]> : tensor<1001xi32>"));
  EXPECT_FALSE(tooDeep("module {" + repeated("\"a.b\"() {c = -1 : i32} : () -> ()\n", 1000) + "}"));
}

TEST(ModuleText, ResultsAreNotMoreThanTheTextCanName) {
  EXPECT_EQ(check("func.return %0#1 : i32, %0#4000000000"),
            "m.mlir:1:27: error: values are asked for more results than "
            "37 characters can name; MLIR's parser could not take it");
  EXPECT_EQ(check("%0:2 = \"a.b\"() : () -> (i32, i32)\n" + repeated("\"c.d\"(%0#1) : (i32) -> ()\n", 1000)),
            "");
  std::string manyValues;
  for (unsigned i = 0; i != 1000; ++i)
    manyValues += "%" + std::to_string(i) + " #1000 ";
  EXPECT_NE(check(manyValues), "");
  EXPECT_EQ(check("#a = 1 %0#99999999999999999999"), ""); // no number for the parser either
}

TEST(ModuleText, StringsAndCommentsDoNotNest) {
  EXPECT_FALSE(tooDeep("\"" + repeated("[", 1000) + "\""));
  EXPECT_FALSE(tooDeep("\"" + repeated("\\\"[", 1000) + "\""));
  EXPECT_FALSE(tooDeep("// " + repeated("[", 1000) + "\nmodule {}"));
  EXPECT_TRUE(tooDeep("\"not closed\n" + repeated("[", 1000)));
  EXPECT_TRUE(tooDeep("\"\\\\\"" + repeated("[", 1000)));
  EXPECT_TRUE(tooDeep("// comment\n" + repeated("[", 1000)));
}

TEST(ModuleText, ClosersThatAreNoneDoNotHideNesting) {
  EXPECT_TRUE(tooDeep(repeated("(d0) -> <", 1000)));
  EXPECT_TRUE(tooDeep(repeated("[ ) > }", 1000)));
  EXPECT_TRUE(tooDeep(repeated("<(d0 >= ", 1000)));
  EXPECT_TRUE(tooDeep(repeated("<@a->", 1000)));
  EXPECT_TRUE(tooDeep(repeated("<%0->", 1000)));
  EXPECT_FALSE(tooDeep(repeated("<#a->", 1000))); // "a-" is a name, and ">" closes
}

TEST(ModuleText, DialectBodiesEndInComments) {
  // MLIR looks for the end of a dialect's body without knowing comments: the brackets behind it are real.
  EXPECT_TRUE(tooDeep("module attributes {a.a = #foo.bar<//>, b = " + repeated("[", 1000)));
  EXPECT_TRUE(tooDeep("module attributes {a.a = #foo.bar<//>, b = \" " + repeated("[", 1000)));
  EXPECT_TRUE(tooDeep(repeated("tuple< // >\n", 1000)));
  EXPECT_FALSE(tooDeep(repeated("tuple< // > of \"nothing\n >", 100)));
}

TEST(ModuleText, AliasesNestAsWhatTheyStandFor) {
  EXPECT_FALSE(tooDeep("!t0 = i32\n" + chain("!tNEW = tuple<!tOLD>\n", kMost)));
  EXPECT_TRUE(tooDeep("!t0 = i32\n" + chain("!tNEW = tuple<!tOLD>\n", kMost + 1)));
  EXPECT_TRUE(tooDeep("#a0 = 1\n" + chain("#aNEW =\n[#aOLD] ", kMost + 1)));
  EXPECT_TRUE(tooDeep("!t0 = i32\n" + chain("!tNEW = () ->\n (!tOLD)\n", kMost + 1)));
  EXPECT_TRUE(tooDeep("#a0 = 1\n" + chain("#aNEW = \"s\" : memref<1xi8, #aOLD>\n", kMost + 1)));
  EXPECT_TRUE(tooDeep("#a0 = 1\n" + chain("#bNEW = #foo.bar<//> #aNEW = [#aOLD]\n", kMost + 1)));
}

TEST(ModuleText, ADefinitionEndsBeforeTheOpThatFollows) {
  // If `#a` went on through the module, each use would add what the module nests.
  std::string uses = repeated("{b = #a}", 1000);
  EXPECT_FALSE(tooDeep("#a = [1 : i32]\nmodule {" + uses + "}"));
  EXPECT_FALSE(tooDeep("#a = loc(\"x\") \"builtin.module\"() ({" + uses + "})"));
  EXPECT_FALSE(tooDeep("#a = #foo.bar %0 = " + uses));
}

TEST(ModuleText, AliasesThatGrowExponentially) {
  std::string base = "!t0 = tuple<i32, i32>\n";
  EXPECT_EQ(check(base + chain("!tNEW = tuple<!tOLD, !tOLD>\n", 15)), "");
  EXPECT_NE(check(base + chain("!tNEW = tuple<!tOLD, !tOLD>\n", 60)).find("aliases stand for more than "),
            std::string::npos);
  // Many uses of an ordinary alias are not such a case.
  EXPECT_EQ(
      check("#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>>>\n" +
            repeated("#l ", 1000000)),
      "");
}

TEST(ModuleText, BytecodeIsReadOnRequest) {
  EXPECT_NE(check("ML\xefR\x06").find("m.mlir:1:1: error: this is bytecode"), std::string::npos);
  EXPECT_EQ(check("ML\xefR\x06", /*allowBytecode=*/true), "");
}

} // namespace
