//===- SetupCommand.cpp - tessera setup -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Library/JaxCompiler.h"
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

int tessera::setUpJax(const SetupArguments &arguments) {
  llvm::Expected<std::string> python = setupJax(arguments.python);
  if (!python)
    return inputError(llvm::toString(python.takeError()));
  // The smallest module there is: what compiles that, works.
  JaxRequest request;
  request.stablehlo = "func.func public @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {\n"
                      "  %0 = stablehlo.add %x, %x : tensor<32x32xf32>\n  return %0 : tensor<32x32xf32>\n}\n";
  llvm::Expected<std::string> module = compileWithJax(*python, request, *findDevice("p150"));
  if (!module)
    return inputError(llvm::toString(module.takeError()));
  llvm::outs() << "jax-tt-plugin " << kJaxVersion << " compiles: " << *python << "\n";
  return kSuccess;
}
