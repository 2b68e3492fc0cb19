//===- Mutator.cpp - Text with something wrong ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Mutator.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using llvm::StringRef;

namespace tessera::fuzz {
namespace {

constexpr size_t kMostMutations = 8;
constexpr size_t kMostBytes = 64 << 10;
constexpr size_t kMostRepetitions = 2048;

// clang-format off: tables of words
/// What numbers go wrong at: the ends of types, of tiles and grids, of floating point.
constexpr llvm::StringLiteral kNumbers[] = {
    "0", "1", "-1", "2", "3", "7", "8", "9", "16", "31", "32", "33", "63", "64", "65", "100", "127", "128", "255", "256",
    "257", "1024", "4096", "32767", "32768", "65535", "65536", "1000000", "2147483647", "2147483648", "-2147483648",
    "4294967295", "4294967296", "9007199254740993", "4611686018427387904", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "18446744073709551615", "18446744073709551616", "340282366920938463463374607431768211456",
    "0.5", "-0.0", "1e308", "1e309", "-1e308", "5e-324", "1e-7", "nan", "inf", "-inf", "0x7FC00000", "?", "007"};

constexpr llvm::StringLiteral kBytes[] = {"\"", "'", "\\", "<", ">", "[", "]", "{", "}", "(", ")", ",", ":", ";",
                                          "=", "#", "!", "%", "@", "^", "-", "+", "*", "x", "/", "//", "->", "\n", "\r",
                                          "\t", " ", "\xff", "\xc3\xa9", "\xef\xbb\xbf", "\x01", "|", "?", "."};
// clang-format on

// ---- Pieces of text --------------------------------------------------------------------------------------

/// Half-open, in bytes.
struct Piece {
  size_t begin = 0, end = 0;
  size_t size() const { return end - begin; }
};

enum class CharClass { Word, Digit, Blank, Other };
CharClass classOf(char c) {
  if (llvm::isDigit(c))
    return CharClass::Digit;
  if (llvm::isAlpha(c) || c == '_' || c == '.')
    return CharClass::Word;
  return llvm::isSpace(c) ? CharClass::Blank : CharClass::Other;
}

/// The token around `at`: letters, or digits, or one other character.
Piece tokenAround(StringRef text, size_t at) {
  Piece token{at, at + 1};
  CharClass wanted = classOf(text[at]);
  if (wanted == CharClass::Other)
    return token;
  while (token.begin > 0 && classOf(text[token.begin - 1]) == wanted)
    --token.begin;
  while (token.end < text.size() && classOf(text[token.end]) == wanted)
    ++token.end;
  return token;
}

std::vector<Piece> tokensOf(StringRef text) {
  std::vector<Piece> tokens;
  for (size_t at = 0; at != text.size(); at = tokens.back().end)
    tokens.push_back(tokenAround(text, at));
  return tokens;
}

Piece lineAround(StringRef text, size_t at) {
  size_t begin = text.take_front(at).rfind('\n');
  size_t end = text.find('\n', at);
  return {begin == StringRef::npos ? 0 : begin + 1, end == StringRef::npos ? text.size() : end + 1};
}

Piece anyBytes(StringRef text, Random &random) {
  size_t begin = random.below(text.size());
  return {begin, std::min(text.size(), begin + random.few(64))};
}

/// A token, a line or a stretch of a text that is not empty.
Piece anyPiece(StringRef text, Random &random) {
  size_t at = random.below(text.size());
  switch (random.below(4)) {
  case 0:
    return anyBytes(text, random);
  case 1:
    return lineAround(text, at);
  default:
    return tokenAround(text, at);
  }
}

/// The first number at or behind a random place, or an empty piece.
Piece anyNumber(StringRef text, Random &random) {
  size_t at = text.find_if(llvm::isDigit, random.below(text.size()));
  if (at == StringRef::npos)
    at = text.find_if(llvm::isDigit);
  return at == StringRef::npos ? Piece() : tokenAround(text, at);
}

// ---- Mutations. Each takes a text that is not empty ------------------------------------------------------

void flipBit(std::string &text, const Corpus &, Random &random) {
  text[random.below(text.size())] ^= char(1u << random.below(8));
}

void insertByte(std::string &text, const Corpus &, Random &random) {
  text.insert(random.below(text.size() + 1), random.of(kBytes).str());
}

void replaceToken(std::string &text, const Corpus &corpus, Random &random) {
  Piece token = tokenAround(text, random.below(text.size()));
  text.replace(token.begin, token.size(), corpus.token(random));
}

void insertToken(std::string &text, const Corpus &corpus, Random &random) {
  text.insert(tokenAround(text, random.below(text.size())).begin, corpus.token(random));
}

void replaceNumber(std::string &text, const Corpus &, Random &random) {
  Piece number = anyNumber(text, random);
  if (number.size() != 0)
    text.replace(number.begin, number.size(), random.of(kNumbers).str());
}

void changeNumber(std::string &text, const Corpus &, Random &random) {
  Piece number = anyNumber(text, random);
  int64_t value = 0;
  if (StringRef(text).slice(number.begin, number.end).getAsInteger(10, value) ||
      value > (int64_t(1) << 57)) // 32 times that is a number as well
    return;
  const int64_t values[] = {value - 1, value + 1, value * 2, value / 2, -value, value * 32};
  text.replace(number.begin, number.size(), std::to_string(random.of(values)));
}

/// One token in all its places by another of its class: types stay consistent, so the text may still mean something.
void replaceEverywhere(std::string &text, const Corpus &corpus, Random &random) {
  bool isNumber = !random.oneIn(4);
  Piece token = isNumber ? anyNumber(text, random) : tokenAround(text, random.below(text.size()));
  std::string was = text.substr(token.begin, token.size());
  std::string now = !isNumber ? corpus.token(random) : random.of(kNumbers).str();
  std::string result;
  for (Piece piece : tokensOf(text)) {
    StringRef word = StringRef(text).slice(piece.begin, piece.end);
    result += word == was ? StringRef(now) : word;
  }
  text = std::move(result);
}

void remove(std::string &text, const Corpus &, Random &random) {
  Piece piece = anyPiece(text, random);
  text.erase(piece.begin, piece.size());
}

void repeat(std::string &text, const Corpus &, Random &random) {
  Piece piece = anyPiece(text, random);
  std::string copy = text.substr(piece.begin, piece.size());
  size_t times = std::min(random.few(kMostRepetitions), kMostBytes / copy.size());
  std::string copies;
  while (times--)
    copies += copy;
  text.insert(piece.end, copies);
}

void swap(std::string &text, const Corpus &, Random &random) {
  bool lines = random.oneIn(2);
  auto around = lines ? lineAround : tokenAround;
  Piece a = around(text, random.below(text.size())), b = around(text, random.below(text.size()));
  if (a.begin > b.begin)
    std::swap(a, b);
  if (a.end > b.begin)
    return;
  std::string first = text.substr(a.begin, a.size()), second = text.substr(b.begin, b.size());
  text.replace(b.begin, b.size(), first);
  text.replace(a.begin, a.size(), second);
}

void copyElsewhere(std::string &text, const Corpus &, Random &random) {
  Piece piece = anyPiece(text, random);
  std::string copy = text.substr(piece.begin, piece.size());
  Piece target = anyPiece(text, random);
  text.replace(target.begin, random.oneIn(2) ? target.size() : 0, copy);
}

void insertFromCorpus(std::string &text, const Corpus &corpus, Random &random) {
  const std::string &other = corpus.entry(random);
  if (other.empty())
    return;
  Piece piece = anyPiece(other, random);
  text.insert(lineAround(text, random.below(text.size())).begin, other, piece.begin, piece.size());
}

/// The begin of one text and the end of another.
void splice(std::string &text, const Corpus &corpus, Random &random) {
  const std::string &other = corpus.entry(random);
  if (other.empty())
    return;
  text.resize(lineAround(text, random.below(text.size())).begin);
  text += StringRef(other).drop_front(lineAround(other, random.below(other.size())).begin);
}

void truncate(std::string &text, const Corpus &, Random &random) { text.resize(random.below(text.size())); }

using Mutation = void (*)(std::string &text, const Corpus &corpus, Random &random);
/// What keeps the text well-formed is there more than once, so that some of it comes through the parsers.
constexpr Mutation kMutations[] = {replaceNumber,
                                   replaceNumber,
                                   changeNumber,
                                   changeNumber,
                                   replaceEverywhere,
                                   replaceEverywhere,
                                   replaceEverywhere,
                                   replaceToken,
                                   insertToken,
                                   swap,
                                   remove,
                                   remove,
                                   copyElsewhere,
                                   repeat,
                                   splice,
                                   flipBit,
                                   insertByte,
                                   insertFromCorpus,
                                   truncate};

} // namespace

void Corpus::add(std::string entry) {
  for (Piece token : tokensOf(entry))
    tokens.push_back(entry.substr(token.begin, token.size()));
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  entries.push_back(std::move(entry));
}

std::string mutate(std::string text, const Corpus &corpus, Random &random) {
  for (size_t n = random.few(kMostMutations); n != 0 && !text.empty(); --n) {
    random.of(kMutations)(text, corpus, random);
    if (text.size() > kMostBytes)
      text.resize(kMostBytes);
  }
  return text;
}

} // namespace tessera::fuzz
