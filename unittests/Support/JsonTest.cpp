//===- JsonTest.cpp - JSON of any depth ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/Json.h"
#include "tessera/Support/JsonPieces.h"

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

TEST(Json, IsCutAtTheOutermostCommas) {
  std::vector<llvm::StringRef> elements;
  EXPECT_TRUE(splitArray(R"( [1, {"a": [2, 3]},"[,\",]", [] ] )", elements));
  EXPECT_EQ(elements, (std::vector<llvm::StringRef>{"1", R"( {"a": [2, 3]})", R"("[,\",]")", " [] "}));
  elements.clear();
  EXPECT_TRUE(splitArray("[ ]", elements));
  EXPECT_TRUE(elements.empty());
  for (const char *wrong : {"", "1", "{}", "[", "[1", "[[1]", "[1]]", "[1]]["})
    EXPECT_FALSE(splitArray(wrong, elements)) << wrong;

  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> members;
  EXPECT_TRUE(splitObject(R"({"a" : [1, 2], "b\"":{"c": 3}})", members));
  EXPECT_EQ(members, (std::vector<std::pair<llvm::StringRef, llvm::StringRef>>{{R"("a")", " [1, 2]"},
                                                                               {R"("b\"")", R"({"c": 3})"}}));
  for (const char *wrong : {"[]", R"({"a"})", R"({"a": 1,})", R"({a: 1})", R"({")"})
    EXPECT_FALSE(splitObject(wrong, members)) << wrong;
}

TEST(Json, LongTextsAreTakenInParts) {
  // Longer than what is made a tree as a whole.
  std::string list = "[" + repeated(R"({"a": [1, "x"], "b": null},)", 5000) + "0";
  EXPECT_TRUE(isJson(list + "]"));
  EXPECT_TRUE(isJson("{\"long\": " + list + "]}"));
  EXPECT_FALSE(isJson(list + ",]"));
  EXPECT_FALSE(isJson("{\"long\": " + list + "], \"long\": 1}"));
  EXPECT_FALSE(isJson(repeated("[", 100000) + repeated("]", 100000)));
}

} // namespace
