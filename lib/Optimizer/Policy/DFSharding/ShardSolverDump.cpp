//===- ShardSolverDump.cpp - The solver's state, step by step ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/ShardSolver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
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
  unsigned producer = solver.graph().edges[edge].producer;
  return producer == ShardSolverEdge::kOutside ? llvm::StringRef("outside")
                                               : llvm::StringRef(solver.graph().ops[producer].name);
}

/// Remaining configurations, number of paths and reshards, one line per op.
static void printState(llvm::raw_ostream &os, const ShardSolver &solver) {
  const ShardSolverGraph &graph = solver.graph();
  for (unsigned op = 0; op < graph.ops.size(); ++op) {
    os << "  " << graph.ops[op].name << ": " << solver.remaining(op).count() << " of "
       << graph.ops[op].configs.size() << " configurations {";
    llvm::interleave(solver.remaining(op).set_bits(), os, [&](unsigned config) { os << config; }, " ");
    os << "}\n";
    for (unsigned edge = 0; edge < graph.edges.size(); ++edge) {
      // Each edge once, with its consumer: one from outside has no other end.
      if (graph.edges[edge].consumer != op)
        continue;
      os << "    from " << producerName(solver, edge) << ": ";
      if (graph.edges[edge].producer != ShardSolverEdge::kOutside)
        os << solver.paths(edge).size() << " paths";
      else
        os << "as it comes";
      if (solver.reshards(edge))
        os << ", through a reshard to one of " << targetsOn(solver, edge) << " layouts";
      os << "\n";
    }
  }
}

/// The same as JSON: `{"ops": [{"name", "remaining": [...]}], "edges": [{"producer", "consumer", "paths",
/// "reshard_targets"}]}`.
static llvm::json::Value stateToJson(const ShardSolver &solver) {
  const ShardSolverGraph &graph = solver.graph();
  llvm::json::Array ops, edges;
  for (unsigned op = 0; op < graph.ops.size(); ++op) {
    llvm::json::Array remaining;
    for (unsigned config : solver.remaining(op).set_bits())
      remaining.push_back(config);
    ops.push_back(llvm::json::Object{{"name", text(graph.ops[op].name)},
                                     {"configs", graph.ops[op].configs.size()},
                                     {"remaining", std::move(remaining)}});
  }
  for (unsigned edge = 0; edge < graph.edges.size(); ++edge)
    edges.push_back(llvm::json::Object{{"producer", text(producerName(solver, edge))},
                                       {"consumer", text(graph.ops[graph.edges[edge].consumer].name)},
                                       {"paths", solver.paths(edge).size()},
                                       {"reshard_targets", targetsOn(solver, edge)}});
  return llvm::json::Object{{"ops", std::move(ops)}, {"edges", std::move(edges)}};
}

// ---- As text ---------------------------------------------------------------------------------------------

void ShardSolverTextDump::begin(llvm::StringRef title, const ShardSolver &solver) {
  os << "ShardSolver on " << title << ": " << solver.graph().ops.size() << " ops\n";
}

void ShardSolverTextDump::step(const ShardSolverStep &step, const ShardSolver &solver) {
  const ShardSolverGraph &graph = solver.graph();
  os << name(step.kind);
  if (step.edge != ShardSolverEdge::kOutside)
    os << " " << producerName(solver, step.edge) << " -> " << graph.ops[step.op].name;
  if (step.kind == ShardSolverStep::Kind::Selected)
    os << " " << graph.ops[step.op].name << " configuration " << step.config;
  os << "\n";
  // Usage changes nothing that a state shows.
  if (step.kind == ShardSolverStep::Kind::CoreUsage) {
    for (auto [op, usage] : llvm::zip_equal(graph.ops, solver.accumulatedCoreUsage())) {
      os << "  " << op.name << ":";
      for (double cores : usage)
        os << " " << llvm::format("%g", cores);
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
  const ShardSolverGraph &graph = solver.graph();
  llvm::json::Object entry{{"step", name(step.kind)}, {"state", stateToJson(solver)}};
  if (step.edge != ShardSolverEdge::kOutside) {
    entry["producer"] = text(producerName(solver, step.edge));
    entry["op"] = text(graph.ops[step.op].name);
  }
  if (step.kind == ShardSolverStep::Kind::Selected) {
    entry["op"] = text(graph.ops[step.op].name);
    entry["config"] = step.config;
  }
  if (step.kind == ShardSolverStep::Kind::CoreUsage) {
    llvm::json::Array usage;
    for (const std::vector<double> &op : solver.accumulatedCoreUsage())
      usage.push_back(llvm::json::Array(op));
    entry["core_usage"] = std::move(usage);
  }
  // A step without a `begin` before it belongs to no chain, and is left out.
  if (llvm::json::Object *chain = chains.empty() ? nullptr : chains.back().getAsObject())
    if (llvm::json::Array *steps = chain->getArray("steps"))
      steps->push_back(std::move(entry));
}

llvm::json::Value ShardSolverJsonDump::take() { return std::exchange(chains, llvm::json::Array()); }
