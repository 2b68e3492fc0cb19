//===- WrapTextTest.cpp - Text that fits its lines ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/WrapText.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

TEST(WrapText, BreaksAtBlanksAndNotBeforeItMust) {
  EXPECT_EQ(wrapText("aaa bb cc", 9), "aaa bb cc");
  EXPECT_EQ(wrapText("aaa bb cc", 8), "aaa bb\ncc");
  EXPECT_EQ(wrapText("aaa bb cc", 3), "aaa\nbb\ncc");
}

TEST(WrapText, AWordThatIsTooLongStaysWhole) { EXPECT_EQ(wrapText("a long-word b", 4), "a\nlong-word\nb"); }

TEST(WrapText, ContinuedLinesAreIndentedFromWhereTheLineBegan) {
  EXPECT_EQ(wrapText("a b\n  c d e", 5, 2), "a b\n  c d\n    e");
}

TEST(WrapText, TheFirstLineMayBeginElsewhere) { EXPECT_EQ(wrapText("aa bb", 8, 3, 3), "aa bb"); }
TEST(WrapText, TheFirstLineMayBeginTooFarRight) { EXPECT_EQ(wrapText("aa bb", 8, 3, 4), "aa\n   bb"); }

TEST(WrapText, LinesOfTheTextStayApart) { EXPECT_EQ(wrapText("a\n\nb", 80), "a\n\nb"); }
TEST(WrapText, NothingIsNothing) { EXPECT_EQ(wrapText("", 80), ""); }

} // namespace
