//===- OpenFiles.cpp - What Tessera adds to what MLIR's server says -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Messages of both directions come by here, on two threads. On the way in, a text
// is replaced by what MLIR's server can read of it; on the way back, its answers
// get what Tessera has to say. All that the threads share is behind one lock,
// which nobody holds while a text is read.
//
//===----------------------------------------------------------------------===//
#include "OpenFiles.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LSP/Protocol.h"

using namespace tessera;
namespace json = llvm::json;

namespace {

/// The file of a URI. The server spells URIs in its own way, so that texts of them are no names.
std::string fileOf(const json::Object &params) {
  std::optional<llvm::StringRef> uri = params.getString("uri");
  if (!uri)
    return "";
  llvm::Expected<llvm::lsp::URIForFile> parsed = llvm::lsp::URIForFile::fromURI(*uri);
  if (parsed)
    return parsed->file().str();
  llvm::consumeError(parsed.takeError());
  return uri->str();
}

std::string textOf(const json::Value &id) { return llvm::formatv("{0}", id); }

json::Value toJson(EditorPlace place) {
  return json::Object{{"line", place.line}, {"character", place.column}};
}

json::Value toJson(const EditorDiagnostic &diagnostic) {
  constexpr int kError = 1, kWarning = 2; // LSP's DiagnosticSeverity
  return json::Object{
      {"range", json::Object{{"start", toJson(diagnostic.begin)}, {"end", toJson(diagnostic.end)}}},
      {"severity", diagnostic.isError ? kError : kWarning},
      {"source", "tessera"},
      {"message", json::fixUTF8(diagnostic.message)}};
}

} // namespace

std::string OpenFiles::read(const std::string &file, llvm::StringRef text) {
  EditorFile read(text, file);
  bool readable = read.isReadable();
  std::lock_guard guard(mutex);
  files.insert_or_assign(file, std::move(read));
  return readable ? text.str() : "";
}

void OpenFiles::fromEditor(json::Object &message) {
  std::optional<llvm::StringRef> method = message.getString("method");
  json::Object *params = message.getObject("params");
  json::Object *document = params ? params->getObject("textDocument") : nullptr;
  if (!method || !document)
    return;
  std::string file = fileOf(*document);
  // Opened with its text; changed by a list of texts, as the server asks for whole ones. The last stands.
  json::Array *changes = params->getArray("contentChanges");
  json::Object *holder = *method == "textDocument/didOpen" ? document
                         : changes && !changes->empty()    ? changes->back().getAsObject()
                                                           : nullptr;
  if (std::optional<llvm::StringRef> text = holder ? holder->getString("text") : std::nullopt)
    (*holder)["text"] = read(file, *text);
  // Only here: read() has taken the lock itself, and parses without it.
  std::lock_guard guard(mutex);
  if (*method == "textDocument/didClose")
    files.erase(file);
  const json::Object *place = params->getObject("position");
  const json::Value *id = message.get("id");
  if (*method == "textDocument/hover" && place && id)
    hovers[textOf(*id)] = {file,
                           {unsigned(place->getInteger("line").value_or(0)),
                            unsigned(place->getInteger("character").value_or(0))}};
}

void OpenFiles::fromServer(json::Object &message) {
  std::lock_guard guard(mutex);
  json::Object *params = message.getObject("params");
  if (params && message.getString("method") == "textDocument/publishDiagnostics")
    addDiagnostics(*params);
  const json::Value *id = message.get("id");
  // An answer has no method, only the number of what was asked.
  auto asked = id ? hovers.find(textOf(*id)) : hovers.end();
  if (asked == hovers.end())
    return;
  addHover(asked->second, message);
  hovers.erase(asked);
}

void OpenFiles::addDiagnostics(json::Object &params) {
  auto file = files.find(fileOf(params));
  json::Array *diagnostics = params.getArray("diagnostics");
  if (file == files.end() || !diagnostics)
    return;
  for (const EditorDiagnostic &diagnostic : file->second.diagnostics())
    diagnostics->push_back(toJson(diagnostic));
}

void OpenFiles::addHover(const Asked &asked, json::Object &message) {
  auto file = files.find(asked.file);
  std::string said = file == files.end() ? "" : json::fixUTF8(file->second.hover(asked.place));
  if (said.empty() || message.get("error"))
    return;
  json::Object *result = message.getObject("result");
  json::Object *contents = result ? result->getObject("contents") : nullptr;
  if (std::optional<llvm::StringRef> value = contents ? contents->getString("value") : std::nullopt)
    (*contents)["value"] = said + "\n***\n" + value->str();
  else
    message["result"] = json::Object{{"contents", json::Object{{"kind", "markdown"}, {"value", said}}}};
}
