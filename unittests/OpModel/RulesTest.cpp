//===- RulesTest.cpp - Each legality rule accepts and refuses ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One entry per rule: a query that is legal, and one that only this rule refuses
// first. A rule without an entry fails the test.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"
#include "RuleCases.h"

#include "tessera/OpModel/OpTable.h"
#include "gtest/gtest.h"

#include <set>

using namespace tessera;

namespace {

constexpr llvm::StringLiteral kConvAttributes =
    "batch_size=1 input_height=56 input_width=56 in_channels=64 out_channels=64 kernel_size=[3,3] "
    "stride=[1,1] padding=[1,1] "
    "dilation=[1,1] groups=1";
constexpr llvm::StringLiteral kPoolAttributes = "batch_size=1 input_height=128 input_width=128 channels=32 "
                                                "kernel_size=[2,2] stride=[2,2] padding=[0,0] dilation=[1,1]";

constexpr llvm::StringLiteral kPointAttributes =
    "batch_size=1 input_height=56 input_width=56 in_channels=64 out_channels=64 kernel_size=[1,1]";
constexpr llvm::StringLiteral kSmallAttributes = "batch_size=1 input_height=28 input_width=28 in_channels=64 "
                                                 "out_channels=64 kernel_size=[3,3] padding=[1,1]";
constexpr llvm::StringLiteral kFoldAttributes = "batch_size=1 input_height=56 input_width=56 in_channels=64 "
                                                "out_channels=64 kernel_size=[2,2] stride=[2,2]";
/// Of a convolution that is told to fold.
constexpr llvm::StringLiteral kToldAttributes = "batch_size=1 in_channels=64 out_channels=64 "
                                                "conv2d_config.enable_kernel_stride_folding=true";
constexpr llvm::StringLiteral kDeepAttributes = "batch_size=1 input_height=7 input_width=7 in_channels=512 "
                                                "out_channels=512 kernel_size=[3,3] padding=[1,1]";
constexpr llvm::StringLiteral kLargeAttributes =
    "batch_size=1 input_height=512 input_width=512 in_channels=64 out_channels=64 kernel_size=[3,3] "
    "padding=[1,1]";

constexpr llvm::StringLiteral kDepthwiseAttributes =
    "batch_size=1 input_height=32 input_width=32 in_channels=640 out_channels=640 groups=640 "
    "kernel_size=[3,3] "
    "padding=[1,1]";

llvm::SmallVector<RuleCase, 0> allCases() {
  llvm::SmallVector<RuleCase, 0> result;
  for (auto family : {ruleCasesOfEltwise, ruleCasesOfMatmul, ruleCasesOfWindow, ruleCasesOfReduction,
                      ruleCasesOfMovement, ruleCasesOfAttention, ruleCasesOfExperts})
    llvm::append_range(result, family());
  return result;
}

const llvm::SmallVector<RuleCase, 0> kCases = allCases();

std::string expand(llvm::StringRef text) {
  std::string result = text.str();
  for (auto [word, attributes] :
       {std::pair("CONV", kConvAttributes), std::pair("POINT", kPointAttributes),
        std::pair("SMALL", kSmallAttributes), std::pair("FOLD", kFoldAttributes),
        std::pair("TOLD", kToldAttributes), std::pair("DEEP", kDeepAttributes),
        std::pair("LARGE", kLargeAttributes), std::pair("DEPTHWISE", kDepthwiseAttributes),
        std::pair("POOL", kPoolAttributes)})
    if (size_t at = result.find(word); at != std::string::npos)
      result.replace(at, llvm::StringRef(word).size(), attributes.str());
  return result;
}

class RulesTest : public testing::Test {
protected:
  const DeviceSpec &device = *findDevice("n150");
  LayoutPool layouts;
  std::unique_ptr<OpModel> model = createAnalyticOpModel({device, layouts, device.usableL1()});
  std::unique_ptr<OpModel> newest = createAnalyticOpModel({device, layouts, device.usableL1(), kNewest});
  std::unique_ptr<OpModel> october =
      createAnalyticOpModel({device, layouts, device.usableL1(), BackendVersion::October2026});

  ValidationResult ask(llvm::StringRef text, BackendVersion version = BackendVersion::Pinned) {
    const OpModel &asked = version == kNewest                       ? *newest
                           : version == BackendVersion::October2026 ? *october
                                                                    : *model;
    return asked.query(parseQuery(expand(text), layouts, device).query());
  }
  /// Of two answers the first that `holds`: rules end or begin with a version.
  template <typename Holds>
  ValidationResult either(llvm::StringRef text, BackendVersion version, Holds holds) {
    ValidationResult result = ask(text, version);
    return holds(result) ? result : ask(text, kNewest);
  }
};

TEST_F(RulesTest, EachRuleAccepts) {
  for (const RuleCase &c : kCases) {
    ValidationResult result = either(c.accepted, c.version, [](const ValidationResult &r) {
      return r.status != ValidationStatus::MetalBackendError;
    });
    EXPECT_NE(result.status, ValidationStatus::MetalBackendError)
        << c.rule.str() << ": " << result.rule << ": " << result.message;
    EXPECT_NE(result.status, ValidationStatus::NotImplemented) << c.rule.str() << ": " << result.message;
  }
}

TEST_F(RulesTest, EachRuleRefuses) {
  for (const RuleCase &c : kCases) {
    if (c.refused.empty())
      continue; // needs layouts that the builders do not make: see below
    ValidationResult result =
        either(c.refused, c.version, [&](const ValidationResult &r) { return r.rule == c.rule.str(); });
    EXPECT_EQ(result.status, ValidationStatus::MetalBackendError)
        << c.rule.str() << ": " << name(result.status).str();
    EXPECT_EQ(result.rule, c.rule.str()) << result.message;
    const RuleInfo *rule = findRule(c.rule);
    ASSERT_NE(rule, nullptr) << c.rule.str();
    EXPECT_NE(result.message.find(rule->requirement.str()), std::string::npos) << result.message;
  }
}

TEST_F(RulesTest, NoRuleIsUntested) {
  std::set<std::string> tested;
  for (const RuleCase &c : kCases)
    tested.insert(c.rule.str());
  for (const RuleInfo &rule : legalityRules())
    EXPECT_TRUE(tested.count(rule.id.str())) << rule.id.str();
  for (const std::string &rule : tested)
    EXPECT_NE(findRule(rule), nullptr) << rule << " is no longer a rule";
}

TEST_F(RulesTest, GridBeyondTheDeviceIsRefused) {
  TextQuery q = parseQuery("ttnn.relu 2048x64@hs64 -> 2048x64@hs64", layouts, device);
  TensorLayout wide = layouts[q.inputs[0]];
  wide.grid = {65, 1};
  q.inputs[0] = layouts.intern(wide);
  EXPECT_EQ(model->query(q.query()).rule, "op.grid");
}

TEST_F(RulesTest, RefusedTypesSayWhichAreTaken) {
  model = createAnalyticOpModel({device, layouts, device.usableL1(), BackendVersion::Newest});
  auto legal = [&](const std::string &op) {
    TextQuery q = parseQuery(op + " 64x64xu8@dram, 64x64xsi32@dram -> 64x64xsi32@dram", layouts, device);
    ValidationResult result = model->query(q.query());
    EXPECT_EQ(result.rule, "binary.types");
    return llvm::StringRef(result.message).split(" (").second.split(")").first.str();
  };
  EXPECT_EQ(legal("ttnn.bitwise_and"), "two of one type of si32, u32, u16");
  EXPECT_EQ(legal("ttnn.multiply"),
            "two of one type of floats, si32, u32, u16; or two floats; or a float and si32 or u32");
  EXPECT_EQ(legal("ttnn.eq"), "two of one type of floats, si32, u32, u16, u8; or two floats; or u16 and u8");
}

/// Their bytes are beyond 64 bits.
TEST_F(RulesTest, ShardsOfAbsurdSizeAreRefused) {
  TextQuery q = parseQuery("ttnn.relu 64x64@hs2 -> 64x64@hs2", layouts, device);
  TensorLayout huge = layouts[q.inputs[0]];
  huge.shard = {int64_t(1) << 31, int64_t(1) << 31};
  q.inputs[0] = layouts.intern(huge);
  EXPECT_EQ(model->query(q.query()).rule, "op.layout_size");
}

TEST_F(RulesTest, EmptyGridIsRefused) {
  TextQuery q = parseQuery("ttnn.relu 64x64@hs2 -> 64x64@hs2", layouts, device);
  TensorLayout empty = layouts[q.inputs[0]];
  empty.grid = {0, 1};
  q.inputs[0] = layouts.intern(empty);
  EXPECT_EQ(model->query(q.query()).rule, "op.layout_size");
}

TEST_F(RulesTest, HeadsThatDoNotBeginWithTheFirstCoreAreRefused) {
  TextQuery q = parseQuery("ttnn.nlp_concat_heads_decode 1x8x32x128@hs8 -> 1x1x8x4096@? ; num_heads=32",
                           layouts, device);
  TensorLayout moved = layouts[q.inputs[0]];
  moved.cores->ranges = {{{0, 1}, {7, 1}}};
  q.inputs[0] = layouts.intern(moved);
  EXPECT_EQ(newest->query(q.query()).rule, "nlp_concat_heads_decode.first_core");
}

TEST_F(RulesTest, MessageSaysWhatWasGivenAndWhatWouldBeLegal) {
  ValidationResult result =
      ask("ttnn.matmul 256x64@hs8, 64x64@ws2 -> 256x64@hs8 ; ; mcast1d_in1 k=2 m=1 n=2");
  EXPECT_NE(result.message.find("1D mcast_in1 needs an interleaved in1"), std::string::npos)
      << result.message;
  EXPECT_NE(result.message.find("in1 64x64xbf16 l1/width_sharded/1x2"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("mcast_1d in1"), std::string::npos) << result.message;
}

TEST_F(RulesTest, UnknownOpsAreNotImplemented) {
  ValidationResult result = ask("ttnn.frobnicate 64x64@dram -> 64x64@dram");
  EXPECT_EQ(result.status, ValidationStatus::NotImplemented);
  EXPECT_NE(result.message.find("ttnn.frobnicate"), std::string::npos);
}

} // namespace
