//===- Overrides.h - What the user decides instead of the policy ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What is part of the program is written into the IR: conv2d configs, data
// types, demanded conversions. What is a choice restricts it: an op with an
// output-layout override has those legal configurations only that honour it
// (Op::restricted), so that the policy decides all the rest, and checkPlan
// proves that the plan does what was asked for.
//
//   override-output-layout=add_0=8x8:l1:block_sharded:tile,relu_1=dram
//   override-conv2d-config=conv2d_0=act_block_h_override#32:shard_layout#height_sharded
//   insert-memreconfig=matmul_2=0:1
//
// Grammar: facts/ir 2.3. Ops are named as `tessera explain` takes them: by their
// location (`loc("name")`) or as `tessera optimize --explain` lists them,
// `ttnn.matmul#3` for the fourth of its kind, `ttnn.matmul` for the only one; and
// `heads#1` for the second result of an op that has several.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_OVERRIDES_H
#define TESSERA_BRIDGE_OVERRIDES_H

#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Layout/LayoutText.h"
#include "llvm/Support/Error.h"

#include <map>
#include <set>

namespace tessera {

/// What the layout does not say is left to the optimizer.
struct OutputLayoutOverride {
  std::string op;
  LayoutWords layout;
};

struct Conv2dOverride {
  std::string op;
  std::vector<std::pair<std::string, std::string>> fields; ///< key and value of `#ttnn.conv2d_config`
};

/// Demands a conversion in front of these operands; `override-output-layout=<op>_mem_reconfig=...` says where it leads.
struct ReshardOverride {
  std::string op;
  std::vector<unsigned> operands;
};

struct Overrides {
  std::vector<OutputLayoutOverride> outputLayouts;
  std::vector<Conv2dOverride> conv2d;
  std::vector<ReshardOverride> reshards;
  /// By location what the ops there are called, "ttnn.matmul#3", in the program as it came; empty until useLastingNames has looked at it.
  std::map<std::string, std::vector<std::string>, std::less<>> atLocation;
  bool empty() const { return outputLayouts.empty() && conv2d.empty() && reshards.empty(); }
};

/// The keys of Conv2dOverride (facts/ir 2.3).
llvm::ArrayRef<llvm::StringRef> conv2dOverrideKeys();

/// The three option values. An empty text means no override. The error says which part is wrong and what would be legal:
/// a field of unknown meaning, a kind of field given twice, a missing '=', an op named twice.
llvm::Expected<std::vector<OutputLayoutOverride>> parseOutputLayoutOverrides(llvm::StringRef text);
llvm::Expected<std::vector<Conv2dOverride>> parseConv2dOverrides(llvm::StringRef text);
llvm::Expected<std::vector<ReshardOverride>> parseReshardOverrides(llvm::StringRef text);

/// All three at once.
llvm::Expected<Overrides> parseOverrides(llvm::StringRef outputLayouts, llvm::StringRef conv2d,
                                         llvm::StringRef reshards);

/// An op that an override names, and which of its results it speaks of, if it says so.
struct OverrideTarget {
  mlir::Operation *op = nullptr;
  std::optional<unsigned> result;
};

/// The ops of a module that overrides name.
class OverrideTargets {
public:
  /// Fails, with a diagnostic that lists them, if several ops share a name that an override uses.
  static mlir::FailureOr<OverrideTargets> find(llvm::ArrayRef<mlir::func::FuncOp> functions,
                                               const Overrides &overrides);

  /// What the module as it came has by this name; nullptr if nothing.
  const OverrideTarget *of(llvm::StringRef name) const;
  /// Whether an override names the op.
  bool contains(mlir::Operation *op) const;
  /// An override makes an op of this name.
  void add(llvm::StringRef name) { made.insert(name.str()); }
  /// A name that nothing has is most likely a typing mistake: a warning, with the nearest names.
  void warnOfUnknown(mlir::ModuleOp module, const Overrides &overrides) const;

private:
  std::map<std::string, OverrideTarget, std::less<>> targets;
  std::set<std::string, std::less<>> known, made;
  decltype(Overrides::atLocation) atLocation;
};

/// Has overrides name ops as these are called however the graph is rewritten: "ttnn.matmul#3" is another op when one before it is gone.
/// That is the location, or where several ops have it "location (ttnn.matmul#3 of the file)". Fails as OverrideTargets::find does.
mlir::LogicalResult useLastingNames(llvm::ArrayRef<mlir::func::FuncOp> functions, Overrides &overrides);
/// Gives all ops of a copy of that program their names as locations, and those that overrides name the lasting ones.
void giveLastingNames(llvm::ArrayRef<mlir::func::FuncOp> functions, const Overrides &overrides);

/// Applies the overrides that name ops of the function whose problem `built` is, to its IR and to the problem, which is
/// up to date afterwards. Fails, with a diagnostic that lists what would be legal, if an op cannot do what is asked.
mlir::LogicalResult applyOverrides(BuiltProblem &built, const OpCostTable &model, SignaturePool &signatures,
                                   const AnalysisOptions &options, const Overrides &overrides,
                                   OverrideTargets &targets);

} // namespace tessera

#endif // TESSERA_BRIDGE_OVERRIDES_H
