//===- CheckpointTest.cpp - What is not a checkpoint, and says so ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "CheckpointFiles.h"

#include "tessera/ModelRunner/Checkpoint.h"
#include "tessera/ModelRunner/RandomCheckpoint.h"
#include "tessera/ModelRunner/SourceMatrix.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

using namespace tessera::runner;

namespace {

/// The error of opening a folder with that one file.
std::string errorOf(const std::string &file) {
  TemporaryFolder folder;
  folder.write("model.safetensors", file);
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(folder.at(""));
  return checkpoint ? "" : llvm::toString(checkpoint.takeError());
}

void expectError(const std::string &file, llvm::StringRef part) {
  std::string error = errorOf(file);
  EXPECT_TRUE(llvm::StringRef(error).contains(part)) << error << "\ninstead of: " << part.str();
}

TEST(CheckpointTest, HeadersAreNotTrusted) {
  const std::string good =
      safetensors(R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})", "12345678");
  EXPECT_EQ(errorOf(good), "");
  expectError(good.substr(0, 4), "too few for a safetensors file");
  expectError(good.substr(0, 40), "its header claims");
  expectError(good.substr(0, good.size() - 1), "ends at byte 8 of the data, which has 7");
  expectError(good + "x", "bytes 8 to 9 of the data belong to no tensor");
  expectError(std::string(8, '\xff'), "its header claims 18446744073709551615 bytes");
  expectError(safetensors("[1]", ""), "its header is not a JSON object");
  expectError(safetensors("{", ""), "Expected object key");
  expectError(safetensors(R"({"a": 1})", ""), "tensor 'a': its entry is not an object");
  expectError(safetensors(R"({"a": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]}})", "12345678"),
              "its dtype is 'I64'; F32, BF16 and F8_E4M3 are read");
  expectError(safetensors(R"({"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}})", "12345678"),
              "its shape and dtype do not fill bytes 0 to 8");
  expectError(safetensors(R"({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 8]}})", ""),
              "not a list of whole numbers");
  expectError(
      safetensors(R"({"a": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 0]}})",
                  ""),
      "its shape and dtype do not fill");
  expectError(safetensors(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 0]}})", "1234"),
              "in order");
}

TEST(CheckpointTest, TensorsDoNotOverlap) {
  auto two = [](const char *first, const char *second) {
    return safetensors(std::string(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": )") + first +
                           R"(}, "b": {"dtype": "F32", "shape": [1], "data_offsets": )" + second + "}}",
                       "12345678");
  };
  EXPECT_EQ(errorOf(two("[4, 8]", "[0, 4]")), "");
  expectError(two("[0, 4]", "[2, 6]"), "tensor 'b' overlaps 'a'");
  expectError(two("[0, 4]", "[0, 4]"), "overlaps");
}

TEST(CheckpointTest, TheIndexNamesWhatIsThere) {
  TemporaryFolder folder;
  auto error = [&](const char *index) {
    folder.write("model.safetensors.index.json", index);
    llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(folder.at("."));
    return checkpoint ? std::string() : llvm::toString(checkpoint.takeError());
  };
  EXPECT_NE(error(R"({"weight_map": {"a": "1.safetensors"}})").find("cannot read"), std::string::npos);
  folder.write("1.safetensors",
               safetensors(R"({"a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}})", "12"));
  EXPECT_EQ(error(R"({"weight_map": {"a": "1.safetensors"}})"), "");
  EXPECT_NE(error(R"({"weight_map": {"b": "1.safetensors"}})").find("tensor 'b' is not in 1.safetensors"),
            std::string::npos);
  EXPECT_NE(error(R"({"weight_map": {"a": "../1.safetensors"}})").find("should be in a file of this folder"),
            std::string::npos);
  EXPECT_NE(error("{}").find("there is no object 'weight_map'"), std::string::npos);
}

// ---- fp8 -------------------------------------------------------------------------------------------------

TEST(Float8Test, AllNumbers) {
  for (int bits = 0; bits != 256; ++bits) {
    int exponent = bits >> 3 & 15, mantissa = bits & 7;
    float number = fromFloat8(uint8_t(bits));
    if ((bits & 0x7f) == 0x7f) {
      EXPECT_TRUE(std::isnan(number));
      continue;
    }
    double magnitude = exponent ? std::ldexp(8 + mantissa, exponent - 10) : std::ldexp(mantissa, -9);
    EXPECT_EQ(number, bits & 0x80 ? -magnitude : magnitude) << bits;
    EXPECT_EQ(toFloat8(number), bits);
  }
}

TEST(Float8Test, RoundsToTheNearest) {
  EXPECT_EQ(fromFloat8(toFloat8(1000)), 448);
  EXPECT_EQ(fromFloat8(toFloat8(-1.0624f)), -1);
  EXPECT_EQ(fromFloat8(toFloat8(1.0625f)), 1); // a tie: to even
  EXPECT_EQ(fromFloat8(toFloat8(1.1875f)), 1.25f);
  EXPECT_EQ(fromFloat8(toFloat8(1.99f)), 2);
  EXPECT_EQ(fromFloat8(toFloat8(0x1p-6f * 0.99f)), 0x1p-6f);
  EXPECT_EQ(fromFloat8(toFloat8(0x1p-10f)), 0);
}

} // namespace
