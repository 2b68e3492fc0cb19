//===- JsonTest.cpp - JSON of any depth ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/Json.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

std::string repeated(const char *text, size_t times) {
  std::string all;
  while (times--)
    all += text;
  return all;
}

std::string errorOf(const std::string &text) {
  llvm::Expected<llvm::json::Value> value = parseJson(text);
  return value ? "" : llvm::toString(value.takeError());
}

TEST(Json, DepthIsLimited) {
  EXPECT_EQ(errorOf(repeated("[", kDeepestJson) + repeated("]", kDeepestJson)), "");
  EXPECT_EQ(errorOf("\n" + repeated("[", kDeepestJson + 1) + repeated("]", kDeepestJson + 1)),
            "[2:64, byte=65]: arrays and objects nest more than 64 deep");
  EXPECT_NE(errorOf(repeated("{\"a\":", 100000)).find("nest more than 64 deep"), std::string::npos);
}

TEST(Json, ManySiblingsAreNotDeep) { EXPECT_EQ(errorOf("[" + repeated("[[]],", 1000) + "{}]"), ""); }

TEST(Json, BracketsInStringsDoNotNest) {
  EXPECT_EQ(errorOf("\"" + repeated("[{", 1000) + "\""), "");
  EXPECT_EQ(errorOf("\"" + repeated("\\\"[", 1000) + "\""), "");
  EXPECT_NE(errorOf("[\"\\\\\", " + repeated("[", 1000)).find("nest more than"), std::string::npos);
}

TEST(Json, KeysStandOnce) {
  EXPECT_EQ(errorOf(R"({"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": "a"}]})"), "");
  EXPECT_EQ(errorOf(R"({"a": "b", "b": "a"})"), "");
  EXPECT_EQ(errorOf("{\"a\": 1,\n \"b\": 2, \"a\" : 1}"),
            "[2:9, byte=18]: the object has the key \"a\" already");
  EXPECT_EQ(errorOf(R"([{"b": {"x": 1, "\u0078": 2}}])"),
            "[1:16, byte=16]: the object has the key \"\\u0078\" already");
  // Text that is no JSON at all is reported first.
  EXPECT_NE(errorOf(R"({"a": 1, "a": })").find("Invalid JSON value"), std::string::npos);
}

TEST(Json, OtherErrorsAreTheParsers) {
  EXPECT_NE(errorOf("[1,").find("byte=3"), std::string::npos);
  EXPECT_EQ(errorOf("[1, 2]"), "");
}

} // namespace
