//===- SetupCommand.cpp - tessera setup -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each part is tried out as soon as it is installed. An installation that went
// through and does not work would be found by a command much later, which would
// be blamed for it.
//
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

/// Says that what was set up works, once it has compiled the request.
static int tryOut(llvm::Expected<std::string> python, const JaxRequest &request, const llvm::Twine &what) {
  if (!python)
    return inputError(llvm::toString(python.takeError()));
  llvm::Expected<std::string> module = compileWithJax(*python, request, *findDevice("p150"));
  if (!module)
    return inputError(llvm::toString(module.takeError()));
  llvm::outs() << what << " compiles: " << *python << "\n";
  return kSuccess;
}

int tessera::setUpJax(const SetupArguments &arguments) {
  // The smallest module there is: what compiles that, works.
  JaxRequest request;
  request.stablehlo = "func.func public @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {\n"
                      "  %0 = stablehlo.add %x, %x : tensor<32x32xf32>\n  return %0 : tensor<32x32xf32>\n}\n";
  return tryOut(setupJax(arguments.python), request, "jax-tt-plugin " + kJaxVersion);
}

int tessera::setUpTorch(const SetupArguments &arguments) {
  // The smallest model there is, of PyTorch's own, so that no file of ours is needed.
  JaxRequest request;
  request.model = "torch.nn:ReLU";
  request.shapes = {"32x32xbf16"};
  return tryOut(setupTorch(arguments.python), request,
                "torch " + kTorchVersion + " with jax-tt-plugin " + kJaxVersion);
}
