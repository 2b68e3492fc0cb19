//===- TTNNOps.cpp - Registers the TTNN ops -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/TTNN/TTNN.h"

void tessera::ttnn::TTNNDialect::registerOps() { registerTTNNDialectOperations(this); }
