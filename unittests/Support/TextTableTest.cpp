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

std::string print(const TextTable &table, size_t width) {
  std::string text;
  llvm::raw_string_ostream os(text);
  table.print(os, width);
  return text;
}

TEST(TextTable, FitsByNarrowingTheWidestTexts) {
  TextTable table({{"time", Align::Right}, {"op"}, {"why not"}});
  table.add({"3.2 us", "relu", "12.0 KiB of L1 are missing at matmul_3"});
  table.add({"11.0 us", "l1/block_sharded/8x8", "slower"});
  EXPECT_EQ(print(table, 44), "   time  op                why not\n"
                              "-------  ----------------  -----------------\n"
                              " 3.2 us  relu              12.0 KiB of L1\n"
                              "                           are missing at\n"
                              "                           matmul_3\n"
                              "11.0 us  l1/block_         slower\n"
                              "         sharded/8x8\n");
  EXPECT_EQ(print(table, 0), print(table)); // a string is no terminal
  EXPECT_EQ(print(table, 200), print(table));
}

TEST(TextTable, CharactersStayWholeAndNumbersStayOnOneLine) {
  TextTable table({{"a"}, {"number", Align::Right}});
  table.add({"µµµµµµµµµµµµµµµµ", "1234567890123456"});
  EXPECT_EQ(print(table, 10), "a                       number\n"
                              "------------  ----------------\n"
                              "µµµµµµµµµµµµ  1234567890123456\n"
                              "µµµµ\n");
}

TEST(TextTable, SurplusCellsAreLeftOut) {
  TextTable table({{"a"}});
  table.add({"1", "2"});
  EXPECT_EQ(print(table), "a\n-\n1\n");
  EXPECT_EQ(table.rows(), 1u);
}

} // namespace
