//===- main.cpp - tessera, the command line for people --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Driver/Commands.h"
#include "tessera/Support/ToolProcess.h"

int main(int argc, char **argv) {
  tessera::ToolProcess process(argc, argv);
  return process.finish(
      tessera::runCommandLine(argc, argv, {&tessera::modelCommands(), &tessera::evaluationCommands()}));
}
