//===- Goldens.cpp - What a real backend answered -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Goldens.h"

#include "tessera/Support/Csv.h"
#include "tessera/Support/Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace tessera::evaluation {
namespace {

/// More than any device has, and few enough to multiply.
constexpr int64_t kMostCores = 1 << 16;

/// The goldens name ops after upstream's C++ functions.
std::string irName(llvm::StringRef op) {
  static const std::map<llvm::StringRef, llvm::StringRef> renamed = {
      {"arg_max", "argmax"},
      {"equal", "eq"},
      {"not_equal", "ne"},
      {"greater_than", "gt"},
      {"greater_equal", "ge"},
      {"less_than", "lt"},
      {"less_equal", "le"},
      {"is_finite", "isfinite"},
      {"moreh_cum_sum", "moreh_cumsum"},
      {"adam_w", "adamw"},
      {"embedding_backward", "embedding_bw"},
      {"gelu_backward", "gelu_bw"},
      {"pow", "pow_tensor"}, // its name until September 2025
      {"sdpa_backward", "sdpa_bw"},
      {"sdpa_forward", "sdpa_fw"},
      {"top_k_router_gpt", "topk_router_gpt"},
      {"cum_sum", "cumsum"},
      {"cum_prod", "cumprod"},
      {"top_k", "topk"},
  };
  auto it = renamed.find(op);
  return "ttnn." + (it == renamed.end() ? op : it->second).str();
}

std::string snakeCase(llvm::StringRef name, llvm::StringRef op) {
  if (name == "dimArg" && op == "softmax")
    return "dimension";
  if (name == "multicore" && op == "pad")
    return "use_multicore";
  if (name == "numericStable")
    return name.str();
  if (name == "inputChannels")
    return "channels";
  std::string text;
  for (char c : name) {
    if (llvm::isUpper(c))
      text += '_';
    text += llvm::toLower(c);
  }
  return text;
}

AttrValue scalarFromText(llvm::StringRef text) {
  int64_t integer;
  if (text == "true" || text == "false")
    return text == "true";
  if (!text.getAsInteger(10, integer))
    return integer;
  return text.str();
}

/// `#ttnn.x<a = 1, b = c>` as `prefix.a`, `prefix.b`.
void addStruct(OpSignature &signature, llvm::StringRef prefix, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> entries;
  text.substr(text.find('<') + 1).rtrim('>').split(entries, ',', -1, false);
  for (llvm::StringRef entry : entries) {
    auto [key, value] = entry.split('=');
    if (!value.empty())
      signature.addAttribute((prefix + "." + key.trim()).str(), scalarFromText(value.trim()));
  }
}

void addAttribute(OpSignature &signature, llvm::StringRef op, llvm::StringRef key,
                  const llvm::json::Value &value) {
  if (key == "deviceComputeKernelConfig" || key == "conv2dConfig") {
    if (auto text = value.getAsString())
      addStruct(signature, key == "conv2dConfig" ? "conv2d_config" : "compute_config", *text);
    return;
  }
  std::string name = snakeCase(key, op);
  if (auto flag = value.getAsBoolean())
    signature.addAttribute(name, *flag);
  else if (auto integer = value.getAsInteger())
    signature.addAttribute(name, *integer);
  else if (auto number = value.getAsNumber())
    signature.addAttribute(name, *number);
  else if (auto text = value.getAsString())
    signature.addAttribute(name, scalarFromText(*text));
  else if (const auto *list = value.getAsArray()) {
    std::vector<int64_t> integers;
    for (const llvm::json::Value &entry : *list)
      integers.push_back(entry.getAsInteger().value_or(0));
    signature.addAttribute(name, integers);
  }
}

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
  else if (auto cores = json.getInteger("num_cores"))
    grid = kind == MemoryLayout::HeightSharded ? GridShape{*cores, 1} : GridShape{1, *cores};
  // Grids that are too large for the device are legal questions.
  if (std::min(grid.rows, grid.columns) < 1 || std::max(grid.rows, grid.columns) > kMostCores)
    return llvm::createStringError(
        llvm::formatv("a grid has from 1 to {0} rows and columns", kMostCores).str());
  TensorLayout layout = l1Sharded(desc, kind, grid, device.workerGrid, page);
  if (const auto *list = json.getArray("shard_shape"); list && list->size() == 2) {
    int64_t unit = page == PageLayout::Tile ? 32 : 1;
    layout.shard = {(*list)[0].getAsInteger().value_or(1) / unit,
                    (*list)[1].getAsInteger().value_or(1) / unit};
  }
  if (std::string wrong = checkLayout(layout); !wrong.empty())
    return llvm::createStringError(wrong);
  return layout;
}

bool writesInPlace(llvm::StringRef op) { return op.contains("fill_cache") || op.contains("update_cache"); }

/// One op until October 2025, two since.
void splitBatchNorm(Golden &golden) {
  if (golden.op != "batch_norm")
    return;
  golden.op += golden.signature.boolean("training", false) ? "_training" : "_inference";
  golden.signature.name = irName(golden.op);
}

/// Which optional operands are there, for ops whose IR says so in operandSegmentSizes.
llvm::ArrayRef<llvm::StringRef> operandNames(llvm::StringRef op) {
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

void addSegmentSizes(Golden &golden, const llvm::json::Array &inputs) {
  std::vector<int64_t> sizes;
  for (llvm::StringRef name : operandNames(golden.op))
    sizes.push_back(llvm::any_of(inputs, [&](const llvm::json::Value &input) {
      const auto *object = input.getAsObject();
      return object && object->getString("name") == name;
    }));
  if (!sizes.empty())
    golden.signature.addAttribute("operandSegmentSizes", sizes);
}

llvm::Error addOperands(Golden &golden, const llvm::json::Array &inputs) {
  for (const llvm::json::Value &value : inputs) {
    const auto *input = value.getAsObject();
    if (!input)
      continue;
    llvm::Expected<TensorDesc> desc = tensorOf(*input, nullptr);
    if (!desc)
      return desc.takeError();
    auto layout = layoutOf(*input, *desc, golden.device);
    if (!layout)
      return layout.takeError();
    golden.inputs.push_back(layout->value_or(dramInterleaved(*desc)));
    golden.signature.operands.push_back({*desc, unsigned(golden.signature.operands.size()), false});
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

llvm::Error addResults(Golden &golden, const llvm::json::Object &output) {
  const auto &operands = golden.signature.operands;
  llvm::Expected<TensorDesc> desc = tensorOf(output, operands.empty() ? nullptr : &operands[0].tensor);
  if (!desc)
    return desc.takeError();
  desc->dtype = attributeType(golden.signature).value_or(desc->dtype);
  auto layout = layoutOf(output, *desc, golden.device);
  if (!layout)
    return layout.takeError();
  golden.output = *layout;
  // The backend is told the memory config, not the page layout, which to_memory_config keeps.
  if (golden.output && golden.op == "to_memory_config" && !golden.inputs.empty() &&
      !golden.output->isSharded())
    golden.output->page = golden.inputs[0].page;
  size_t results = llvm::StringSwitch<size_t>(golden.op)
                       .Cases({"sort", "top_k", "top_k_router_gpt", "max_pool2d_with_indices"}, 2)
                       .Cases({"split_query_key_value_and_split_heads", "sdpa_backward"}, 3)
                       .Default(writesInPlace(golden.op) ? 0 : 1);
  golden.signature.results.assign(results, *desc);
  return llvm::Error::success();
}

void addBounds(Golden &golden, const llvm::json::Object &bounds) {
  for (const auto &[figure, bound] : bounds)
    if (const auto *pair = bound.getAsArray(); pair && pair->size() == 2)
      golden.bounds.push_back(
          {figure.str(), (*pair)[0].getAsString().value_or("").str(), (*pair)[1].getAsInteger().value_or(0)});
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

llvm::Error fill(Golden &golden, const CsvTable &table, CsvTable::Row row) {
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
      addAttribute(golden.signature, golden.op, key.str(), value);
  splitBatchNorm(golden);
  if (const auto *list = inputs->getAsArray()) {
    if (llvm::Error error = inCell(table, row, "inputs", addOperands(golden, *list)))
      return error;
    addSegmentSizes(golden, *list);
  }
  if (const auto *object = output->getAsObject())
    if (llvm::Error error = inCell(table, row, "output", addResults(golden, *object)))
      return error;
  if (const auto *object = bounds->getAsObject())
    addBounds(golden, *object);
  return llvm::Error::success();
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

} // namespace

llvm::Expected<std::vector<Golden>> readGoldens(llvm::StringRef path, const DeviceSpec &device,
                                                std::vector<RowRemark> &skipped) {
  auto table = CsvTable::read(path);
  if (!table)
    return table.takeError();
  static constexpr llvm::StringLiteral kNeeded[] = {"op", "inputs", "output"};
  for (llvm::StringLiteral column : kNeeded)
    if (!table->has(column))
      return llvm::createStringError("%s:1: no column '%s': not a table of goldens", path.str().c_str(),
                                     column.data());
  std::vector<Golden> goldens;
  for (size_t i = 0; i < table->size(); ++i) {
    CsvTable::Row row = table->row(i);
    Golden golden;
    golden.id =
        row["case_id"].empty() ? llvm::formatv("{0}:{1}", path, row.line()).str() : row["case_id"].str();
    if (std::string reason = reasonToSkip(row); !reason.empty()) {
      skipped.push_back({golden.id, reason});
      continue;
    }
    golden.revision = row["source_rev"].str();
    golden.op = row["op"].str();
    golden.kind = row["row_kind"].str();
    golden.device = device;
    if (row["l1_banks"] == "56")
      golden.device.workerGrid = {7, 8};
    golden.signature.name = irName(golden.op);
    if (llvm::Error error = fill(golden, *table, row))
      return std::move(error);
    if (row["expect_legal"].equals_insensitive("true") || row["expect_legal"].equals_insensitive("false"))
      golden.legal = row["expect_legal"].equals_insensitive("true");
    golden.operandsCounted = row["tensor_peak_semantics"] == "includes_inputs";
    golden.circularBuffers = row.integer("cb_peak_bytes");
    golden.tensors = row.integer("l1_tensor_peak_bytes");
    golden.peak = row.integer("peak_bytes");
    golden.outputBytes = row.integer("output_bytes");
    if (llvm::StringRef(golden.op).starts_with("prepare_conv2d"))
      golden.outputBytes.reset(); // the result's shape is unknown
    goldens.push_back(std::move(golden));
  }
  return goldens;
}

} // namespace tessera::evaluation
