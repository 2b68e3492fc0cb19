//===- GoldenVectorsTest.cpp - Ops against PyTorch ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// scripts/golden-vectors wrote the files in Goldens: operands, and what PyTorch
// makes of them. Each case runs on the simulated device as a program of one op,
// from tiles in DRAM, tiles in L1 and rows in DRAM: rounding to the result's
// format and padding are part of what is checked.
//
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

#include "tessera/Layout/BlockFloat.h"
#include "tessera/OpModel/MockOpModel.h"
#include "tessera/Simulator/Machine.h"
#include "tessera/Support/Json.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

using namespace tessera;
using namespace tessera::simulator;

namespace {

// ---- Files -----------------------------------------------------------------------------------------------

/// A tensor of a file. On a mesh, dimension 0 is the device.
struct Golden {
  TensorDesc desc;
  std::vector<double> values;
};

double scalarAt(DataType type, const char *bytes) {
  using namespace llvm::support::endian;
  switch (type) {
  case DataType::Float32:
    return std::bit_cast<float>(read32le(bytes));
  case DataType::UInt32:
    return read32le(bytes);
  case DataType::Int32:
    return int32_t(read32le(bytes));
  case DataType::UInt16:
    return read16le(bytes);
  case DataType::UInt8:
  case DataType::Bool:
    return uint8_t(*bytes);
  default: // block float is written as bf16
    return fromBFloat16(read16le(bytes));
  }
}

Golden readTensor(const llvm::json::Object &object) {
  Golden tensor{{{}, *parseDataType(*object.getString("type"))}, {}};
  for (const llvm::json::Value &extent : *object.getArray("shape"))
    tensor.desc.shape.push_back(*extent.getAsInteger());
  std::vector<char> bytes;
  llvm::cantFail(llvm::decodeBase64(*object.getString("data"), bytes));
  auto size = size_t(isBlockFloat(tensor.desc.dtype) ? 2 : scalarBytes(tensor.desc.dtype).value());
  for (size_t at = 0; at + size <= bytes.size(); at += size)
    tensor.values.push_back(scalarAt(tensor.desc.dtype, bytes.data() + at));
  EXPECT_EQ(int64_t(tensor.values.size()), volumeOf(tensor.desc.shape));
  return tensor;
}

AttrValue readAttribute(const llvm::json::Value &value) {
  if (const llvm::json::Object *object = value.getAsObject())
    return std::stod(object->getString("float")->str());
  if (std::optional<bool> boolean = value.getAsBoolean())
    return *boolean;
  if (std::optional<llvm::StringRef> text = value.getAsString())
    return text->str();
  if (std::optional<int64_t> integer = value.getAsInteger())
    return *integer;
  std::vector<int64_t> list;
  for (const llvm::json::Value &element : *value.getAsArray())
    list.push_back(*element.getAsInteger());
  return list;
}

/// One op, and what it shall make.
struct Case {
  OpSignature op; ///< without shapes
  std::string configActivation;
  std::vector<const Golden *> operands;
  const Golden *result = nullptr;
  /// Of an op of several results those that are not compared, in order; the compared one stands at `place` among them.
  std::vector<const Golden *> others;
  size_t place = 0;
  bool exact = false;
  GridShape mesh;
};

struct GoldenFile {
  std::vector<Golden> tensors;
  std::vector<Case> cases;
};

Case readCase(const llvm::json::Object &object, llvm::ArrayRef<Golden> tensors) {
  Case read;
  read.op.name = object.getString("op")->str();
  if (const llvm::json::Object *attributes = object.getObject("attributes"))
    for (const auto &[name, value] : *attributes)
      read.op.addAttribute(name.str(), readAttribute(value));
  read.configActivation = object.getString("config_activation").value_or("").str();
  for (const llvm::json::Value &operand : *object.getArray("operands"))
    read.operands.push_back(&tensors[size_t(*operand.getAsInteger())]);
  read.result = &tensors[size_t(*object.getInteger("result"))];
  read.exact = object.getBoolean("exact").value_or(false);
  if (const llvm::json::Array *others = object.getArray("others"))
    for (const llvm::json::Value &other : *others)
      read.others.push_back(&tensors[size_t(*other.getAsInteger())]);
  read.place = size_t(object.getInteger("place").value_or(0));
  if (const llvm::json::Array *mesh = object.getArray("mesh"))
    read.mesh = {*(*mesh)[0].getAsInteger(), *(*mesh)[1].getAsInteger()};
  return read;
}

GoldenFile readFile(const std::string &family) {
  auto file = llvm::MemoryBuffer::getFile(TESSERA_GOLDENS "/" + family + ".json");
  EXPECT_TRUE(bool(file)) << family;
  llvm::json::Value root = llvm::cantFail(parseJson((*file)->getBuffer()));
  GoldenFile goldens;
  for (const llvm::json::Value &tensor : *root.getAsObject()->getArray("tensors"))
    goldens.tensors.push_back(readTensor(*tensor.getAsObject()));
  for (const llvm::json::Value &value : *root.getAsObject()->getArray("cases"))
    goldens.cases.push_back(readCase(*value.getAsObject(), goldens.tensors));
  return goldens;
}

// ---- Runs ------------------------------------------------------------------------------------------------

enum class Memory : uint8_t { DramTiles, L1Tiles, DramRows };

TensorLayout layoutIn(Memory memory, const TensorDesc &desc) {
  return memory == Memory::L1Tiles
             ? l1Interleaved(desc, {8, 8})
             : dramInterleaved(desc, memory == Memory::DramTiles ? PageLayout::Tile : PageLayout::RowMajor);
}

/// What one device of the mesh has of a tensor.
TensorDesc ownPart(const Golden &tensor, GridShape mesh) {
  TensorDesc desc = tensor.desc;
  if (mesh.volume() > 1)
    desc.shape.erase(desc.shape.begin());
  return desc;
}

MeshTensor onDevices(const Golden &tensor, GridShape mesh) {
  MeshTensor parts(size_t(mesh.volume()), DenseTensor(ownPart(tensor, mesh)));
  size_t index = 0;
  for (DenseTensor &part : parts)
    for (int64_t i = 0; i < part.volume(); ++i)
      part.set(i, tensor.values[index++]);
  return parts;
}

/// The case as a program that runs it and returns the result, or has written the first argument.
Program programOf(const Case &golden, Memory memory) {
  Program program;
  program.mesh = golden.mesh;
  Function &function = program.functions.emplace_back();
  function.name = "main";
  auto value = [&](const Golden &tensor) {
    TensorDesc desc = ownPart(tensor, golden.mesh);
    function.values.push_back({desc, layoutIn(memory, desc)});
    return function.values.size() - 1;
  };
  Step step;
  step.op = golden.op;
  step.kernel = findKernel(golden.op.name);
  step.place = golden.op.name;
  bool isConstant = golden.op.name == "ttnn.constant";
  if (isConstant)
    step.constant = std::make_shared<DenseTensor>(onDevices(*golden.operands.front(), {1, 1}).front());
  for (const Golden *operand : golden.operands) {
    if (isConstant)
      break;
    step.reads.push_back(value(*operand));
    step.op.operands.push_back({function.values.back().desc});
  }
  function.arguments = step.reads;
  function.roles.assign(step.reads.size(), ArgumentRole::Input);
  if (!step.kernel->inPlace) {
    std::vector<const Golden *> results = golden.others;
    results.insert(results.begin() + ptrdiff_t(golden.place), golden.result);
    for (const Golden *result : results) {
      step.writes.push_back(value(*result));
      step.op.results.push_back(function.values.back().desc);
    }
    function.returned = {step.writes[golden.place]};
  }
  if (!golden.configActivation.empty()) {
    MatmulProgramConfig config;
    config.fusedActivation = golden.configActivation;
    step.config.specific = config;
  }
  function.steps.push_back(std::move(step));
  return program;
}

llvm::Expected<MeshTensor> runCase(const Case &golden, Memory memory) {
  Program program = programOf(golden, memory);
  const Function &function = program.functions.front();
  LayoutPool layouts;
  const DeviceSpec &device = *findDevice("n150");
  MockOpModel model({device, layouts, device.usableL1()});
  llvm::Expected<RunResult> result =
      run(program, function, [&](size_t i) { return onDevices(*golden.operands[i], golden.mesh); }, model,
          {Bytes(1 << 30), {}, nullptr});
  if (!result)
    return result.takeError();
  return function.returned.empty() ? result->written[0] : result->returned.front();
}

// ---- Bounds ----------------------------------------------------------------------------------------------

/// How far a result may lie from PyTorch's if it is not exact: so many steps of its format at that element (block float: of its
/// group), and `sums` * 2^-24 of the largest element, for sums in fp32 whose terms cancel. docs/simulator.md has this table.
struct Bound {
  const char *family;
  double ulpsFloat32, ulpsBFloat16, ulpsBlock, sums;
};
[[maybe_unused]] void PrintTo(const Bound &bound, std::ostream *os) { *os << bound.family; }
constexpr Bound kBounds[] = {
    {"unary", 2, 1, 1, 0},     {"binary", 1, 1, 1, 0},      {"matmul", 1, 1, 1, 4},
    {"reduction", 1, 1, 1, 0}, {"norm", 1, 1, 1, 2},        {"data_movement", 0, 0, 0, 0},
    {"creation", 0, 0, 0, 0},  {"attention", 1, 1, 1, 1.5}, {"cache", 0, 0, 0, 0},
    {"window", 1, 1, 1, 3},    {"collective", 1, 1, 1, 0},  {"latents", 1, 1, 1, 2},
    {"recent", 1, 1, 1, 3},
};

/// The distance of neighbours at a magnitude, in a format of that many bits of mantissa, the hidden one included.
double stepAt(double magnitude, int bits) {
  return magnitude == 0 ? std::ldexp(1.0, -126 - (bits - 1))
                        : std::ldexp(1.0, std::ilogb(magnitude) - (bits - 1));
}

/// The largest magnitude of the 16 neighbours that share an element's exponent.
double sharedMagnitude(const Golden &tensor, size_t index) {
  size_t width = tensor.desc.shape.empty() ? 1 : size_t(tensor.desc.shape.back());
  size_t row = index / width * width, group = (index - row) / 16 * 16;
  double largest = 0;
  for (size_t i = group; i < std::min(width, group + 16); ++i)
    largest = std::max(largest, std::fabs(tensor.values[row + i]));
  return largest;
}

double allowed(const Bound &bound, const Golden &wanted, size_t index, double largest) {
  double sums = bound.sums * std::ldexp(largest, -24);
  switch (wanted.desc.dtype) {
  case DataType::Float32:
    return bound.ulpsFloat32 * stepAt(wanted.values[index], 24) + sums;
  case DataType::BFloat16:
    return bound.ulpsBFloat16 * stepAt(wanted.values[index], 8) + sums;
  case DataType::BFP_BFloat8:
    return bound.ulpsBlock * stepAt(sharedMagnitude(wanted, index), 7) + sums;
  case DataType::BFP_BFloat4:
    return bound.ulpsBlock * stepAt(sharedMagnitude(wanted, index), 3) + sums;
  default:
    return 0;
  }
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void checkResult(const Case &golden, const Bound &bound, const MeshTensor &made) {
  const Golden &wanted = *golden.result;
  double largest = 0;
  for (double value : wanted.values)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  size_t index = 0;
  for (const DenseTensor &part : made)
    for (int64_t i = 0; i < part.volume(); ++i, ++index) {
      double is = part.at(i), be = wanted.values[index];
      if (same(is, be))
        continue;
      ASSERT_FALSE(golden.exact) << "element " << index << " is " << is << ", PyTorch's " << be;
      double most = allowed(bound, wanted, index, largest);
      ASSERT_LE(std::fabs(is - be), most) << "element " << index << " is " << is << ", PyTorch's " << be;
    }
  ASSERT_EQ(index, wanted.values.size());
}

class GoldenVectors : public testing::TestWithParam<Bound> {};

TEST_P(GoldenVectors, AreMet) {
  GoldenFile file = readFile(GetParam().family);
  ASSERT_FALSE(file.cases.empty());
  for (const auto &[number, golden] : llvm::enumerate(file.cases))
    for (Memory memory : {Memory::DramTiles, Memory::L1Tiles, Memory::DramRows}) {
      bool hasBlocks = isBlockFloat(golden.result->desc.dtype);
      for (const Golden *operand : golden.operands)
        hasBlocks |= isBlockFloat(operand->desc.dtype);
      if (memory == Memory::DramRows && hasBlocks)
        continue;
      SCOPED_TRACE("case " + std::to_string(number) + ", " + golden.op.name + " to " +
                   describe(golden.result->desc) + ", memory " + std::to_string(int(memory)));
      ASSERT_NE(findKernel(golden.op.name), nullptr);
      llvm::Expected<MeshTensor> made = runCase(golden, memory);
      if (!made) {
        ADD_FAILURE() << llvm::toString(made.takeError());
        continue;
      }
      checkResult(golden, GetParam(), *made);
    }
}

INSTANTIATE_TEST_SUITE_P(Simulator, GoldenVectors, testing::ValuesIn(kBounds),
                         [](const auto &info) { return std::string(info.param.family); });

TEST(GoldenVectorFiles, HaveEveryOp) {
  // Elements of the first are whatever was there; the others have tests of their own (ExpertsTest.cpp, KernelsTest.cpp), since PyTorch has no op
  // to make vectors with, or since a reference is a loop there (transposed convolutions).
  llvm::StringSet<> covered{"ttnn.empty",
                            "ttnn.all_to_all_combine",
                            "ttnn.all_to_all_dispatch",
                            "ttnn.bitcast_convert",
                            "ttnn.bitwise_right_shift",
                            "ttnn.conv_transpose2d",
                            "ttnn.cumulative",
                            "ttnn.moe_expert_token_remap",
                            "ttnn.prepare_conv_transpose2d_bias",
                            "ttnn.prepare_conv_transpose2d_weights",
                            "ttnn.rms_norm_residual",
                            "ttnn.sparse_matmul"};
  for (const Bound &bound : kBounds)
    for (const Case &golden : readFile(bound.family).cases)
      covered.insert(golden.op.name);
  for (const KernelRow *row : allKernels())
    EXPECT_TRUE(covered.contains(row->name)) << row->name.str();
}

} // namespace
