//===- TtnnValues.cpp - What fields of op configs hold --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/TtnnValues.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

// Names are those of the enumerators in Python, since configs are written and read as Python has them.
using Names = llvm::ArrayRef<llvm::StringLiteral>;

// In the order of the enums.
constexpr llvm::StringLiteral kTopologies[] = {"Ring", "Linear"};
constexpr llvm::StringLiteral kFidelities[] = {"LoFi", "HiFi2", "HiFi3", "HiFi4"};
constexpr llvm::StringLiteral kUnaryOps[] = {"SILU", "SIGMOID", "RELU", "GELU", "EXP", "NEG", "SQRT"};
constexpr llvm::StringLiteral kReduceTypes[] = {"Sum", "Mean", "Max", "Min"};

template <class Enum>
std::optional<Enum> parse(Names names, llvm::StringRef text) {
  auto found = llvm::find(names, text);
  return found == names.end() ? std::nullopt : std::optional(Enum(found - names.begin()));
}

/// A list of whole numbers, as many as are wanted.
template <size_t count>
bool readNumbers(const Item &item, int64_t (&numbers)[count]) {
  std::optional<std::vector<int64_t>> list = fromItem<std::vector<int64_t>>(item);
  if (!list || list->size() != count)
    return false;
  llvm::copy(*list, numbers);
  return true;
}

} // namespace

llvm::StringRef runner::name(Topology value) { return kTopologies[unsigned(value)]; }
llvm::StringRef runner::name(MathFidelity value) { return kFidelities[unsigned(value)]; }
llvm::StringRef runner::name(UnaryOpType value) { return kUnaryOps[unsigned(value)]; }
llvm::StringRef runner::name(ReduceType value) { return kReduceTypes[unsigned(value)]; }
std::optional<Topology> runner::parseTopology(llvm::StringRef text) {
  return parse<Topology>(kTopologies, text);
}
std::optional<MathFidelity> runner::parseMathFidelity(llvm::StringRef text) {
  return parse<MathFidelity>(kFidelities, text);
}
std::optional<UnaryOpType> runner::parseUnaryOpType(llvm::StringRef text) {
  return parse<UnaryOpType>(kUnaryOps, text);
}
std::optional<ReduceType> runner::parseReduceType(llvm::StringRef text) {
  return parse<ReduceType>(kReduceTypes, text);
}

/// Grids are (x, y) there: columns first.
Item ItemTraits<GridShape>::to(GridShape grid) {
  return toItem(std::vector<int64_t>{grid.columns, grid.rows});
}

bool ItemTraits<GridShape>::from(const Item &item, GridShape &grid) {
  int64_t numbers[2];
  if (!readNumbers(item, numbers))
    return false;
  grid = {numbers[1], numbers[0]};
  return true;
}

/// Start and end core, both inside, x before y.
Item ItemTraits<CoreRange>::to(const CoreRange &range) {
  return toItem(std::vector<int64_t>{range.start.x, range.start.y, range.end.x, range.end.y});
}

bool ItemTraits<CoreRange>::from(const Item &item, CoreRange &range) {
  int64_t numbers[4];
  if (!readNumbers(item, numbers))
    return false;
  range = {{numbers[0], numbers[1]}, {numbers[2], numbers[3]}};
  return true;
}
