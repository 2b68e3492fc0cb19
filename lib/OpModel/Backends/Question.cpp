//===- Question.cpp - A query as canonical text ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Question.h"

#include "tessera/OpModel/LayoutJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace tessera {
namespace json = llvm::json;
namespace {

/// MLIR strings may hold any bytes, JSON strings may not.
std::string asKey(llvm::StringRef text) {
  return json::isUTF8(text) ? text.str() : "bytes:" + llvm::toHex(text);
}

void writeNumbers(json::OStream &os, llvm::ArrayRef<int64_t> numbers) {
  os.array([&] {
    for (int64_t number : numbers)
      os.value(number);
  });
}

/// Each type has a form of its own, so that 3, 3.0 and "3" stay different questions.
struct AttributeWriter {
  json::OStream &os;
  void operator()(bool flag) const { os.value(flag); }
  void operator()(int64_t number) const { os.value(number); }
  void operator()(double number) const {
    os.object([&] {
      if (number == 0 &&
          std::signbit(number)) // without a point it would be read as an integer, which has no such zero
        os.attribute("float", "-0.0");
      else if (std::isfinite(number))
        os.attribute("float", number);
      else
        os.attribute("float", std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    });
  }
  void operator()(const std::string &text) const {
    if (json::isUTF8(text))
      os.value(text);
    else
      os.object([&] { os.attribute("bytes", llvm::toHex(text)); });
  }
  void operator()(const std::vector<int64_t> &numbers) const { writeNumbers(os, numbers); }
};

// As a stream, here and below: an object of the JSON library would sort its keys, and a question has them in the order
// of docs/op-model-backends.md.
void writeTensor(json::OStream &os, const TensorDesc &tensor) {
  os.attributeArray("shape", [&] {
    for (int64_t dim : tensor.shape)
      os.value(dim);
  });
  os.attribute("dtype", name(tensor.dtype));
}

void writeSignature(json::OStream &os, const OpSignature &op) {
  // Signature first, layouts behind it: so the text of an op in any layouts begins alike (signatureText).
  os.attribute("op", asKey(op.name));
  os.attributeArray("operands", [&] {
    for (const OperandDesc &operand : op.operands)
      os.object([&] {
        writeTensor(os, operand.tensor);
        // Both change answers: what is read twice counts once, and weights may be prepared once.
        os.attribute("same_as", operand.sameAs);
        os.attribute("constant", operand.constant);
      });
  });
  os.attributeArray("results", [&] {
    for (const TensorDesc &result : op.results)
      os.object([&] { writeTensor(os, result); });
  });
  // Sorted in the signature already, so that equal queries have equal bytes.
  os.attributeObject("attributes", [&] {
    for (const auto &[name, value] : op.attributes) {
      os.attributeBegin(asKey(name));
      std::visit(AttributeWriter{os}, value);
      os.attributeEnd();
    }
  });
}

} // namespace

json::Value toCanonicalJson(const TensorLayout &layout) {
  json::Value value = toJson(layout);
  value.getAsObject()->erase("text"); // for people; its wording is free to change
  return value;
}

llvm::StringRef QuestionWriter::layoutText(LayoutId id) {
  if (id.index() >= texts.size())
    // To the pool's size at once, since most of its layouts are asked about.
    texts.resize(std::max(layouts.size(), id.index() + 1));
  std::string &text = texts[id.index()];
  // Layouts are few and questions many, so the text of each is made once.
  if (text.empty()) {
    llvm::raw_string_ostream(text) << toCanonicalJson(layouts[id]);
  }
  return text;
}

std::string QuestionWriter::write(const OpQuery &query) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream os(stream);
  // Ids depend on the order in which layouts were met, so a question names the layouts themselves: it has to be
  // found again in another run.
  auto layoutList = [&](llvm::ArrayRef<LayoutId> ids) {
    for (LayoutId id : ids)
      os.rawValue(id.valid() ? layoutText(id) : "null");
  };
  os.object([&] {
    writeSignature(os, query.op);
    os.attributeArray("inputs", [&] { layoutList(query.inputs); });
    os.attributeArray("outputs", [&] { layoutList(query.config.outputs); });
    os.attribute("config", toJson(query.config.specific));
  });
  return text;
}

// Quotes within texts are escaped, so that this can be nothing but the key.
llvm::StringRef signatureText(llvm::StringRef question) { return question.split(",\"inputs\":[").first; }

std::string deviceText(const DeviceSpec &device) {
  // Named one by one: a figure that is added to DeviceSpec does not compile until it is added here.
  const auto &[boardName, description, board, arch, workerGrid, mesh, l1Size, l1UnreservedBase, l1SmallSize,
               dramBanks, dramBankSize, l1Alignment, dramAlignment, clockGHz, dramReadGBs, dramWriteGBs,
               nocBytesPerCycle, l1BytesPerCycle, launch] = device;
  // Text for people does not change answers.
  (void)description;
  (void)board;
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream os(stream);
  os.objectBegin();
  os.attribute("name", asKey(boardName));
  os.attribute("arch", name(arch));
  os.attribute("worker_grid", json::Array{workerGrid.rows, workerGrid.columns});
  os.attribute("mesh", json::Array{mesh.rows, mesh.columns});
  os.attribute("l1_size", l1Size.value());
  os.attribute("l1_unreserved_base", l1UnreservedBase.value());
  os.attribute("l1_small_size", l1SmallSize.value());
  os.attribute("dram_banks", dramBanks);
  os.attribute("dram_bank_size", dramBankSize.value());
  os.attribute("l1_alignment", l1Alignment.value());
  os.attribute("dram_alignment", dramAlignment.value());
  os.attribute("clock_ghz", clockGHz);
  os.attribute("dram_read_gbs", dramReadGBs);
  os.attribute("dram_write_gbs", dramWriteGBs);
  os.attribute("noc_bytes_per_cycle", nocBytesPerCycle);
  os.attribute("l1_bytes_per_cycle", l1BytesPerCycle);
  os.attribute("launch_ns", launch.value());
  os.objectEnd();
  return text;
}

} // namespace tessera
