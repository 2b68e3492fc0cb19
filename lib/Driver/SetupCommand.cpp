//===- SetupCommand.cpp - tessera setup -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Library/TtnnLibrary.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

int tessera::setUpTtnn(const SetupArguments &arguments) {
  llvm::Expected<TtnnLibrary> library = setupTtnn(arguments.version, arguments.python);
  if (!library)
    return inputError(llvm::toString(library.takeError()));
  // What does not open a chip here is of no use, whatever pip says.
  llvm::Expected<TtnnSession> session = TtnnSession::open(*library, *findDevice("n150"));
  if (!session)
    return inputError(llvm::toString(session.takeError()));
  llvm::outs() << "ttnn " << session->about().getString("version").value_or("?")
               << " answers: " << library->python << "\n";
  return kSuccess;
}
