//===- Layers.cpp - The layers of a model ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// report/src/model/layers.ts is the same for the page; report/check holds the two equal.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Decisions/Layers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tessera;
using namespace tessera::decisions;

/// Ops of a layer at least: shorter patterns are parts of one.
static constexpr size_t kLeastPeriod = 12;

/// "model/layers.3" of "model/layers.3/mlp/dot"; "" if no scope ends in a number.
static std::string scopeOf(llvm::StringRef location) {
  llvm::SmallVector<llvm::StringRef> parts;
  location.split(parts, '/');
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    llvm::StringRef part = parts[i];
    part.consume_back("]");
    if (part.empty() || !llvm::isDigit(part.back()))
      continue;
    return llvm::join(llvm::ArrayRef(parts).take_front(i + 1), "/");
  }
  return "";
}

/// Empty if the locations do not tell.
static std::vector<std::string> byScopes(const FunctionDecisions &f) {
  std::vector<std::string> names;
  llvm::StringMap<size_t> different;
  size_t found = 0;
  for (const OpFacts &op : f.ops) {
    names.push_back(scopeOf(op.location));
    if (names.back().empty())
      names.back() = "outside";
    else {
      ++found;
      ++different[names.back()];
    }
  }
  // One scope over all ops is no layer, and where most ops have none scopes do not tell.
  if (2 * found < f.ops.size() || different.size() < 2)
    return {};
  return names;
}

/// Ops of the same kind with results of the same shapes have the same number.
static std::vector<size_t> signatures(const FunctionDecisions &f) {
  llvm::StringMap<size_t> kinds;
  std::vector<size_t> list;
  for (const OpFacts &op : f.ops) {
    std::string text = op.name;
    for (Index value : op.results) {
      for (int64_t extent : f.values[size_t(value)].shape)
        text += " " + std::to_string(extent);
      text += " " + f.values[size_t(value)].dtype + ";";
    }
    list.push_back(kinds.try_emplace(text, kinds.size()).first->second);
  }
  return list;
}

static size_t equalAt(llvm::ArrayRef<size_t> list, size_t a, size_t b, size_t length) {
  size_t equal = 0;
  for (size_t i = 0; i < length; ++i)
    equal += list[a + i] == list[b + i];
  return equal;
}

static bool same(llvm::ArrayRef<size_t> list, size_t a, size_t b, size_t length) {
  // Nineteen of twenty ops: layers need not be equal to the last op.
  return 20 * equalAt(list, a, b, length) >= 19 * length;
}

/// The distance at which a list repeats itself, but for less than 15 of 100 of the ops that are compared; 0 if there is
/// none.
static size_t periodOf(llvm::ArrayRef<size_t> list) {
  double best = 0;
  size_t period = 0;
  for (size_t p = kLeastPeriod; 2 * p <= list.size(); ++p) {
    size_t equal = equalAt(list, 0, p, list.size() - p);
    // The share alone would favour distances near half of the list, at which few ops are compared: a period must also
    // repeat in two fifths of all ops.
    double share = double(equal) / double(list.size() - p);
    // A multiple of the period repeats as well, a part of it nearly so: the shortest that is clearly best.
    if (share > best + 0.02 && double(equal) > 0.4 * double(list.size())) {
      best = share;
      period = p;
    }
  }
  return best > 0.85 ? period : 0;
}

static size_t firstRepeat(llvm::ArrayRef<size_t> list, size_t period) {
  // What is before the first layer repeats nothing, and stays out of it.
  for (size_t at = 0; at + 2 * period <= list.size(); ++at)
    if (list[at] == list[at + period] && same(list, at, at + period, period))
      return at;
  return 0;
}

/// The scopes of each op's location, outermost first and without its own name. Where most ops have none, layers are
/// all the structure that there is.
std::vector<std::vector<std::string>> decisions::groupPaths(const FunctionDecisions &f) {
  std::vector<std::vector<std::string>> paths;
  size_t found = 0;
  for (const OpFacts &op : f.ops) {
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(op.location).split(parts, '/');
    found += parts.size() > 1;
    std::vector<std::string> &path = paths.emplace_back();
    for (llvm::StringRef part : llvm::ArrayRef(parts).drop_back())
      path.push_back(part.str());
  }
  if (2 * found >= f.ops.size())
    return paths;
  std::vector<std::string> layers = layerNames(f);
  for (auto [path, layer] : llvm::zip_equal(paths, layers)) {
    path.clear();
    if (layer != layers.front() || layer != layers.back()) // else all are in one
      path.push_back(layer);
  }
  return paths;
}

/// By scopes that end in a number, if most ops have one. Else by the sequence of kinds and shapes: the distance at
/// which it repeats is a layer, and what stands before the first repeat, or behind the last, is none.
std::vector<std::string> decisions::layerNames(const FunctionDecisions &f) {
  std::vector<std::string> names = byScopes(f);
  if (!names.empty())
    return names;
  std::vector<size_t> list = signatures(f);
  size_t period = periodOf(list);
  if (period == 0)
    return std::vector<std::string>(f.ops.size(), "all ops");
  size_t begin = firstRepeat(list, period), end = begin;
  while (end + period <= list.size() && same(list, begin, end, period))
    end += period;
  for (size_t op = 0; op < list.size(); ++op)
    names.push_back(op < begin ? "begin"
                    : op < end ? "layer " + std::to_string((op - begin) / period)
                               : "end");
  return names;
}
