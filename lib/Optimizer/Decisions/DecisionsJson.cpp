//===- DecisionsJson.cpp - The decisions file, written and read -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Decisions/Decisions.h"

#include "tessera/Optimizer/Decisions/TimeGroups.h"

#include "tessera/OpModel/LayoutJson.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kFormat = "tessera.decisions";

namespace {

template <class T>
concept HasFields = requires(const T &value) { T::fields(value, [](llvm::StringLiteral, const auto &) {}); };

} // namespace

// ---- Words -----------------------------------------------------------------------------------------------

llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(ValueKind) {
  static constexpr llvm::StringRef kWords[] = {"argument", "constant", "activation"};
  return kWords;
}
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(OpRole) {
  static constexpr llvm::StringRef kWords[] = {"compute", "conversion", "sink", "fixed"};
  return kWords;
}
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(PlanStep::Kind) {
  static constexpr llvm::StringRef kWords[] = {"run", "convert"};
  return kWords;
}
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(ConversionReason) {
  using enum ConversionReason;
  static const llvm::StringRef kWords[] = {name(Reshard), name(Spill), name(Reload), name(Return)};
  return kWords;
}
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(Loss) {
  static constexpr llvm::StringRef kWords[] = {"memory", "slower", "missed", "equal"};
  return kWords;
}
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(SpillCause) {
  static constexpr llvm::StringRef kWords[] = {"backend", "memory", "faster", "policy"};
  return kWords;
}
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(SpillWay) {
  static constexpr llvm::StringRef kWords[] = {"single", "operand", "fork"};
  return kWords;
}
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(RewriteClass) {
  static constexpr llvm::StringRef kWords[] = {"exact", "rounding"};
  return kWords;
}
llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(ClashKind) {
  static constexpr llvm::StringRef kWords[] = {"no_room", "clash"};
  return kWords;
}

// ---- Writing ---------------------------------------------------------------------------------------------

static json::Value encode(int64_t number) { return number; }
static json::Value encode(bool flag) { return flag; }
static json::Value encode(const std::string &text) {
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
  static const std::vector<llvm::StringRef> kKeys = sortedKeys(value);
  os.object([&] {
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

void decisions::toWholeNanoseconds(FunctionDecisions &function) { roundTimes(function); }

// ---- Reading ---------------------------------------------------------------------------------------------

// llvm::json::ObjectMapper finds these by argument-dependent lookup.
namespace tessera {

static bool fromJSON(const json::Value &value, Bytes &bytes, json::Path path) {
  int64_t number = 0;
  if (!json::fromJSON(value, number, path))
    return false;
  bytes = Bytes(number);
  return true;
}

static bool fromJSON(const json::Value &value, Nanoseconds &time, json::Path path) {
  int64_t number = 0;
  if (!json::fromJSON(value, number, path))
    return false;
  time = Nanoseconds(double(number));
  return true;
}

template <HasWords E>
static bool fromJSON(const json::Value &value, E &out, json::Path path) {
  llvm::ArrayRef<llvm::StringRef> words = wordsOf(out);
  std::optional<llvm::StringRef> text = value.getAsString();
  const auto *found = text ? llvm::find(words, *text) : words.end();
  if (found == words.end()) {
    path.report("unknown word");
    return false;
  }
  out = E(found - words.begin());
  return true;
}

} // namespace tessera

namespace tessera::decisions {

using tessera::
    fromJSON; // NOLINT(misc-unused-using-decls): llvm::json looks here for the words of this namespace's enums

template <HasFields T>
static bool fromJSON(const json::Value &value, T &out, json::Path path) {
  json::ObjectMapper object(value, path);
  bool ok = bool(object);
  T::fields(out, [&]<class Member>(llvm::StringLiteral key, Member &member) {
    if constexpr (std::is_same_v<Member, OpSpecificConfig>) {
      // Null is a configuration, too.
      const json::Value *config = ok ? value.getAsObject()->get(key) : nullptr;
      ok = ok && tessera::fromJSON(config ? *config : json::Value(nullptr), member, path.field(key));
    } else if constexpr (std::is_same_v<Member, RawJson>) {
      if (const json::Value *found = ok ? value.getAsObject()->get(key) : nullptr)
        member.text = llvm::formatv("{0}", *found).str();
    } else {
      ok = ok && object.map(key, member);
    }
  });
  return ok;
}

namespace {

/// That every number of a function names an entry that exists, so that readers of the file need not ask.
class References {
public:
  explicit References(const FunctionDecisions &f) : f(f) {}

  /// What is wrong; "" if nothing.
  std::string check() {
    for (auto [i, value] : llvm::enumerate(f.values)) {
      at("values", i);
      one("producer", value.producer, f.ops.size());
      one("declared", value.declared, f.layouts.size());
    }
    for (auto [i, op] : llvm::enumerate(f.ops))
      checkOp(op, i);
    for (auto [i, tensor] : llvm::enumerate(f.tensors))
      checkTensor(tensor, i);
    for (auto [i, step] : llvm::enumerate(f.steps))
      checkStep(step, i);
    // What is named in one place only has no function of its own.
    for (auto [i, spill] : llvm::enumerate(f.spills)) {
      at("spills", i);
      one("value", spill.value, f.values.size());
      one("tensor", spill.tensor, f.tensors.size());
      one("step", spill.step, f.steps.size());
      one("at_step", spill.atStep, f.steps.size());
    }
    for (auto [i, clash] : llvm::enumerate(f.clashes)) {
      at("clashes", i);
      one("step", clash.step, f.steps.size());
      all("tensors", clash.tensors, f.tensors.size());
    }
    if (f.rewrites)
      for (auto [i, rewritten] : llvm::enumerate(*f.rewrites)) {
        at("rewrites", i);
        all("made", rewritten.made, f.ops.size());
      }
    at("after", 0);
    one("peak_step", f.after.peakStep, f.steps.size());
    return wrong;
  }

private:
  void checkOp(const OpFacts &op, size_t index) {
    at("ops", index);
    all("operands", op.operands, f.values.size());
    all("results", op.results, f.values.size());
    // Every op runs in exactly one step, so a missing one is as wrong as one that does not exist.
    one("step", op.step.value_or(-1), f.steps.size());
    if (wrong.empty() && (!f.steps[size_t(*op.step)].isRun() || f.steps[size_t(*op.step)].op != Index(index)))
      note("step", "is not where the op runs");
    for (const RunnerUp &other : op.runnersUp) {
      all("runners_up.outputs", other.outputs, f.layouts.size());
      all("runners_up.inputs", other.inputs, f.layouts.size());
      one("runners_up.step", other.step, f.steps.size());
    }
  }

  void checkTensor(const TensorFacts &tensor, size_t index) {
    at("tensors", index);
    one("value", tensor.value, f.values.size());
    one("layout", tensor.layout, f.layouts.size());
    one("made_by", tensor.madeBy, f.steps.size());
    all("readers", tensor.readers, f.steps.size());
    one("view_of", tensor.viewOf, f.tensors.size());
    range("address", tensor.address);
    range("dram_address", tensor.dramAddress);
  }

  void checkStep(const StepFacts &step, size_t index) {
    at("steps", index);
    one("op", step.op, f.ops.size());
    all("reads", step.reads, f.tensors.size());
    all("writes", step.writes, f.tensors.size());
    range("buffers_address", step.buffersAddress);
    range("temporaries_address", step.temporariesAddress);
    if (step.isRun() ? !step.op.has_value() : step.reads.size() != 1 || step.writes.size() != 1)
      note("kind", "does not go with the rest of the step");
  }

  void at(llvm::StringRef list, size_t index) {
    where = list;
    entry = index;
  }
  void note(llvm::StringRef key, llvm::StringRef what) {
    if (wrong.empty())
      wrong = llvm::formatv("{0}[{1}].{2} {3}", where, entry, key, what).str();
  }
  void one(llvm::StringRef key, Index index, size_t size) {
    if (index < 0 || size_t(index) >= size)
      note(key, "is the number of no entry");
  }
  void range(llvm::StringRef key, const Addresses &addresses) {
    if (addresses && addresses->size() != 2)
      note(key, "is not [begin, end)");
  }
  void one(llvm::StringRef key, std::optional<Index> index, size_t size) {
    if (index)
      one(key, *index, size);
  }
  void all(llvm::StringRef key, llvm::ArrayRef<Index> indices, size_t size) {
    for (Index index : indices)
      one(key, index, size);
  }

  const FunctionDecisions &f;
  llvm::StringRef where;
  size_t entry = 0;
  std::string wrong;
};

llvm::Error malformed(const llvm::Twine &what) {
  return llvm::createStringError("not a decisions file: " + what);
}

} // namespace

llvm::json::Value toJson(const OpFacts &op) { return encode(op); }
llvm::json::Value toJson(const StepFacts &step) { return encode(step); }
llvm::json::Value toJson(const TensorFacts &tensor) { return encode(tensor); }
llvm::json::Value toJson(const SpillFacts &spill) { return encode(spill); }
llvm::json::Value toJson(const RewrittenFacts &rewritten) { return encode(rewritten); }
llvm::json::Value toJson(const TimeGroup &group) { return encode(group); }

void write(llvm::json::OStream &os, const Decisions &decisions) {
  os.object([&] {
    os.attribute("format", kFormat);
    os.attributeBegin("functions");
    stream(os, decisions.functions);
    os.attributeEnd();
    os.attribute("generator", encode(decisions.generator));
    os.attribute("input", encode(decisions.input));
    os.attribute("version", Decisions::kVersion);
  });
}

llvm::Expected<Decisions> decisionsFromJson(const llvm::json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object || object->getString("format") != llvm::StringRef(kFormat))
    return malformed("\"format\" is not \"" + kFormat + "\"");
  if (std::optional<int64_t> version = object->getInteger("version"); version != Decisions::kVersion)
    return malformed("this program reads version " + llvm::Twine(Decisions::kVersion));
  Decisions decisions;
  json::Path::Root root("decisions");
  if (!fromJSON(value, decisions, root))
    return malformed(llvm::toString(root.getError()));
  // A file may come from another version or from a script; the commands that draw it index its lists without
  // asking again.
  for (const FunctionDecisions &function : decisions.functions)
    if (std::string wrong = References(function).check(); !wrong.empty())
      return malformed(wrong);
  return decisions;
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

std::vector<Index> FunctionDecisions::holdersAt(Index step) const {
  std::vector<Index> holders;
  for (auto [i, tensor] : llvm::enumerate(tensors))
    if (tensor.l1 > Bytes(0) && tensor.liveAt(step))
      holders.push_back(Index(i));
  return holders;
}
