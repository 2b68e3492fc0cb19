//===- TinyModel.cpp - A small model, its weights and its reference -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "TinyModel.h"

#include "tessera/Dialect/Register.h"
#include "tessera/Layout/BlockFloat.h"
#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/ModelRunner/RandomCheckpoint.h"
#include "tessera/ModelRunner/WeightConverter.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"

#include <cmath>

using namespace tessera;
using namespace tessera::runner;

namespace {

/// Elements of a tensor of the checkpoint in fp32; fp8 with its scales.
Row readTensor(const Checkpoint &checkpoint, const HfConfig &hf, const std::string &name) {
  const SourceTensor &tensor = *checkpoint.find(name);
  int64_t columns = tensor.shape.back(), rows = tensor.shape.size() == 2 ? tensor.shape[0] : 1;
  std::vector<uint8_t> bytes(size_t(rows * columns * bytesOf(tensor.type)));
  EXPECT_FALSE(bool(checkpoint.read(tensor, 0, rows * columns, bytes.data())));
  bool isFp8 = tensor.type == SourceType::F8_E4M3;
  Row scales = isFp8 ? readTensor(checkpoint, hf, name + "_scale_inv") : Row();
  Row numbers;
  for (int64_t i = 0; i != rows * columns; ++i) {
    unsigned bits = bytes[size_t(i)];
    if (tensor.type == SourceType::F32)
      numbers.push_back(std::bit_cast<float>(llvm::support::endian::read32le(bytes.data() + 4 * i)));
    else if (tensor.type == SourceType::BF16)
      numbers.push_back(fromBFloat16(llvm::support::endian::read16le(bytes.data() + 2 * i)));
    else {
      unsigned exponent = bits >> 3 & 15, mantissa = bits & 7;
      double magnitude = exponent ? std::ldexp(8 + mantissa, int(exponent) - 10) : std::ldexp(mantissa, -9);
      numbers.push_back(float(bits & 0x80 ? -magnitude : magnitude) *
                        scales[size_t(i / columns / hf.blockRows * ceilDiv(columns, hf.blockColumns) +
                                      i % columns / hf.blockColumns)]);
    }
  }
  return numbers;
}

template <class T>
T must(llvm::Expected<T> value) {
  if (!value)
    ADD_FAILURE() << llvm::toString(value.takeError());
  return std::move(*value);
}

} // namespace

TinyModel &TinyModel::on(GridShape mesh, const std::string &name) {
  static std::map<std::pair<GridShape, std::string>, std::unique_ptr<TinyModel>> models;
  std::unique_ptr<TinyModel> &model = models[{mesh, name}];
  if (!model)
    model.reset(new TinyModel(mesh, name, {"", "", 5, uint64_t(1) << 30, Spread::Trained}, {}));
  model->caches.clear();
  model->position = 0;
  return *model;
}

TinyModel &TinyModel::even(GridShape mesh, uint64_t seed) {
  static std::map<std::pair<GridShape, uint64_t>, std::unique_ptr<TinyModel>> models;
  std::unique_ptr<TinyModel> &model = models[{mesh, seed}];
  constexpr DataType kType = DataType::BFP_BFloat8;
  if (!model)
    model.reset(new TinyModel(mesh, "tiny", {"", "", seed, uint64_t(1) << 30, Spread::Even},
                              {{"*.w1*", kType}, {"*.w2*", kType}, {"*.w3*", kType}, {"lm_head.*", kType}}));
  model->caches.clear();
  return *model;
}

TinyModel::TinyModel(GridShape mesh, const std::string &name, const RandomCheckpointOptions &weights,
                     std::vector<TypeOverride> types)
    : device(boardFor(mesh)) {
  llvm::SmallString<128> path;
  EXPECT_FALSE(bool(llvm::sys::fs::createUniqueDirectory("tiny-model", path)));
  folder = path.str().str();
  std::string hf = folder + "/hf";
  RandomCheckpointOptions made = weights;
  made.config = TESSERA_MODELS "/" + name + ".json";
  made.out = hf;
  EXPECT_FALSE(bool(writeRandomCheckpoint(made)));
  ConvertOptions options;
  options.target = {must(readHfFolder(hf)), mesh};
  options.hf = hf;
  options.types = std::move(types);
  options.out = folder + "/weights";
  must(convertWeights(options));
  checkpoint.emplace(must(Checkpoint::open(hf)));
  reader.emplace(must(WeightReader::open(options.out)));
  plain.emplace(reader->hf(), [this](const std::string &name, int64_t count) {
    Row numbers = tensor(name);
    EXPECT_EQ(int64_t(numbers.size()), count) << name;
    return numbers;
  });
  llvm::sys::fs::remove_directories(folder); // what is open stays readable
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  mlirContext = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
}

Row TinyModel::tensor(const std::string &name) const { return readTensor(*checkpoint, reader->hf(), name); }

Rows TinyModel::run(Phase phase, const Rows &x, Forward forward) {
  int64_t meshRows = mesh().rows, columns = mesh().columns, rows = int64_t(x.size()) / meshRows;
  Target target{hf(), mesh(), device.workerGrid, device.dramBanks, rows, hf().max_position_embeddings};
  RunParts parts;
  parts.files = &*reader;
  MergedRun run = must(mergeRun(target, phase, parts));
  Graph graph(*mlirContext, target, run.files, device);
  Tensor input = graph.input("x", {{1, 1, rows, hf().hidden_size / columns}, DataType::BFloat16});
  Tensor result = forward(graph, input, run.config);
  Shape shape = result.shape();
  mlir::OwningOpRef<mlir::ModuleOp> module = must(graph.finish(result));
  Executable program = must(Executable::make({std::move(module), graph.arguments().vec()}, device));
  auto inputs = [&](const GraphArgument &argument) {
    simulator::MeshTensor tensors;
    for (int64_t d = 0; d != mesh().volume(); ++d) {
      simulator::DenseTensor &tensor = tensors.emplace_back(argument.desc);
      int64_t width = tensor.shape().back();
      if (argument.name == "x")
        for (int64_t i = 0; i != tensor.volume(); ++i)
          tensor.set(i, x[size_t(d / columns * rows + i / width)][size_t(d % columns * width + i % width)]);
      else if (argument.name == "ids")
        for (int64_t i = 0; i != tensor.volume(); ++i)
          tensor.set(i, double(tokenAt(i, hf().vocab_size)));
      else if (argument.name == "page_table")
        for (int64_t i = 0; i != tensor.volume(); ++i)
          tensor.set(i, double(i));
      else if (argument.name == "positions" || argument.name == "position_ids")
        for (int64_t i = 0; i != tensor.volume(); ++i)
          tensor.set(i, double(position));
      else if (argument.name == "rotation") // neighbours (a, b) become (-b, a)
        for (int64_t i = 0; i != kTile; ++i)
          tensor.set((i ^ 1) * kTile + i, i % 2 ? 1 : -1);
      else if (argument.name == "cos" || argument.name == "sin")
        for (int64_t i = 0; i != tensor.volume() / width; ++i) {
          Row cos(static_cast<size_t>(width)), sin(static_cast<size_t>(width));
          rotaryRow(hf(), i, cos, sin);
          llvm::copy(argument.name == "cos" ? cos : sin, tensor.floats.begin() + i * width);
        }
    }
    return tensors;
  };
  simulator::MeshTensor made = must(program.run(*reader, caches, inputs, Bytes(int64_t(4) << 30)));
  Rows all(x.size());
  for (int64_t i = 0; i != int64_t(x.size()); ++i)
    for (int64_t column = 0; column != columns; ++column) {
      const simulator::DenseTensor &tensor = made[size_t(i / rows * columns + column)];
      for (int64_t j = 0; j != shape.back(); ++j)
        all[size_t(i)].push_back(float(tensor.at(i % rows * shape.back() + j)));
    }
  return all;
}

Rows runner::randomRows(int64_t rows, int64_t columns, unsigned seed, double deviation) {
  std::mt19937 generator(seed);
  Rows made;
  for (int64_t i = 0; i != rows; ++i) {
    Row &row = made.emplace_back();
    for (int64_t j = 0; j != columns; ++j) {
      double sum = -6; // of twelve uniform numbers: nearly normal, and the same everywhere
      for (int k = 0; k != 12; ++k)
        sum += double(generator()) / 4294967296.0;
      row.push_back(fromBFloat16(toBFloat16(float(sum * deviation))));
    }
  }
  return made;
}
