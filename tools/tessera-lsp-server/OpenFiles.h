//===- OpenFiles.h - What Tessera adds to what MLIR's server says ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TOOLS_LSP_OPENFILES_H
#define TESSERA_TOOLS_LSP_OPENFILES_H

#include "tessera/Driver/EditorFile.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <mutex>

namespace tessera {

/// The files that an editor has open, as its messages tell. Both functions may run at the same time.
class OpenFiles {
public:
  /// Notes what the message is about. A text that MLIR's parser cannot take is replaced by an empty one: the server
  /// must not see it.
  void fromEditor(llvm::json::Object &message);
  /// Adds our diagnostics to the server's, and what we know to its answer to a hover.
  void fromServer(llvm::json::Object &message);

private:
  struct Asked {
    std::string file;
    EditorPlace place;
  };
  /// The text as the server may see it.
  std::string read(const std::string &file, llvm::StringRef text);
  void addDiagnostics(llvm::json::Object &params);
  void addHover(const Asked &asked, llvm::json::Object &message);

  std::mutex mutex;
  llvm::StringMap<EditorFile> files;
  llvm::StringMap<Asked> hovers; ///< not answered yet, by the text of their ids
};

} // namespace tessera

#endif // TESSERA_TOOLS_LSP_OPENFILES_H
