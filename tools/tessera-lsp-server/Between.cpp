//===- Between.cpp - Between an editor and MLIR's server ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Between.h"

#include "tessera/Support/Json.h"

#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <memory>
#include <thread>
#include <unistd.h>

using namespace tessera;

namespace {

struct Closer {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

/// One message with its header in one piece, and flushed: whoever waits for it has nothing else to do.
void write(std::FILE *to, const llvm::json::Value &message) {
  std::string body;
  llvm::raw_string_ostream(body) << message;
  std::string framed = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  std::fwrite(framed.data(), 1, framed.size(), to);
  std::fflush(to);
}

/// What the editor says may be anything; the server may list what nests as deep as a module may.
llvm::Expected<llvm::json::Value> parse(llvm::StringRef text, bool isServers) {
  return isServers ? llvm::json::parse(text) : parseJson(text);
}

/// Passes messages on until there are no more, and closes both ends, which is how the next reader hears of it.
void passOn(File from, File to, bool isServers, MessageFunction change) {
  llvm::lsp::JSONTransportInputOverFile input(from.get());
  while (!input.isEndOfInput() && !input.hasError()) {
    std::string text;
    if (llvm::failed(input.readMessage(text)))
      continue;
    llvm::Expected<llvm::json::Value> message = parse(text, isServers);
    if (!message) {
      llvm::errs() << "tessera-lsp-server: a message is no JSON: " << llvm::toString(message.takeError())
                   << "\n";
      continue;
    }
    llvm::json::Object *object = message->getAsObject();
    if (!object)
      continue;
    // The server leaves at once; nothing behind this message is read.
    bool last = object->getString("method") == "exit";
    change(*object);
    write(to.get(), *message);
    if (last)
      return;
  }
}

} // namespace

llvm::Expected<bool> tessera::runBetween(MessageFunction fromEditor, MessageFunction fromServer,
                                         llvm::function_ref<bool()> server) {
  int toServer[2], toEditor[2];
  if (pipe(toServer) != 0 || pipe(toEditor) != 0)
    return llvm::errorCodeToError(std::error_code(errno, std::generic_category()));
  // The editor's ends move to other numbers, as MLIR's server knows none but the standard ones.
  File editorIn(fdopen(dup(STDIN_FILENO), "r")), editorOut(fdopen(dup(STDOUT_FILENO), "w"));
  File serverIn(fdopen(toServer[1], "w")), serverOut(fdopen(toEditor[0], "r"));
  dup2(toServer[0], STDIN_FILENO);
  dup2(toEditor[1], STDOUT_FILENO);
  close(toServer[0]);
  close(toEditor[1]);
  std::thread hears(passOn, std::move(editorIn), std::move(serverIn), /*isServers=*/false, fromEditor);
  std::thread speaks(passOn, std::move(serverOut), std::move(editorOut), /*isServers=*/true, fromServer);
  bool result = server();
  llvm::outs().flush();
  close(STDOUT_FILENO); // what ends `speaks`
  hears.join();
  speaks.join();
  return result;
}
