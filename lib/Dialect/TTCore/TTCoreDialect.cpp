//===- TTCoreDialect.cpp - The ttcore dialect -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/TTCore.h"

#include "tessera/Dialect/TTCore/TTCoreDialect.cpp.inc"

using namespace mlir;

namespace tessera::ttcore {
namespace {

/// Files of tt-mlir name the system description `#system_desc`.
struct AliasInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, llvm::raw_ostream &os) const override {
    if (!isa<SystemDescAttr>(attr))
      return AliasResult::NoAlias;
    os << "system_desc";
    return AliasResult::OverridableAlias;
  }
};

} // namespace

void TTCoreDialect::initialize() {
  // Ops of other versions of the compiler pass through unread, and are told of (NotUnderstood.h).
  allowUnknownOperations();
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/TTCore/TTCoreOps.cpp.inc"
      >();
  addInterfaces<AliasInterface>();
}

} // namespace tessera::ttcore
