//===- Import.cpp - Tables of times with other columns than ours ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Import.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {

/// "tests/x.py@83a805e36c (nightly)" is tests/x.py at revision 83a805e36c; what stands in brackets is nobody's
/// source.
Provenance provenanceOf(llvm::StringRef text) {
  text = text.take_front(text.find(" ("));
  auto [before, after] = text.split('@');
  llvm::StringRef revision = after.take_while([](char c) { return llvm::isAlnum(c); });
  return {(before.rtrim() + after.drop_front(revision.size())).str(), revision.str()};
}

void ImportSink::skip(const llvm::Twine &reason) {
  skipped.push_back({llvm::formatv("{0}:{1}", table.path(), row.line()).str(), reason.str()});
}

/// Where a row comes from is found here, whatever the table calls its columns, so that importers tell of calls and
/// times only.
void ImportSink::add(TimingRow timing) {
  if (!hasTime(timing))
    return skip(timing.call.text() + ": no measured time");
  timing.line = row.line();
  // Tables name their source in columns of their own.
  auto firstOf = [&](std::initializer_list<llvm::StringRef> columns) {
    for (llvm::StringRef column : columns)
      if (!row[column].empty())
        return row[column];
    return llvm::StringRef();
  };
  Provenance provenance = provenanceOf(firstOf({"src", "src_path", "source"}));
  llvm::StringRef revision = firstOf({"src_commit", "version"});
  timing.source = std::move(provenance.source);
  timing.revision = revision.empty() ? std::move(provenance.revision) : revision.str();
  rows.push_back(std::move(timing));
}

std::optional<std::vector<TimingRow>> importTimings(const CsvTable &table, std::vector<RowRemark> &skipped) {
  for (llvm::ArrayRef<TimingImporter> importers :
       {matmulImporters(), streamImporters(), traceImporters(), moveImporters(), collectiveImporters()})
    for (const TimingImporter &importer : importers)
      // The first that fits: no two kinds have all of each other's columns.
      if (table.has(importer.columns)) {
        std::vector<TimingRow> rows;
        importer.import(table, [&](CsvTable::Row row) { return ImportSink(rows, skipped, table, row); });
        return rows;
      }
  return std::nullopt;
}

Shape shapeOf(llvm::StringRef text) {
  Shape shape;
  double elements = 1;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  for (llvm::StringRef part : parts) {
    int64_t dim;
    if (part.trim().getAsInteger(10, dim) || dim < 1)
      return {};
    shape.push_back(dim);
    elements *= double(dim);
  }
  // More elements than any device holds are a slip of the table, and their products would overflow.
  return elements <= double(int64_t(1) << 40) && fitsLayouts(shape) ? shape : Shape();
}

// Names that the library and its scripts print; those of the IR last.
std::optional<DataType> dataTypeOf(llvm::StringRef text) {
  static constexpr std::pair<llvm::StringLiteral, DataType> kNames[] = {
      {"bfloat16", DataType::BFloat16},   {"bfloat8_b", DataType::BFP_BFloat8},
      {"bfloat8", DataType::BFP_BFloat8}, {"bfp8", DataType::BFP_BFloat8},
      {"bfp8_b", DataType::BFP_BFloat8},  {"bfloat4_b", DataType::BFP_BFloat4},
      {"bfp4", DataType::BFP_BFloat4},    {"bfp4_b", DataType::BFP_BFloat4},
      {"float32", DataType::Float32},     {"uint32", DataType::UInt32},
      {"int32", DataType::Int32},         {"uint16", DataType::UInt16},
      {"uint8", DataType::UInt8}};
  for (const auto &[name, type] : kNames)
    if (text.equals_insensitive(name))
      return type;
  return parseDataType(text);
}

} // namespace tessera::evaluation
