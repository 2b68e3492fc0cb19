//===- TTCoreOps.cpp - Ops of the ttcore dialect ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/TTCore.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "tessera/Dialect/TTCore/TTCoreOps.cpp.inc"

namespace tessera::ttcore {

/// Emits an error unless `actual` is `expected`, element by element.
static LogicalResult matchTypes(LoadCachedOp op, StringRef what, TypeRange actual, ArrayRef<Type> expected) {
  if (actual.size() != expected.size())
    return op.emitOpError() << "has " << actual.size() << ' ' << what << "s, but @" << op.getCallee()
                            << " has " << expected.size();
  for (auto [index, types] : llvm::enumerate(llvm::zip_equal(actual, expected)))
    if (auto [is, must] = types; is != must)
      return op.emitOpError() << what << ' ' << index << " is " << is << ", but @" << op.getCallee()
                              << " has " << must;
  return success();
}

LogicalResult LoadCachedOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "needs a function @" << getCallee() << ", and there is none";
  if (failed(matchTypes(*this, "input", getInputs().getTypes(), callee.getArgumentTypes())))
    return failure();
  return matchTypes(*this, "result", getResultTypes(), callee.getResultTypes());
}

} // namespace tessera::ttcore
