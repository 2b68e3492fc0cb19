//===- TTNNOpsKernel.cpp - Verifiers of ops that bring their kernels -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tessera::ttnn {

/// Roles as facts/ttnn-dialect-head.md 9 has them: `in`s, then `out`s.
LogicalResult TTLangOp::verify() {
  SmallVector<StringRef> roles;
  getArgRoles().split(roles, ',');
  size_t numIn = llvm::find(roles, "out") - roles.begin(), numOut = roles.size() - numIn;
  bool inOrder = llvm::all_of(ArrayRef(roles).take_front(numIn), [](StringRef r) { return r == "in"; }) &&
                 llvm::all_of(ArrayRef(roles).drop_front(numIn), [](StringRef r) { return r == "out"; });
  if (!inOrder || numOut == 0)
    return emitOpError() << "attribute 'arg_roles' must be `in`s, then at least one `out`, but is \""
                         << getArgRoles() << '"';
  if (roles.size() != getInputs().size() || numOut != getNumResults())
    return emitOpError() << "attribute 'arg_roles' has " << roles.size() << " roles, " << numOut
                         << " of them `out`, for " << getInputs().size() << " operands and "
                         << getNumResults() << " results";
  return success();
}

} // namespace tessera::ttnn
