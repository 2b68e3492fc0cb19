//===- ProblemWords.h - Words, numbers, types and layouts of a text ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_PROBLEM_PROBLEMWORDS_H
#define TESSERA_LIB_OPTIMIZER_PROBLEM_PROBLEMWORDS_H

#include "ProblemLexer.h"
#include "tessera/Layout/TensorLayout.h"

#include <optional>
#include <string>

namespace tessera {

/// What statements are made of. Functions that return bool return false on an error, which is kept in
/// `complaint`; only the first one is, since the rest often follows from it.
class ProblemWords {
public:
  ProblemWords(llvm::StringRef text, llvm::StringRef fileName) : lexer(text), fileName(fileName) {}

  /// "file:line:column: message" as the complaint, if it is the first. False, to be returned.
  bool fail(const Token &token, const llvm::Twine &message);
  /// The next word, described by `what` if there is none.
  std::optional<Token> word(llvm::StringRef what);
  /// The mark must come next.
  bool mark(char c);
  /// It must come next, or the end of the text; it is not taken.
  bool lineEnd();
  /// True, and moves on, if the mark or word comes next.
  bool take(char c);
  bool takeWord(llvm::StringRef text);

  bool bytes(Bytes &out);      ///< "1300KiB", "2MiB", "800"
  bool time(Nanoseconds &out); ///< whole nanoseconds
  /// The next word, like "32x64xbf16".
  bool tensorType(TensorDesc &out);
  /// `text`, a part of `token`, as rows x columns.
  bool grid(const Token &token, llvm::StringRef text, GridShape &out);
  /// `text`, a part of `token`, as a layout of `tensor` (Layout/LayoutText.h), which must fit.
  bool layout(const Token &token, llvm::StringRef text, const TensorDesc &tensor, const DeviceSpec &device,
              TensorLayout &out);

  ProblemLexer lexer;
  std::string complaint;

private:
  /// Stores the value, or fails at `token`.
  template <class T>
  bool take(const Token &token, llvm::Expected<T> value, T &out) {
    if (!value)
      return fail(token, llvm::toString(value.takeError()));
    out = std::move(*value);
    return true;
  }

  llvm::StringRef fileName;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_PROBLEM_PROBLEMWORDS_H
