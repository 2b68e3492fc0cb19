//===- BackendsPluginTest.cpp - Shared libraries that answer --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "BackendsTest.h"

using namespace tessera;

namespace {

/// TESSERA_TEST_PLUGINS: the folder of BackendsTestPlugin.c's variants.
std::string plugin(llvm::StringRef variant) {
  return (llvm::Twine("plugin:") + TESSERA_TEST_PLUGINS + "/" + variant + ".so").str();
}

class PluginTest : public BackendsTest {
protected:
  ValidationResult ask(const OpModelBackend &backend, llvm::StringRef op,
                       llvm::StringRef layouts = "64x64@l1 -> 64x64@l1") {
    TextQuery q = parse(("ttnn." + op + " " + layouts).str());
    return backend.model().query(q.query());
  }
};

TEST_F(PluginTest, AnswersReachTheAsker) {
  std::optional<OpModelBackend> backend = this->backend(plugin("good"));
  ASSERT_TRUE(backend);
  EXPECT_EQ(backend->use().name, "test 7");
  TextQuery q = parse("ttnn.relu 64x64@l1 -> 64x64@l1");
  ValidationResult relu = backend->model().query(q.query());
  EXPECT_EQ(relu.status, ValidationStatus::Success) << relu.message;
  EXPECT_EQ(relu.constraints.cbL1PeakSize.value(), 4096);
  EXPECT_EQ(relu.constraints.outputLayouts, q.config.outputs);
  EXPECT_EQ(backend->model().runtime(q.query()).total.value(), 500);

  ValidationResult exp = ask(*backend, "exp");
  EXPECT_EQ(exp.status, ValidationStatus::MetalBackendError);
  EXPECT_EQ(exp.rule, "test.no_exp");
  EXPECT_EQ(exp.message, "no exp today");

  ValidationResult abs = ask(*backend, "abs"); // refused without a reason
  EXPECT_EQ(abs.status, ValidationStatus::MetalBackendError);
  EXPECT_EQ(abs.rule, "plugin.refused");
  EXPECT_EQ(abs.message, "ttnn.abs: refused by test 7");
}

TEST_F(PluginTest, PressureIsAddedToItsAnswers) {
  std::optional<OpModelBackend> backend = this->backend(plugin("good"));
  ASSERT_TRUE(backend);
  TextQuery q = parse("ttnn.relu 64x64@dram -> 64x64@dram");
  q.additionalL1 = device.usableL1() - Bytes(4096);
  EXPECT_EQ(backend->model().query(q.query()).status, ValidationStatus::Success);
  q.additionalL1 += Bytes(1);
  EXPECT_EQ(backend->model().query(q.query()).status, ValidationStatus::OutOfMemory);
}

TEST_F(PluginTest, OutOfMemoryStaysRefusedUnderAnyPressure) {
  std::optional<OpModelBackend> backend = this->backend(plugin("good"));
  ASSERT_TRUE(backend);
  for (int64_t additional : {0, 1, 1000}) {
    TextQuery fits = parse("ttnn.sin 64x64@l1 -> 64x64@l1"), large = parse("ttnn.cos 64x64@l1 -> 64x64@l1");
    fits.additionalL1 = large.additionalL1 = Bytes(additional);
    ValidationResult bySizes = backend->model().query(large.query());
    EXPECT_EQ(bySizes.status, ValidationStatus::OutOfMemory);
    EXPECT_EQ(bySizes.rule, "op.l1_capacity");
    ValidationResult bySay = backend->model().query(fits.query());
    EXPECT_EQ(bySay.status, ValidationStatus::MetalBackendError);
    EXPECT_EQ(bySay.rule, "plugin.out_of_memory");
  }
}

TEST_F(PluginTest, OtherLayoutsThanRequestedAreUnmatched) {
  std::optional<OpModelBackend> backend = this->backend(plugin("good"));
  ASSERT_TRUE(backend);
  ValidationResult l1 = ask(*backend, "silu"); // the plug-in's result lies in DRAM
  EXPECT_EQ(l1.status, ValidationStatus::UnmatchedReferenceConfig);
  EXPECT_EQ(l1.rule, "op.output_layout");
  ValidationResult dram = ask(*backend, "silu", "64x64@l1 -> 64x64@dram");
  EXPECT_EQ(dram.status, ValidationStatus::Success) << dram.message;
  ValidationResult open = ask(*backend, "silu", "64x64@l1 -> 64x64@?");
  EXPECT_EQ(open.status, ValidationStatus::Success) << open.message;
  EXPECT_EQ(open.constraints.outputLayouts, dram.constraints.outputLayouts);
}

TEST_F(PluginTest, WhatItDoesNotKnowFallsThroughWhenAsked) {
  std::unique_ptr<OpModel> analytic = createAnalyticOpModel(context());
  std::optional<OpModelBackend> alone = backend(plugin("good")),
                                helped = backend(plugin("good") + ",fallthrough");
  ASSERT_TRUE(alone && helped);
  TextQuery q = parse("ttnn.gelu 64x64@l1 -> 64x64@hs2");
  EXPECT_EQ(alone->model().query(q.query()).status, ValidationStatus::NotImplemented);
  expectEqual(helped->model().query(q.query()), analytic->query(q.query()), "gelu");
  expectEqual(helped->model().runtime(q.query()), analytic->runtime(q.query()));
  EXPECT_EQ(ask(*helped, "exp").rule, "test.no_exp"); // an answer is an answer
  EXPECT_EQ(helped->use().unanswered, 1u);
}

TEST_F(PluginTest, AnswersThatMakeNoSenseAreRefused) {
  std::optional<OpModelBackend> backend = this->backend(plugin("good"));
  ASSERT_TRUE(backend);
  const std::pair<llvm::StringRef, llvm::StringRef> cases[] = {
      {"tanh", "unknown status 42"}, {"sqrt", "a size of -1 bytes"}, {"rsqrt", "a time of -1.0"},
      {"neg", "output layouts"},     {"log", "missing value"},       {"sigmoid", "for result 1"},
  };
  for (auto [op, reason] : cases) {
    ValidationResult result = ask(*backend, op);
    EXPECT_EQ(result.status, ValidationStatus::MetalBackendError) << op.str();
    EXPECT_EQ(result.rule, "plugin.bad_answer") << op.str();
    EXPECT_NE(result.message.find(reason), std::string::npos) << result.message;
  }
  // "As requested" says nothing if nothing was requested.
  EXPECT_EQ(ask(*backend, "relu", "64x64@l1 -> 64x64@?").rule, "plugin.bad_answer");
}

TEST_F(PluginTest, AnswersCanBeRecorded) {
  std::optional<OpModelBackend> recording = backend("record:" + file("a.sqlite") + "," + plugin("good"));
  ASSERT_TRUE(recording);
  ValidationResult exp = ask(*recording, "exp"), relu = ask(*recording, "relu");
  llvm::Error error = recording->finish();
  ASSERT_FALSE(error) << llvm::toString(std::move(error));
  std::optional<OpModelBackend> recorded = backend("recorded:" + file("a.sqlite"));
  ASSERT_TRUE(recorded);
  expectEqual(ask(*recorded, "exp"), exp, "exp");
  expectEqual(ask(*recorded, "relu"), relu, "relu");
  // The answers of one model are not mixed with those of another.
  EXPECT_NE(refusal("record:" + file("a.sqlite")).find("holds the answers of 'test 7'"), std::string::npos);
}

TEST_F(PluginTest, WrongLibrariesAreRefused) {
  const std::pair<std::string, llvm::StringRef> cases[] = {
      {plugin("abi2"), "it was compiled for version 2 of the plug-in interface, this is version 1"},
      {plugin("small"), "its TesseraPlugin has 8 bytes, not "},
      {plugin("other_symbol"), "it does not export tessera_op_model_plugin"},
      {plugin("absent"), "No such file"},
      {"plugin:" + file("text.so"), "text.so"},
  };
  std::error_code error;
  llvm::raw_fd_ostream(file("text.so"), error) << "no library";
  for (const auto &[choice, reason] : cases) {
    std::string message = refusal(choice);
    EXPECT_NE(message.find(reason), std::string::npos) << message;
    EXPECT_TRUE(llvm::StringRef(message).starts_with("cannot use plug-in '")) << message;
  }
}

TEST_F(PluginTest, APluginMayRefuseADevice) {
  device = *findDevice("p150");
  std::string message = refusal(plugin("good"));
  EXPECT_NE(message.find("no blackhole here"), std::string::npos) << message;
}

} // namespace
