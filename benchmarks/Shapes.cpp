//===- Shapes.cpp - Modules of any length ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Shapes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <vector>

using namespace tessera;

namespace {

/// The types of all programs: 256 tokens of 1024 features, and what a feed-forward layer needs.
constexpr llvm::StringLiteral kTypes = R"(
#dram = #ttnn.buffer_type<dram>
!tokens = tensor<256x1024xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
!hidden = tensor<256x4096xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x128x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
!up = tensor<1024x4096xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x128x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
!down = tensor<4096x1024xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
!scale = tensor<1024xbf16, #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
)";

struct Value {
  std::string name;
  llvm::StringRef type; ///< one of kTypes
};

/// One function, written down op by op.
class Program {
public:
  explicit Program(size_t wanted) : wanted(wanted) {}

  bool isLongEnough() const { return ops >= wanted; }

  Value argument(llvm::StringRef kind, llvm::StringRef type) {
    Value value{llvm::formatv("%arg{0}", arguments.size()), type};
    arguments.push_back(llvm::formatv("{0}: {1} {{ttcore.argument_type = #ttcore.argument_type<{2}>}",
                                      value.name, type, kind));
    return value;
  }

  Value op(llvm::StringRef name, llvm::ArrayRef<Value> operands, llvm::StringRef type,
           llvm::StringRef properties = "") {
    Value result{llvm::formatv("%{0}", ops++), type};
    auto list = [&](auto &&text) { return llvm::join(llvm::map_range(operands, text), ", "); };
    body += llvm::formatv("  {0} = \"ttnn.{1}\"({2}){3} : ({4}) -> {5}\n", result.name, name,
                          list([](const Value &value) { return value.name; }), properties,
                          list([](const Value &value) { return value.type.str(); }), type);
    return result;
  }

  /// The text of the module, which returns `value`.
  std::string returning(const Value &value) const {
    return llvm::formatv("{0}func.func @main({1}) -> {2} attributes {{tt.function_type = \"forward_device\"} "
                         "{{\n{3}  return {4} : "
                         "{2}\n}\n",
                         kTypes.ltrim(), llvm::join(arguments, ", "), value.type, body, value.name);
  }

private:
  size_t wanted, ops = 0;
  std::vector<std::string> arguments;
  std::string body;
};

Value add(Program &program, const Value &a, const Value &b) { return program.op("add", {a, b}, a.type); }

Value activate(Program &program, const Value &value, size_t turn) {
  static constexpr llvm::StringLiteral kActivations[] = {"relu", "gelu", "neg", "silu"};
  return program.op(kActivations[turn % std::size(kActivations)], value, value.type);
}

std::string chain(size_t ops) {
  Program program(ops);
  Value value = program.argument("input", "!tokens");
  for (size_t turn = 0; !program.isLongEnough(); ++turn)
    value = activate(program, value, turn);
  return program.returning(value);
}

/// Each layer with weights of its own, as models have them.
std::string layers(size_t ops) {
  constexpr llvm::StringLiteral
      kNorm = " <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}>",
      kMatmul = " <{transpose_a = false, transpose_b = false}>";
  Program program(ops);
  Value value = program.argument("input", "!tokens");
  while (!program.isLongEnough()) {
    Value scale = program.argument("parameter", "!scale"), up = program.argument("parameter", "!up"),
          down = program.argument("parameter", "!down");
    Value normed = program.op("rms_norm", {value, scale}, "!tokens", kNorm);
    Value hidden = program.op("gelu", program.op("matmul", {normed, up}, "!hidden", kMatmul), "!hidden");
    value = add(program, value,
                program.op("silu", program.op("matmul", {hidden, down}, "!tokens", kMatmul), "!tokens"));
  }
  return program.returning(value);
}

std::string fanOut(size_t ops) {
  Program program(ops);
  Value read = activate(program, program.argument("input", "!tokens"), 0);
  Value sum = read;
  while (!program.isLongEnough())
    sum = add(program, sum, read);
  return program.returning(sum);
}

/// The first branch made is the last one read.
std::string branches(size_t ops) {
  Program program(ops);
  Value input = program.argument("input", "!tokens");
  std::vector<Value> alive;
  while (2 * alive.size() < ops + 1)
    alive.push_back(activate(program, input, alive.size()));
  Value sum = alive.back();
  for (alive.pop_back(); !alive.empty(); alive.pop_back())
    sum = add(program, sum, alive.back());
  return program.returning(sum);
}

} // namespace

llvm::ArrayRef<ProgramShape> tessera::programShapes() {
  static constexpr ProgramShape kShapes[] = {
      {"layers", "feed-forward layers behind each other, each added to its input", layers},
      {"chain", "each op reads the one before", chain},
      {"fan-out", "one value that all ops read", fanOut},
      {"branches", "half of the ops make results that all live until the other half adds them up", branches},
  };
  return kShapes;
}
