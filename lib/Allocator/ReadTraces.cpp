//===- ReadTraces.cpp - Recorded events of the allocator ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. traces-index.csv: the region of each trace, and the file that its events stand in
//   2. those files, one event per row, the events of a trace in their order
//   3. each trace has as many events as the index says, if it says so
//
//===----------------------------------------------------------------------===//
#include "TraceTable.h"

#include "tessera/Allocator/AllocatorTrace.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace tessera;

namespace {

// Only what the replay computes with; columns such as pattern and grid, which say how a trace came to be, are not
// read.
namespace index_column {
enum : size_t { Trace, File, Base, BankBytes, AllocAlign, PageAlign };
constexpr llvm::StringLiteral kNames[] = {"trace", "file", "base", "bank_bytes", "alloc_align", "page_align"};
} // namespace index_column

namespace event_column {
enum : size_t {
  Trace,
  Op,
  Id,
  Addr,
  Lowest,
  Pages,
  PageBytes,
  Banks,
  Dir,
  BankBytes,
  Reserved,
  Free,
  Largest
};
constexpr llvm::StringLiteral kNames[] = {"trace",    "op",         "id",     "addr", "lowest",
                                          "pages",    "page_bytes", "banks",  "dir",  "bank_bytes",
                                          "reserved", "free",       "largest"};
} // namespace event_column

/// A trace while it is read.
struct OpenTrace {
  AllocatorTrace trace;
  llvm::DenseMap<int64_t, uint32_t> buffers; ///< number by id
  std::string file;                          ///< as the index names it
  size_t indexLine = 0;
  // A table that was cut short reads like a shorter run, and all of that agrees. Only a count that stands in another
  // file tells.
  std::optional<int64_t> eventsExpected;
};

class TraceReader {
public:
  explicit TraceReader(llvm::StringRef folder) : folder(folder) {}
  llvm::Expected<std::vector<AllocatorTrace>> read();

private:
  llvm::Error readIndex();
  llvm::Error readEvents(llvm::StringRef file);
  llvm::Error checkCounts() const;

  llvm::StringRef folder;
  std::string indexPath;
  std::vector<OpenTrace> traces; ///< in the order of the index
  llvm::StringMap<size_t> byName;
};

// ---- 1. The index ----------------------------------------------------------------------------------------

void readRegion(TraceTable &row, AllocatorTrace &trace) {
  using namespace index_column;
  trace.alignment = row.bytes(AllocAlign, 1);
  trace.pageAlignment = row.bytes(PageAlign, 1);
  trace.region.begin = row.bytes(Base);
  Bytes size = row.bytes(BankBytes), most = Bytes(std::numeric_limits<int64_t>::max()) - trace.region.begin;
  if (size > most)
    row.wrong(BankBytes, "at most " + llvm::Twine(most.value()) + " from base " + row.text(Base) + " on");
  trace.region.end = trace.region.begin + std::min(size, most);
  // The device rounds both; what is not rounded would give addresses that no device gives.
  for (size_t column : {Base, BankBytes})
    if (row.number(column) % trace.alignment.value() != 0)
      row.wrong(column, "a multiple of alloc_align, " + row.text(AllocAlign));
}

llvm::Error TraceReader::readIndex() {
  using namespace index_column;
  llvm::Expected<TraceTable> table = TraceTable::read(folder, "traces-index.csv", kNames);
  if (!table)
    return table.takeError();
  indexPath = table->path().str();
  while (table->next()) {
    OpenTrace open;
    open.trace.name = table->text(Trace).str();
    open.file = table->text(File).str();
    // Kept for checkCounts(), which finds out when the index is long read.
    open.indexLine = table->line();
    open.eventsExpected = table->optionalNumber("events");
    readRegion(*table, open.trace);
    // Events name their trace only: of two with one name, the second would stay empty and agree with anything.
    if (!byName.try_emplace(open.trace.name, traces.size()).second)
      table->fail("trace " + open.trace.name + " is there twice");
    traces.push_back(std::move(open));
  }
  return table->error();
}

// ---- 2. Events -------------------------------------------------------------------------------------------

// The letters of docs/memory.md; Replay.cpp prints them back in the order of the enumeration.
std::optional<AllocatorEvent::Kind> parseKind(llvm::StringRef op) {
  using enum AllocatorEvent::Kind;
  constexpr std::pair<llvm::StringLiteral, AllocatorEvent::Kind> kKinds[] = {
      {"A", Allocate}, {"P", Place}, {"D", Free}, {"Z", FreeAll}, {"K", Shrink}, {"R", UndoShrink}};
  for (auto [letter, kind] : kKinds)
    if (op == letter)
      return kind;
  return std::nullopt;
}

bool makesBlock(AllocatorEvent::Kind kind) {
  return kind == AllocatorEvent::Kind::Allocate || kind == AllocatorEvent::Kind::Place;
}

/// What column `addr` says: where the block lies, OK or FAIL.
void readOutcome(TraceTable &row, AllocatorEvent &event) {
  using namespace event_column;
  llvm::StringRef text = row.text(Addr);
  // An A or P that succeeded has its address where K, R and Z say OK, and a D says nothing: the device ignores what it
  // does not know, so freeing has no outcome.
  event.recorded.failed = text == "FAIL";
  if (makesBlock(event.kind) && !event.recorded.failed)
    event.recorded.address = row.bytes(Addr);
  else if (event.kind == AllocatorEvent::Kind::Free && !text.empty())
    row.wrong(Addr, "nothing for a D");
  else if (!makesBlock(event.kind) && event.kind != AllocatorEvent::Kind::Free && text != "OK" &&
           text != "FAIL")
    row.wrong(Addr, "OK or FAIL");
}

/// What was asked for: by pages, or by bytes.
void readRequest(TraceTable &row, AllocatorEvent &event) {
  using namespace event_column;
  switch (event.kind) {
  case AllocatorEvent::Kind::Allocate:
    event.pages = row.number(Pages);
    event.page = row.bytes(PageBytes);
    event.banks = row.number(Banks, 1);
    event.direction = row.text(Dir) == "u" ? Direction::Up : Direction::Down;
    if (row.text(Dir) != "u" && row.text(Dir) != "d")
      row.wrong(Dir, "u or d");
    event.recorded.bankBytes = row.bytes(BankBytes);
    event.recorded.reserved = row.bytes(Reserved);
    // Blank unless the allocation failed. The replay leaves them out then, too, so that equal answers compare equal.
    event.recorded.freeBytes = row.maybeBytes(Free);
    event.recorded.largestHole = row.maybeBytes(Largest);
    return;
  case AllocatorEvent::Kind::Place:
    // A block that is placed was rounded when it was made: its pages are not known any more, only its bytes.
    event.recorded.reserved = row.bytes(Reserved);
    [[fallthrough]];
  case AllocatorEvent::Kind::Shrink:
    event.size = row.bytes(BankBytes);
    return;
  case AllocatorEvent::Kind::Free:
  case AllocatorEvent::Kind::FreeAll:
  case AllocatorEvent::Kind::UndoShrink:
    return;
  }
}

/// The number of the buffer that the event makes or frees.
void readBuffer(TraceTable &row, OpenTrace &open, AllocatorEvent &event) {
  using namespace event_column;
  if (!makesBlock(event.kind) && event.kind != AllocatorEvent::Kind::Free)
    return;
  // Ids of the file may be any numbers. Those of a trace are dense, so that the replay finds an address by index.
  int64_t id = row.number(Id);
  auto known = open.buffers.find(id);
  // A failed allocation uses up its id like any other, and a D may name it: what then happens is part of what is
  // replayed.
  if (makesBlock(event.kind) != (known == open.buffers.end()))
    row.wrong(Id, makesBlock(event.kind)
                      ? "a number that trace " + open.trace.name + " has not used yet"
                      : "a number that an A or P of trace " + open.trace.name + " has above");
  else if (known == open.buffers.end())
    open.buffers[id] = event.buffer = open.trace.buffers++;
  else
    event.buffer = known->second;
}

AllocatorEvent readEvent(TraceTable &row, OpenTrace &open) {
  using namespace event_column;
  AllocatorEvent event;
  event.line = row.line();
  std::optional<AllocatorEvent::Kind> kind = parseKind(row.text(Op));
  // The other columns mean something by kind only: what they lack would hide that the kind is wrong.
  if (!kind) {
    row.wrong(Op, "A, D, P, Z, K or R");
    return event;
  }
  event.kind = *kind;
  readOutcome(row, event);
  readRequest(row, event);
  readBuffer(row, open, event);
  event.recorded.lowest = row.maybeBytes(Lowest);
  return event;
}

llvm::Error TraceReader::readEvents(llvm::StringRef file) {
  llvm::Expected<TraceTable> table = TraceTable::read(folder, file, event_column::kNames);
  if (!table)
    return table.takeError();
  while (table->next()) {
    auto found = byName.find(table->text(event_column::Trace));
    // An event of another file's trace would land behind events that it does not follow.
    if (found == byName.end() || traces[found->second].file != file) {
      table->wrong(event_column::Trace, "a trace that " + indexPath + " has in this file");
      break;
    }
    OpenTrace &open = traces[found->second];
    open.trace.file = table->path().str();
    open.trace.events.push_back(readEvent(*table, open));
  }
  return table->error();
}

// ---- 3. Counts -------------------------------------------------------------------------------------------

llvm::Error TraceReader::checkCounts() const {
  for (const OpenTrace &open : traces)
    if (open.eventsExpected && *open.eventsExpected != int64_t(open.trace.events.size()))
      return errorAt(
          indexPath, open.indexLine,
          llvm::formatv("column 'events': trace {0} has {1} events in '{2}', but {3} by this index",
                        open.trace.name, open.trace.events.size(), open.file, *open.eventsExpected)
              .str());
  return llvm::Error::success();
}

llvm::Expected<std::vector<AllocatorTrace>> TraceReader::read() {
  if (llvm::Error error = readIndex())
    return error;
  llvm::StringSet<> done;
  for (const OpenTrace &open : traces)
    // Several traces lie in one file, which is read once.
    if (done.insert(open.file).second)
      if (llvm::Error error = readEvents(open.file))
        return error;
  if (llvm::Error error = checkCounts())
    return error;
  std::vector<AllocatorTrace> read;
  for (OpenTrace &open : traces)
    read.push_back(std::move(open.trace));
  return read;
}

} // namespace

llvm::Expected<std::vector<AllocatorTrace>> tessera::readTraces(llvm::StringRef folder) {
  return TraceReader(folder).read();
}
