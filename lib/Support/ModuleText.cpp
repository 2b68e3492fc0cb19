//===- ModuleText.cpp - Modules that MLIR's parser can take ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//  1. Cut the text into tokens as MLIR's lexer does.
//  2. Follow the brackets. An operator counts as a level of its own until the
//     expression ends.
//  3. Remember for each alias how deep and how long its value is, and for each
//     value the largest result that is asked for.
//
// Where MLIR itself reads text in two ways, the deeper one counts: in the body
// of `#dialect.name<...>`, MLIR first looks for the end without knowing
// comments, then parses with them.
//
//===----------------------------------------------------------------------===//
#include "tessera/Support/ModuleText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <array>
#include <optional>

using namespace llvm;

namespace tessera {
namespace {

// ---- 1. Tokens -------------------------------------------------------------------------------------------

/// Only what brackets, operators and aliases need to be told apart; all else is Other.
enum class TokenKind {
  End,
  Open,
  Close,
  Operator,
  Colon,
  Arrow,
  Comma,
  Equal,
  Word,
  Number,
  String,
  Alias,
  Name,
  Other
};

struct Token {
  TokenKind kind = TokenKind::End;
  StringRef text;
  bool inComment = false;
};

/// As MLIR's lexer cuts, where it matters: a bracket that is one for MLIR must be one here. Nothing is copied, and
/// each character is looked at once.
class Tokens {
public:
  explicit Tokens(StringRef text) : rest(text) {}

  /// Comments are skipped, unless `lookIntoComments`: then what they hold comes as tokens that say so.
  Token next(bool lookIntoComments) {
    skipBlanks(lookIntoComments);
    if (rest.empty())
      return {};
    auto [kind, length] = classify();
    Token token{kind, rest.take_front(length), inComment};
    rest = rest.drop_front(length);
    return token;
  }

private:
  void skipBlanks(bool lookIntoComments) {
    while (!rest.empty()) {
      size_t blanks = std::min(rest.find_first_not_of(" \t\r\n"), rest.size());
      inComment &= !rest.take_front(blanks).contains('\n');
      rest = rest.drop_front(blanks);
      if (!rest.starts_with("//"))
        return;
      if (lookIntoComments) {
        inComment = true;
        rest = rest.drop_front(2);
      } else {
        rest = rest.drop_front(std::min(rest.find('\n'), rest.size()));
      }
    }
  }

  /// The kind of the token that `rest` begins with, and its length.
  std::pair<TokenKind, size_t> classify() const {
    using enum TokenKind;
    char c = rest.front();
    // Pairs before single characters: the `>` in them closes no bracket.
    if (rest.starts_with("->"))
      return {Arrow, 2};
    if (rest.starts_with(">="))
      return {Other, 2};
    if (isAlpha(c) || c == '_')
      return word();
    if (isDigit(c)) // what follows at once is a token of its own: `2floordiv 3`
      return {Number, lengthWhile(isDigit, 1)};
    switch (c) {
    case '(':
    case '[':
    case '{':
    case '<':
      return {Open, 1};
    case ')':
    case ']':
    case '}':
    case '>':
      return {Close, 1};
    case '+':
    case '-':
    case '*':
      return {Operator, 1};
    case ':':
      return {Colon, 1};
    case ',':
      return {Comma, 1};
    case '=':
      return {Equal, 1};
    case '#':
    case '!':
      return {Alias, suffixLength()};
    case '%':
    case '^':
      return {Name, suffixLength()};
    case '@':
      return {Name, 1};
    case '"':
      // In a comment a quote need not be one: what looks quoted there is looked into like the rest.
      return inComment ? std::pair(Other, size_t(1)) : std::pair(String, stringLength());
    default:
      return {Other, 1};
    }
  }

  std::pair<TokenKind, size_t> word() const {
    size_t length = lengthWhile([](char c) { return isAlnum(c) || c == '_' || c == '$' || c == '.'; }, 1);
    StringRef text = rest.take_front(length);
    bool isOperator = text == "mod" || text == "floordiv" || text == "ceildiv";
    return {isOperator ? TokenKind::Operator : TokenKind::Word, length};
  }

  /// A sigil with the number or the name behind it. A name may end with '-', so that `#a->` has no arrow.
  size_t suffixLength() const {
    if (rest.size() > 1 && isDigit(rest[1]))
      return lengthWhile(isDigit, 1);
    return lengthWhile([](char c) { return isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; }, 1);
  }

  template <class Predicate>
  size_t lengthWhile(Predicate predicate, size_t from) const {
    while (from < rest.size() && predicate(rest[from]))
      ++from;
    return from;
  }

  /// A string that is not closed ends with its line.
  size_t stringLength() const {
    size_t i = 1;
    while (i < rest.size() && rest[i] != '"' && rest[i] != '\n')
      i += rest[i] == '\\' ? 2 : 1;
    return std::min(i + 1, rest.size());
  }

  StringRef rest;
  bool inComment = false;
};

// ---- 2. and 3. Brackets and aliases ----------------------------------------------------------------------

char closingOf(char opening) {
  switch (opening) {
  case '(':
    return ')';
  case '[':
    return ']';
  case '{':
    return '}';
  default:
    return '>';
  }
}

/// What an alias stands for, other aliases put in: levels and tokens.
/// Example: `!a = tuple<i32, i32>` and `!b = tuple<!a, !a>`: ten such lines stand for two thousand tokens, thirty
/// for two billion.
struct Extent {
  unsigned depth = 0;
  uint64_t length = 0;
};

/// Bounds that hold before MLIR is called: how deep its parser recurses, and how much aliases let a short text
/// stand for.
class ModuleScan {
public:
  // A few lines may stand for a whole module, which is the constant part; beyond that, text is allowed in proportion to
  // its length.
  explicit ModuleScan(StringRef text)
      : text(text), tokens(text), longest((uint64_t(1) << 24) + 16 * uint64_t(text.size())) {}

  /// What is wrong, with `place` at the token; "" if nothing is.
  std::string run(size_t &place) {
    for (Token token = next(); token.kind != TokenKind::End; token = next()) {
      take(token);
      place = size_t(token.text.data() - text.data());
      if (beginsArrayOfIndex(token))
        return "an array<...> of index is no attribute: its elements are i1, integers of whole bytes or "
               "floats, as "
               "in array<i64: 1>";
      if (levels > kDeepestModule)
        return formatted("nests more than ", kDeepestModule, " deep");
      if (expanded > longest)
        return formatted("aliases stand for more than ", longest, " tokens");
      if (results > text.size()) // an op writes the type of each of its results
        return formatted("values are asked for more results than ", text.size(), " characters can name");
    }
    return "";
  }

private:
  static std::string formatted(const char *before, uint64_t number, const char *behind) {
    return before + std::to_string(number) + behind;
  }

  Token next() { return tokens.next(/*lookIntoComments=*/angles > 0); }

  /// `array<` and then `index`, or an alias of it. Comments may stand between them.
  bool beginsArrayOfIndex(const Token &token) {
    if (token.inComment)
      return false;
    bool found = inFront[0].text == "array" && inFront[1].text == "<" && isIndex(token);
    if (inFront[1].kind == TokenKind::Equal && inFront[0].kind == TokenKind::Alias && isIndex(token))
      indexAliases.insert(inFront[0].text);
    inFront = {inFront[1], token};
    return found;
  }

  bool isIndex(const Token &token) const {
    return token.text == "index" || (token.kind == TokenKind::Alias && indexAliases.contains(token.text));
  }

  void take(const Token &token) {
    using enum TokenKind;
    // A definition has no mark at its end: `#a = 1` is followed by the next definition or by an op. So each token is
    // asked whether it can go on with the value in front of it, before it counts as part of that value.
    endDefinition(token);
    uint64_t length = 1;
    levels = depth;
    switch (token.kind) {
    case Open:
      open(token.text.front());
      break;
    case Close:
      if (!token.inComment)
        close(token.text.front());
      break;
    case Operator:
      ++frames.back().operators;
      // MLIR's parser recurses for the right side of an operator as it does for a bracket.
      levels = ++depth;
      break;
    case Alias:
      if (previous.text.starts_with("%"))
        useResult(previous.text, token.text.drop_front());
      // An alias counts as what it stands for: a few lines of aliases of aliases can stand for more text than
      // memory holds.
      length += use(token.text);
      endExpression();
      break;
    case Equal:
      if (frames.size() == 1 && previous.kind == Alias)
        beginDefinition(previous.text);
      endExpression();
      break;
    case Word:
    case Number:
    case End:
      break;
    default:
      endExpression();
    }
    expanded += length;
    if (defined) {
      defined->depth = std::max(defined->depth, levels);
      defined->length += length;
    }
    previous = token;
  }

  void open(char bracket) {
    frames.push_back({closingOf(bracket), 0});
    angles += bracket == '<';
    levels = ++depth;
  }

  /// Brackets that do not match are the parser's to refuse: it reads no further.
  void close(char bracket) {
    if (frames.size() == 1 || frames.back().closing != bracket)
      return;
    endExpression();
    frames.pop_back();
    angles -= bracket == '>';
    --depth;
  }

  /// What follows is not an operand of the operators so far.
  void endExpression() {
    depth -= frames.back().operators;
    frames.back().operators = 0;
  }

  /// The length of what stands for the alias; 0 for a dialect's own symbol and for a name that is unknown here.
  /// An alias that is defined below its use counts as nothing here. MLIR refuses such a use, so nothing is missed.
  uint64_t use(StringRef name) {
    auto known = aliases.find(name);
    if (known == aliases.end())
      return 0;
    levels = depth + known->second.depth;
    return known->second.length;
  }

  /// `%name#number`: the parser makes room for that many before it looks whether there are so many.
  void useResult(StringRef name, StringRef number) {
    unsigned wanted = 0;
    if (number.getAsInteger(10, wanted))
      return;
    unsigned &largest = largestResult[name];
    results += std::max(largest, wanted) - largest;
    largest = std::max(largest, wanted);
  }

  void beginDefinition(StringRef name) {
    definedName = name;
    defined = Extent();
    hasValue = false;
  }

  /// A definition ends where a value cannot go on: with a word, a name or a string behind something complete.
  void endDefinition(const Token &token) {
    using enum TokenKind;
    if (!defined || frames.size() > 1)
      return;
    bool starts = is_contained({Word, String, Alias, Name}, token.kind);
    bool complete = is_contained({Word, Number, String, Alias, Close}, previous.kind);
    if (hasValue && starts && complete) {
      aliases[definedName] = *defined;
      defined.reset();
    }
    hasValue |= token.kind != Equal;
  }

  struct Frame {
    char closing;       ///< the bracket that ends it; 0 for the file
    unsigned operators; ///< of the expression that is being read
  };

  StringRef text;
  Tokens tokens;
  uint64_t longest;
  SmallVector<Frame> frames = {{0, 0}};
  unsigned depth = 0;  ///< frames and their operators
  unsigned levels = 0; ///< the depth of the last token, an alias put in
  unsigned angles = 0; ///< open '<': dialects' bodies may lie there
  uint64_t expanded = 0;
  uint64_t results = 0; ///< that values are asked for, over all names
  StringMap<unsigned> largestResult;
  StringMap<Extent> aliases;
  std::optional<Extent> defined; ///< of the definition that is being read
  StringRef definedName;
  bool hasValue = false;
  Token previous;
  std::array<Token, 2> inFront; ///< the last two that are no comment's
  StringSet<> indexAliases;     ///< `!i = index`
};

/// The first bytes of MLIR bytecode.
bool isBytecode(StringRef file) { return file.starts_with("ML\xefR"); }

} // namespace

std::optional<ModuleTextFault> findModuleTextFault(StringRef text) {
  // Some editors of Windows put it there, and show nothing of it; to MLIR it is an unexpected character.
  if (text.starts_with("\xEF\xBB\xBF"))
    return ModuleTextFault{1, 1,
                           "the text begins with a byte order mark, which MLIR's parser does not take; save "
                           "it as UTF-8 without"};
  size_t place = 0;
  std::string wrong = ModuleScan(text).run(place);
  if (wrong.empty())
    return std::nullopt;
  StringRef before = text.take_front(place);
  size_t line = before.count('\n') + 1, column = place - (before.rfind('\n') + 1) + 1;
  return ModuleTextFault{unsigned(line), unsigned(column), wrong + "; MLIR's parser could not take it"};
}

Error checkModuleText(MemoryBufferRef file, bool allowBytecode) {
  StringRef text = file.getBuffer();
  if (isBytecode(text)) {
    if (allowBytecode)
      return Error::success();
    return createStringError(
        file.getBufferIdentifier() +
        ":1:1: error: this is bytecode, which MLIR trusts: a damaged file would corrupt memory. "
        "Give --allow-bytecode if you know where it comes from");
  }
  std::optional<ModuleTextFault> fault = findModuleTextFault(text);
  if (!fault)
    return Error::success();
  return createStringError(file.getBufferIdentifier() + ":" + Twine(fault->line) + ":" +
                           Twine(fault->column) + ": error: " + fault->message);
}

} // namespace tessera
