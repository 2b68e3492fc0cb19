//===- DecisionsReading.cpp - The decisions file, read --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Record by record, as the tree of a large program's file would take gigabytes.
// Each record knows its place, so that what is wrong is named as a tree would
// name it. At the end every number is held against the list that it counts in,
// once: whoever draws the file indexes its lists without asking.
//
//===----------------------------------------------------------------------===//
#include "Fields.h"

#include "tessera/OpModel/LayoutJson.h"
#include "tessera/Optimizer/Decisions/DecisionsFile.h"
#include "tessera/Support/JsonPieces.h"

#include "llvm/ADT/StringMap.h"
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

/// Reads a text record by record: never more than one of them is a tree.
class Pieces {
public:
  explicit Pieces(llvm::StringRef text) : text(text) {}

  llvm::Expected<Decisions> read() {
    Decisions all;
    std::vector<llvm::StringRef> functions;
    // The text of the functions stands aside, and what is left of the file is small enough to be a tree. What is no
    // list stays in there, where it is found to be none.
    std::optional<json::Value> rest = parsed(without(text, [&](llvm::StringRef key, llvm::StringRef value) {
      return key == "functions" && splitArray(value, functions);
    }));
    if (!rest)
      return wrong();
    const json::Object *object = rest->getAsObject();
    if (!object || object->getString("format") != llvm::StringRef(kFormat))
      return malformed("\"format\" is not \"" + kFormat + "\"");
    if (std::optional<int64_t> version = object->getInteger("version"); version != Decisions::kVersion)
      return malformed("this program reads version " + llvm::Twine(Decisions::kVersion));
    json::Path path(root);
    auto readOne = [&](llvm::StringRef function, json::Path at) {
      return readFunction(function, all.functions.emplace_back(), at);
    };
    if (!fromJSON(*rest, all, path) || !readEach(functions, path.field("functions"), readOne))
      return wrong();
    return checked(std::move(all));
  }

private:
  using Elements = std::vector<llvm::StringRef>;
  /// Whether a member of an object is taken out of it.
  using Take = llvm::function_ref<bool(llvm::StringRef key, llvm::StringRef value)>;

  /// Why reading has ended.
  llvm::Error wrong() {
    if (parses)
      return malformed(llvm::toString(root.getError()));
    // The place of what is no JSON is one in the whole text; a piece knows its own lines only. If the text were right,
    // all of its pieces would be.
    return parseJson(text).takeError();
  }

  std::optional<json::Value> parsed(llvm::StringRef piece) {
    llvm::Expected<json::Value> value = parseJson(piece);
    if (value)
      return std::move(*value);
    llvm::consumeError(value.takeError());
    parses = false;
    return std::nullopt;
  }

  /// The object with [] for each member that was taken; as it is if it is none.
  static std::string without(llvm::StringRef object, Take take) {
    std::vector<std::pair<llvm::StringRef, llvm::StringRef>> members;
    if (!splitObject(object, members))
      return object.str();
    std::string rest = "{";
    for (auto [key, value] : members)
      // Keys come with their quotes. One that is written with escapes names no member here, and is left to the
      // rest.
      rest += (rest.size() > 1 ? "," : "") + key.str() + ":" +
              (take(key.drop_front().drop_back(), value) ? "[]" : value.str());
    return rest + "}";
  }

  /// Each with its place in the list at `list`.
  static bool readEach(llvm::ArrayRef<llvm::StringRef> elements, json::Path list,
                       llvm::function_ref<bool(llvm::StringRef, json::Path)> read) {
    return llvm::all_of(llvm::enumerate(elements), [&](const auto &element) {
      return read(element.value(), list.index(unsigned(element.index())));
    });
  }

  /// Lists of records, and what is kept as text, apart from the rest. The rest is read first, since it empties the lists.
  bool readFunction(llvm::StringRef piece, FunctionDecisions &function, json::Path path) {
    llvm::StringMap<Elements> taken;
    std::optional<json::Value> rest = parsed(without(piece, [&](llvm::StringRef key, llvm::StringRef value) {
      Elements elements;
      bool takes = takeElements(function, key, value, elements);
      if (takes)
        taken[key] = std::move(elements);
      return takes;
    }));
    bool ok = rest && fromJSON(*rest, function, path);
    FunctionDecisions::fields(function, [&](llvm::StringLiteral key, auto &into) {
      if (auto found = taken.find(key); ok && found != taken.end())
        ok = readMember(found->second, into, path.field(key));
    });
    return ok;
  }

  /// What grows with the program: lists of records, and the trace, which is one element. All else of a function is read at
  /// once.
  static bool takeElements(const FunctionDecisions &function, llvm::StringRef wanted, llvm::StringRef value,
                           Elements &elements) {
    bool takes = false;
    FunctionDecisions::fields(function, [&]<class Member>(llvm::StringLiteral key, const Member &) {
      if (key != wanted)
        return;
      if constexpr (std::is_same_v<Member, RawJson>) {
        elements = {value};
        takes = true;
      } else if constexpr (kIsList<Member>) {
        takes = splitArray(value, elements);
      }
    });
    return takes;
  }

  template <class T>
  static constexpr bool kIsList = false;
  template <HasFields T>
  static constexpr bool kIsList<std::vector<T>> = true;

  template <class Member>
  bool readMember(const Elements &elements, Member &into, json::Path path) {
    if constexpr (std::is_same_v<Member, RawJson>) {
      into.text = elements.front().trim().str();
      return parses = isJson(elements.front());
    } else if constexpr (kIsList<Member>) {
      return readEach(elements, path, [&](llvm::StringRef record, json::Path at) {
        std::optional<json::Value> value = parsed(record);
        return value && fromJSON(*value, into.emplace_back(), at);
      });
    } else {
      return true; // takeElements leaves these
    }
  }

  llvm::StringRef text;
  json::Path::Root root{"decisions"};
  bool parses = true; ///< what was read so far
};

} // namespace

llvm::Expected<Decisions> decisionsFromText(llvm::StringRef text) { return Pieces(text).read(); }

} // namespace tessera::decisions
