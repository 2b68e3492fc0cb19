//===- DoctorCommand.cpp - tessera doctor ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Every optional part is listed, there or not, with what it would bring and the
// command that gets it. A part that is missing is no error: Tessera plans
// without any of them.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Library/JaxCompiler.h"
#include "tessera/Library/PythonMaker.h"
#include "tessera/Library/TtnnLibrary.h"
#include "tessera/Support/TextTable.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

constexpr const char *kBrings = "the vendor's own verdict on plans: tessera judge";

std::string asked(const TtnnLibrary &library) {
  // Any board will do: the question is whether the library starts.
  llvm::Expected<TtnnSession> session = TtnnSession::open(library, *findDevice("n150"));
  if (!session)
    return "does not answer: " + llvm::toString(session.takeError());
  return "version " + session->about().getString("version").value_or("?").str() + " answers";
}

void addLibrary(TextTable &table, const TtnnLibrary &library, const std::string &part, bool ask) {
  // Starting a library takes seconds, so it is done only if asked for.
  table.add({part, ask ? asked(library) : "there, " + library.python, kBrings});
}

} // namespace

int tessera::runDoctor(const DoctorArguments &arguments) {
  TextTable table({{"part"}, {"state"}, {"what it brings"}});
  std::optional<PythonMaker> maker = findPythonMaker(ttnnPythons());
  table.add({"uv, Python 3.10 or 3.12",
             maker ? "there, " + maker->program : "not found; https://docs.astral.sh/uv has uv",
             "tessera setup ttnn"});
  // First, as it outranks what was set up. It is looked for whatever it holds, so that a wrong path is told.
  if (llvm::sys::Process::GetEnv(kTtnnVariable)) {
    llvm::Expected<TtnnLibrary> named = findTtnn(kTtnnVersion);
    if (named)
      addLibrary(table, *named, kTtnnVariable.str(), arguments.ask);
    else
      table.add({kTtnnVariable.str(), llvm::toString(named.takeError()), kBrings});
  }
  std::vector<TtnnLibrary> installed = installedTtnn();
  for (const TtnnLibrary &library : installed)
    addLibrary(table, library, "ttnn " + library.version, arguments.ask);
  if (installed.empty())
    table.add({"ttnn " + kTtnnVersion.str(), "not there; tessera setup ttnn", kBrings});
  llvm::Expected<std::string> jax = findJax();
  table.add({"jax-tt-plugin " + kJaxVersion.str(), jax ? "there, " + *jax : llvm::toString(jax.takeError()),
             "models of JAX: tessera import jax"});
  llvm::Expected<std::string> torch = findTorch();
  table.add({"torch " + kTorchVersion.str(), torch ? "there, " + *torch : llvm::toString(torch.takeError()),
             "models of PyTorch: tessera import torch"});
  table.print(llvm::outs());
  return kSuccess;
}
