//===- DecidedModule.h - A module with what was decided for it ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_DECIDEDMODULE_H
#define TESSERA_LIB_DRIVER_MODULES_DECIDEDMODULE_H

#include "../Common/Progress.h"
#include "tessera/Driver/Commands.h"
#include "tessera/Optimizer/Optimizer.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <variant>

namespace tessera {

/// What the arguments of `tessera optimize` ask for, or the first thing that is wrong with them. Policies are not
/// looked up.
llvm::Expected<OptimizerOptions> optionsOf(const OptimizeArguments &arguments);
/// The same with somebody who hears how far it has got; nullopt after a diagnostic if the device, the policy or the op
/// model is not known, or an override is malformed.
std::optional<OptimizerOptions> optimizerOptions(const OptimizeArguments &arguments, Progress &progress,
                                                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// A module in memory, optimized; nothing is written. Members in the order in which they depend on each other.
struct DecidedModule {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  OptimizationResult result;
};

/// What results of ops are called in a module's text.
class ResultNames {
public:
  /// Both must outlive this object.
  ResultNames(mlir::ModuleOp module, const mlir::AsmParserState &text) : module(module), text(text) {}

  /// The location of the op that makes the result of that name ("%5"), as the decisions have it; what does not begin
  /// with % as it is.
  /// An op that shares its location is given one of its own, "add (%5)": by what is returned nothing else is found,
  /// even in a graph that rewrites have made of this one. An error if there is no such result, or one in each of
  /// several functions.
  llvm::Expected<std::string> opOf(llvm::StringRef wanted) const;

private:
  mlir::ModuleOp module;
  const mlir::AsmParserState &text;
};

/// Has the last word on the options, after the module was read and before anything is planned.
using AdjustOptions = llvm::function_ref<llvm::Error(OptimizerOptions &, const ResultNames &)>;
llvm::Error adjustNothing(OptimizerOptions &, const ResultNames &);

/// Has the arguments price a plan that somebody else made, and decide nothing: what is asked of ours is not asked of it.
void takeAsItStands(OptimizeArguments &arguments);

/// Parses and optimizes; the exit code after a diagnostic.
std::variant<DecidedModule, ExitCode> decideModule(const OptimizeArguments &arguments,
                                                   AdjustOptions adjust = adjustNothing);

/// All functions' decisions, of a result that was asked for them. Taken out of it: they are most of what it holds.
decisions::Decisions decisionsOf(OptimizationResult &result, const std::string &input);

/// The decisions of a module, or of a decisions file: text that begins with a brace.
std::variant<decisions::Decisions, ExitCode> readDecisions(const OptimizeArguments &arguments,
                                                           AdjustOptions adjust = adjustNothing);
/// The same, of one function at least.
std::variant<decisions::Decisions, ExitCode> readShownDecisions(const OptimizeArguments &arguments,
                                                                AdjustOptions adjust = adjustNothing);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_DECIDEDMODULE_H
