//===- CsvTest.cpp --------------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/Csv.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

CsvTable parse(llvm::StringRef text) {
  llvm::Expected<CsvTable> table = CsvTable::parse(text, "t.csv");
  EXPECT_TRUE(bool(table));
  return std::move(*table);
}
std::string errorOf(llvm::StringRef text) {
  llvm::Expected<CsvTable> table = CsvTable::parse(text, "t.csv");
  return table ? "" : llvm::toString(table.takeError());
}

TEST(Csv, CellsByName) {
  CsvTable table = parse("b,a\n1, x \n,2.5\n");
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table.row(0)["a"], "x");
  EXPECT_EQ(table.row(0).integer("b"), 1);
  EXPECT_EQ(table.row(1)["b"], "");
  EXPECT_EQ(table.row(1).number("a"), 2.5);
  EXPECT_EQ(table.row(1).integer("a"), std::nullopt);
  EXPECT_EQ(table.row(1)["c"], "");
  EXPECT_EQ(table.row(1).cell(*table.column("a")), "2.5");
  EXPECT_EQ(table.column("c"), std::nullopt);
}

TEST(Csv, QuotesAndLineBreaks) {
  CsvTable table = parse("a,b\r\n\"x,\"\"y\"\"\nz\",2\r\n\r\n\"\",4\r\n");
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table.row(0)["a"], "x,\"y\"\nz");
  EXPECT_EQ(table.row(0)["b"], "2");
  EXPECT_EQ(table.row(0).line(), 2u);
  EXPECT_EQ(table.row(1)["b"], "4");
  EXPECT_EQ(table.row(1).line(), 5u); // the record above takes two lines, then one is blank
}

TEST(Csv, LastLineNeedsNoBreak) {
  CsvTable table = parse("\xEF\xBB\xBF"
                         "a,b\n1,");
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table.row(0)["a"], "1");
  EXPECT_EQ(table.row(0)["b"], "");
}

TEST(Csv, TablesMoveWithTheirCells) {
  CsvTable table = parse("a\n\"quoted\"\nplain\n");
  CsvTable moved = std::move(table);
  EXPECT_EQ(moved.row(0)["a"], "quoted");
  EXPECT_EQ(moved.row(1)["a"], "plain");
}

TEST(Csv, ErrorsNameTheirLine) {
  EXPECT_EQ(errorOf("a,b\n1,2\n\n1\n"), "t.csv:4: 1 fields, but the header names 2 columns");
  EXPECT_EQ(errorOf("a\n\"x\ny\n"), "t.csv:2: a quote is never closed");
  EXPECT_EQ(errorOf(llvm::StringRef("a\0b\n1\n", 6)), "t.csv:1: this is no text: it has bytes that are 0");
  EXPECT_EQ(errorOf("a,a\n"), "t.csv:1: column 'a' is there twice");
  EXPECT_EQ(errorOf(""), "t.csv:1: no header: the first line must name the columns");
  EXPECT_EQ(errorOf("\"a\n"), "t.csv:1: a quote in the header is never closed");
}

} // namespace
