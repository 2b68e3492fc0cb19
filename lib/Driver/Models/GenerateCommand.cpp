//===- GenerateCommand.cpp - tessera generate -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Prompts are prefilled one after the other and decode together, as a server
// runs a model. Tokens are chosen greedily: then two runs that compute the same
// give the same text, and what differs is the arithmetic's doing.
//
// Times that are printed are those of the simulation; how long devices would
// take is estimated apart, board by board.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"
#include "ItemFile.h"
#include "MeshOption.h"

#include "tessera/Driver/Commands.h"
#include "tessera/ModelGraph/Generator.h"
#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Simulator/Npy.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace tessera;
using runner::Generator;

namespace {

using Prompt = std::vector<int64_t>;

/// "1,2,3"; nullopt after a diagnostic.
std::optional<Prompt> readPrompt(llvm::StringRef text, int64_t vocabulary) {
  Prompt prompt;
  for (llvm::StringRef id : llvm::split(text, ',')) {
    int64_t token = 0;
    if (id.trim().getAsInteger(10, token) || token < 0 || token >= vocabulary) {
      usageError("--prompt-ids takes tokens from 0 to " + llvm::Twine(vocabulary - 1) +
                 ", e.g. 1,2,3, not '" + text + "'");
      return std::nullopt;
    }
    prompt.push_back(token);
  }
  return prompt;
}

/// Seconds since it was made or asked last.
class StopWatch {
public:
  double lap() {
    Clock::time_point now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(last, now)).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
};

/// What a run gives, and how long its stages took.
struct Run {
  std::vector<Prompt> tokens;             ///< new ones, by user
  std::vector<std::vector<float>> logits; ///< of each user one row per new token, one behind the other
  double load = 0, programs = 0, prefill = 0, decode = 0;
  size_t decodeSteps = 0;
};

/// Prefill chooses the first new token, each step of decode one more for all users at once, so that `newTokens`
/// take one step less. Programs are made in between, by the first run that needs one; their time is apart from that of runs.
llvm::Error generate(Generator &generator, llvm::ArrayRef<Prompt> prompts, int64_t newTokens, Run &run) {
  StopWatch watch;
  for (auto [user, prompt] : llvm::enumerate(prompts)) {
    llvm::Expected<std::vector<float>> logits = generator.prefill(int64_t(user), prompt);
    if (!logits)
      return logits.takeError();
    run.tokens.push_back({runner::greedyToken(*logits)});
    run.logits.push_back(std::move(*logits));
  }
  run.prefill = watch.lap() - generator.secondsForPrograms();
  run.programs = generator.secondsForPrograms();
  for (int64_t i = 1; i < newTokens; ++i) {
    std::vector<Generator::UserToken> tokens;
    for (auto [prompt, made] : llvm::zip_equal(prompts, run.tokens))
      // The last token was chosen, but is not in the caches yet: it is fed at the position behind all that are.
      tokens.push_back({made.back(), int64_t(prompt.size() + made.size()) - 1});
    llvm::Expected<std::vector<std::vector<float>>> logits = generator.decode(tokens);
    if (!logits)
      return logits.takeError();
    for (auto [made, all, ofUser] : llvm::zip_equal(run.tokens, run.logits, *logits)) {
      made.push_back(runner::greedyToken(ofUser));
      llvm::append_range(all, ofUser);
    }
    ++run.decodeSteps;
  }
  run.decode = watch.lap() - (generator.secondsForPrograms() - run.programs);
  run.programs = generator.secondsForPrograms();
  return llvm::Error::success();
}

/// Users x new tokens x vocabulary.
bool writeLogits(const std::string &path, const Run &run, int64_t vocabulary) {
  int64_t users = int64_t(run.tokens.size()), steps = int64_t(run.tokens.front().size());
  simulator::DenseTensor all({{users, steps, vocabulary}, DataType::Float32});
  float *to = all.floats.data();
  for (const std::vector<float> &ofUser : run.logits)
    to = llvm::copy(ofUser, to);
  return writeFiles({{path, [&](llvm::raw_ostream &os) { simulator::writeNpy(all, os); }}});
}

void printTokens(llvm::ArrayRef<Prompt> tokens) {
  for (auto [user, made] : llvm::enumerate(tokens)) {
    llvm::outs() << (tokens.size() > 1 ? llvm::formatv("user {0}: ", user).str() : "tokens: ");
    llvm::interleave(made, llvm::outs(), ",");
    llvm::outs() << "\n";
  }
}

void printStages(const Run &run, uint64_t bytes) {
  TextTable table({{"stage"}, {"time", Align::Right}});
  auto add = [&](const std::string &stage, double seconds) {
    table.add({stage, formatNanoseconds(Nanoseconds(seconds * 1e9))});
  };
  add("map " + formatBytes(Bytes(int64_t(bytes))) + " of weights", run.load);
  add("trace and plan programs", run.programs);
  add("prefill", run.prefill);
  // The first token is the prefill's, so that one alone takes no step.
  if (run.decodeSteps) {
    add("decode, " + counted(int64_t(run.decodeSteps), "step"), run.decode);
    add("  of a step", run.decode / double(run.decodeSteps));
  }
  llvm::outs() << "\n";
  table.print(llvm::outs());
}

/// Boards that the model is estimated on.
struct EstimateRow {
  std::string board;
  GridShape mesh;
};

/// The published ones, and the mesh that the weights are cut for.
std::vector<EstimateRow> estimateRows(GridShape own) {
  std::vector<EstimateRow> rows = {{"n150", {1, 1}}, {"t3000", {1, 8}}, {"galaxy", {4, 8}}};
  if (llvm::none_of(rows, [&](const EstimateRow &row) { return row.mesh == own; }))
    rows.insert(rows.begin() + 1, {runner::boardFor(own).name, own});
  return rows;
}

std::string meshText(GridShape mesh) { return llvm::formatv("{0}x{1}", mesh.rows, mesh.columns); }

/// Of one decode step; nullopt after a diagnostic.
/// Traced anew for the board, once as op configs say and once with all left open: the faster of both plans counts.
std::optional<runner::Estimate> estimate(mlir::MLIRContext &context, const runner::Target &model,
                                         const EstimateRow &row, const std::string &policy) {
  DeviceSpec board = *findDevice(row.board);
  board.mesh = row.mesh;
  runner::Target target{model.hf, row.mesh, board.workerGrid, board.dramBanks};
  target.cachePositions = model.cachePositions;
  auto trace = [&](bool asConfigured) {
    return runner::traceModel(context, target, runner::Phase::Decode, board,
                              {{}, {}, {}, nullptr, asConfigured});
  };
  llvm::Expected<runner::OptimizedTrace> optimized = runner::optimizedTrace(trace, board, policy);
  if (!optimized) {
    inputError(llvm::toString(optimized.takeError()));
    return std::nullopt;
  }
  return optimized->estimate;
}

/// The time of a token is that of a whole step, which all users share: a chip is no faster for fewer of them.
bool printEstimates(mlir::MLIRContext &context, const runner::Target &model, const std::string &policy) {
  TextTable table({{"board"}, {"mesh"}, {"a token as traced", Align::Right}, {"optimized", Align::Right}});
  std::string parts; // what is estimated on a part of a board, and why
  for (EstimateRow row : estimateRows(model.mesh)) {
    std::string mesh = meshText(row.mesh);
    if (llvm::Error error = runner::checkMesh(model.hf, row.mesh)) {
      row.mesh = *runner::largestMesh(model.hf, row.mesh); // one device at least: it runs on its own mesh
      parts += llvm::formatv("{0}: {1}. The estimate is for the largest part that it divides over, {2}.\n",
                             row.board, llvm::toString(std::move(error)), meshText(row.mesh));
      mesh = meshText(row.mesh) + " of " + mesh;
    }
    std::optional<runner::Estimate> made = estimate(context, model, row, policy);
    if (!made)
      return false;
    table.add({row.board, mesh, formatNanoseconds(made->before), formatNanoseconds(made->after)});
  }
  llvm::outs() << "\n";
  table.print(llvm::outs());
  llvm::outs() << "Estimates of the op model for one decode step of all users, policy " << policy << ".\n"
               << parts;
  return true;
}

/// Weights are cut for one mesh when they are converted, so another one that is asked for is an error. The exit code.
int checkMeshOf(const runner::WeightReader &weights, const GenerateArguments &arguments) {
  if (arguments.mesh.empty())
    return kSuccess;
  std::optional<GridShape> mesh = readMeshOrDiagnose(arguments.mesh);
  if (!mesh)
    return kUsageError;
  if (*mesh == weights.mesh())
    return kSuccess;
  return inputError(llvm::formatv("the weights in '{0}' are cut for a {1}x{2} mesh; 'tessera weights convert "
                                  "--mesh {3}' cuts them for another",
                                  arguments.weights, weights.mesh().rows, weights.mesh().columns,
                                  arguments.mesh));
}

/// nullopt after a diagnostic.
std::optional<std::vector<Prompt>> readPrompts(const GenerateArguments &arguments, int64_t vocabulary) {
  std::vector<Prompt> prompts;
  for (const std::string &text : arguments.prompts) {
    std::optional<Prompt> prompt = readPrompt(text, vocabulary);
    if (!prompt)
      return std::nullopt;
    prompts.push_back(std::move(*prompt));
  }
  return prompts;
}

} // namespace

/// Prompts and the mesh are held against the config of the weights, so that these are opened first.
int tessera::generateTokens(const GenerateArguments &arguments) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  llvm::SourceMgr sources;
  SessionDiagnostics diagnostics(context.get(), sources, /*remarks=*/false);
  std::optional<uint64_t> memory = readSizeOrDiagnose("--max-mem", arguments.memory);
  if (!memory || !findPolicyOrDiagnose(arguments.policy,
                                       [&] { return mlir::emitError(mlir::UnknownLoc::get(context.get())); }))
    return kUsageError;
  StopWatch watch;
  llvm::Expected<runner::WeightReader> weights = runner::WeightReader::open(arguments.weights);
  if (!weights)
    return inputError(llvm::toString(weights.takeError()));
  if (int wrong = checkMeshOf(*weights, arguments))
    return wrong;
  // Mapping the weights is timed by itself.
  Run run;
  run.load = watch.lap();
  std::optional<std::vector<Prompt>> prompts = readPrompts(arguments, weights->hf().vocab_size);
  if (!prompts)
    return kUsageError;
  runner::GeneratorOptions options;
  options.board = runner::boardFor(weights->mesh());
  options.policy = arguments.optimize ? arguments.policy : "";
  options.maxMemory = Bytes(int64_t(*memory));
  // One cache for all users, with room for the longest of them.
  for (const Prompt &prompt : *prompts)
    options.positions = std::max(options.positions, int64_t(prompt.size()) + arguments.newTokens);
  std::optional<runner::Item> prefill = readItem(arguments.prefillConfig),
                              decode = readItem(arguments.decodeConfig), state = readItem(arguments.state);
  if (!prefill || !decode || !state)
    return kInputError;
  options.state = *state;
  options.asConfigured = arguments.asConfigured;
  options.prefillConfig = *prefill;
  options.decodeConfig = *decode;
  if (!arguments.device.empty()) {
    const DeviceSpec *device = findDeviceOrDiagnose(arguments.device);
    if (!device)
      return kUsageError;
    options.board = *device;
  }
  llvm::Expected<Generator> generator = Generator::make(*context, options, *weights);
  if (!generator)
    return inputError(llvm::toString(generator.takeError()));
  if (int64_t(prompts->size()) > generator->users())
    return usageError("a mesh of " + llvm::Twine(weights->mesh().rows) + " rows has room for " +
                      llvm::Twine(generator->users()) + " users");
  if (llvm::Error error = generate(*generator, *prompts, arguments.newTokens, run))
    return inputError(llvm::toString(std::move(error)));
  // The file before the text: whoever reads tokens may take the run as done.
  if (!arguments.logits.empty() && !writeLogits(arguments.logits, run, weights->hf().vocab_size))
    return kInputError;
  printTokens(run.tokens);
  if (arguments.quiet)
    return kSuccess;
  printStages(run, weights->bytesMapped());
  if (!arguments.noEstimates && !printEstimates(*context, generator->target(), arguments.policy))
    return kInternalError;
  return kSuccess;
}
