//===- Moves.cpp - Times of single ops, mostly data movement --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// data_movement.csv: facts/measurements "Data movement". A row is one call of one op,
// all of its kernels; each becomes a query of that op on the cores that its
// board has. What a row leaves open is taken as that page says: bf16, DRAM,
// interleaved, unless its source's program places it elsewhere (MoveRow.cpp); of two
// times of one case the first is the two-byte type's.
//
//===----------------------------------------------------------------------===//
#include "MoveOps.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

/// What the table leaves open about a row, and what it makes of the time.
struct Reservation {
  llvm::StringLiteral op;
  bool (*holds)(CsvTable::Row);
  llvm::StringLiteral reason;
};
constexpr Reservation kReservations[] = {
    {"pad",
     [](CsvTable::Row row) {
       return row["in_layout"] == "tile" && row["in_dtype"].empty() && !row["note"].contains("time group");
     },
     "the data type is not stated: a tile of padding of four-byte elements takes more than four times as "
     "long as one of two-byte elements, for which the row is taken"},
    {"multiply",
     [](CsvTable::Row row) {
       return row["in_memory"] == "l1_interleaved" && row["in_shape"] == "1x320x320x32+1x320x320x32";
     },
     "the profile repeats the shapes of the first call of a program that many shapes share "
     "(DATA_MOVEMENT.md): 1.7 us per tile and core are two and a half times what the same report's other "
     "products take through DRAM"},
};

std::string reservationOf(llvm::StringRef name, CsvTable::Row row) {
  for (const Reservation &known : kReservations)
    if (known.op == name && known.holds(row))
      return known.reason.str();
  return "";
}

/// What is called, and in which table the time stood.
std::string caseOf(CsvTable::Row cells) {
  std::string text;
  for (llvm::StringRef column :
       {"op", "arch", "board", "in_layout", "in_shape", "in_memory", "out_memory", "kwargs"})
    text += (cells[column] + "|").str();
  return text;
}

void readMove(CsvTable::Row cells, bool severalTimes, ImportSink &sink) {
  llvm::StringRef name = cells["op"];
  name.consume_front("ttnn.");
  const MoveOp *op = findMoveOp(name);
  if (!op)
    return sink.skip(cells["op"] + ": no op of TTNN that the model has");
  llvm::Expected<MoveRow> row = MoveRow::read(cells, op->op, severalTimes);
  if (!row)
    return sink.skip(cells["op"] + ": " + llvm::toString(row.takeError()));
  // Before the question is asked: on the way operands get the shapes and types that the op's rule gives them.
  Shapes results = op->results(*row);
  if (results.empty())
    return sink.skip(row->what() + ": shapes or arguments missing or unknown");
  if (llvm::Error error = row->ask(results))
    return sink.skip(row->what() + ": " + llvm::toString(std::move(error)));
  TimingRow timing = std::move(*row).timing(name);
  timing.reservation = reservationOf(name, cells);
  sink.add(std::move(timing));
}

/// Two times of one case in one table are those of two data types; in two tables, of two runs.
void readMoves(const CsvTable &table, SinkOfRow sinkOf) {
  // Counted before any row is read: whether a time has a twin decides what its type is taken for.
  llvm::StringMap<unsigned> times;
  for (size_t i = 0; i < table.size(); ++i)
    ++times[caseOf(table.row(i))];
  for (size_t i = 0; i < table.size(); ++i) {
    ImportSink sink = sinkOf(table.row(i));
    readMove(table.row(i), times[caseOf(table.row(i))] > 1, sink);
  }
}

constexpr llvm::StringLiteral kMove[] = {"op", "arch", "in_shape", "in_memory", "kwargs", "device_us"};
constexpr TimingImporter kMoveImporters[] = {{kMove, readMoves}};

} // namespace

llvm::ArrayRef<TimingImporter> moveImporters() { return kMoveImporters; }

} // namespace tessera::evaluation
