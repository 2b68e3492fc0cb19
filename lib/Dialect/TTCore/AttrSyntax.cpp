//===- AttrSyntax.cpp - Text of attributes that we do not know -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Attributes and types that the dialect does not know are kept as they are
// written. Text alone would not do: an alias in it (`#layout1`) means what this
// file says it does, and the printer gives aliases anew. So the text is walked
// token by token, what begins with '#' or '!' is parsed and printed in full,
// and all between is copied. MLIR's parser gives no tokens to a dialect, hence
// the table of its functions below; what none of them reads is refused only if
// an alias could stand behind it.
//
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTCore/AttrSyntax.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tessera {
namespace {

/// Reads past one token that is neither `#` nor `!`. Failure if it is of a kind that AsmParser cannot read.
LogicalResult skipToken(AsmParser &parser, char first) {
  using Skip = ParseResult (AsmParser::*)();
  struct Punctuation {
    char first;
    Skip skip;
  };
  // MLIR's parser has a function for each token and none for any token, so all are tried that begin with this
  // character. An arrow before a minus, as the longer one has to win.
  static constexpr Punctuation punctuation[] = {
      {'<', &AsmParser::parseOptionalLess},    {'>', &AsmParser::parseOptionalGreater},
      {'[', &AsmParser::parseOptionalLSquare}, {']', &AsmParser::parseOptionalRSquare},
      {'(', &AsmParser::parseOptionalLParen},  {')', &AsmParser::parseOptionalRParen},
      {'{', &AsmParser::parseOptionalLBrace},  {'}', &AsmParser::parseOptionalRBrace},
      {',', &AsmParser::parseOptionalComma},   {'=', &AsmParser::parseOptionalEqual},
      {':', &AsmParser::parseOptionalColon},   {'?', &AsmParser::parseOptionalQuestion},
      {'*', &AsmParser::parseOptionalStar},    {'+', &AsmParser::parseOptionalPlus},
      {'/', &AsmParser::parseOptionalSlash},   {'|', &AsmParser::parseOptionalVerticalBar},
      {'-', &AsmParser::parseOptionalArrow},   {'-', &AsmParser::parseOptionalMinus},
      {'.', &AsmParser::parseOptionalEllipsis}};
  for (const Punctuation &token : punctuation)
    if (token.first == first && succeeded((parser.*token.skip)()))
      return success();
  if (llvm::isAlpha(first) || first == '_') {
    StringRef word;
    return parser.parseOptionalKeyword(&word);
  }
  if (first == '@') {
    StringAttr symbol;
    return parser.parseOptionalSymbolName(symbol);
  }
  if (llvm::isDigit(first) || first == '"') {
    // AsmParser has no function that reads just a number or a string.
    Attribute literal;
    OptionalParseResult parsed = parser.parseOptionalAttribute(literal);
    return success(parsed.has_value() && succeeded(*parsed));
  }
  return failure();
}

/// Reads the attribute (`#`) or type (`!`) that starts here and writes it in full.
LogicalResult rewriteSymbol(AsmParser &parser, char sigil, llvm::raw_ostream &os) {
  if (sigil == '#') {
    Attribute attr;
    if (parser.parseAttribute(attr))
      return failure();
    attr.print(os);
    return success();
  }
  Type type;
  if (parser.parseType(type))
    return failure();
  type.print(os);
  return success();
}

} // namespace

FailureOr<std::string> textWithoutAliases(DialectAsmParser &parser) {
  StringRef spec = parser.getFullSymbolSpec();
  std::string text;
  llvm::raw_string_ostream os(text);
  const char *copied = spec.begin(); // the text up to here is in `text`
  // A character that no token has is an error of the lexer, which the parser's results do not tell of.
  bool sawError = false;
  ScopedDiagnosticHandler listener(parser.getContext(), [&](Diagnostic &diagnostic) {
    sawError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return failure(); // the caller prints it
  });
  while (true) {
    const char *at = parser.getCurrentLocation().getPointer();
    if (at < spec.begin() || at >= spec.end())
      break;
    if (*at != '#' && *at != '!') {
      if (succeeded(skipToken(parser, *at)))
        continue;
      // What follows stays as it stands, if it can: an alias in it would come to mean another.
      if (StringRef(at, spec.end() - at).find_first_of("#!") == StringRef::npos)
        break;
      parser.emitError(parser.getCurrentLocation(),
                       "cannot be kept as text, for aliases may stand behind it");
      return failure();
    }
    os << StringRef(copied, at - copied);
    if (failed(rewriteSymbol(parser, *at, os)))
      return failure();
    const char *next = std::min(parser.getCurrentLocation().getPointer(), spec.end());
    // The next token may lie behind blanks, which belong to the text.
    copied = at + StringRef(at, next - at).rtrim().size();
  }
  if (sawError)
    return failure();
  os << StringRef(copied, spec.end() - copied);
  return text;
}

namespace {

/// What MLIR's parser of structs says of a key that is none of its own, or stands twice.
constexpr llvm::StringLiteral kNoKey = "duplicate or unknown struct parameter name: ";

/// The key that is new in the text of a struct, by what its parser says; "" if it says anything else.
std::string newKeyIn(StringRef spec, StringRef message) {
  if (!message.consume_front(kNoKey))
    return "";
  // Behind a blank, comma or bracket, so that `x` is not found in `max_x`.
  size_t count = 0;
  for (size_t at = spec.find(message); at != StringRef::npos; at = spec.find(message, at + 1))
    count += at > 0 && StringRef(" \n\t,<").contains(spec[at - 1]) &&
             spec.drop_front(at + message.size()).ltrim().starts_with("=");
  return count == 1 ? message.str() : "";
}

/// `#layout1`, but not `#ttnn.layout<...>`.
bool hasAlias(StringRef text) {
  for (size_t at = text.find_first_of("#!"); at != StringRef::npos; at = text.find_first_of("#!", at + 1)) {
    StringRef rest = text.drop_front(at + 1);
    rest = rest.drop_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!rest.starts_with(".") && !rest.starts_with("<"))
      return true;
  }
  return false;
}

/// Names the parameter, if that is all there is to say; else the message.
std::string inPlainWords(llvm::StringRef message) {
  if (message.starts_with(kNoKey))
    return ("key '" + message.drop_front(kNoKey.size()) + "' is not known here, or stands twice").str();
  // MLIR's words name the attribute's C++ class and type; of these only the parameter, in quotes before "which", says
  // something to the writer of the file.
  if (!message.starts_with("failed to parse "))
    return message.str();
  return ("cannot read " + message.split(" which is to be ").first.rsplit(' ').second).str();
}

} // namespace

/// One mistake often makes MLIR's parsers say several things, of the parameter and of what it stands in. The first is
/// the one that names the place.
mlir::OptionalParseResult withOneError(mlir::DialectAsmParser &parser,
                                       llvm::function_ref<mlir::OptionalParseResult()> parse,
                                       std::string *newKey) {
  // Attributes stand in attributes, and who reads the outer one has a place for its whole text: the inner ones say what is wrong.
  static thread_local unsigned depth = 0;
  std::optional<mlir::Diagnostic> first;
  mlir::OptionalParseResult parsed;
  {
    mlir::ScopedDiagnosticHandler handler(parser.getContext(), [&](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
        return mlir::failure(); // not ours
      if (!first)
        first = std::move(diagnostic);
      return mlir::success();
    });
    ++depth;
    parsed = parse();
    --depth;
  }
  if (!first)
    return parsed;
  if (newKey && depth == 0) {
    StringRef spec = parser.getFullSymbolSpec();
    *newKey = newKeyIn(spec, first->str());
    if (!newKey->empty() && !hasAlias(spec))
      return std::nullopt;
  }
  mlir::InFlightDiagnostic error =
      mlir::emitError(first->getLocation(), depth == 0 ? inPlainWords(first->str()) : first->str());
  for (mlir::Diagnostic &note : first->getNotes())
    error.attachNote(note.getLocation()) << note.str();
  return parsed;
}

} // namespace tessera
