//===- Kinds.cpp - What is fuzzed -----------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Kinds.h"

#include "Queries.h"
#include "Records.h"
#include "Tools.h"

#include "tessera/Optimizer/Policy/Policy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using llvm::StringRef;

namespace tessera::fuzz {
namespace {

using Words = std::vector<std::string>;

Words command(StringRef line, const Words &more = {}) {
  Words result = words(line);
  result.insert(result.end(), more.begin(), more.end());
  return result;
}

// ---- Reading examples ------------------------------------------------------------------------------------

llvm::Expected<std::string> readFile(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// The parts of a test that lit's split-file and mlir-opt's --split-input-file cut out, with the ending of each.
template <class Visit>
void forEachPart(StringRef path, StringRef text, Visit visit) {
  StringRef ending = llvm::sys::path::extension(path);
  std::string part;
  auto finish = [&] {
    if (ending != ".test")
      visit(ending, std::exchange(part, ""));
    part.clear();
  };
  for (StringRef line : llvm::split(text, '\n')) {
    StringRef mark = line.ltrim("/#");
    bool named = mark.consume_front("--- "), cut = line.starts_with("// -----");
    if (named || cut) {
      finish();
      ending = named ? llvm::sys::path::extension(mark) : ending;
      continue;
    }
    part += (line + "\n").str();
  }
  finish();
}

/// What begins with this belongs to lit, not to the example.
bool isForLit(StringRef line) {
  line = line.ltrim("/# ");
  auto [word, rest] = line.split(':');
  return !rest.empty() &&
         word.take_while([](char c) { return llvm::isUpper(c) || c == '-' || c == '_'; }) == word &&
         word.size() > 2;
}

std::string withoutChecks(StringRef text) {
  std::string kept;
  for (StringRef line : llvm::split(text, '\n'))
    if (!isForLit(line))
      kept += (line + "\n").str();
  return kept;
}

/// Tables are told apart by a column that no other has.
Corpus &corpusOfTable(Inputs &inputs, StringRef text) {
  for (auto [column, corpus] :
       {std::pair("alloc_align", &inputs.traceIndexes), std::pair("page_bytes", &inputs.traceEvents),
        std::pair("lowest_l1_buffer", &inputs.tracePrograms),
        std::pair("aliases_tensor", &inputs.traceBuffers), std::pair("inputs", &inputs.goldens),
        std::pair("circular_buffers", &inputs.goldens)})
    if (text.contains(column))
      return *corpus;
  return inputs.timings;
}

void addExample(Inputs &inputs, StringRef path, StringRef ending, std::string text) {
  text = withoutChecks(text);
  if (ending == ".mlir" && !path.contains("/Dialect/"))
    inputs.programs.add(std::move(text));
  else if (ending == ".mlir")
    (path.contains("errors") ? inputs.wrongModules : inputs.modules).add(std::move(text));
  else if (ending == ".problem")
    inputs.problems.add(std::move(text));
  else if (ending == ".json")
    (path.contains("ModelRunner") ? inputs.modelJson : inputs.json).add(std::move(text));
  else if (ending == ".csv")
    corpusOfTable(inputs, text).add(std::move(text));
}

llvm::Error addExamplesBelow(Inputs &inputs, const std::string &folder) {
  std::error_code error;
  std::set<std::string> paths; // in an order that does not depend on the file system
  for (llvm::sys::fs::recursive_directory_iterator i(folder, error), end; !error && i != end;
       i.increment(error))
    if (i->type() == llvm::sys::fs::file_type::regular_file)
      paths.insert(i->path());
  if (error)
    return llvm::createStringError(error, "cannot read '%s': %s", folder.c_str(), error.message().c_str());
  for (const std::string &path : paths) {
    llvm::Expected<std::string> text = readFile(path);
    if (!text)
      return text.takeError();
    forEachPart(path, *text, [&](StringRef ending, std::string part) {
      addExample(inputs, path, ending, std::move(part));
    });
  }
  return llvm::Error::success();
}

llvm::Error addLines(Corpus &corpus, const std::string &path) {
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  for (StringRef line : llvm::split(*text, '\n'))
    if (!line.empty() && !line.starts_with("#"))
      corpus.add(line.str());
  return llvm::Error::success();
}

llvm::Error writeFile(StringRef path, StringRef contents) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    return llvm::createStringError(error, "cannot write '%s'", path.str().c_str());
  os << contents;
  return llvm::Error::success();
}

/// All parameters, with their values.
llvm::Error addCalibration(Inputs &inputs) {
  if (runTool({"tessera", "ops", "parameters", "--json", "calibration.json"}) != 0)
    return llvm::createStringError("the parameters cannot be written");
  llvm::Expected<std::string> text = readFile("calibration.json");
  if (!text)
    return text.takeError();
  inputs.json.add(std::move(*text));
  return llvm::Error::success();
}

/// A model of a layer of each kind, as small as tiles allow.
constexpr StringRef kSmallModel = R"({"hidden_size": 32, "intermediate_size": 32, "moe_intermediate_size": 32,
  "num_hidden_layers": 2, "first_k_dense_replace": 1, "num_attention_heads": 1, "q_lora_rank": 32, "kv_lora_rank": 32,
  "qk_nope_head_dim": 32, "qk_rope_head_dim": 32, "v_head_dim": 32, "n_routed_experts": 4, "n_shared_experts": 1,
  "num_experts_per_tok": 2, "n_group": 2, "topk_group": 1, "routed_scaling_factor": 2.5, "vocab_size": 32,
  "max_position_embeddings": 32, "rms_norm_eps": 1e-6, "rope_theta": 10000})";

/// Its checkpoint, and the tensor files that are made of that.
llvm::Error addModel(Inputs &inputs) {
  if (llvm::Error error = writeFile("small.json", kSmallModel))
    return error;
  if (runTool(words("tessera weights random --config small.json --out hf")) != 0 ||
      runTool(words("tessera weights convert --hf hf --out weights -q")) != 0)
    return llvm::createStringError("the small model cannot be made");
  llvm::Expected<std::string> checkpoint = readFile("hf/model-00001-of-00001.safetensors");
  if (!checkpoint)
    return checkpoint.takeError();
  inputs.checkpoints.add(std::move(*checkpoint));
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator i("weights", error), end; !error && i != end;
       i.increment(error)) {
    if (i->type() != llvm::sys::fs::file_type::regular_file)
      continue;
    llvm::Expected<std::string> text = readFile(i->path());
    if (!text)
      return text.takeError();
    inputs.tensorFiles.add(*text);
    inputs.weights[StringRef(i->path()).drop_front(sizeof("weights/") - 1).str()] = std::move(*text);
  }
  return llvm::errorCodeToError(error);
}

/// Asks few questions, so that most of what a record holds matters to a run, and a run is short.
constexpr const char *kAskLittle = "tessera optimize model.mlir -q --max-legal-layouts 1";

/// A record and a cache of the answers about the model.
llvm::Error addRecords(Inputs &inputs) {
  for (const Words &options : {Words{"--op-model", "record:answers"}, Words{"--op-model-cache", "answers"}}) {
    if (runTool(command(kAskLittle, options)) != 0)
      return llvm::createStringError("the op model's answers about the model cannot be recorded");
    for (const std::string &field : textsOf("answers"))
      inputs.recordFields.add(field);
    llvm::Expected<std::string> file = readFile("answers");
    if (!file)
      return file.takeError();
    inputs.records.add(*file);
    llvm::sys::fs::remove("answers");
  }
  return llvm::Error::success();
}

/// What is decided for the model, and why.
llvm::Error addDecisions(Inputs &inputs) {
  if (runTool(words("tessera optimize model.mlir -q --max-legal-layouts 1 --decisions decisions.json")) != 0)
    return llvm::createStringError("the decisions for the model cannot be written");
  llvm::Expected<std::string> text = readFile("decisions.json");
  if (!text)
    return text.takeError();
  inputs.decisions.add(std::move(*text));
  return llvm::Error::success();
}

// ---- Commands --------------------------------------------------------------------------------------------

/// Arguments after mutations of some of them, of values more often than of options. Outputs stay in the folder.
Words mutatedArguments(const Corpus &lines, Random &random) {
  Words arguments = words(random.oneIn(8) ? mutate(lines.entry(random), lines, random) : lines.entry(random));
  for (size_t n = random.few(4); n != 0 && !arguments.empty(); --n) {
    std::string &argument = arguments[random.below(arguments.size())];
    if (!StringRef(argument).starts_with("--") || random.oneIn(8))
      argument = mutate(argument, lines, random);
  }
  for (std::string &argument : arguments) {
    std::replace(argument.begin(), argument.end(), '/', '_');
    argument.erase(std::remove(argument.begin(), argument.end(), '\0'), argument.end());
  }
  return arguments;
}

Attempt tryOverrides(const Inputs &inputs, Random &random) {
  Words arguments = mutatedArguments(inputs.overrides, random);
  Words fixed = words("tessera optimize model.mlir -q -o out.mlir --policy");
  fixed.push_back(random.of(policies()).name.str());
  fixed.insert(fixed.end(), arguments.begin(), arguments.end());
  return {std::move(fixed), {}};
}

Attempt tryProblem(const Inputs &inputs, Random &random) {
  return {words("tessera-solve input.problem"),
          {{"input.problem", mutate(inputs.problems.entry(random), inputs.problems, random)}}};
}

Attempt tryJson(const Inputs &inputs, Random &random) {
  constexpr llvm::StringLiteral kCommands[] = {
      "tessera ops parameters --calibration input.json --json out.json",
      "tessera ops explain ttnn.matmul --in 64x64@dram 64x64@dram --out 64x64@dram --op-model "
      "analytic:input.json",
      "tessera optimize model.mlir -q --op-model analytic:input.json"};
  return {words(random.of(kCommands)),
          {{"input.json", mutate(inputs.json.entry(random), inputs.json, random)}}};
}

Attempt tryDecisions(const Inputs &inputs, Random &random) {
  constexpr llvm::StringLiteral kCommands[] = {"tessera explain input.json --json out.json",
                                               "tessera explain input.json --op relu_0 --json out.json",
                                               "tessera explain input.json --op 'ttnn.conv2d#1'"};
  Attempt attempt{words(random.of(kCommands)),
                  {{"input.json", mutate(inputs.decisions.entry(random), inputs.decisions, random)}}};
  attempt.mayRepeatErrors = true; // without its brace it is read as a module
  return attempt;
}

Attempt tryModelConfig(const Inputs &inputs, Random &random) {
  constexpr llvm::StringLiteral kCommands[] = {
      "tessera config merge --cases config.json",
      "tessera config merge --model config.json -o out.json",
      "tessera config --hf . --mode decode --mesh 1x2 -o out.json",
      "tessera config --hf . --mode prefill --mesh 2x1 -o out.json",
      "tessera model trace --hf . --mode decode --layer 1 -o out.mlir",
      "tessera model trace --hf . --mode prefill --mesh 2x1 -o out.mlir"};
  Attempt attempt{words(random.of(kCommands)),
                  {{"config.json", mutate(inputs.modelJson.entry(random), inputs.modelJson, random)}}};
  attempt.mayAnswerNo = attempt.mayRepeatErrors = attempt.command[2] == "merge";
  return attempt;
}

Attempt tryCheckpoint(const Inputs &inputs, Random &random) {
  std::string file = mutate(inputs.checkpoints.entry(random), inputs.checkpoints, random);
  // Of another model most files are refused at once.
  std::string config = random.oneIn(8) ? inputs.modelJson.entry(random) : kSmallModel.str();
  Attempt attempt{words("tessera weights convert --hf . --out out -q"),
                  {{"config.json", std::move(config)}, {"model.safetensors", std::move(file)}}};
  if (random.oneIn(2))
    attempt.command.push_back("--dry-run");
  return attempt;
}

/// Tensor files of which one is damaged, run or looked at.
Attempt tryWeights(const Inputs &inputs, Random &random) {
  Attempt attempt{words(random.oneIn(4)
                            ? "tessera weights verify ."
                            : "tessera generate --weights . --prompt-ids 1 --max-new-tokens 1 -q"),
                  {inputs.weights.begin(), inputs.weights.end()}};
  attempt.mayAnswerNo = attempt.mayRepeatErrors = attempt.command[1] == "weights";
  std::string &file = attempt.files[random.below(attempt.files.size())].second;
  file = mutate(std::move(file), inputs.tensorFiles, random);
  return attempt;
}

Attempt tryCsv(const Inputs &inputs, Random &random) {
  bool goldens = random.oneIn(2);
  const Corpus &corpus = goldens ? inputs.goldens : inputs.timings;
  Attempt attempt{{}, {{"input.csv", mutate(corpus.entry(random), corpus, random)}}};
  if (goldens != random.oneIn(16))
    attempt.command = words("tessera ops evaluate --rows --json out.json --goldens input.csv");
  else if (random.oneIn(8))
    attempt.command = words("tessera ops calibrate --timings input.csv --out out.json");
  else if (random.oneIn(8))
    attempt.command = words("tessera ops evaluate --timings input.csv --cross-validate 2");
  else
    attempt.command = words("tessera ops evaluate --rows --json out.json --timings input.csv");
  return attempt;
}

Attempt tryTraces(const Inputs &inputs, Random &random) {
  Attempt attempt{words("tessera replay --traces ."), {}, /*mayAnswerNo=*/true};
  for (auto [name, corpus] :
       {std::pair("traces-index.csv", &inputs.traceIndexes), std::pair("events.csv", &inputs.traceEvents),
        std::pair("cb-programs.csv", &inputs.tracePrograms),
        std::pair("cb-placement.csv", &inputs.traceBuffers)}) {
    std::string file = corpus->entry(random);
    attempt.files.emplace_back(name,
                               random.oneIn(3) ? mutate(std::move(file), *corpus, random) : std::move(file));
  }
  return attempt;
}

Attempt tryRecord(const Inputs &inputs, Random &random) {
  constexpr llvm::StringLiteral kModels[] = {"--op-model recorded:answers",
                                             "--op-model recorded:answers,fallthrough",
                                             "--op-model record:answers", "--op-model-cache answers"};
  std::string file = inputs.records.entry(random);
  if (random.oneIn(3))
    file = mutate(std::move(file), inputs.records, random);
  else
    file = withMutatedField(file, inputs.recordFields, random);
  return {command(kAskLittle, words(random.of(kModels))), {{"answers", std::move(file)}}};
}

Attempt tryLayout(const Inputs &inputs, Random &random) {
  return {command("tessera layout", mutatedArguments(inputs.layouts, random)), {}};
}

Attempt tryQuery(const Inputs &inputs, Random &random) {
  Words arguments = random.oneIn(2) ? oddQuery(random) : mutatedArguments(inputs.queries, random);
  return {command("tessera ops explain", arguments), {}, /*mayAnswerNo=*/true};
}

constexpr Kind kKinds[] = {
    {"ir", "modules, through every policy and pass", tryModule},
    {"overrides", "the options that override decisions", tryOverrides},
    {"problem", "problem text, through every policy", tryProblem},
    {"json", "calibrations", tryJson},
    {"decisions", "decisions files", tryDecisions},
    {"config", "configs of models and what is merged", tryModelConfig},
    {"checkpoint", "safetensors files", tryCheckpoint},
    {"weights", "tensor files that a model is run with", tryWeights},
    {"csv", "goldens and timings", tryCsv},
    {"traces", "recorded runs of the device's allocator", tryTraces},
    {"record", "records and caches of the op model's answers", tryRecord},
    {"layout", "the arguments of 'tessera layout'", tryLayout},
    {"query", "ops as 'tessera ops explain' takes them", tryQuery},
};

} // namespace

std::vector<std::string> words(StringRef line) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *> cut;
  llvm::cl::TokenizeGNUCommandLine(line, saver, cut);
  return {cut.begin(), cut.end()};
}

llvm::ArrayRef<Kind> kinds() { return kKinds; }

llvm::Expected<Inputs> Inputs::read(const std::string &root) {
  Inputs inputs;
  for (const char *folder : {"/test", "/examples", "/fuzz/corpus"})
    if (llvm::Error error = addExamplesBelow(inputs, root + folder))
      return std::move(error);
  for (auto [corpus, name] : {std::pair(&inputs.overrides, "overrides"),
                              std::pair(&inputs.layouts, "layouts"), std::pair(&inputs.queries, "queries")})
    if (llvm::Error error = addLines(*corpus, root + "/fuzz/corpus/" + name + ".txt"))
      return std::move(error);
  llvm::Expected<std::string> model = readFile(root + "/examples/resnet_block.mlir");
  if (!model)
    return model.takeError();
  inputs.model = std::move(*model);
  if (llvm::Error error = writeFile("model.mlir", inputs.model))
    return std::move(error);
  for (auto add : {addCalibration, addRecords, addDecisions, addModel})
    if (llvm::Error error = add(inputs))
      return std::move(error);
  return inputs;
}

} // namespace tessera::fuzz
