//===- TokenTreeTest.cpp - Tests of attributes as trees of tokens ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "TokenTree.h"

#include "gtest/gtest.h"

using namespace tessera::guard;

namespace {

std::string missing(llvm::StringRef before, llvm::StringRef after, const Aliases &aliases = {}) {
  return firstMissing(parseTokens(before, aliases), parseTokens(after, aliases));
}

TEST(TokenTree, KeysHaveNoOrder) {
  EXPECT_EQ(missing("#a.b<x = 1, y = 2>", "#a.b<y = 2, x = 1>"), "");
  EXPECT_EQ(missing("{a, b = 3}", "{b = 3, a}"), "");
}

TEST(TokenTree, MoreKeysAreDefaults) {
  EXPECT_EQ(missing("#a.b<x = 1>", "#a.b<x = 1, y = false>"), "");
  EXPECT_NE(missing("#a.b<x = 1, y = false>", "#a.b<x = 1>"), "");
}

TEST(TokenTree, ListsKeepTheirLength) {
  EXPECT_NE(missing("[1, 2]", "[1, 2, 3]"), "");
  EXPECT_NE(missing("[1, 2]", "[2, 1]"), "");
  EXPECT_EQ(missing("[1,2]", "[ 1, 2 ]"), "");
}

TEST(TokenTree, ValuesCount) {
  EXPECT_NE(missing("#a.b<x = 1>", "#a.b<x = 2>"), "");
  EXPECT_NE(missing("\"a b\"", "\"a  b\""), "");
  EXPECT_NE(missing("dense<1> : tensor<2xi32>", "dense<1> : tensor<3xi32>"), "");
}

TEST(TokenTree, PrefixesMayBeElided) {
  EXPECT_EQ(missing("#ttnn.core_coord<8, 8>", "<8, 8>"), "");
  EXPECT_EQ(missing("<<8, 8>, 1>", "<#ttnn.core_coord<8, 8>, 1>"), "");
  EXPECT_NE(missing("#ttnn.core_coord<8, 8>", "#ttnn.core_size<8, 8>"), "");
}

TEST(TokenTree, ExtentsHaveBlanksOrNot) {
  EXPECT_EQ(missing("memref<2 x 3 x !t<32 x 32, f32>>", "memref<2x3x!t<32x32, f32>>"), "");
  EXPECT_NE(missing("<2x3>", "<2x4>"), "");
  EXPECT_NE(missing("<2x3>", "<2x3x1>"), "");
}

TEST(TokenTree, GridsHadMaps) {
  EXPECT_EQ(missing("<5x1, (d0, d1) -> (0, d0, d1)>", "<5x1>"), "");
  EXPECT_NE(missing("<5x1, (d0, d1) -> (0, d0, d1)>", "<5x2>"), "");
  EXPECT_NE(missing("<(d0, d1) -> (d0, d1), 5x1>", "<5x1>"), "");
}

TEST(TokenTree, WhatPrintersLeaveOutIsNoLoss) {
  EXPECT_EQ(missing("<core_ranges = <[]>, ignorePhysicalLayout = false>", "<core_ranges = <[]>>"), "");
  EXPECT_NE(missing("<core_ranges = <[]>, ignorePhysicalLayout = true>", "<core_ranges = <[]>>"), "");
  EXPECT_NE(missing("<core_ranges = <[]>, ignorePhysicalLayout = true>",
                    "<core_ranges = <[]>, ignorePhysicalLayout = false>"),
            "");
}

TEST(TokenTree, NumbersAreValues) {
  EXPECT_EQ(missing("1.0 : f32", "1.000000e+00 : f32"), "");
  EXPECT_NE(missing("1.0 : f32", "1.0 : f64"), "");
  EXPECT_NE(missing("1.5 : f32", "1.25 : f32"), "");
  EXPECT_EQ(missing("3 : i64", "3"), "");
  EXPECT_NE(missing("3 : i32", "3"), "");
  EXPECT_EQ(missing("0.1000000001 : f32", "1.000000e-01 : f32"), "");
}

TEST(TokenTree, NumbersThatAnF32HasNotAreCompared) {
  EXPECT_NE(missing("1.000000e+39", "2.000000e+39"), "");
  EXPECT_NE(missing("1.000000e-60", "2.000000e-60"), "");
  EXPECT_NE(missing("0.1000000001 : f64", "1.000000e-01 : f64"), "");
  EXPECT_EQ(missing("1.0e39 : f64", "1.000000e+39 : f64"), "");
}

TEST(TokenTree, AliasesAreWhatTheyStandFor) {
  Aliases aliases;
  aliases["#dram"] = "#ttnn.buffer_type<dram>";
  aliases["#l1"] = "#ttnn.buffer_type<l1>";
  EXPECT_EQ(missing("<#dram>", "<#ttnn.buffer_type<dram>>", aliases), "");
  EXPECT_NE(missing("<#dram>", "<#l1>", aliases), "");
}

TEST(TokenTree, ArrowsAndComparisonsAreNoBrackets) {
  EXPECT_EQ(missing("<(d0, d1) -> (d0), s = <1x1>>", "<(d0, d1) -> (d0), s = <1x1>>"), "");
  EXPECT_NE(missing("<(d0, d1) -> (d0), s = <1x1>>", "<(d0, d1) -> (d1), s = <1x1>>"), "");
}

TEST(TokenTree, BracketsThatDoNotMatchEndWithTheText) {
  EXPECT_EQ(missing("<[1", "<[1"), "");
  EXPECT_NE(missing("<[1", "<[2"), "");
}

} // namespace
