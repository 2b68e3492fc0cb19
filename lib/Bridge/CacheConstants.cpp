//===- CacheConstants.cpp - Constants converted once, by const-eval -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A constant that some readers want in another layout is converted once, before
// the program runs, and not in each run. In the IR that is a function of its
// own that `ttcore.load_cached` runs: for an argument one that only converts,
// for what a const-eval function makes a copy of that function with the
// conversion behind it. Readers that were not chosen keep the old load.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/CacheConstants.h"

#include "tessera/Bridge/OrderConstants.h"

#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

namespace {

class ConstantCacher {
public:
  explicit ConstantCacher(const BuiltProblem &built)
      : built(built), function(built.binding.function), symbols(function->getParentOp()),
        builder(function.getContext()) {}

  void cache(const ConstantInLayout &choice) {
    mlir::Value constant = built.binding.values[choice.constant.index()];
    auto type = cast<RankedTensorType>(constant.getType());
    auto target = RankedTensorType::get(type.getShape(), type.getElementType(),
                                        ttnn::toAttr(type.getContext(), built.problem.layout(choice.layout)));
    // What is made by const-eval is converted there, by a copy of its function: others may load the same result as it
    // is. Of what a function without such a body makes another one makes the converted constant.
    auto loaded = withBody(constant.getDefiningOp<ttcore::LoadCachedOp>());
    func::FuncOp evaluated = loaded ? extended(loaded, cast<OpResult>(constant).getResultNumber(), target)
                                    : converting(constant, target);
    ttcore::LoadCachedOp load = makeLoad(loaded, constant, evaluated, target);
    for (OpId reader : choice.readers)
      // Only the readers that were chosen: others go on reading the constant as it lies.
      built.binding.ops[reader.index()]->replaceUsesOfWith(constant, load.getResult(0));
    if (loaded)
      dropIfUnused(loaded);
  }

  /// Functions that nobody runs any more go last: a new one that took the name of one that is gone would be taken for it.
  void eraseReplaced() { eraseUnused(replaced.takeVector()); }

private:
  /// The load, if its function has a body of one block, which can be copied and go on.
  ttcore::LoadCachedOp withBody(ttcore::LoadCachedOp loaded) const {
    auto function = loaded ? symbols.lookup<func::FuncOp>(loaded.getCallee()) : func::FuncOp();
    return function && !function.isExternal() && function.getBody().hasOneBlock() ? loaded
                                                                                  : ttcore::LoadCachedOp();
  }

  func::FuncOp newFunction(TypeRange inputs, TypeRange results) {
    OpBuilder outside(function);
    auto made =
        func::FuncOp::create(outside, function.getLoc(), (function.getSymName() + "_const_eval").str(),
                             builder.getFunctionType(inputs, results));
    made.setPrivate();
    // By this attribute the compiler and we ourselves (isConstEval) tell such functions from those that are run.
    made->setAttr("tt.function_type", builder.getStringAttr("const_eval"));
    return made;
  }

  /// A function that converts its argument.
  func::FuncOp converting(mlir::Value constant, RankedTensorType target) {
    func::FuncOp made = newFunction(constant.getType(), target);
    Block *body = made.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    mlir::Value converted =
        ttnn::ToLayoutOp::create(builder, function.getLoc(), target, body->getArgument(0));
    func::ReturnOp::create(builder, function.getLoc(), converted);
    symbols.insert(made); // which makes its name unique
    return made;
  }

  /// The function that `loaded` runs, with result `index` converted, and no other.
  func::FuncOp extended(ttcore::LoadCachedOp loaded, unsigned index, RankedTensorType target) {
    func::FuncOp made = symbols.lookup<func::FuncOp>(loaded.getCallee()).clone();
    symbols.insert(made, Block::iterator(function));
    Operation *end = made.getBody().front().getTerminator();
    builder.setInsertionPoint(end);
    mlir::Value source = end->getOperand(index);
    mlir::Value converted = ttnn::ToLayoutOp::create(builder, function.getLoc(), target, source);
    end->setOperands(converted);
    made.setType(builder.getFunctionType(made.getArgumentTypes(), target));
    if (!isa<BlockArgument>(source)) // arguments are the caller's to free
      ttnn::DeallocateOp::create(builder, function.getLoc(), source, /*force=*/false);
    return made;
  }

  ttcore::LoadCachedOp makeLoad(ttcore::LoadCachedOp loaded, mlir::Value constant, func::FuncOp evaluated,
                                RankedTensorType target) {
    SmallVector<mlir::Value> inputs(loaded ? SmallVector<mlir::Value>(loaded.getInputs())
                                           : SmallVector<mlir::Value>{constant});
    if (Operation *maker = constant.getDefiningOp())
      builder.setInsertionPointAfter(maker);
    else
      builder.setInsertionPointToStart(&function.getBody().front());
    auto load = ttcore::LoadCachedOp::create(builder, constant.getLoc(), TypeRange(target),
                                             SymbolRefAttr::get(evaluated), inputs);
    if (loaded)
      // Attributes that anybody gave the old load say something of the constant.
      load->setDiscardableAttrs(loaded->getDiscardableAttrDictionary());
    return load;
  }

  /// Frees of the old constant are no use: deallocates are made anew with the plan.
  void dropIfUnused(ttcore::LoadCachedOp loaded) {
    if (!llvm::all_of(loaded->getUsers(), llvm::IsaPred<ttnn::DeallocateOp>))
      return;
    for (Operation *user : llvm::make_early_inc_range(loaded->getUsers()))
      user->erase();
    // Only a function that is there to be cached goes with its last load: another may have other uses.
    if (auto function = symbols.lookup<func::FuncOp>(loaded.getCallee()); isConstEval(function))
      replaced.insert(function);
    loaded.erase();
  }

  const BuiltProblem &built;
  func::FuncOp function;
  SymbolTable symbols;
  OpBuilder builder;
  llvm::SetVector<func::FuncOp> replaced; ///< of which a load is gone
};

} // namespace

void tessera::cacheConstants(const BuiltProblem &built, llvm::ArrayRef<ConstantInLayout> choices) {
  ConstantCacher cacher(built);
  for (const ConstantInLayout &choice : choices)
    cacher.cache(choice);
  cacher.eraseReplaced();
}
