//===- Cliffs.cpp - Where a small change of layout changes a time too much -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Evaluation/Cliffs.h"

#include "tessera/OpModel/OpTable.h"
#include "tessera/OpModel/QueryText.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace tessera {
namespace {

/// A kernel of one tile takes 0.57 us (a move between shards on Blackhole, op_traces) to 1.4 us.
constexpr double kFloorNs = 550;
/// GB/s of the DRAM's pins: facts/hardware 1.5, scaled to the board by what kernels read.
double pinRate(const DeviceSpec &device) {
  return device.dramReadGBs * (device.arch == Arch::Blackhole ? 512.0 / 418 : 288.0 / 190);
}
/// Less than this is what rounding and smoothing leave of nothing.
constexpr double kNothingNs = 5;

enum class Where : uint8_t { Dram, L1, Height, Width, Block };
constexpr llvm::StringLiteral kNames[] = {"DRAM", "L1", "height", "width", "block"};

/// A place for a tensor. Rows are tried in the places that kernels take them in.
struct Place {
  Where where;
  PageLayout page;
  bool operator==(const Place &) const = default;
  std::string name() const {
    return (kNames[size_t(where)] + (page == PageLayout::RowMajor ? " rows" : "")).str();
  }
};

std::vector<Place> placesOf(PageLayout page) {
  std::vector<Place> places;
  for (Where where : {Where::Dram, Where::L1, Where::Height, Where::Width, Where::Block})
    places.push_back({where, page});
  PageLayout other = otherPages(page);
  for (Where where : {Where::Dram, Where::L1, Where::Height})
    places.push_back({where, other});
  return places;
}

/// "hs64/rm": as many cores as there are tiles (or rows of 32) for; "" if a shard of a row would be less than
/// a tile.
std::string placeText(Place place, const TensorDesc &tensor, GridShape workers) {
  std::string page = place.page == PageLayout::RowMajor ? "/rm" : "";
  GridShape whole = physicalShapeInUnits(dramInterleaved(tensor), tensor.shape);
  int64_t rows = std::max<int64_t>(1, whole.rows), columns = std::max<int64_t>(1, whole.columns);
  switch (place.where) {
  case Where::Dram:
    return "dram" + page;
  case Where::L1:
    return "l1" + page;
  case Where::Height:
    return "hs" + std::to_string(std::min(rows, workers.volume())) + page;
  case Where::Width:
    return "ws" + std::to_string(std::min(columns, workers.volume())) + page;
  case Where::Block:
    return "bs" + std::to_string(std::min(rows, workers.rows)) + "x" +
           std::to_string(std::min(columns, workers.columns)) + page;
  }
  return "";
}

/// The end of a query's text.
std::string withAttributes(const OpSignature &op) {
  return op.attributes.empty() ? "" : " ; " + attributesText(op);
}

using Placement = std::vector<Place>; ///< operands, then results

} // namespace

/// The queries around one subject.
/// 1  Places to start from: all tensors in one kind of place, or the first operand and the results there and the others
/// in DRAM (startsOf).
/// 2  From each start that is legal, each slot goes to each place, one at a time: the others stay where they are, so
/// that one change has one cause (compare).
/// 3  Two legal neighbours are held against each other (judge), and each start against what no kernel can do
/// (boundsOf).
class CliffSearch::Around {
public:
  Around(CliffSearch &search, const CliffSubject &subject)
      : search(search), subject(subject), operands(subject.signature.operands.size()),
        all(operands + subject.signature.results.size()) {
    const OpInfo *info = findOp(subject.signature.name);
    family = info ? info->family.str() : subject.signature.name;
  }

  void run() {
    std::set<std::string> starts;
    for (const Placement &start : startsOf())
      if (starts.insert(text(start)).second && answer(start).legal)
        compare(start);
  }

private:
  struct Answer {
    bool legal = false;
    OpRuntime time;
    PlacementWork work;
  };
  struct Slot {
    std::string name;
    std::vector<size_t> tensors;
  };

  PageLayout page(size_t i) const {
    return i < operands ? subject.operands[i] : subject.results[i - operands];
  }
  const TensorDesc &tensor(size_t i) const {
    const OpSignature &op = subject.signature;
    return i < operands ? op.operands[i].tensor : op.results[i - operands];
  }
  bool mainTensor(size_t i) const { return i == 0 || i >= operands; }

  std::vector<Placement> startsOf() const {
    std::vector<Placement> starts;
    auto start = [&](Where where, bool others, bool turned) {
      Placement placement;
      for (size_t i = 0; i < all; ++i) {
        // Tensors in another page than the first one, such as indices in rows, keep it: only what was laid out
        // alike is turned together.
        bool turn = turned && page(i) == page(0);
        PageLayout other = otherPages(page(i));
        placement.push_back({others || mainTensor(i) ? where : Where::Dram, turn ? other : page(i)});
      }
      starts.push_back(std::move(placement));
    };
    for (Where where : {Where::Dram, Where::L1, Where::Height, Where::Width, Where::Block})
      for (bool others : {true, false})
        start(where, others, false);
    start(Where::Dram, true, true);
    start(Where::L1, true, true);
    return starts;
  }

  std::vector<Slot> slots() const {
    std::vector<Slot> slots;
    std::vector<size_t> in, out, both;
    for (size_t i = 0; i < all; ++i) {
      (i < operands ? in : out).push_back(i);
      both.push_back(i);
    }
    // Not all: a concat has dozens, one like the other.
    for (size_t i = 0; i < std::min<size_t>(4, operands); ++i)
      slots.push_back({"operand " + std::to_string(i), {i}});
    if (in.size() > 1)
      slots.push_back({"operands", in});
    slots.push_back({"results", out});
    slots.push_back({"all", both});
    return slots;
  }

  std::string text(const Placement &placement) const {
    GridShape workers = search.model.device().workerGrid;
    std::string text = subject.signature.name;
    for (size_t i = 0; i < all; ++i) {
      const char *before = i == operands ? " -> " : i == 0 ? " " : ", ";
      bool repeated = i < operands && subject.signature.operands[i].sameAs != i;
      text += before;
      text += repeated ? "=" + std::to_string(subject.signature.operands[i].sameAs)
                       : descriptionText(tensor(i)) + "@" + placeText(placement[i], tensor(i), workers);
    }
    return text + withAttributes(subject.signature);
  }

  const Answer &answer(const Placement &placement) {
    // The text is the key as it is the question: two placements that read alike are one, and a cliff is
    // reported in words that 'tessera ops explain' takes.
    auto [it, fresh] = answers.try_emplace(text(placement));
    if (!fresh)
      return it->second;
    llvm::Expected<TextQuery> query =
        parseQueryText(it->first, search.model.layouts(), search.model.device());
    if (!query) {
      // Places that a tensor of this shape cannot have are no question, not an error.
      llvm::consumeError(query.takeError());
      return it->second;
    }
    it->second.legal = search.model.query(query->query()).ok();
    if (it->second.legal) {
      it->second.time = search.model.runtime(query->query());
      it->second.work = workOf(query->query(), search.model.layouts(), search.model.device());
    }
    return it->second;
  }

  void compare(const Placement &start) {
    const Answer before = answer(start);
    boundsOf(start, before);
    for (const Slot &slot : slots())
      for (Place place : placesOf(page(slot.tensors[0])))
        if (Placement changed = start; move(slot, place, changed) && text(changed) != text(start))
          if (const Answer &after = answer(changed); after.legal)
            judge(slot, side(slot, start, before), side(slot, changed, after), start, changed);
  }

  CliffSide side(const Slot &slot, const Placement &placement, const Answer &answer) const {
    return {placement[slot.tensors[0]].name(), text(placement), answer.work, answer.time};
  }

  /// Puts the tensors of the slot there, in pages of their own if those are not the first one's. False if
  /// nothing changes.
  bool move(const Slot &slot, Place place, Placement &placement) const {
    bool turn = place.page != page(slot.tensors[0]), changed = false;
    for (size_t i : slot.tensors) {
      PageLayout other = otherPages(page(i));
      Place there{place.where, turn && page(i) == page(slot.tensors[0]) ? other : page(i)};
      changed |= !(placement[i] == there);
      placement[i] = there;
    }
    return changed;
  }

  /// Neither place is the better one by itself, so the change is told in the direction in which time grows.
  void judge(const Slot &slot, const CliffSide &from, const CliffSide &to, const Placement &start,
             const Placement &changed) {
    ++search.compared;
    double a = from.time.total.value(), b = to.time.total.value();
    if (b > kCliffRatio * a)
      search.report({CliffKind::Ratio, family, slot.name, from, to});
    else if (a > kCliffRatio * b)
      search.report({CliffKind::Ratio, family, slot.name, to, from});
    size_t first = slot.tensors[0];
    // In other pages it is another kernel, whose time says nothing of the transfer.
    bool leaves = start[first].where != Where::Dram && changed[first].where == Where::Dram &&
                  start[first].page == changed[first].page;
    if (leaves && a > 0 && b > 0 && b < a + kNothingNs)
      search.report({CliffKind::Free, family, slot.name, from, to});
  }

  /// What holds for any kernel, be it the only one.
  void boundsOf(const Placement &start, const Answer &answer) {
    const DeviceSpec &device = search.model.device();
    // What the host adds is no part of a kernel's time.
    double kernel = (answer.time.total - device.launch).value();
    if (answer.time.total.value() <= 0)
      return;
    CliffSide only = side({"", {0}}, start, answer);
    if (kernel < kFloorNs)
      search.report({CliffKind::NoFloor, family, "all", only, only});
    double atPins = (answer.work.dramRead + answer.work.dramWritten) / pinRate(device);
    constexpr double rounding = 0.99;
    if (kernel < rounding * atPins)
      search.report({CliffKind::TooFast, family, "all", only, only});
  }

  CliffSearch &search;
  const CliffSubject &subject;
  size_t operands, all;
  std::string family;
  std::map<std::string, Answer> answers;
};

double LayoutChange::ratio() const {
  double before = from.time.total.value();
  return before > 0 ? to.time.total.value() / before : 0;
}

/// Cliffs that have family, kind, slot and reason in common are one, shown by its worst pair: a program has thousands
/// of them.
void CliffSearch::report(LayoutChange change) {
  Cliff &cliff = found[{change.family, change.kind, change.slot, reasonOf(change, model.device())}];
  // Of transfers that cost nothing the worst is the one that gains most.
  bool worse = change.kind == CliffKind::Free ? change.ratio() < cliff.worst.ratio()
                                              : change.ratio() > cliff.worst.ratio();
  if (cliff.count++ == 0 || worse)
    cliff.worst = std::move(change);
}

void CliffSearch::add(const CliffSubject &subject) {
  // Subjects of one key have the same queries around them, however often a program has the op.
  std::string key = subject.signature.name;
  for (size_t i = 0; i < subject.signature.operands.size(); ++i)
    key += " " + descriptionText(subject.signature.operands[i].tensor) +
           (subject.operands[i] == PageLayout::Tile ? "" : "/rm") +
           std::to_string(subject.signature.operands[i].sameAs);
  for (size_t i = 0; i < subject.signature.results.size(); ++i)
    key += " > " + descriptionText(subject.signature.results[i]) +
           (subject.results[i] == PageLayout::Tile ? "" : "/rm");
  key += withAttributes(subject.signature);
  if (!subject.signature.operands.empty() && !subject.signature.results.empty() &&
      searched.insert(key).second)
    Around(*this, subject).run();
}

void CliffSearch::addConversions(const TensorDesc &tensor) {
  add({toMemoryConfigSignature(tensor), {PageLayout::Tile}, {PageLayout::Tile}});
  add({toMemoryConfigSignature(tensor), {PageLayout::RowMajor}, {PageLayout::RowMajor}});
  add({toLayoutSignature(tensor, tensor), {PageLayout::Tile}, {PageLayout::RowMajor}});
  add({toLayoutSignature(tensor, tensor), {PageLayout::RowMajor}, {PageLayout::Tile}});
}

size_t CliffSearch::unexplained() const {
  size_t pairs = 0;
  for (const auto &[key, cliff] : found)
    pairs += key.reason.empty() ? cliff.count : 0;
  return pairs;
}

llvm::StringRef name(CliffKind kind) {
  constexpr llvm::StringLiteral kKinds[] = {"ratio", "free transfer", "no floor", "faster than DRAM"};
  return kKinds[size_t(kind)];
}

} // namespace tessera
