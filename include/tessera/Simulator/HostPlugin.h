//===- HostPlugin.h - The library that makes machine code -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// libtessera-host.so has MLIR's ExecutionEngine, from the system's shared MLIR and
// LLVM, behind these C functions: linked into the tools it would make them much
// larger for what few modules need. Only C passes, as the tools have an LLVM of
// their own.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_HOSTPLUGIN_H
#define TESSERA_SIMULATOR_HOSTPLUGIN_H

#include <cstddef>

extern "C" {
/// Compiles a module of functions in the LLVM dialect, given as text. nullptr on an error, whose message is `*error`, from malloc.
void *tesseraHostCompile(const char *text, size_t size, char **error);
/// The address of a function of compiled code; nullptr and `*error` if there is none.
void *tesseraHostSymbol(void *code, const char *name, char **error);
void tesseraHostDispose(void *code);
}

#endif // TESSERA_SIMULATOR_HOSTPLUGIN_H
