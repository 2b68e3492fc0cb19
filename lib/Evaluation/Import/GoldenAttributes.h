//===- GoldenAttributes.h - Names and attributes as goldens have them -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_IMPORT_GOLDENATTRIBUTES_H
#define TESSERA_LIB_EVALUATION_IMPORT_GOLDENATTRIBUTES_H

#include "tessera/OpModel/OpSignature.h"
#include "llvm/Support/JSON.h"

namespace tessera::evaluation {

/// The op's name in the IR. Goldens name ops after upstream's C++ functions.
std::string irName(llvm::StringRef op);

/// Adds an attribute under the name that the IR gives it. Those that are structs become one for each field.
void addAttribute(OpSignature &signature, llvm::StringRef op, llvm::StringRef key,
                  const llvm::json::Value &value);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_IMPORT_GOLDENATTRIBUTES_H
