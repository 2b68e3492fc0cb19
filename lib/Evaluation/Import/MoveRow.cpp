//===- MoveRow.cpp - One call of one op in data_movement.csv --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "MoveRow.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

/// The number right before `words`; nullopt if there is none.
std::optional<int64_t> numberBefore(llvm::StringRef text, llvm::StringRef words) {
  size_t at = text.find(words);
  if (at == llvm::StringRef::npos)
    return std::nullopt;
  llvm::StringRef digits = text.take_front(at);
  digits = digits.take_back(digits.size() - (digits.find_last_not_of("0123456789") + 1));
  int64_t number;
  return digits.getAsInteger(10, number) ? std::nullopt : std::optional(number);
}

/// Grids of known numbers of cores; other numbers as one row.
GridShape gridOfCores(int64_t cores) {
  // 8 x 8 and, with a row for dispatch, 7 x 8 on Wormhole; 10 x 11 and 10 x 13 on Blackhole (facts/hardware 1.1).
  for (GridShape known :
       {GridShape{8, 8}, GridShape{7, 8}, GridShape{4, 5}, GridShape{10, 11}, GridShape{10, 13}})
    if (known.volume() == cores)
      return known;
  return {1, cores};
}

/// The board's cores, unless the row says how many there were: in the note ("110 worker cores available", "56
/// cores by the report"), or in place of the board. A single core is what the call asked for.
std::optional<DeviceSpec> deviceOfRow(CsvTable::Row row) {
  llvm::StringRef board = row["board"], note = row["note"];
  std::optional<int64_t> used = row.integer("cores"), there = numberBefore(note, " worker cores available");
  if (!there)
    there = numberBefore(note, " cores by the report");
  if (!there)
    there = numberBefore(board, " cores");
  if (used == 1)
    there = 1;
  std::string name = board.lower();
  std::optional<DeviceSpec> device = deviceOf(findDevice(name) ? llvm::StringRef(name) : row["arch"]);
  if (!device || (there && (*there < 1 || *there > 1024)))
    return std::nullopt;
  if (there)
    device->workerGrid = gridOfCores(*there);
  return device;
}

/// The behaviour of a backend of that day, "2026-08-10" (or the month alone).
BackendVersion versionAt(llvm::StringRef date) {
  // Ends of the versions, the first of which is after the date that counts.
  static constexpr std::pair<llvm::StringLiteral, BackendVersion> kUntil[] = {
      {"2025-05", BackendVersion::January2025},          {"2025-09", BackendVersion::August2025},
      {"2025-10", BackendVersion::September2025},        {"2025-11", BackendVersion::Autumn2025},
      {"2025-11-12", BackendVersion::EarlyNovember2025}, {"2025-11-25", BackendVersion::Pinned},
      {"2026-04", BackendVersion::LateNovember2025}};
  // Dates are compared as text, for which "2025-11" comes before "2025-11-12". Rows without a date are taken
  // for the revision that the model follows.
  for (const auto &[end, version] : kUntil)
    if (date < end)
      return date.empty() ? BackendVersion::Pinned : version;
  return BackendVersion::Newest;
}

/// Memory that a source does not print beside its rows, and its program decides.
struct MemoryOfSource {
  llvm::StringLiteral source; ///< how it begins
  llvm::StringLiteral op;     ///< part of the op's name
  llvm::StringLiteral memory;
};
constexpr MemoryOfSource kMemoryOfSource[] = {
    // tt-metal, models/experimental/nomic_embed_text_v2_moe (tt/attention.py, tt/matmul_config.py): what attention
    // reads and writes, from the projection's result to the joined heads, is placed in L1 wherever it fits beside
    // the attention's buffers, which all published shapes do. The times say so too: 8 x 12 x 256 x 64 joined in
    // 7.15 us are 880 GB/s, of which the DRAM has 512, and a tile takes less than the DRAM's latency.
    {"nomic-embed-text-v2-moe roofline", "heads", "l1_interleaved"},
};

/// Where nothing says otherwise tensors lie in DRAM.
llvm::StringRef unstatedMemory(CsvTable::Row row) {
  for (const MemoryOfSource &known : kMemoryOfSource)
    if (row["source"].starts_with(known.source) && row["op"].contains(known.op))
      return known.memory;
  return "dram_interleaved";
}

/// "0,0-7,3": corners of a rectangle of cores.
std::optional<CoreRange> coresOf(llvm::StringRef text) {
  auto [first, last] = text.split('-');
  llvm::SmallVector<int64_t, 4> numbers;
  for (llvm::StringRef corner : {first, last}) {
    auto [x, y] = corner.split(',');
    for (llvm::StringRef part : {x, y})
      if (int64_t number; !part.getAsInteger(10, number))
        numbers.push_back(number);
  }
  if (numbers.size() != 4 || numbers[2] < numbers[0] || numbers[3] < numbers[1])
    return std::nullopt;
  return CoreRange{{numbers[0], numbers[1]}, {numbers[2], numbers[3]}};
}

/// How a tensor is cut over that many cores where only their number is known.
std::optional<TensorLayout> shardsOver(const TensorDesc &desc, MemoryLayout memory, int64_t cores,
                                       GridShape workers, PageLayout page) {
  GridShape grid{cores, 1};
  if (memory == MemoryLayout::WidthSharded)
    grid = {1, cores};
  if (memory == MemoryLayout::BlockSharded) {
    // The tallest rectangle of that many cores that the device has room for: the row does not tell which it
    // was.
    int64_t rows = std::min(workers.rows, cores);
    while (cores % rows)
      --rows;
    grid = {rows, cores / rows};
  }
  bool block = memory == MemoryLayout::BlockSharded;
  // A rectangle that is as tall as the device may be wider than it.
  bool fits = block ? grid.columns <= workers.columns : cores <= workers.volume();
  return fits ? std::optional(l1Sharded(desc, memory, grid, workers, page)) : std::nullopt;
}

} // namespace

MoveRow::MoveRow(CsvTable::Row row, DeviceSpec device, llvm::StringRef op)
    : question(op, device), row(row), device(std::move(device)) {
  question.version(versionAt(row["version"]));
}

llvm::Expected<MoveRow> MoveRow::read(CsvTable::Row row, llvm::StringRef op, bool severalTimes) {
  std::optional<DeviceSpec> device = deviceOfRow(row);
  if (!device)
    return llvm::createStringError("board, architecture or number of cores unknown");
  MoveRow result(row, *device, op);
  if (llvm::Error error = result.readOperands(severalTimes))
    return std::move(error);
  return result;
}

llvm::StringRef MoveRow::argument(llvm::StringRef key) const {
  llvm::SmallVector<llvm::StringRef> arguments;
  row["kwargs"].split(arguments, ' ', -1, false);
  for (llvm::StringRef text : arguments)
    if (text.consume_front(key) && text.consume_front("="))
      return text;
  return "";
}

std::optional<int64_t> MoveRow::integer(llvm::StringRef key) const {
  int64_t value;
  return argument(key).getAsInteger(10, value) ? std::nullopt : std::optional(value);
}

std::vector<int64_t> MoveRow::list(llvm::StringRef key) const {
  llvm::StringRef text = argument(key);
  text.consume_front("[");
  text.consume_back("]");
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::SplitString(text, parts, ",:");
  std::vector<int64_t> values;
  for (llvm::StringRef part : parts) {
    int64_t value;
    // A list with a part that is no number is none: half of it would be another call.
    if (part.getAsInteger(10, value) || value < 0 || value > int64_t(1) << 32)
      return {};
    values.push_back(value);
  }
  return values;
}

Shape MoveRow::shape(llvm::StringRef key) const {
  std::vector<int64_t> values = list(key);
  return Shape(values.begin(), values.end());
}

std::optional<int64_t> MoveRow::notedInteger(llvm::StringRef words) const {
  return numberBefore(row["note"], words);
}

/// Of several times of one case, the first is usually that of the two-byte type. Not so if rows are joined
/// side by side and only those of four-byte elements begin where reads may begin.
DataType MoveRow::unstatedType(bool severalTimes) const {
  llvm::StringRef note = row["note"], group = note.substr(std::min(note.size(), note.find("time group ")));
  if (!severalTimes || !group.consume_front("time group "))
    return DataType::BFloat16;
  bool first = group.starts_with("1 ");
  bool rowMajor = row["in_layout"] == "row_major";
  int64_t alignment = device.dramAlignment.value();
  auto aligned = [&](int64_t bytes) {
    return llvm::all_of(in,
                        [&](const MoveTensor &t) { return t.desc.shape.back() * bytes % alignment == 0; });
  };
  bool wideIsFaster = in.size() > 1 && rowMajor && aligned(4) && !aligned(2);
  return first != wideIsFaster ? DataType::BFloat16 : DataType::Float32;
}

llvm::Error MoveRow::readOperands(bool severalTimes) {
  auto cell = [&](llvm::StringRef name) {
    llvm::SmallVector<llvm::StringRef> parts;
    row[name].split(parts, '+');
    return parts;
  };
  llvm::SmallVector<llvm::StringRef> shapes = cell("in_shape"), types = cell("in_dtype"),
                                     memories = cell("in_memory");
  auto of = [](llvm::ArrayRef<llvm::StringRef> parts, size_t i) {
    return parts[std::min(i, parts.size() - 1)];
  };
  // A cell with fewer parts than there are operands holds for the rest as well.
  for (size_t i = 0; i < shapes.size(); ++i) {
    MoveTensor tensor;
    tensor.desc.shape = shapeOf(shapes[i]);
    tensor.memory = of(memories, i);
    tensor.page = row["in_layout"] == "row_major" ? PageLayout::RowMajor : PageLayout::Tile;
    if (tensor.desc.shape.empty())
      return llvm::createStringError("in_shape '" + row["in_shape"] + "' is no shape");
    in.push_back(std::move(tensor));
  }
  // In a second pass: which type an unstated one is may depend on the shapes of all operands (unstatedType).
  for (size_t i = 0; i < in.size(); ++i) {
    std::optional<DataType> known =
        of(types, i).empty() ? unstatedType(severalTimes) : dataTypeOf(of(types, i));
    if (!known)
      return llvm::createStringError("in_dtype '" + row["in_dtype"] + "' is no data type");
    in[i].desc.dtype = *known;
  }
  type = in.back().desc.dtype;
  if (llvm::StringRef result = argument("out_dtype"); !result.empty())
    type = dataTypeOf(result).value_or(type);
  return llvm::Error::success();
}

/// Shards as `grid` and `shard` say, if they cover the tensor; else over as many cores as ran.
std::optional<TensorLayout> MoveRow::layoutOf(const MoveTensor &tensor) const {
  llvm::StringRef memory = tensor.memory.empty() ? unstatedMemory(row) : tensor.memory;
  if (memory == "dram_interleaved")
    return dramInterleaved(tensor.desc, tensor.page);
  if (memory == "l1_interleaved")
    return l1Interleaved(tensor.desc, device.workerGrid, tensor.page);
  std::optional<MemoryLayout> kind =
      memory.consume_front("l1_") ? parseMemoryLayout(memory) : std::optional<MemoryLayout>();
  std::optional<CoreRange> cores = coresOf(argument("grid"));
  std::optional<int64_t> used = cores ? std::optional(cores->volume()) : row.integer("cores");
  if (!kind || !used || *used < 1 || *used > 1024)
    return std::nullopt;
  std::optional<TensorLayout> layout = shardsOver(tensor.desc, *kind, *used, device.workerGrid, tensor.page);
  Shape shard = shapeOf(argument("shard"));
  if (!cores || shard.size() != 2 || !layout)
    return layout;
  int64_t unit = tensor.page == PageLayout::Tile ? 32 : 1;
  layout->shard = {ceilDiv(shard[0], unit), ceilDiv(shard[1], unit)};
  // Height and width shards are cut one way whatever their cores' rectangle is; of blocks it is the grid.
  if (kind == MemoryLayout::BlockSharded)
    layout->grid = {cores->end.y - cores->start.y + 1, cores->end.x - cores->start.x + 1};
  layout->cores = CoreRangeSet{{*cores}};
  return layout;
}

/// What was called and where it lay, in the table's own words: by these a row that is skipped is found again.
std::string MoveRow::what() const {
  return llvm::formatv("{0} {1} {2} {3} {4} > {5} {6} {7} {8}", row["op"], row["in_shape"], row["in_dtype"],
                       row["in_memory"], row["in_layout"], row["out_memory"], row["out_layout"],
                       row["kwargs"], row["cores"])
      .str();
}

llvm::Error MoveRow::ask(llvm::ArrayRef<Shape> results) {
  for (const MoveTensor &tensor : in) {
    std::optional<TensorLayout> layout = layoutOf(tensor);
    if (!layout)
      return llvm::createStringError("in_memory '" + tensor.memory + "' or its cores unknown");
    question.operand(tensor.desc, *layout);
  }
  for (const Shape &shape : results) {
    // Pages stay unless the row says otherwise.
    MoveTensor tensor{{shape, type}, row["out_memory"], in[0].page};
    if (!row["out_layout"].empty())
      tensor.page = row["out_layout"] == "row_major" ? PageLayout::RowMajor : PageLayout::Tile;
    std::optional<TensorLayout> layout = layoutOf(tensor);
    if (!layout)
      return llvm::createStringError("out_memory '" + tensor.memory + "' or its cores unknown");
    question.result(tensor.desc, *layout);
  }
  return llvm::Error::success();
}

TimingRow MoveRow::timing(llvm::StringRef name) && {
  TimingRow timing;
  timing.call = question.call();
  timing.family = llvm::formatv("{0} {1}", name, row["arch"]);
  timing.group = "data_movement";
  timing.ranking = timing.family;
  llvm::StringRef shape = row["in_shape"];
  // The same matrix in three and in four dimensions is one shape: cross-validation must not learn from one to
  // judge the other.
  while (shape.consume_front("1x")) {
  }
  timing.shape = shape.str();
  timing.ns = 1000 * row.number("device_us").value_or(0);
  return timing;
}

} // namespace tessera::evaluation
