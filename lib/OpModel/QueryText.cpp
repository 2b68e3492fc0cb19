//===- QueryText.cpp - Op model queries as one line of text --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A line is taken apart from the outside in: attributes and configuration behind semicolons, results behind the arrow,
// tensors between commas. Only semicolons and blanks may be quoted away, since only attributes hold text of any kind.
// Parsing goes on behind a mistake with a stand-in, so that no step has to ask whether the one before it went well.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/QueryText.h"

#include "tessera/Layout/LayoutText.h"
#include "tessera/OpModel/MadeTensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <tuple>

namespace tessera {
namespace {

using Words = llvm::SmallVector<llvm::StringRef>;

/// The text before the first `mark` that is not within single quotes, and what follows it.
std::pair<llvm::StringRef, llvm::StringRef> splitAt(char mark, llvm::StringRef text) {
  // A quote within quotes is written twice, which turns this off and on again: no state but this is needed.
  bool quoted = false;
  llvm::StringRef first = text.take_while([&](char c) {
    quoted ^= c == '\'';
    return quoted || c != mark;
  });
  return {first, text.substr(first.size()).drop_front(first.size() < text.size())};
}

Words words(llvm::StringRef text) {
  Words list;
  while (!(text = text.ltrim()).empty()) {
    auto [word, rest] = splitAt(' ', text);
    list.push_back(word);
    text = rest;
  }
  return list;
}

struct Parser;

/// One key of a config, and what its value does.
/// A row of a table: by such, keys are read, named in errors and listed in help, so that no key is missing in one of
/// these.
template <class Config>
struct Key {
  llvm::StringLiteral name;
  // A function, since values differ: numbers, pairs, names, flags. So a key is one row, and its name stands once.
  void (*set)(Parser &parser, Config &config, llvm::StringRef value);
};

/// "grid, k, ...".
template <class Table>
std::string namesIn(const Table &table) {
  return llvm::join(llvm::map_range(table, [](const auto &entry) { return llvm::StringRef(entry.name); }),
                    ", ");
}

/// Parses and remembers the first thing that is wrong.
struct Parser {
  Parser(LayoutPool &layouts, const DeviceSpec &device) : layouts(layouts), device(device) {}

  void parse(llvm::StringRef text, TextQuery &q);
  void parseTensor(llvm::StringRef text, TensorDesc &desc, std::optional<TensorLayout> &layout);
  llvm::Error takeError() {
    return wrong.empty() ? llvm::Error::success() : llvm::createStringError(wrong.c_str());
  }

  /// The first mistake counts: parsing goes on with a stand-in, so what follows may be wrong only because of it.
  void fail(const llvm::Twine &message, llvm::StringRef text) {
    if (wrong.empty())
      wrong = (message + ": '" + text + "'").str();
  }

  int64_t number(llvm::StringRef text) {
    int64_t value = 0;
    if (text.trim().getAsInteger(10, value))
      fail("not a whole number", text);
    return value;
  }

  // The first number is what stands before the x; whether that is rows or columns is the key's to say.
  GridShape pair(llvm::StringRef text) {
    auto [rows, columns] = text.split('x');
    return {number(rows), number(columns)};
  }
  std::pair<int64_t, int64_t> extents(llvm::StringRef text) { return {pair(text).rows, pair(text).columns}; }

  /// The value, or `otherwise` and the error remembered.
  template <class T>
  T take(llvm::Expected<T> value, T otherwise) {
    if (value)
      return *value;
    // Taken in any case: an error that nobody looks at ends the program.
    std::string message = llvm::toString(value.takeError());
    if (wrong.empty())
      wrong = message;
    return otherwise;
  }

  MemoryLayout memoryLayout(llvm::StringRef text) {
    std::optional<MemoryLayout> layout = parseMemoryLayout(text);
    if (!layout)
      fail("not a memory layout (" + memoryLayoutNames() + ")", text);
    return layout.value_or(MemoryLayout::Interleaved);
  }

  /// A key alone switches on, as in command lines.
  bool flag(llvm::StringRef text) {
    if (!text.empty() && text != "true" && text != "false")
      fail("neither true nor false", text);
    return text != "false";
  }

  Conv2dConfig::Slice slice(llvm::StringRef text) {
    if (text != "height" && text != "width" && text != "backend")
      fail("not what a convolution is sliced by (height, width, backend)", text);
    using Slice = Conv2dConfig::Slice;
    return text == "height" ? Slice::DramHeight : text == "width" ? Slice::DramWidth : Slice::Backend;
  }

  template <class Config>
  void readKeys(llvm::ArrayRef<Key<Config>> keys, llvm::StringRef text, Config &config) {
    for (llvm::StringRef word : words(text)) {
      auto [name, value] = word.split('=');
      const auto *key = llvm::find_if(keys, [&](const auto &known) { return known.name == name; });
      if (key == keys.end())
        return fail("unknown config key (" + namesIn(keys) + ")", name);
      key->set(*this, config, value);
    }
  }

  AttrValue attribute(llvm::StringRef text);
  MatmulProgramConfig matmul(llvm::StringRef kind, llvm::StringRef text);
  Conv2dConfig conv(llvm::StringRef text);
  AttentionConfig attention(llvm::StringRef text);
  OpSpecificConfig config(llvm::StringRef text);
  void addOperand(llvm::StringRef text, TextQuery &q);
  void addResult(llvm::StringRef text, TextQuery &q);

  LayoutPool &layouts;
  const DeviceSpec &device;
  std::string wrong;
};

/// The operands or results between commas; none for "()".
Words tensors(llvm::StringRef text) {
  Words parts;
  if (text.trim() == "()" || text.trim().empty())
    return parts;
  text.split(parts, ',', -1, false);
  for (llvm::StringRef &part : parts)
    part = part.trim();
  return parts;
}

void Parser::parseTensor(llvm::StringRef text, TensorDesc &desc, std::optional<TensorLayout> &layout) {
  if (!text.contains('@'))
    return fail("a tensor needs a layout behind an @, as in 64x1024@dram", text);
  auto [tensor, where] = text.trim().split('@'); // no shape or layout has an @
  desc = take(parseTensorDesc(tensor), TensorDesc());
  // A layout is read for its tensor, so one of a stand-in would be a second mistake that nobody made.
  if (where != "?" && wrong.empty())
    layout = take(parseLayoutFor(where, desc, device), TensorLayout());
}

/// "'it''s'" is it's.
std::string unquoted(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.drop_front().drop_back().split(parts, "''");
  return llvm::join(parts, "'");
}

/// The narrowest kind that the text can be: flag, list, quoted text, whole number, other number, and text if it is nothing
/// else. So attributes of ops need no declaration here; who means the text '1' writes the quotes.
AttrValue Parser::attribute(llvm::StringRef text) {
  if (text == "true" || text == "false")
    return text == "true";
  if (text.consume_front("[")) {
    std::vector<int64_t> list;
    Words parts;
    text.rtrim(']').split(parts, ',', -1, false);
    for (llvm::StringRef part : parts)
      list.push_back(number(part));
    return list;
  }
  // A quote alone is text, as it stands.
  if (text.size() >= 2 && text.starts_with("'") && text.ends_with("'"))
    return unquoted(text);
  int64_t integer;
  if (!text.getAsInteger(10, integer))
    return integer;
  double real; // a digit must stand near its front: words such as inf and nan are text
  if (text.find_first_of("0123456789") < 2 && !text.getAsDouble(real) && std::isfinite(real))
    return real;
  return text.str();
}

struct MatmulKind {
  llvm::StringLiteral name;
  MatmulProgramConfig::Kind kind;
  bool mcastIn0 = false;
};
constexpr MatmulKind kMatmulKindNames[] = {{"reuse", MatmulProgramConfig::Kind::Reuse},
                                           {"mcast2d", MatmulProgramConfig::Kind::MultiCast2D},
                                           {"mcast1d_in0", MatmulProgramConfig::Kind::MultiCast1D, true},
                                           {"mcast1d_in1", MatmulProgramConfig::Kind::MultiCast1D},
                                           {"dram_sharded", MatmulProgramConfig::Kind::MultiCastDramSharded}};
constexpr llvm::StringLiteral kConv = "conv", kAttention = "attention";

using Matmul = MatmulProgramConfig;
// A grid is columns x rows here, as program configs have it; subblocks and blocks are height x width.
const Key<Matmul> kMatmulKeys[] = {
    {"grid", [](Parser &p, Matmul &c, llvm::StringRef v) { c.grid = {p.pair(v).rows, p.pair(v).columns}; }},
    {"k", [](Parser &p, Matmul &c, llvm::StringRef v) { c.in0BlockW = p.number(v); }},
    {"m", [](Parser &p, Matmul &c, llvm::StringRef v) { c.perCoreM = p.number(v); }},
    {"n", [](Parser &p, Matmul &c, llvm::StringRef v) { c.perCoreN = p.number(v); }},
    {"sub", [](Parser &p, Matmul &c,
               llvm::StringRef v) { std::tie(c.outSubblockH, c.outSubblockW) = p.extents(v); }},
    {"block",
     [](Parser &p, Matmul &c, llvm::StringRef v) { std::tie(c.outBlockH, c.outBlockW) = p.extents(v); }},
    // Fused is the backend's default, so that only the exception needs a word.
    {"unfused", [](Parser &p, Matmul &c, llvm::StringRef v) { c.fuseBatch = !p.flag(v); }},
    {"activation", [](Parser &, Matmul &c, llvm::StringRef v) { c.fusedActivation = v.str(); }},
    {"transposed", [](Parser &p, Matmul &c, llvm::StringRef v) { c.transposeMcast = p.flag(v); }},
};
const Key<Conv2dConfig> kConvKeys[] = {
    {"shard", [](Parser &p, Conv2dConfig &c, llvm::StringRef v) { c.shardLayout = p.memoryLayout(v); }},
    {"act_block_h", [](Parser &p, Conv2dConfig &c, llvm::StringRef v) { c.actBlockHOverride = p.number(v); }},
    {"deallocate", [](Parser &p, Conv2dConfig &c, llvm::StringRef v) { c.deallocateActivation = p.flag(v); }},
    {"reshard", [](Parser &p, Conv2dConfig &c, llvm::StringRef v) { c.reshardIfNotOptimal = p.flag(v); }},
    {"slice", [](Parser &p, Conv2dConfig &c, llvm::StringRef v) { c.slice = p.slice(v); }},
    {"slices", [](Parser &p, Conv2dConfig &c, llvm::StringRef v) { c.numSlices = p.number(v); }},
};
const Key<AttentionConfig> kAttentionKeys[] = {
    {"grid",
     [](Parser &p, AttentionConfig &c, llvm::StringRef v) { c.grid = {p.pair(v).rows, p.pair(v).columns}; }},
    {"q", [](Parser &p, AttentionConfig &c, llvm::StringRef v) { c.queryChunk = p.number(v); }},
    {"k", [](Parser &p, AttentionConfig &c, llvm::StringRef v) { c.keyChunk = p.number(v); }},
};

/// "mcast2d grid=8x8 k=2 m=4 n=4 sub=2x2". Keys in any order, each over a default.
MatmulProgramConfig Parser::matmul(llvm::StringRef name, llvm::StringRef text) {
  MatmulProgramConfig c;
  const auto *kind =
      llvm::find_if(kMatmulKindNames, [&](const MatmulKind &each) { return each.name == name; });
  if (kind == std::end(kMatmulKindNames)) {
    fail("not a config (" + namesIn(kMatmulKindNames) + ", " + kConv + ", " + kAttention + ")", name);
    return c;
  }
  c.kind = kind->kind;
  c.mcastIn0 = kind->mcastIn0;
  c.grid = {8, 8}; // Wormhole's; other boards say theirs
  // No block has no tiles, so 0 stands for "not said" until all keys are read: `block` may come before `m` and `n`.
  c.outBlockH = c.outBlockW = 0;
  readKeys<Matmul>(kMatmulKeys, text, c);
  if (c.outBlockH == 0) // no block of its own: all that a core has
    c.outBlockH = c.perCoreM, c.outBlockW = c.perCoreN;
  return c;
}

Conv2dConfig Parser::conv(llvm::StringRef text) {
  Conv2dConfig c;
  readKeys<Conv2dConfig>(kConvKeys, text, c);
  return c;
}

AttentionConfig Parser::attention(llvm::StringRef text) {
  AttentionConfig c;
  c.grid = {device.workerGrid.columns, device.workerGrid.rows};
  readKeys<AttentionConfig>(kAttentionKeys, text, c);
  return c;
}

OpSpecificConfig Parser::config(llvm::StringRef text) {
  auto [kind, rest] = text.trim().split(' ');
  if (kind.empty())
    return {};
  if (kind == kConv)
    return conv(rest);
  if (kind == kAttention)
    return attention(rest);
  return matmul(kind, rest);
}

void Parser::addOperand(llvm::StringRef text, TextQuery &q) {
  if (text.consume_front("=")) {
    size_t first = size_t(number(text));
    if (first >= q.inputs.size())
      return fail("no such operand before this one", text);
    // One value, however often it is read: its L1 counts once, under the first operand that is it.
    OperandDesc same = q.signature.operands[first];
    q.signature.operands.push_back(same);
    q.inputs.push_back(q.inputs[first]);
    return;
  }
  TensorDesc desc;
  std::optional<TensorLayout> layout;
  parseTensor(text, desc, layout);
  if (!layout) // "?" is for results: what is read is there already
    return fail("an operand needs a layout", text);
  q.signature.operands.push_back({desc, unsigned(q.signature.operands.size()), false});
  q.inputs.push_back(layouts.intern(*layout));
}

void Parser::addResult(llvm::StringRef text, TextQuery &q) {
  if (text == "?") {
    std::optional<TensorDesc> made = madeOf(q.signature);
    if (!made && q.signature.operands.empty())
      return fail(
          "no operand is named that could tell the result's shape; name operands, as in 64x1024@dram, "
          "or the result, as in 64x1024@?",
          text);
    if (!made)
      return fail("the operands do not tell the result's shape; name it, as in 64x1024@?", text);
    q.signature.results.push_back(*made);
    q.config.outputs.emplace_back();
    return;
  }
  TensorDesc desc;
  std::optional<TensorLayout> layout;
  parseTensor(text, desc, layout);
  q.signature.results.push_back(desc);
  q.config.outputs.push_back(layout ? layouts.intern(*layout) : LayoutId());
}

void Parser::parse(llvm::StringRef text, TextQuery &q) {
  // Attributes may quote any text, "->" and blanks included, so they are split off before the call is taken apart.
  auto [call, options] = splitAt(';', text);
  auto [attributes, configText] = splitAt(';', options);
  auto [head, results] = call.split("->");
  auto [op, operands] = head.trim().split(' ');
  q.signature.name = op.str();
  for (llvm::StringRef operand : tensors(operands))
    addOperand(operand, q);
  // Before the results: the shape of one that is left to follow depends on transpose_a and transpose_b.
  for (llvm::StringRef word : words(attributes)) {
    auto [key, value] = word.split('=');
    q.signature.addAttribute(key.str(), attribute(value));
  }
  for (llvm::StringRef result : tensors(results))
    addResult(result, q);
  q.config.specific = config(configText);
}

} // namespace

std::string queryConfigWords() {
  return namesIn(kMatmulKindNames) + " with " + namesIn(kMatmulKeys) + "; " + kConv.str() + " with " +
         namesIn(kConvKeys) + "; " + kAttention.str() + " with " + namesIn(kAttentionKeys);
}

llvm::Expected<TextQuery> parseQueryText(llvm::StringRef text, LayoutPool &layouts,
                                         const DeviceSpec &device) {
  TextQuery q;
  Parser parser(layouts, device);
  parser.parse(text, q);
  if (llvm::Error error = parser.takeError())
    return std::move(error);
  return q;
}

} // namespace tessera
