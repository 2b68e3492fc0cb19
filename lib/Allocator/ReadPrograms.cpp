//===- ReadPrograms.cpp - Recorded circular buffers -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. cb-programs.csv: each program's L1, and the verdict on it
//   2. cb-placement.csv: the circular buffers of each program in their order, and their addresses
//
//===----------------------------------------------------------------------===//
#include "TraceTable.h"

#include "tessera/Allocator/AllocatorTrace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tessera;

namespace {

namespace program_column {
enum : size_t { Program, Base, Align, L1Bytes, Lowest, Verdict, FailRange, FailEnd, MaxEnd };
constexpr llvm::StringLiteral kNames[] = {"program", "base",       "align",    "l1_bytes", "lowest_l1_buffer",
                                          "verdict", "fail_range", "fail_end", "max_end"};
} // namespace program_column

namespace buffer_column {
enum : size_t { Program, Ranges, Size, AliasesTensor, Addr };
constexpr llvm::StringLiteral kNames[] = {"program", "ranges", "size", "aliases_tensor", "addr"};
} // namespace buffer_column

/// "x-y".
std::optional<CoreCoord> parseCore(llvm::StringRef text) {
  CoreCoord core;
  auto [x, y] = text.split('-');
  bool wrong = x.getAsInteger(10, core.x) || y.getAsInteger(10, core.y) || core.x < 0 || core.y < 0;
  return wrong ? std::nullopt : std::optional(core);
}

/// "x0-y0:x1-y1", corners included.
std::optional<CoreRange> parseRange(llvm::StringRef text) {
  auto [first, last] = text.split(':');
  std::optional<CoreCoord> start = parseCore(first), end = parseCore(last);
  if (!start || !end || end->x < start->x || end->y < start->y)
    return std::nullopt;
  return CoreRange{*start, *end};
}

CoreRange readRange(TraceTable &row, size_t column, llvm::StringRef text) {
  std::optional<CoreRange> range = parseRange(text);
  if (!range)
    row.wrong(column, "rectangles of cores as x0-y0:x1-y1, with ; between them");
  return range.value_or(CoreRange());
}

// ---- 1. Programs -----------------------------------------------------------------------------------------

void readCheck(TraceTable &row, LaunchCheck &check) {
  using namespace program_column;
  constexpr std::pair<llvm::StringLiteral, LaunchVerdict> kVerdicts[] = {
      {"OK", LaunchVerdict::Ok}, {"CLASH", LaunchVerdict::Clash}, {"BEYOND_L1", LaunchVerdict::BeyondL1}};
  const auto *verdict =
      llvm::find_if(kVerdicts, [&](auto known) { return known.first == row.text(Verdict); });
  if (verdict == std::end(kVerdicts))
    return row.wrong(Verdict, "OK, CLASH or BEYOND_L1");
  check.verdict = verdict->second;
  // A program that passed has no rectangle at which it failed: the two columns are blank then.
  if (check.verdict != LaunchVerdict::Ok)
    check.at = {readRange(row, FailRange, row.text(FailRange)), row.bytes(FailEnd)};
}

ProgramTrace readProgram(TraceTable &row) {
  using namespace program_column;
  ProgramTrace program;
  program.name = row.text(Program).str();
  program.file = row.path().str();
  program.line = row.line();
  program.base = row.bytes(Base);
  program.alignment = row.bytes(Align, 1);
  program.l1End = row.bytes(L1Bytes);
  program.lowestTensor = row.maybeBytes(Lowest);
  program.end = row.bytes(MaxEnd);
  readCheck(row, program.check);
  return program;
}

// ---- 2. Circular buffers ---------------------------------------------------------------------------------

void readBuffer(TraceTable &row, ProgramTrace &program) {
  using namespace buffer_column;
  BufferOnCores buffer;
  // In the order of the file, which is the runtime's: the check names the first rectangle that fails.
  for (llvm::StringRef range : llvm::split(row.text(Ranges), ';'))
    buffer.cores.ranges.push_back(readRange(row, Ranges, range));
  buffer.size = row.bytes(Size);
  // An alias has no address of its own in the file; anything else in these two columns is a broken row.
  buffer.aliasesTensor = row.text(AliasesTensor) == "1";
  if (!buffer.aliasesTensor && row.text(AliasesTensor) != "0")
    row.wrong(AliasesTensor, "0 or 1");
  if (buffer.aliasesTensor != row.blank(Addr))
    row.wrong(Addr, buffer.aliasesTensor ? "nothing, as the buffer aliases a tensor" : "an address");
  program.addresses.push_back(row.maybeBytes(Addr));
  program.buffers.push_back(std::move(buffer));
}

} // namespace

llvm::Expected<std::vector<ProgramTrace>> tessera::readPrograms(llvm::StringRef folder) {
  llvm::Expected<TraceTable> table = TraceTable::read(folder, "cb-programs.csv", program_column::kNames);
  if (!table)
    return table.takeError();
  std::vector<ProgramTrace> programs;
  llvm::StringMap<size_t> byName;
  while (table->next()) {
    programs.push_back(readProgram(*table));
    if (!byName.try_emplace(programs.back().name, programs.size() - 1).second)
      table->fail("program " + programs.back().name + " is there twice");
  }
  // Before the second table is opened: its rows would be judged by programs that are not all there.
  if (llvm::Error error = table->error())
    return error;

  llvm::Expected<TraceTable> buffers = TraceTable::read(folder, "cb-placement.csv", buffer_column::kNames);
  if (!buffers)
    return buffers.takeError();
  while (buffers->next()) {
    auto program = byName.find(buffers->text(buffer_column::Program));
    if (program == byName.end())
      buffers->wrong(buffer_column::Program, "a program that " + table->path() + " has");
    else
      readBuffer(*buffers, programs[program->second]);
  }
  if (llvm::Error error = buffers->error())
    return error;
  return programs;
}
