//===- TTNNDialect.cpp - The ttnn dialect ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTNN/TTNNAttrs.h"

#include "tessera/Dialect/TTNN/TTNNDialect.cpp.inc"

using namespace mlir;

namespace tessera::ttnn {
namespace {

/// The names that tt-mlir's files use: #dram, #l1, #system_memory, #ttnn_layout, #ttnn_layout1 ...
struct AliasInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, llvm::raw_ostream &os) const override {
    if (auto buffer = dyn_cast<BufferTypeAttr>(attr))
      os << stringifyBufferType(buffer.getValue());
    else if (isa<TTNNLayoutAttr>(attr))
      os << "ttnn_layout";
    else
      return AliasResult::NoAlias;
    return AliasResult::OverridableAlias;
  }
};

} // namespace

void TTNNDialect::initialize() {
  // Ops of other versions of the compiler pass through unread, and are told of (NotUnderstood.h).
  allowUnknownOperations();
  registerAttributes();
  registerTypes();
  registerOps();
  addInterfaces<AliasInterface>();
}

} // namespace tessera::ttnn
