//===- ModuleAttempts.cpp - Modules through everything that reads them ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Kinds.h"

#include "ModuleMutator.h"

#include "tessera/Optimizer/Policy/Policy.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tessera::fuzz {
namespace {

constexpr llvm::StringLiteral kPasses[] = {
    "ttnn-split-conversions",
    "ttnn-verify-conversions",
    "ttnn-split-conversions,ttnn-verify-conversions",
    "ttnn-optimizer",
    "ttnn-optimizer{memory-layout-analysis-enabled=true}",
    "ttnn-optimizer,ttnn-optimizer{memory-layout-analysis-enabled=true}"};

/// What any run can be asked for besides.
constexpr llvm::StringLiteral kOptions[] = {"--row-major-enabled",
                                            "--l1-interleaved-fallback-analysis-enabled",
                                            "--explain",
                                            "--debuginfo",
                                            "--dump-plan plan.json",
                                            "--dump-solver solver.json",
                                            "--dump-solver solver.txt",
                                            "--op-model mock",
                                            "--op-model record:answers",
                                            "--op-model-cache answers",
                                            "--tensor-l1-usage-cap 0.1",
                                            "--tensor-l1-usage-cap 0",
                                            "--max-legal-layouts 1",
                                            "--max-legal-layouts 64",
                                            "--device p150",
                                            "--device n300",
                                            "--device galaxy",
                                            "--backend-version newest",
                                            "--backend-version january-2025"};

constexpr llvm::StringLiteral kLayouts[] = {"dram",
                                            "l1:interleaved",
                                            "row_major",
                                            "tile:bf16",
                                            "dram:interleaved:row_major:f32",
                                            "8x8:l1:block_sharded:tile",
                                            "4x4:l1:block_sharded",
                                            "8x1:l1:height_sharded:tile",
                                            "1x8:l1:width_sharded",
                                            "height_sharded",
                                            "bfp_bf8"};

constexpr llvm::StringLiteral kConvConfigs[] = {
    "shard_layout#height_sharded:act_block_h_override#32", "shard_layout#block_sharded:core_grid#8x8",
    "weights_dtype#bfp_bf8", "deallocate_activation#true:output_layout#row_major",
    "reshard_if_not_optimal#true:override_sharding_config#true"};

/// How overrides name an op of the text: `add_0` for the first "ttnn.add". "" if there is none.
std::string anyOpName(StringRef text, Random &random) {
  constexpr llvm::StringLiteral kStart = "\"ttnn.";
  size_t at = text.find(kStart, random.below(text.size() + 1));
  if (at == StringRef::npos)
    at = text.find(kStart);
  if (at == StringRef::npos)
    return "";
  StringRef op = text.drop_front(at + kStart.size()).take_until([](char c) { return c == '"'; });
  return op.str() + "_" + std::to_string(random.few(8) - 1);
}

void addOverride(std::vector<std::string> &command, StringRef text, Random &random) {
  std::string op = anyOpName(text, random);
  if (op.empty())
    return;
  switch (random.below(3)) {
  case 0:
    command.insert(command.end(), {"--insert-memreconfig", op + "=" + (random.oneIn(2) ? "0" : "0:1")});
    break;
  case 1:
    op = random.oneIn(2) ? "conv2d_0" : op;
    command.insert(command.end(), {"--override-conv2d-config", op + "=" + random.of(kConvConfigs).str()});
    break;
  default:
    std::string layouts = op + "=" + random.of(kLayouts).str();
    if (std::string other = anyOpName(text, random); other != op && random.oneIn(2))
      layouts += "," + other + "=" + random.of(kLayouts).str();
    command.insert(command.end(), {"--override-output-layout", layouts});
  }
}

/// Half of them as a program that MLIR can hold, the others with anything wrong.
std::string mutatedModule(const Inputs &inputs, Random &random) {
  const Corpus &corpus = !random.oneIn(3)  ? inputs.programs
                         : random.oneIn(4) ? inputs.wrongModules
                                           : inputs.modules;
  const std::string &text = corpus.entry(random);
  if (random.oneIn(3))
    return mutate(text, corpus, random);
  std::string odd =
      mutateModule(text, (random.oneIn(2) ? inputs.programs : inputs.modules).entry(random), random);
  return random.oneIn(4) ? mutate(std::move(odd), corpus, random) : odd;
}

} // namespace

Attempt tryModule(const Inputs &inputs, Random &random) {
  Attempt attempt{{}, {{"input.mlir", mutatedModule(inputs, random)}}};
  std::vector<std::string> &command = attempt.command;
  switch (random.below(12)) {
  case 0:
    command = {"tessera-opt", "input.mlir", random.of(kPasses).str()};
    attempt.mayRepeatErrors = true;
    return attempt;
  case 1:
    command = words("tessera ops explain input.mlir --op");
    command.push_back(random.oneIn(2) ? anyOpName(attempt.files[0].second, random)
                                      : std::to_string(1 + random.below(20)));
    attempt.mayAnswerNo = true;
    return attempt;
  case 2:
    command = words("tessera compare input.mlir --json out.json");
    return attempt;
  default:
    command = words("tessera optimize input.mlir -o out.mlir --json out.json --policy");
    command.push_back(random.of(policies()).name.str());
  }
  for (size_t n = random.few(4) - 1; n != 0; --n)
    for (std::string &word : words(random.of(kOptions)))
      command.push_back(std::move(word));
  if (random.oneIn(4))
    addOverride(command, attempt.files[0].second, random);
  return attempt;
}

} // namespace tessera::fuzz
