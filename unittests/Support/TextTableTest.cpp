//===- TextTableTest.cpp - Aligned tables ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/TextTable.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

std::string print(const TextTable &table) {
  std::string text;
  llvm::raw_string_ostream os(text);
  table.print(os);
  return text;
}

TEST(TextTable, AlignsColumns) {
  TextTable table({{"op"}, {"L1", Align::Right}, {"where"}});
  table.add({"matmul_0", "64.0 KiB", "l1"});
  table.add({"relu", "0 B", "dram"});
  EXPECT_EQ(print(table), "op              L1  where\n"
                          "--------  --------  -----\n"
                          "matmul_0  64.0 KiB  l1\n"
                          "relu           0 B  dram\n");
}

TEST(TextTable, NoBlanksAtLineEnds) {
  TextTable table({{"a"}, {"b", Align::Right}, {"c"}});
  table.add({"1"});
  table.add({"", "22"});
  EXPECT_EQ(print(table), "a   b  c\n"
                          "-  --  -\n"
                          "1\n"
                          "   22\n");
}

TEST(TextTable, CountsTerminalColumnsNotBytes) {
  TextTable table({{"time"}, {"x"}});
  table.add({"12 µs", "1"});
  table.add({"12345", "2"});
  EXPECT_EQ(print(table), "time   x\n"
                          "-----  -\n"
                          "12 µs  1\n"
                          "12345  2\n");
}

TEST(TextTable, SurplusCellsAreLeftOut) {
  TextTable table({{"a"}});
  table.add({"1", "2"});
  EXPECT_EQ(print(table), "a\n-\n1\n");
  EXPECT_EQ(table.rows(), 1u);
}

} // namespace
