//===- DecisionsReading.cpp - The decisions file, read --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two ways to read a file, with the same result. Record by record, as the tree of
// a large program's file would take gigabytes; and as one tree, which knows the
// place of what is wrong and is only made to name it. Behind either every number
// is held against the list that it counts in, once: whoever draws the file
// indexes its lists without asking.
//
//===----------------------------------------------------------------------===//
#include "Fields.h"

#include "tessera/OpModel/LayoutJson.h"
#include "tessera/Optimizer/Decisions/DecisionsFile.h"
#include "tessera/Support/JsonPieces.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

// llvm::json::ObjectMapper finds these by argument-dependent lookup.
namespace tessera {

/// Times are whole nanoseconds, as they are written.
template <class Unit>
  requires(std::is_same_v<Unit, Bytes> || std::is_same_v<Unit, Nanoseconds>)
static bool fromJSON(const json::Value &value, Unit &read, json::Path path) {
  int64_t number = 0;
  bool ok = json::fromJSON(value, number, path);
  read = Unit(number);
  return ok;
}
template <HasWords E>
static bool fromJSON(const json::Value &value, E &out, json::Path path) {
  llvm::ArrayRef<llvm::StringRef> words = wordsOf(out);
  std::optional<llvm::StringRef> text = value.getAsString();
  // A word's place in the list is the number of the enumerator.
  const auto *found = text ? llvm::find(words, *text) : words.end();
  if (found == words.end()) {
    path.report("unknown word");
    return false;
  }
  out = E(found - words.begin());
  return true;
}

template <HasFields T>
static bool fromJSON(const json::Value &value, T &out, json::Path path) {
  json::ObjectMapper object(value, path);
  bool ok = bool(object);
  // Keys that nobody lists are left alone: a file of a later writer may have more.
  T::fields(out, [&]<class Member>(llvm::StringLiteral key, Member &member) {
    if constexpr (std::is_same_v<Member, OpSpecificConfig>) {
      // Null is a configuration, too.
      const json::Value *config = ok ? value.getAsObject()->get(key) : nullptr;
      ok = ok && fromJSON(config ? *config : json::Value(nullptr), member, path.field(key));
    } else if constexpr (std::is_same_v<Member, RawJson>) {
      if (const json::Value *found = ok ? value.getAsObject()->get(key) : nullptr)
        member.text = llvm::formatv("{0}", *found).str();
    } else {
      ok = ok && object.map(key, member);
    }
  });
  return ok;
}

} // namespace tessera

namespace tessera::decisions {

using tessera::
    fromJSON; // NOLINT(misc-unused-using-decls): llvm::json looks here for the words of this namespace's enums

namespace {

/// That every number of a function names an entry that exists, so that readers of the file need not ask.
class References {
public:
  explicit References(const FunctionDecisions &f) : f(f) {}

  /// What is wrong; "" if nothing.
  std::string check() {
    // In the order of the file's lists; the first number that is wrong is told, as others often follow from it.
    each("values", f.values, [&](const ValueFacts &value) {
      one("producer", value.producer, f.ops.size());
      one("declared", value.declared, f.layouts.size());
    });
    each("ops", f.ops, [&](const OpFacts &op) { checkOp(op); });
    each("tensors", f.tensors, [&](const TensorFacts &tensor) { checkTensor(tensor); });
    each("steps", f.steps, [&](const StepFacts &step) { checkStep(step); });
    // What is named in one place only has no function of its own.
    each("spills", f.spills, [&](const SpillFacts &spill) {
      one("value", spill.value, f.values.size());
      one("tensor", spill.tensor, f.tensors.size());
      one("step", spill.step, f.steps.size());
      one("at_step", spill.atStep, f.steps.size());
      // Who tells why names the step.
      if (spill.cause == SpillCause::Memory && !spill.atStep)
        note("at_step", "is null, though room is missing");
    });
    each("clashes", f.clashes, [&](const auto &clash) {
      one("step", clash.step, f.steps.size());
      all("tensors", clash.tensors, f.tensors.size());
    });
    if (f.rewrites)
      each("rewrites", *f.rewrites,
           [&](const RewrittenFacts &rewritten) { all("made", rewritten.made, f.ops.size()); });
    each("after", llvm::ArrayRef(f.after),
         [&](const Totals &after) { one("peak_step", after.peakStep, f.steps.size()); });
    return wrong;
  }

private:
  void checkOp(const OpFacts &op) {
    all("operands", op.operands, f.values.size());
    all("results", op.results, f.values.size());
    // Every op runs in exactly one step, so a missing one is as wrong as one that does not exist.
    one("step", op.step.value_or(-1), f.steps.size());
    if (wrong.empty() && (!f.steps[size_t(*op.step)].isRun() || f.steps[size_t(*op.step)].op != Index(entry)))
      note("step", "is not where the op runs");
    // Readers index the lists of layouts and steps by these without asking.
    for (const RunnerUp &other : op.runnersUp) {
      all("runners_up.outputs", other.outputs, f.layouts.size());
      all("runners_up.inputs", other.inputs, f.layouts.size());
      one("runners_up.step", other.step, f.steps.size());
    }
  }

  void checkTensor(const TensorFacts &tensor) {
    one("value", tensor.value, f.values.size());
    one("layout", tensor.layout, f.layouts.size());
    one("made_by", tensor.madeBy, f.steps.size());
    all("readers", tensor.readers, f.steps.size());
    // One that lives to the end ends behind the last step.
    if (tensor.begin < 0 || tensor.end < tensor.begin || tensor.end > Index(f.steps.size()))
      note("begin", "to end is no stretch of the steps");
    one("view_of", tensor.viewOf, f.tensors.size());
    range("address", tensor.address);
    range("dram_address", tensor.dramAddress);
    range("place_address", tensor.placeAddress);
  }

  void checkStep(const StepFacts &step) {
    one("op", step.op, f.ops.size());
    all("reads", step.reads, f.tensors.size());
    all("writes", step.writes, f.tensors.size());
    range("buffers_address", step.buffersAddress);
    range("temporaries_address", step.temporariesAddress);
    // A step of a run is drawn by its op, a conversion by what it reads and makes.
    if (step.isRun() ? !step.op.has_value() : step.reads.size() != 1 || step.writes.size() != 1)
      note("kind", "does not go with the rest of the step");
  }

  /// Checks the records of a list, which a complaint names with the place in it.
  void each(llvm::StringRef list, const auto &records, auto check) {
    for (auto [index, record] : llvm::enumerate(records)) {
      where = list;
      entry = index;
      check(record);
    }
  }
  void note(llvm::StringRef key, llvm::StringRef what) {
    if (wrong.empty())
      wrong = llvm::formatv("{0}[{1}].{2} {3}", where, entry, key, what).str();
  }
  /// Numbers are signed in the file, so that a negative one is refused here and not turned into a large one.
  void one(llvm::StringRef key, Index index, size_t size) {
    if (index < 0 || size_t(index) >= size)
      note(key, "is the number of no entry");
  }
  void range(llvm::StringRef key, const Addresses &addresses) {
    if (addresses && addresses->size() != 2)
      note(key, "is not [begin, end)");
  }
  /// None is right wherever a number may be missing.
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

/// A file may come from another version or from a script; the commands that draw it index its lists without asking again.
llvm::Expected<Decisions> checked(Decisions decisions) {
  for (const FunctionDecisions &function : decisions.functions)
    if (std::string wrong = References(function).check(); !wrong.empty())
      return malformed(wrong);
  return decisions;
}

/// Reads a text record by record: never more than one of them is a tree. What is wrong with a text it does not say.
class Pieces {
public:
  static std::optional<Decisions> read(llvm::StringRef text) {
    Decisions all;
    std::vector<llvm::StringRef> functions;
    // The text of the functions stands aside, and what is left of the file is small enough to be a tree.
    std::optional<std::string> rest = without(text, [&](llvm::StringRef key, llvm::StringRef value) {
      return key == "functions" ? std::optional(splitArray(value, functions)) : std::nullopt;
    });
    std::optional<json::Value> value = rest ? parsed(*rest) : std::nullopt;
    json::Path::Root root;
    // Whatever is wrong is said by who reads the whole tree, which knows the place.
    if (!value || !isOfThisVersion(*value) || !fromJSON(*value, all, root))
      return std::nullopt;
    for (llvm::StringRef function : functions)
      if (!readFunction(function, all.functions.emplace_back()))
        return std::nullopt;
    return all;
  }

  static bool isOfThisVersion(const json::Value &value) {
    const json::Object *object = value.getAsObject();
    return object && object->getString("format") == llvm::StringRef(kFormat) &&
           object->getInteger("version") == Decisions::kVersion;
  }

private:
  /// Takes a member of an object: whether it could; nullopt leaves it where it is.
  using Take = llvm::function_ref<std::optional<bool>(llvm::StringRef key, llvm::StringRef value)>;

  /// The object with [] for each member that was taken.
  static std::optional<std::string> without(llvm::StringRef object, Take take) {
    std::vector<std::pair<llvm::StringRef, llvm::StringRef>> members;
    if (!splitObject(object, members))
      return std::nullopt;
    std::string rest = "{";
    for (auto [key, value] : members) {
      // Keys come with their quotes. One that is written with escapes names no member here, and is left to the
      // rest.
      std::optional<bool> taken = take(key.drop_front().drop_back(), value);
      // Taken, but malformed; nullopt is a member that stays in the rest.
      if (taken == false)
        return std::nullopt;
      rest += (rest.size() > 1 ? "," : "") + key.str() + ":" + (taken ? "[]" : value.str());
    }
    return rest + "}";
  }

  static std::optional<json::Value> parsed(llvm::StringRef text) {
    llvm::Expected<json::Value> value = parseJson(text);
    if (value)
      return std::move(*value);
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }

  /// Lists of records, and what is kept as text, apart from the rest. The rest is read first, since it empties the lists.
  static bool readFunction(llvm::StringRef text, FunctionDecisions &function) {
    std::vector<std::pair<llvm::StringRef, llvm::StringRef>> taken;
    std::optional<std::string> rest = without(text, [&](llvm::StringRef key, llvm::StringRef value) {
      bool wanted = isTaken(function, key);
      if (wanted)
        taken.emplace_back(key, value);
      return wanted ? std::optional(true) : std::nullopt;
    });
    std::optional<json::Value> value = rest ? parsed(*rest) : std::nullopt;
    json::Path::Root root;
    return value && fromJSON(*value, function, root) && llvm::all_of(taken, [&](const auto &member) {
             bool ok = true;
             FunctionDecisions::fields(function, [&](llvm::StringLiteral key, auto &into) {
               if (key == member.first)
                 ok = readMember(member.second, into);
             });
             return ok;
           });
  }

  static bool isTaken(const FunctionDecisions &function, llvm::StringRef wanted) {
    bool taken = false;
    FunctionDecisions::fields(function, [&]<class Member>(llvm::StringLiteral key, const Member &) {
      taken |= key == wanted && kIsTaken<Member>;
    });
    return taken;
  }

  template <class T>
  // What grows with the program: the trace, and lists of records. All else of a function is read at once.
  static constexpr bool kIsTaken = std::is_same_v<T, RawJson>;
  template <HasFields T>
  static constexpr bool kIsTaken<std::vector<T>> = true;

  template <class T>
  // Never called of these, since isTaken leaves them; `fields` visits all members, so the call must compile.
  static bool readMember(llvm::StringRef, T &) {
    return true;
  }
  static bool readMember(llvm::StringRef text, RawJson &into) {
    into.text = text.trim().str();
    return isJson(text);
  }
  template <HasFields T>
  static bool readMember(llvm::StringRef text, std::vector<T> &into) {
    std::vector<llvm::StringRef> records;
    json::Path::Root root;
    return splitArray(text, records) && llvm::all_of(records, [&](llvm::StringRef record) {
             std::optional<json::Value> value = parsed(record);
             return value && fromJSON(*value, into.emplace_back(), root);
           });
  }
};

} // namespace

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
  return checked(std::move(decisions));
}

/// A text that is right is read once. One that is wrong is read twice, which costs memory but names the fault.
llvm::Expected<Decisions> decisionsFromText(llvm::StringRef text) {
  if (std::optional<Decisions> read = Pieces::read(text))
    return checked(std::move(*read));
  // The whole tree knows the place of what is wrong, and its path.
  llvm::Expected<json::Value> value = parseJson(text);
  return value ? decisionsFromJson(*value) : value.takeError();
}

} // namespace tessera::decisions
