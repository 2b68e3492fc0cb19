//===- ProblemWords.cpp - Words, numbers, types and layouts of a text ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Readers of the small things that a problem's text consists of. Each takes its
// word, or leaves it where it stands, notes the first complaint with file, line
// and column, and returns false; callers hand that on and read no further.
//
//===----------------------------------------------------------------------===//
#include "ProblemWords.h"

#include "tessera/Layout/LayoutText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

/// Keeps arithmetic on bytes away from overflow.
static constexpr int64_t kMaxBytes = int64_t(1) << 40;

bool ProblemWords::fail(const Token &token, const llvm::Twine &message) {
  // The first complaint counts: what is read after it may have lost its place.
  if (complaint.empty())
    complaint = llvm::formatv("{0}:{1}:{2}: {3}", fileName, token.line, token.column, message.str()).str();
  return false;
}

std::optional<Token> ProblemWords::word(llvm::StringRef what) {
  // Left where it is, so that the message points at it.
  if (lexer.peek().kind != Token::Kind::Word) {
    fail(lexer.peek(), "expected " + what);
    return std::nullopt;
  }
  return lexer.take();
}

bool ProblemWords::mark(char c) {
  return take(c) || fail(lexer.peek(), llvm::Twine("expected '") + llvm::Twine(c) + "'");
}

bool ProblemWords::lineEnd() {
  // The last line need not end.
  Token::Kind kind = lexer.peek().kind;
  return kind == Token::Kind::LineEnd || kind == Token::Kind::FileEnd ||
         fail(lexer.peek(), "expected the end of the line");
}

bool ProblemWords::take(char c) {
  if (!lexer.peek().is(c))
    return false;
  lexer.take();
  return true;
}

bool ProblemWords::takeWord(llvm::StringRef text) {
  if (!lexer.peek().isWord(text))
    return false;
  lexer.take();
  return true;
}

bool ProblemWords::bytes(Bytes &out) {
  std::optional<Token> token = word("a size like 1300KiB");
  if (!token)
    return false;
  llvm::StringRef text = token->text;
  int64_t unit = text.consume_back("KiB") ? 1024 : text.consume_back("MiB") ? 1024 * 1024 : 1;
  int64_t number = 0;
  // Compared before it is multiplied, which may overflow.
  if (text.getAsInteger(10, number) || number < 0 || number > kMaxBytes / unit)
    return fail(*token, "'" + token->text + "' is not a size like 1300KiB");
  out = Bytes(number * unit);
  return true;
}

bool ProblemWords::time(Nanoseconds &out) {
  std::optional<Token> token = word("a time in nanoseconds");
  int64_t number = 0;
  if (!token)
    return false;
  if (token->text.getAsInteger(10, number) || number < 0)
    return fail(*token, "'" + token->text + "' is not a time in whole nanoseconds");
  out = Nanoseconds(double(number));
  return true;
}

bool ProblemWords::tensorType(TensorDesc &out) {
  std::optional<Token> token = word("a tensor type like 32x64xbf16");
  if (!token)
    return false;
  return take(*token, parseTensorDesc(token->text), out);
}

bool ProblemWords::grid(const Token &token, llvm::StringRef text, GridShape &out) {
  return take(token, parseGrid(text), out);
}

bool ProblemWords::layout(const Token &token, llvm::StringRef text, const TensorDesc &tensor,
                          const DeviceSpec &device, TensorLayout &out) {
  if (!take(token, parseLayoutFor(text, tensor, device), out))
    return false;
  std::string wrong = checkLayoutFor(out, tensor.shape, device);
  return wrong.empty() || fail(token, "'" + text + "' does not fit the tensor: " + wrong);
}
