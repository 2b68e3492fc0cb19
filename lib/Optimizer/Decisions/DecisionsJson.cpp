//===- DecisionsJson.cpp - The decisions file, written -------------------- ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A type of the file lists its members once, with their keys (T::fields); trees,
// streams, reading (DecisionsReading.cpp) and rounding all go over that list. A
// member of a new type needs an encode() and a fromJSON(); a new enumeration
// needs its words, in the order of its enumerators, which the file never numbers.
//
//===----------------------------------------------------------------------===//
#include "Fields.h"

#include "tessera/Optimizer/Decisions/TimeGroups.h"

#include "tessera/OpModel/LayoutJson.h"

#include <cmath>

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

// ---- Words -----------------------------------------------------------------------------------------------

static constexpr llvm::StringRef kValueKinds[] = {"argument", "constant", "activation"},
                                 kRoles[] = {"compute", "conversion", "sink", "fixed"},
                                 kStepKinds[] = {"run", "convert"},
                                 kLosses[] = {"memory", "slower", "missed", "equal"},
                                 kSpillCauses[] = {"backend", "memory", "faster", "policy"},
                                 kSpillWays[] = {"single", "operand", "fork"},
                                 kRewriteClasses[] = {"exact", "rounding"},
                                 kClashKinds[] = {"no_room", "clash"};

llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(ValueKind) { return kValueKinds; }
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(OpRole) { return kRoles; }
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(PlanStep::Kind) { return kStepKinds; }
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(ConversionReason) { return kConversionReasons; }
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(Loss) { return kLosses; }
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(SpillCause) { return kSpillCauses; }
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(SpillWay) { return kSpillWays; }
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(RewriteClass) { return kRewriteClasses; }
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(ClashKind) { return kClashKinds; }

// ---- Writing ---------------------------------------------------------------------------------------------

static json::Value encode(int64_t number) { return number; }
static json::Value encode(bool flag) { return flag; }
static json::Value encode(const std::string &text) {
  // Names and locations come from modules, where they are bytes; JSON has none.
  return json::isUTF8(text) ? json::Value(text) : json::Value(json::fixUTF8(text));
}
static json::Value encode(Bytes bytes) { return bytes.value(); }
/// Whole nanoseconds: the model knows no finer ones, and seventeen digits each would be half of the file.
static json::Value encode(Nanoseconds time) { return int64_t(std::llround(time.value())); }
static json::Value encode(const TensorLayout &layout) { return toJson(layout); }
static json::Value encode(const OpSpecificConfig &config) { return toJson(config); }
template <HasWords E>
static json::Value encode(E value) {
  return word(value);
}
// Declared ahead: lists hold records, and records lists.
template <HasFields T>
static json::Value encode(const T &value);

template <class T>
static json::Value encode(const std::vector<T> &list) {
  json::Array array;
  array.reserve(list.size());
  for (const T &each : list)
    array.push_back(encode(each));
  return array;
}

template <class T>
static json::Value encode(const std::optional<T> &value) {
  return value ? encode(*value) : json::Value(nullptr);
}

template <HasFields T>
static json::Value encode(const T &value) {
  json::Object object;
  T::fields(value, [&](llvm::StringLiteral key, const auto &member) { object[key] = encode(member); });
  return object;
}

// ---- Streams ---------------------------------------------------------------------------------------------

// A tree of JSON takes some kilobytes for each object, and a plan of 10,000 ops has half a million.

/// What is small enough to be a tree on its way.
template <class T>
  requires(!HasFields<T>)
static void stream(json::OStream &os, const T &value) {
  os.value(encode(value));
}
/// The trace is text already, written op by op.
static void stream(json::OStream &os, const RawJson &value) { os.rawValue(value.text); }
template <HasFields T>
static void stream(json::OStream &os, const T &value);

template <class T>
static void stream(json::OStream &os, const std::vector<T> &list) {
  os.array([&] {
    for (const T &each : list)
      stream(os, each);
  });
}

/// The keys of T in the order in which trees of JSON are written, so that both give the same bytes.
template <HasFields T>
static std::vector<llvm::StringRef> sortedKeys(const T &value) {
  std::vector<llvm::StringRef> keys;
  T::fields(value, [&](llvm::StringLiteral key, const auto &) { keys.push_back(key); });
  llvm::sort(keys);
  return keys;
}

template <HasFields T>
static void stream(json::OStream &os, const T &value) {
  // Once per type: all its records have the same keys.
  static const std::vector<llvm::StringRef> kKeys = sortedKeys(value);
  os.object([&] {
    // Members are listed in the order of the struct: one pass per key finds them in the order of the file. Records
    // have some twenty.
    for (llvm::StringRef wanted : kKeys)
      T::fields(value, [&](llvm::StringLiteral key, const auto &member) {
        if (key == wanted)
          os.attributeBegin(key), stream(os, member), os.attributeEnd();
      });
  });
}

// ---- As in the file ------------------------------------------------------------------------------------------

/// What is no time, and holds none.
static void roundTimes(const auto &) {}
static void roundTimes(Nanoseconds &time) { time = Nanoseconds(double(std::llround(time.value()))); }
template <HasFields T>
static void roundTimes(T &value);
template <class T>
static void roundTimes(std::vector<T> &list);

template <class T>
static void roundTimes(std::optional<T> &value) {
  if (value)
    roundTimes(*value);
}

template <class T>
static void roundTimes(std::vector<T> &list) {
  for (T &each : list)
    roundTimes(each);
}

template <HasFields T>
static void roundTimes(T &value) {
  T::fields(value, [](llvm::StringLiteral, auto &member) { roundTimes(member); });
}

/// So that what is drawn of these facts is the same whether they come from memory or from the file, which has whole
/// nanoseconds.
void decisions::toWholeNanoseconds(FunctionDecisions &function) { roundTimes(function); }

namespace tessera::decisions {

llvm::json::Value toJson(const OpFacts &op) { return encode(op); }
llvm::json::Value toJson(const StepFacts &step) { return encode(step); }
llvm::json::Value toJson(const TensorFacts &tensor) { return encode(tensor); }
llvm::json::Value toJson(const SpillFacts &spill) { return encode(spill); }
llvm::json::Value toJson(const RewrittenFacts &rewritten) { return encode(rewritten); }
llvm::json::Value toJson(const TimeGroup &group) { return encode(group); }

void write(llvm::json::OStream &os, const Decisions &decisions) {
  os.object([&] {
    // By hand in the order of sorted keys, which all records of the file have.
    os.attribute("format", kFormat);
    os.attributeBegin("functions");
    stream(os, decisions.functions);
    os.attributeEnd();
    os.attribute("generator", encode(decisions.generator));
    os.attribute("input", encode(decisions.input));
    os.attribute("version", Decisions::kVersion);
  });
}

} // namespace tessera::decisions

const RewrittenFacts *FunctionDecisions::rewrittenAs(Index op) const {
  for (const RewrittenFacts &rewritten :
       rewrites ? llvm::ArrayRef(*rewrites) : llvm::ArrayRef<RewrittenFacts>())
    if (llvm::is_contained(rewritten.made, op))
      return &rewritten;
  return nullptr;
}

int64_t FunctionDecisions::unknownTimes() const {
  return llvm::count_if(steps, [](const StepFacts &step) { return step.time.boundBy == kUnknownTime; });
}

/// Ascending. All tensors are looked at, so that who asks about every step should keep what is live itself.
std::vector<Index> FunctionDecisions::holdersAt(Index step) const {
  std::vector<Index> holders;
  for (auto [i, tensor] : llvm::enumerate(tensors))
    if (tensor.l1 > Bytes(0) && tensor.liveAt(step))
      holders.push_back(Index(i));
  return holders;
}
