//===- Between.h - Between an editor and MLIR's server --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   editor  --- standard input --->  fromEditor  --- pipe --->  MLIR's server
//   editor  <-- standard output ---  fromServer  <-- pipe ----       |
//
// MLIR's server offers no place to add to what it says, but it speaks on standard input and output alone.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TOOLS_LSP_BETWEEN_H
#define TESSERA_TOOLS_LSP_BETWEEN_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace tessera {

/// May change the message.
using MessageFunction = llvm::function_ref<void(llvm::json::Object &message)>;

/// Runs the server with each message passed on by way of the functions, which two threads call. Returns when the editor
/// has left and all that the server said is with it: what the server returned, or why there are no pipes.
llvm::Expected<bool> runBetween(MessageFunction fromEditor, MessageFunction fromServer,
                                llvm::function_ref<bool()> server);

} // namespace tessera

#endif // TESSERA_TOOLS_LSP_BETWEEN_H
