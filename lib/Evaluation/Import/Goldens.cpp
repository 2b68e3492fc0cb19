//===- Goldens.cpp - Answers of a real backend, with other columns --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Tables whose operands, attributes and results are JSON: facts/formulas 0.
//
//===----------------------------------------------------------------------===//
#include "../Golden.h"
#include "GoldenAttributes.h"
#include "Import.h"

#include "tessera/Support/Json.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

/// More than any device has, and few enough to multiply.
constexpr int64_t kMostCores = 1 << 16;

/// What is not known counts as bf16, as do tensors without a type.
DataType dataType(llvm::StringRef text) {
  if (text == "i32")
    return DataType::Int32;
  if (text == "bfp8" || text == "bfp8_b")
    return DataType::BFP_BFloat8;
  return parseDataType(text).value_or(DataType::BFloat16);
}

llvm::Expected<TensorDesc> tensorOf(const llvm::json::Object &json, const TensorDesc *fallback) {
  TensorDesc desc;
  desc.dtype = dataType(json.getString("dtype").value_or("bf16"));
  if (const auto *shape = json.getArray("shape")) {
    for (const llvm::json::Value &dim : *shape)
      desc.shape.push_back(dim.getAsInteger().value_or(1));
  } else if (fallback) {
    desc.shape = fallback->shape;
  }
  if (llvm::any_of(desc.shape, [](int64_t dim) { return dim < 0; }) || !fitsLayouts(desc.shape))
    return llvm::createStringError("a shape has dimensions from 0, and up to 2^31 rows and columns");
  return desc;
}

/// nullopt if none is given.
llvm::Expected<std::optional<TensorLayout>> layoutOf(const llvm::json::Object &json, const TensorDesc &desc,
                                                     const DeviceSpec &device) {
  auto buffer = json.getString("buffer");
  if (!buffer)
    return std::nullopt;
  llvm::StringRef memory = json.getString("memory_layout").value_or("interleaved");
  PageLayout page =
      json.getString("layout").value_or("tile") == "tile" ? PageLayout::Tile : PageLayout::RowMajor;
  if (*buffer == "host")
    return systemMemory(desc, page);
  if (memory == "interleaved")
    return *buffer == "dram" ? dramInterleaved(desc, page) : l1Interleaved(desc, device.workerGrid, page);
  MemoryLayout kind = parseMemoryLayout(memory).value_or(MemoryLayout::HeightSharded);
  GridShape grid{1, 1};
  if (const auto *list = json.getArray("grid"); list && list->size() == 2)
    grid = {(*list)[0].getAsInteger().value_or(1), (*list)[1].getAsInteger().value_or(1)};
  // One number counts along the way in which shards are cut.
  else if (auto cores = json.getInteger("num_cores"))
    grid = kind == MemoryLayout::HeightSharded ? GridShape{*cores, 1} : GridShape{1, *cores};
  // Grids that are too large for the device are legal questions.
  if (std::min(grid.rows, grid.columns) < 1 || std::max(grid.rows, grid.columns) > kMostCores)
    return llvm::createStringError(
        llvm::formatv("a grid has from 1 to {0} rows and columns", kMostCores).str());
  TensorLayout layout = l1Sharded(desc, kind, grid, device.workerGrid, page);
  if (const auto *list = json.getArray("shard_shape"); list && list->size() == 2) {
    // Stated in elements, kept in tiles.
    int64_t unit = page == PageLayout::Tile ? 32 : 1;
    layout.shard = {(*list)[0].getAsInteger().value_or(1) / unit,
                    (*list)[1].getAsInteger().value_or(1) / unit};
  }
  if (std::string wrong = checkLayout(layout); !wrong.empty())
    return llvm::createStringError(wrong);
  return layout;
}

bool writesInPlace(llvm::StringRef op) { return op.contains("fill_cache") || op.contains("update_cache"); }

/// A row on its way to a golden.
struct Draft {
  std::string op; ///< as the table names it
  Golden golden;
  KernelQuery &query = golden.call.query;
  OpSignature &signature = query.signature;
};

/// One op until October 2025, two since.
void splitBatchNorm(Draft &draft) {
  if (draft.op != "batch_norm")
    return;
  draft.op += draft.signature.boolean("training", false) ? "_training" : "_inference";
  draft.signature.name = irName(draft.op);
}

/// Which optional operands are there, for ops whose IR says so in operandSegmentSizes.
llvm::ArrayRef<llvm::StringRef> operandNames(llvm::StringRef op) {
  // In the order of the op's segments.
  static constexpr llvm::StringRef batchNorm[] = {"input", "runningMean", "runningVar", "weight", "bias"};
  static constexpr llvm::StringRef decode[] = {"query",         "key",          "value",
                                               "attentionMask", "curPosTensor", "attentionSink"};
  static constexpr llvm::StringRef paged[] = {"query",         "key",          "value",        "pageTable",
                                              "attentionMask", "curPosTensor", "attentionSink"};
  static constexpr llvm::StringRef latent[] = {"query", "key", "value", "attentionMask"};
  if (op.starts_with("batch_norm"))
    return batchNorm;
  if (op == "flash_mla_prefill")
    return latent;
  if (op == "scaled_dot_product_attention_decode")
    return decode;
  return op == "paged_scaled_dot_product_attention_decode" ? llvm::ArrayRef(paged)
                                                           : llvm::ArrayRef<llvm::StringRef>();
}

void addSegmentSizes(Draft &draft, const llvm::json::Array &inputs) {
  std::vector<int64_t> sizes;
  // 1 for each operand that the row lists by name and 0 for the others, in the order of the op's operands.
  for (llvm::StringRef name : operandNames(draft.op))
    sizes.push_back(llvm::any_of(inputs, [&](const llvm::json::Value &input) {
      const auto *object = input.getAsObject();
      return object && object->getString("name") == name;
    }));
  if (!sizes.empty())
    draft.signature.addAttribute("operandSegmentSizes", sizes);
}

/// Operands without a layout lie in DRAM, in tiles.
llvm::Error addOperands(Draft &draft, const llvm::json::Array &inputs) {
  for (const llvm::json::Value &value : inputs) {
    const auto *input = value.getAsObject();
    if (!input)
      continue;
    llvm::Expected<TensorDesc> desc = tensorOf(*input, nullptr);
    if (!desc)
      return desc.takeError();
    auto layout = layoutOf(*input, *desc, draft.query.device);
    if (!layout)
      return layout.takeError();
    draft.query.inputs.push_back(layout->value_or(dramInterleaved(*desc)));
    draft.signature.operands.push_back({*desc, unsigned(draft.signature.operands.size()), false});
  }
  return llvm::Error::success();
}

/// Some ops take the result's data type from an attribute, whatever the requested layout says.
std::optional<DataType> attributeType(const OpSignature &signature) {
  for (llvm::StringRef name : {"dtype", "output_dtype"}) {
    llvm::StringRef text = signature.string(name);
    text.consume_front("#ttcore.supportedDataTypes<");
    if (auto type = parseDataType(text.rtrim('>')))
      return type;
  }
  return signature.string("value").ends_with("ui8>") ? std::optional(DataType::UInt8) : std::nullopt;
}

llvm::Error addResults(Draft &draft, const llvm::json::Object &output) {
  const auto &operands = draft.signature.operands;
  llvm::Expected<TensorDesc> desc = tensorOf(output, operands.empty() ? nullptr : &operands[0].tensor);
  if (!desc)
    return desc.takeError();
  desc->dtype = attributeType(draft.signature).value_or(desc->dtype);
  llvm::json::Object wanted = output;
  // The backend is told the memory config, not the page layout, which to_memory_config keeps.
  bool sharded = output.getString("memory_layout").value_or("interleaved") != "interleaved";
  if (draft.op == "to_memory_config" && !operands.empty() && !sharded)
    wanted["layout"] = draft.query.inputs[0].isTiled() ? "tile" : "row_major";
  auto layout = layoutOf(wanted, *desc, draft.query.device);
  if (!layout)
    return layout.takeError();
  // Tables state one result; these ops have more, all like it, or none.
  size_t results = llvm::StringSwitch<size_t>(draft.op)
                       .Cases({"sort", "top_k", "top_k_router_gpt", "max_pool2d_with_indices"}, 2)
                       .Cases({"split_query_key_value_and_split_heads", "sdpa_backward"}, 3)
                       .Default(writesInPlace(draft.op) ? 0 : 1);
  draft.signature.results.assign(results, *desc);
  if (*layout)
    draft.query.outputs.assign(results, **layout);
  return llvm::Error::success();
}

/// The name of a figure in a table's bounds, and its column of exact bytes.
struct ForeignFigure {
  llvm::StringLiteral bound, exact;
};
constexpr ForeignFigure kFigures[] = {{"cb", "cb_peak_bytes"},
                                      {"tensor", "l1_tensor_peak_bytes"},
                                      {"peak", "peak_bytes"},
                                      {"output", "output_bytes"}}; // as goldenFigures()

/// Error if a bound has another relation than our own tables (readConditions in Golden.cpp).
llvm::Error addConditions(Draft &draft, CsvTable::Row row, const llvm::json::Object &bounds) {
  for (auto [known, figure] : llvm::zip(kFigures, goldenFigures())) {
    if (const auto *pair = bounds.getArray(known.bound); pair && pair->size() == 2) {
      llvm::StringRef relation = (*pair)[0].getAsString().value_or("");
      if (!llvm::is_contained({">=", ">", "<=", "="}, relation))
        return llvm::createStringError(
            llvm::formatv("'{0}' has {1}, which is no relation: >=, >, <= or =", known.bound, (*pair)[0]));
      draft.golden.conditions.push_back({&figure, relation.str(), (*pair)[1].getAsInteger().value_or(0)});
    }
    std::optional<int64_t> bytes = row.integer(known.exact);
    // What preparing weights returns has a shape of the backend's own, which the table does not tell.
    bool unknown = known.bound == "output" && llvm::StringRef(draft.op).starts_with("prepare_conv2d");
    if (bytes && row["row_kind"] == "exact" && !unknown)
      draft.golden.conditions.push_back({&figure, "=", *bytes});
  }
  return llvm::Error::success();
}

/// The error with its place in front; success stays success.
llvm::Error inCell(const CsvTable &table, CsvTable::Row row, llvm::StringRef column, llvm::Error error) {
  if (!error)
    return error;
  std::string place = llvm::formatv("{0}:{1}: column '{2}': ", table.path(), row.line(), column);
  return llvm::createStringError(place + llvm::toString(std::move(error)));
}

/// A cell that holds JSON; blank is `otherwise`.
llvm::Expected<llvm::json::Value> json(const CsvTable &table, CsvTable::Row row, llvm::StringRef column,
                                       llvm::StringRef otherwise) {
  llvm::StringRef text = row[column];
  auto value = parseJson(text.empty() ? otherwise : text);
  if (value)
    return value;
  return inCell(table, row, column, value.takeError());
}

llvm::Error fill(Draft &draft, const CsvTable &table, CsvTable::Row row) {
  auto inputs = json(table, row, "inputs", "[]");
  if (!inputs)
    return inputs.takeError();
  auto attributes = json(table, row, "attrs", "{}");
  if (!attributes)
    return attributes.takeError();
  auto output = json(table, row, "output", "{}");
  if (!output)
    return output.takeError();
  auto bounds = json(table, row, "bounds", "{}");
  if (!bounds)
    return bounds.takeError();
  if (const auto *object = attributes->getAsObject())
    for (const auto &[key, value] : *object)
      addAttribute(draft.signature, draft.op, key.str(), value);
  splitBatchNorm(draft);
  if (const auto *list = inputs->getAsArray()) {
    // Attributes and operands before results: what a result is may depend on both (attributeType,
    // to_memory_config).
    if (llvm::Error error = inCell(table, row, "inputs", addOperands(draft, *list)))
      return error;
    addSegmentSizes(draft, *list);
  }
  if (const auto *object = output->getAsObject())
    if (llvm::Error error = inCell(table, row, "output", addResults(draft, *object)))
      return error;
  const auto *object = bounds->getAsObject();
  return inCell(table, row, "bounds", addConditions(draft, row, object ? *object : llvm::json::Object()));
}

/// Why a row is no query of one op that counts; "" if it is.
std::string reasonToSkip(CsvTable::Row row) {
  llvm::StringRef op = row["op"], kind = row["row_kind"];
  if (op.empty())
    return "names no op";
  if (op.starts_with("layout_conversion"))
    return "a conversion of layouts, not an op";
  if (kind == "d2m_cost_model")
    return "a cost model of another compiler";
  if (kind == "disabled_unasserted")
    return "disabled at its source";
  if (row["note"].contains("CAUTION"))
    return "marked CAUTION";
  return "";
}

/// The revisions of the goldens (facts/formulas 0) and what the backend did then. Others are taken
/// for the pinned one.
BackendVersion versionOf(llvm::StringRef revision) {
  static constexpr std::pair<llvm::StringLiteral, BackendVersion> kRevisions[] = {
      {"78601d677a", BackendVersion::January2025},
      {"b03d526f95", BackendVersion::August2025},
      {"cbf538d12f", BackendVersion::September2025},
      {"eb18328a59", BackendVersion::September2025},
      {"9c40f4f0c4", BackendVersion::Autumn2025},
      {"7a0cf3fd76", BackendVersion::EarlyNovember2025},
      {"8c335a14f8", BackendVersion::EarlyNovember2025},
      {"b73fc81acb", BackendVersion::LateNovember2025},
      {"19c86fca45", BackendVersion::Newest},
  };
  for (const auto &[known, version] : kRevisions)
    if (known == revision)
      return version;
  return BackendVersion::Pinned;
}

/// All revisions were asked about a Wormhole chip; the n300 of the oldest one is taken for an n150 with fewer cores.
llvm::Expected<Golden> importRow(const CsvTable &table, CsvTable::Row row, std::string id) {
  Draft draft;
  Golden &golden = draft.golden;
  golden.id = std::move(id);
  golden.revision = row["source_rev"].str();
  golden.source = row["source_test"].str();
  draft.op = row["op"].str();
  draft.signature.name = irName(draft.op);
  draft.query.backend = versionOf(golden.revision);
  draft.query.device = *deviceOf("n150");
  // Each worker core is a bank: 56 of them are seven rows of eight.
  if (row["l1_banks"] == "56")
    draft.query.device.workerGrid = {7, 8};
  if (llvm::Error error = fill(draft, table, row))
    return std::move(error);
  if (row["expect_legal"].equals_insensitive("true") || row["expect_legal"].equals_insensitive("false"))
    golden.legal = row["expect_legal"].equals_insensitive("true");
  golden.operandsCounted = row["tensor_peak_semantics"] == "includes_inputs";
  return std::move(draft.golden);
}

llvm::Expected<std::vector<Golden>> importRows(const CsvTable &table, std::vector<RowRemark> &skipped) {
  std::vector<Golden> goldens;
  for (size_t i = 0; i < table.size(); ++i) {
    CsvTable::Row row = table.row(i);
    std::string id = row["case_id"].empty() ? llvm::formatv("{0}:{1}", table.path(), row.line()).str()
                                            : row["case_id"].str();
    if (std::string reason = reasonToSkip(row); !reason.empty()) {
      skipped.push_back({std::move(id), std::move(reason)});
      continue;
    }
    llvm::Expected<Golden> golden = importRow(table, row, std::move(id));
    if (!golden)
      return golden.takeError();
    goldens.push_back(std::move(*golden));
  }
  return goldens;
}

} // namespace

std::optional<llvm::Expected<std::vector<Golden>>> importGoldens(const CsvTable &table,
                                                                 std::vector<RowRemark> &skipped) {
  static constexpr llvm::StringLiteral kNeeded[] = {"op", "inputs", "output"};
  if (!table.has(kNeeded))
    return std::nullopt;
  return importRows(table, skipped);
}

} // namespace tessera::evaluation
