//===- ProblemLexer.cpp - Words of a problem text -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Words, marks and ends of lines. A word goes up to the next blank or mark, so a
// type (32x64xbf16) or a layout (l1/block_sharded/8x8) is one, which ProblemWords
// takes apart. The end of a line is a token, as statements end with it, but
// within brackets it is a blank like others.
//
//===----------------------------------------------------------------------===//
#include "ProblemLexer.h"

using namespace tessera;

static constexpr llvm::StringLiteral kMarks = "()[],=:";
static constexpr llvm::StringLiteral kWordEnds = "()[],=:# \t\r\n";

Token ProblemLexer::take() {
  Token taken = current;
  advance();
  return taken;
}

void ProblemLexer::consume(size_t characters) {
  for (char c : rest.take_front(characters)) {
    line += c == '\n';
    column = c == '\n' ? 1 : column + 1;
  }
  rest = rest.drop_front(characters);
}

void ProblemLexer::skipBlanks() {
  while (!rest.empty()) {
    char c = rest.front();
    if (c == '#')
      consume(rest.take_until([](char end) { return end == '\n'; }).size());
    // A statement ends with its line, but goes on over lines within brackets.
    else if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && depth > 0))
      consume(1);
    else
      return;
  }
}

void ProblemLexer::advance() {
  skipBlanks();
  current = {Token::Kind::FileEnd, rest.take_front(0), line, column};
  if (rest.empty())
    return;
  char c = rest.front();
  size_t length = 1;
  if (c == '\n') {
    current.kind = Token::Kind::LineEnd;
  } else if (kMarks.contains(c)) {
    current.kind = Token::Kind::Punctuation;
    depth += c == '(' || c == '[';
    // Never below 0: a bracket too many is the parser's to complain of, where it stands.
    depth -= depth > 0 && (c == ')' || c == ']');
  } else {
    current.kind = Token::Kind::Word;
    length = std::min(rest.find_first_of(kWordEnds), rest.size());
  }
  current.text = rest.take_front(length);
  consume(length);
}
