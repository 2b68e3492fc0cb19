//===- TTNNOpsKernel.cpp - Verifiers of ops that bring their kernels -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A kernel that somebody wrote in tt-lang, called as an op. What it reads and
// writes its roles say, operand by operand: "in,in,out" is two inputs and a
// tensor that it fills, which is an operand and becomes a result. What else it
// does is unknown, so it is ordered like an op that writes a file.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tessera::ttnn {

static SmallVector<StringRef> rolesOf(TTLangOp op) {
  SmallVector<StringRef> roles;
  op.getArgRoles().split(roles, ',');
  return roles;
}

/// Roles as facts/dialect 9 has them: `in`s, then `out`s.
LogicalResult TTLangOp::verify() {
  SmallVector<StringRef> roles = rolesOf(*this);
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

void TTLangOp::getEffects(EffectList &effects) {
  SmallVector<StringRef> roles = rolesOf(*this);
  for (OpOperand &operand : getInputsMutable()) {
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (operand.getOperandNumber() < roles.size() && roles[operand.getOperandNumber()] == "out")
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
  // And one on nothing that is named: what the kernel does beside its operands nobody here knows.
  effects.emplace_back(MemoryEffects::Write::get());
}

} // namespace tessera::ttnn
