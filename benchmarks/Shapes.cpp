//===- Shapes.cpp - Modules of any length ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Shapes.h"

#include "DecodeLayers.h"
#include "ProgramText.h"

#include <vector>

using namespace tessera;

namespace {

/// 256 tokens of 1024 features.
TensorText tokens() { return dramTensor({256, 1024}); }

ValueText add(ProgramText &program, const ValueText &a, const ValueText &b) {
  return program.eltwise("add", {a, b});
}

ValueText activate(ProgramText &program, const ValueText &value, size_t turn) {
  static constexpr llvm::StringLiteral kActivations[] = {"relu", "gelu", "neg", "silu"};
  return program.eltwise(kActivations[turn % std::size(kActivations)], value);
}

std::string chain(size_t ops) {
  ProgramText program(ops);
  ValueText value = program.argument("input", tokens());
  for (size_t turn = 0; !program.isLongEnough(); ++turn)
    value = activate(program, value, turn);
  return program.returning(value);
}

/// Each layer with weights of its own, as models have them.
std::string layers(size_t ops) {
  constexpr llvm::StringLiteral
      kNorm = " <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}>",
      kMatmul = " <{transpose_a = false, transpose_b = false}>";
  ProgramText program(ops);
  ValueText value = program.argument("input", tokens());
  while (!program.isLongEnough()) {
    ValueText scale = program.argument("parameter", dramTensor({1024})),
              up = program.argument("parameter", dramTensor({1024, 4096})),
              down = program.argument("parameter", dramTensor({4096, 1024}));
    ValueText normed = program.op("rms_norm", {value, scale}, tokens(), kNorm);
    ValueText hidden =
        program.eltwise("gelu", program.op("matmul", {normed, up}, dramTensor({256, 4096}), kMatmul));
    value =
        add(program, value, program.eltwise("silu", program.op("matmul", {hidden, down}, tokens(), kMatmul)));
  }
  return program.returning(value);
}

std::string fanOut(size_t ops) {
  ProgramText program(ops);
  ValueText read = activate(program, program.argument("input", tokens()), 0);
  ValueText sum = read;
  while (!program.isLongEnough())
    sum = add(program, sum, read);
  return program.returning(sum);
}

/// The first branch made is the last one read.
std::string branches(size_t ops) {
  ProgramText program(ops);
  ValueText input = program.argument("input", tokens());
  std::vector<ValueText> alive;
  while (2 * alive.size() < ops + 1)
    alive.push_back(activate(program, input, alive.size()));
  ValueText sum = alive.back();
  for (alive.pop_back(); !alive.empty(); alive.pop_back())
    sum = add(program, sum, alive.back());
  return program.returning(sum);
}

} // namespace

llvm::ArrayRef<ProgramShape> tessera::programShapes() {
  static constexpr ProgramShape kShapes[] = {
      {"layers", "feed-forward layers behind each other, each added to its input", layers},
      {"decode", "layers of a language model that decodes, 207 ops each", decodeLayers},
      {"chain", "each op reads the one before", chain},
      {"fan-out", "one value that all ops read", fanOut},
      {"branches", "half of the ops make results that all live until the other half adds them up", branches},
  };
  return kShapes;
}
