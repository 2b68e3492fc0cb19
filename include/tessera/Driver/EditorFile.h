//===- EditorFile.h - What an editor is told about a module ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// MLIR's language server tells editors of syntax, verifiers and definitions. This is what it does not know: what its
// parser could not take, what the op model says of ops as they stand, and layouts in words.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DRIVER_EDITORFILE_H
#define TESSERA_DRIVER_EDITORFILE_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera {

/// A place in a text; both count from 0, columns in bytes.
struct EditorPlace {
  unsigned line = 0, column = 0;
};

/// A message about a part of a text. What is no error is a warning.
struct EditorDiagnostic {
  EditorPlace begin, end;
  bool isError = false;
  std::string message;
};

/// Made anew for each version of a text: all that is asked of it refers to that version. It moves, so that who keeps
/// files can replace one.
class EditorFile {
public:
  /// Reads the text of a file of that name, for the device that it describes, else n150. It may be anything.
  EditorFile(llvm::StringRef text, llvm::StringRef name);
  ~EditorFile();
  EditorFile(EditorFile &&);
  EditorFile &operator=(EditorFile &&);

  /// Whether MLIR's parser can take the text. If not, it would end the process, and diagnostics() says why.
  bool isReadable() const;
  /// In the order of the text: each op that the op model refuses as it stands, or does not know.
  const std::vector<EditorDiagnostic> &diagnostics() const;
  /// In Markdown, about the op or the value whose name stands there: the layouts in words, bytes per core, the time and
  /// what bounds it. "" if there is nothing to say, or the text is no module.
  std::string hover(EditorPlace place) const;

private:
  struct Content;
  std::unique_ptr<Content> content;
};

} // namespace tessera

#endif // TESSERA_DRIVER_EDITORFILE_H
