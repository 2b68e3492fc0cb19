//===- start.cpp - tessera without what its first minutes do not need -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Driver/Commands.h"
#include "tessera/Support/ToolProcess.h"

int main(int argc, char **argv) {
  tessera::ToolProcess process(argc, argv);
  return process.finish(tessera::runCommandLine(argc, argv, {}));
}
