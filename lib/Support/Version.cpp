//===- Version.cpp - What this build is -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/Version.h"

#include "llvm/Config/llvm-config.h"

#include <string>

llvm::StringRef tessera::versionText() {
  static const std::string text = "tessera " TESSERA_VERSION "\n"
                                  "LLVM " LLVM_VERSION_STRING "\n"
                                  "TTNN as in tt-mlir " +
                                  kMatchedRevision.str() + "\n";
  return text;
}
