//===- ShardSolverDump.cpp - The solver's state, step by step ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/ShardSolver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

llvm::StringRef tessera::name(ShardSolverStep::Kind kind) {
  static constexpr llvm::StringLiteral kNames[] = {"first_op",   "paths",    "reshard", "propagated",
                                                   "core_usage", "selected", "failed"};
  return kNames[size_t(kind)];
}

/// How many layouts of the consumer can be reached on this edge by a reshard.
static size_t targetsOn(const ShardSolver &solver, unsigned edge) {
  llvm::SmallVector<unsigned> targets;
  if (const ShardSolver::ReshardMap *map = solver.reshards(edge))
    for (const std::vector<unsigned> &accepted : *map)
      targets.append(accepted.begin(), accepted.end());
  // Several configurations may lead to the same target, which counts once.
  llvm::sort(targets);
  return size_t(std::unique(targets.begin(), targets.end()) - targets.begin());
}

/// Op names come from the user's file; JSON takes UTF-8 only.
static std::string text(llvm::StringRef name) { return llvm::json::fixUTF8(name); }

static llvm::StringRef producerName(const ShardSolver &solver, unsigned edge) {
  return edge == 0 ? llvm::StringRef("outside") : llvm::StringRef(solver.ops()[edge - 1].name);
}

/// Remaining configurations, number of paths and reshards, one line per op.
static void printState(llvm::raw_ostream &os, const ShardSolver &solver) {
  for (auto [op, data] : llvm::enumerate(solver.ops())) {
    unsigned edge = unsigned(op);
    os << "  " << data.name << ": " << solver.remaining(edge).count() << " of " << data.configs.size()
       << " configurations {";
    llvm::interleave(solver.remaining(edge).set_bits(), os, [&](unsigned config) { os << config; }, " ");
    os << "}\n    from " << producerName(solver, edge) << ": ";
    if (edge > 0)
      os << solver.paths(edge).size() << " paths";
    else
      os << "as it comes";
    if (solver.reshards(edge))
      os << ", through a reshard to one of " << targetsOn(solver, edge) << " layouts";
    os << "\n";
  }
}

/// The same as JSON: `{"ops": [{"name", "remaining": [...]}], "edges": [{"producer", "consumer", "paths",
/// "reshard_targets"}]}`.
static llvm::json::Value stateToJson(const ShardSolver &solver) {
  llvm::json::Array ops, edges;
  for (auto [op, data] : llvm::enumerate(solver.ops())) {
    unsigned edge = unsigned(op);
    llvm::json::Array remaining;
    for (unsigned config : solver.remaining(edge).set_bits())
      remaining.push_back(config);
    ops.push_back(llvm::json::Object{
        {"name", text(data.name)}, {"configs", data.configs.size()}, {"remaining", std::move(remaining)}});
    edges.push_back(llvm::json::Object{{"producer", text(producerName(solver, edge))},
                                       {"consumer", text(data.name)},
                                       {"paths", solver.paths(edge).size()},
                                       {"reshard_targets", targetsOn(solver, edge)}});
  }
  return llvm::json::Object{{"ops", std::move(ops)}, {"edges", std::move(edges)}};
}

// ---- As text ---------------------------------------------------------------------------------------------

void ShardSolverTextDump::begin(llvm::StringRef title, const ShardSolver &solver) {
  os << "ShardSolver on " << title << ": " << solver.ops().size() << " ops\n";
}

void ShardSolverTextDump::step(const ShardSolverStep &step, const ShardSolver &solver) {
  os << name(step.kind);
  if (step.isOnEdge())
    os << " " << producerName(solver, step.op) << " -> " << solver.ops()[step.op].name;
  if (step.kind == ShardSolverStep::Kind::Selected)
    os << " " << solver.ops()[step.op].name << " configuration " << step.config;
  os << "\n";
  // Usage changes nothing that a state shows.
  if (step.kind == ShardSolverStep::Kind::CoreUsage) {
    for (auto [op, usage] : llvm::zip_equal(solver.ops(), solver.accumulatedCoreUsage())) {
      os << "  " << op.name << ":";
      for (int64_t cores : usage)
        os << " " << cores;
      os << "\n";
    }
    return;
  }
  printState(os, solver);
}

// ---- As JSON ---------------------------------------------------------------------------------------------

void ShardSolverJsonDump::begin(llvm::StringRef title, const ShardSolver &) {
  chains.push_back(llvm::json::Object{{"chain", text(title)}, {"steps", llvm::json::Array()}});
}

void ShardSolverJsonDump::step(const ShardSolverStep &step, const ShardSolver &solver) {
  llvm::json::Object entry{{"step", name(step.kind)}, {"state", stateToJson(solver)}};
  if (step.isOnEdge()) {
    entry["producer"] = text(producerName(solver, step.op));
    entry["op"] = text(solver.ops()[step.op].name);
  }
  if (step.kind == ShardSolverStep::Kind::Selected) {
    entry["op"] = text(solver.ops()[step.op].name);
    entry["config"] = step.config;
  }
  if (step.kind == ShardSolverStep::Kind::CoreUsage) {
    llvm::json::Array usage;
    for (const std::vector<int64_t> &op : solver.accumulatedCoreUsage())
      usage.push_back(llvm::json::Array(op));
    entry["core_usage"] = std::move(usage);
  }
  // A step without a `begin` before it belongs to no chain, and is left out.
  if (llvm::json::Object *chain = chains.empty() ? nullptr : chains.back().getAsObject())
    if (llvm::json::Array *steps = chain->getArray("steps"))
      steps->push_back(std::move(entry));
}

llvm::json::Value ShardSolverJsonDump::take() { return std::exchange(chains, llvm::json::Array()); }
