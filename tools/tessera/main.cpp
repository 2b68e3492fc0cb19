//===- main.cpp - tessera, the command line for people --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Driver/Commands.h"

int main(int argc, char **argv) { return tessera::runCommandLine(argc, argv); }
