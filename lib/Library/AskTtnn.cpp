//===- AskTtnn.cpp - Questions to the vendor's library --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The library is loaded by Python in a process of its own, for it may crash, and it takes long to load: so one process
// answers many questions, a line each. How questions are asked several at once is in TtnnWorkers.cpp.
//
//===----------------------------------------------------------------------===//
#include "ChildProcess.h"
#include "TtnnFiles.h"

#include "tessera/Library/TtnnLibrary.h"
#include "tessera/Support/AddOnce.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Program.h"

using namespace tessera;
namespace json = llvm::json;

struct TtnnSession::Server {
  Conversation conversation;
};

TtnnSession::TtnnSession(std::unique_ptr<Server> server) : server(std::move(server)) {}
TtnnSession::TtnnSession(TtnnSession &&) noexcept = default;
TtnnSession::~TtnnSession() = default;

llvm::Expected<TtnnSession> TtnnSession::open(const TtnnLibrary &library, const DeviceSpec &device,
                                              const std::optional<RealKernels> &kernels) {
  llvm::Expected<std::string> package = unpackPackage();
  if (!package)
    return package.takeError();
  // Real kernels are compiled in a folder that looks like the library's own, and so is of its version; mock chips
  // are of none.
  std::vector<std::string> command{
      // Isolated: neither PYTHONPATH nor packages of the user may put another library in place of the environment's
      // own.
      library.python,
      "-I",
      *package,
      "serve",
      "--arch",
      name(device.arch).str(),
      "--grid",
      std::to_string(device.workerGrid.rows) + "x" + std::to_string(device.workerGrid.columns),
      "--dram-banks",
      std::to_string(device.dramBanks),
      "--folder",
      joined(ttnnFolder(), kernels ? "kernels-" + library.version : "chips")};
  if (kernels)
    command.insert(command.end(), {"--simulator", kernels->simulator, "--sfpi", kernels->sfpi});
  llvm::Expected<Conversation> conversation = Conversation::begin(std::move(command));
  if (!conversation)
    return conversation.takeError();
  TtnnSession session(std::make_unique<Server>(std::move(*conversation)));
  // Asked at once: a library that does not load, or has no such chip, is the error of open(), not of the first
  // question.
  llvm::Expected<json::Object> about = session.ask("{\"about\":true}");
  if (!about)
    return about.takeError();
  session.information = std::move(*about);
  return session;
}

// One line each way: JSON has no line breaks of its own, so a line is a whole answer, and nothing needs to be counted.
static llvm::Expected<json::Object> exchange(Conversation &conversation, llvm::StringRef request) {
  llvm::Expected<std::string> line = conversation.exchange(request);
  if (!line)
    return line.takeError();
  llvm::Expected<json::Value> answer = json::parse(*line);
  if (!answer)
    return answer.takeError();
  if (json::Object *object = answer->getAsObject())
    return std::move(*object);
  return llvm::createStringError("ttnn answers '" + *line + "', which is no object");
}

llvm::Expected<json::Object> TtnnSession::ask(llvm::StringRef request) {
  return exchange(server->conversation, request);
}

llvm::Expected<json::Object> tessera::askPackage(llvm::StringRef command, llvm::StringRef request) {
  llvm::ErrorOr<std::string> python = llvm::sys::findProgramByName("python3");
  if (!python)
    return llvm::createStringError("this needs Python 3 in PATH, and there is none");
  llvm::Expected<std::string> package = unpackPackage();
  if (!package)
    return package.takeError();
  llvm::Expected<Conversation> conversation = Conversation::begin({*python, "-I", *package, command.str()});
  return conversation ? exchange(*conversation, request) : conversation.takeError();
}

std::vector<std::string> tessera::differencesOf(const json::Object &answer) {
  std::vector<std::string> names;
  if (const json::Array *results = answer.getArray("different"))
    for (const json::Value &result : *results)
      if (const json::Array *fields = result.getAsArray())
        for (const json::Value &field : *fields)
          addOnce(names, field.getAsString().value_or("").str());
  return names;
}
