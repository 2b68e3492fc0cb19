//===- ProblemLexer.h - Words of a problem text ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_PROBLEM_PROBLEMLEXER_H
#define TESSERA_LIB_OPTIMIZER_PROBLEM_PROBLEMLEXER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tessera {

/// A piece of the text, and where it begins, both counted from 1. The text must outlive it.
struct Token {
  enum class Kind : unsigned char { Word, Punctuation, LineEnd, FileEnd };
  Kind kind = Kind::FileEnd;
  llvm::StringRef text;
  unsigned line = 1, column = 1;
  bool is(char c) const { return kind == Kind::Punctuation && text.front() == c; }
  bool isWord(llvm::StringRef word) const { return kind == Kind::Word && text == word; }
};

/// Splits a text into words, the marks ( ) [ ] , = : and line ends. Comments run from # to the end of the
/// line; line ends within brackets do not count.
class ProblemLexer {
public:
  explicit ProblemLexer(llvm::StringRef text) : rest(text) { advance(); }

  /// At the end it is FileEnd, however often it is taken.
  const Token &peek() const { return current; }
  /// Returns the current token and moves on.
  Token take();

private:
  /// Reads the next token into `current`; brackets count into `depth`.
  void advance();
  /// Comments, too, and line ends within brackets.
  void skipBlanks();
  /// Every character goes through here, so that lines and columns are right.
  void consume(size_t characters);

  llvm::StringRef rest;
  unsigned line = 1, column = 1, depth = 0;
  Token current;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_PROBLEM_PROBLEMLEXER_H
