//===- MergeCases.cpp - Merges with known results -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Runs cases that were recorded from the published merge: configs, weights and
// states in, a config or an exception out. Both dialects are run in the mode
// that does as that code does. What Python leaves open is compared loosely: the
// order of keys, and with it that of words in a message that prints a dict; how
// a default is spelled; what follows where a long message was cut. All else has
// to be equal.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/MergeCases.h"

#include "tessera/ModelRunner/ItemJson.h"
#include "tessera/ModelRunner/RunConfig.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

struct DialectInfo {
  llvm::StringLiteral name;
  Dialect dialect;
  MergeMode mode;
};
constexpr DialectInfo kDialects[] = {{"A", Dialect::Spec, MergeMode::Published},
                                     {"B", Dialect::Compat, MergeMode::Compat}};

/// Messages of cases are cut here.
constexpr size_t kLongestMessage = 200;

// ---- Is that what was expected? --------------------------------------------------------------------------

/// Files leave open how the constants that are defaults are spelled: "@DRAM" and "ttnn.DRAM_MEMORY_CONFIG" are one.
std::string symbol(const Item &item) {
  std::string text = str(item);
  if (std::optional<MemoryConfig> memory = fromItem<MemoryConfig>(item))
    text = name(memory->buffer_type).str();
  llvm::StringRef last = llvm::StringRef(text).rsplit('.').second;
  std::string upper = (last.empty() ? llvm::StringRef(text) : last).ltrim('@').upper();
  llvm::StringRef short_ = upper;
  short_.consume_back("_MEMORY_CONFIG");
  short_.consume_back("_LAYOUT");
  return short_ == "BFLOAT16" ? "BF16" : short_.str();
}

bool sameItem(const Item &expected, const Item &actual);

bool sameFields(const Object &expected, const Object &actual) {
  if (expected.type != actual.type)
    return false;
  for (size_t i = 0; i != actual.fields.size(); ++i)
    // A field that holds its class's default may be spelled otherwise in the file; any other value has to be equal as
    // it stands.
    if (!sameItem(expected.fields[i], actual.fields[i]) &&
        !(actual.fields[i] == actual.type->fields[i].defaultValue && !actual.fields[i].isNone() &&
          symbol(expected.fields[i]) == symbol(actual.fields[i])))
      return false;
  return true;
}

bool sameDicts(const Dict &expected, const Dict &actual) {
  return expected.entries.size() == actual.entries.size() &&
         llvm::all_of(expected.entries, [&](const auto &entry) {
           const Item *found = actual.find(entry.first);
           return found && sameItem(entry.second, *found);
         });
}

/// Tensors name their device only, so what is not a container is compared as JSON.
bool sameItem(const Item &expected, const Item &actual) {
  if (const Object *left = expected.get<Object>(), *right = actual.get<Object>(); left && right)
    return sameFields(*left, *right);
  if (const Dict *left = expected.get<Dict>(), *right = actual.get<Dict>(); left && right)
    return sameDicts(*left, *right);
  if (const Sequence *left = expected.get<Sequence>(), *right = actual.get<Sequence>(); left && right)
    return left->tuple == right->tuple && llvm::equal(left->items, right->items, sameItem);
  return itemToJson(expected) == itemToJson(actual);
}

std::vector<std::string> sortedTokens(llvm::StringRef text) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    // Any other character is a token by itself: quotes and brackets have to be the same in number.
    size_t length =
        std::max<size_t>(1, text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).size());
    tokens.push_back(text.take_front(length).str());
    text = text.drop_front(length);
  }
  llvm::sort(tokens);
  return tokens;
}

/// Keys print in any order, so messages hold the same words; those of a cut one, but its last, are among them.
bool sameMessage(llvm::StringRef expected, llvm::StringRef actual) {
  if (actual == expected)
    return true;
  if (expected.size() < kLongestMessage)
    return sortedTokens(expected) == sortedTokens(actual);
  if (actual.starts_with(expected))
    return true;
  llvm::StringRef whole = expected.rtrim("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  std::vector<std::string> all = sortedTokens(actual), some = sortedTokens(whole);
  // What follows the cut is unknown, so words may be missing; the first 20 characters still have to be those of the
  // same message.
  return llvm::StringRef(actual).take_front(20) == expected.take_front(20) &&
         std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// ---- Running ---------------------------------------------------------------------------------------------

struct Outcome {
  RunConfig result;
  std::vector<std::string> loads; ///< sorted
};

std::string print(const json::Value &value) { return llvm::formatv("{0}", value); }

std::vector<std::string> sortedTexts(const json::Array *array) {
  std::vector<std::string> texts;
  for (const json::Value &each : array ? *array : json::Array())
    texts.push_back(each.getAsString().value_or("").str());
  llvm::sort(texts);
  return texts;
}

std::string describe(const Outcome &outcome) {
  if (!outcome.result.problems.empty())
    return outcome.result.problems.front().error + ": " + outcome.result.problems.front().message;
  std::string text =
      print(itemToJson(outcome.result.config)) + ", loads [" + llvm::join(outcome.loads, ", ") + "]";
  return outcome.result.warnings.empty() ? text
                                         : text + ", warns: " + llvm::join(outcome.result.warnings, "; ");
}

/// An error if the expectation cannot be read.
llvm::Expected<bool> agrees(const json::Object &expected, const Outcome &outcome, Dialect dialect) {
  const std::vector<MergeProblem> &problems = outcome.result.problems;
  // The published code raises an exception at the first error. Ours collects all, of which the first is the
  // same.
  if (auto error = expected.getString("err"))
    return !problems.empty() && problems.front().error == *error &&
           sameMessage(expected.getString("msg").value_or(problems.front().message),
                       problems.front().message);
  const json::Value *ok = expected.get("ok");
  if (!ok)
    return llvm::createStringError("neither 'ok' nor 'err' is expected");
  llvm::Expected<Item> config = itemFromJson(*ok, dialect);
  if (!config)
    return config.takeError();
  // The order of a file's keys is lost in reading it (ItemJson), and with it that of warnings and loads.
  std::vector<std::string> warnings = outcome.result.warnings;
  llvm::sort(warnings);
  const json::Array *loads = expected.getArray("loads");
  return problems.empty() && sameItem(*config, outcome.result.config) &&
         (!loads || sortedTexts(loads) == outcome.loads) &&
         sortedTexts(expected.getArray("warn")) == warnings;
}

llvm::Expected<WeightCache> readCache(const json::Object &object, Dialect dialect) {
  WeightCache cache;
  for (const auto &entry : object) {
    llvm::Expected<Item> item = itemFromJson(entry.second, dialect);
    if (!item)
      return item.takeError();
    cache.emplace(entry.first.str(), std::move(*item));
  }
  return cache;
}

llvm::Expected<Outcome> run(const json::Object &test, const DialectInfo &info) {
  Outcome outcome;
  MergeOptions options{info.mode, nullptr, nullptr};
  // Files of cases do not exist: that a weight would be loaded is what is compared.
  options.load = [&](const SavedWeight &weight, const MeshDeviceItem &device) {
    outcome.loads.push_back(weight.path);
    return Item(LoadedTensor{weight.path, device, weight.memoryConfig});
  };
  llvm::Expected<WeightCache> cache = WeightCache();
  if (const json::Object *object = test.getObject("cache")) {
    cache = readCache(*object, info.dialect);
    if (!cache)
      return cache.takeError();
    options.cache = &*cache;
  }
  std::vector<Item> items; // model, weight, states
  auto read = [&](const json::Value *value) -> llvm::Error {
    llvm::Expected<Item> item = value ? itemFromJson(*value, info.dialect) : Item();
    if (!item)
      return item.takeError();
    items.push_back(std::move(*item));
    return llvm::Error::success();
  };
  for (const char *key : {"model", "weight"})
    if (llvm::Error error = read(test.get(key)))
      return std::move(error);
  const json::Array *states = test.getArray("states");
  if (!states)
    return llvm::createStringError("'states' is not an array");
  for (const json::Value &state : *states)
    if (llvm::Error error = read(&state))
      return std::move(error);
  outcome.result = runConfig(items[0], items[1], llvm::ArrayRef(items).drop_front(2), options);
  llvm::sort(outcome.loads);
  return outcome;
}

/// Runs a case in a dialect of which it expects something.
llvm::Error runCase(const json::Object &test, const DialectInfo &info, MergeCasesResult &result) {
  const json::Object *expected = test.getObject("expect")->getObject(info.name);
  if (!expected || test.getString("only").value_or(info.name) != info.name)
    return llvm::Error::success();
  llvm::Expected<Outcome> outcome = run(test, info);
  if (!outcome)
    return outcome.takeError();
  llvm::Expected<bool> same = agrees(*expected, *outcome, info.dialect);
  if (!same)
    return same.takeError();
  if (!*same)
    result.disagreements.push_back({test.getString("name")->str(), info.name.str(),
                                    print(json::Value(json::Object(*expected))), describe(*outcome)});
  return llvm::Error::success();
}

} // namespace

size_t MergeCasesResult::agree() const {
  size_t wrong = 0;
  for (size_t i = 0; i != disagreements.size(); ++i)
    // A case that is wrong in both dialects is one case.
    wrong += i == 0 || disagreements[i].name != disagreements[i - 1].name;
  return cases - wrong;
}

llvm::Expected<MergeCasesResult> runner::runMergeCases(const json::Value &file) {
  const json::Object *object = file.getAsObject();
  const json::Array *cases = object ? object->getArray("cases") : nullptr;
  if (!cases)
    return llvm::createStringError("there is no array 'cases'");
  MergeCasesResult result;
  for (const json::Value &value : *cases) {
    const json::Object *test = value.getAsObject();
    if (!test || !test->getString("name") || !test->getObject("expect"))
      return llvm::createStringError("case " + llvm::Twine(result.cases + 1) +
                                     " has no 'name' or no 'expect'");
    ++result.cases;
    for (const DialectInfo &info : kDialects)
      if (llvm::Error error = runCase(*test, info, result))
        return llvm::createStringError("case '" + *test->getString("name") + "', dialect " + info.name +
                                       ": " + llvm::toString(std::move(error)));
  }
  return result;
}
