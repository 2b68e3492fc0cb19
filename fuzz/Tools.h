//===- Tools.h - The tools' own code, in this process ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_FUZZ_TOOLS_H
#define TESSERA_FUZZ_TOOLS_H

#include <string>
#include <vector>

namespace tessera::fuzz {

/// Does what the command line does: `tessera ...`, `tessera-solve FILE`, or `tessera-opt FILE --PASS...`. Returns the
/// exit code.
int runTool(const std::vector<std::string> &command);

} // namespace tessera::fuzz

#endif // TESSERA_FUZZ_TOOLS_H
