//===- Draw.cpp - Random shapes of models ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Draw.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::evaluation {
namespace {

// As the published configurations of the models have them.
constexpr Transformer kDecoders[] = {
    {2048, 32, 8, 64, 8192},   // Llama 3.2 1B
    {3072, 24, 8, 128, 8192},  // Llama 3.2 3B
    {4096, 32, 8, 128, 14336}, // Llama 3.1 8B, Mistral 7B
    {896, 14, 2, 64, 4864},    // Qwen 2.5 0.5B
    {1536, 12, 2, 128, 8960},  // Qwen 2.5 1.5B
    {3584, 28, 4, 128, 18944}, // Qwen 2.5 7B
    {2048, 8, 4, 256, 8192},   // Falcon 3 1B
    {3072, 12, 4, 256, 9216},  // Falcon 3 3B
    {2048, 32, 32, 64, 8192},  // Phi 1.5
    {2304, 8, 4, 256, 9216},   // Gemma 2 2B
};
constexpr Transformer kEncoders[] = {
    {768, 12, 12, 64, 3072},  // BERT base, ViT base
    {1024, 16, 16, 64, 4096}, // BERT large, ViT large
    {384, 6, 6, 64, 1536},    // ViT small, MiniLM
    {512, 8, 8, 64, 2048},    // T5 small, CLIP's text
};
constexpr ImageLayer kImageLayers[] = {
    // ResNet 50
    {224, 224, 3, 64, 7, 2, 3},
    {56, 56, 64, 64, 1, 1, 0},
    {56, 56, 64, 64, 3, 1, 1},
    {56, 56, 64, 256, 1, 1, 0},
    {56, 56, 256, 128, 1, 2, 0},
    {28, 28, 128, 128, 3, 1, 1},
    {28, 28, 512, 128, 1, 1, 0},
    {28, 28, 256, 256, 3, 2, 1},
    {14, 14, 256, 256, 3, 1, 1},
    {14, 14, 1024, 256, 1, 1, 0},
    {14, 14, 512, 512, 3, 2, 1},
    {7, 7, 512, 2048, 1, 1, 0},
    {7, 7, 512, 512, 3, 1, 1},
    // VGG, UNet
    {224, 224, 64, 64, 3, 1, 1},
    {112, 112, 128, 128, 3, 1, 1},
    {128, 128, 32, 32, 3, 1, 1},
    {64, 64, 64, 128, 3, 1, 1},
    {32, 32, 128, 256, 3, 1, 1},
    // YOLO, SegFormer's patches, ViT's
    {320, 320, 32, 64, 3, 2, 1},
    {80, 80, 128, 128, 3, 1, 1},
    {40, 40, 256, 256, 1, 1, 0},
    {512, 512, 3, 32, 7, 4, 3},
    {128, 128, 32, 64, 3, 2, 1},
    {64, 64, 64, 64, 4, 4, 0},
    {224, 224, 3, 768, 16, 16, 0},
};

} // namespace

const Transformer &Draw::decoder() { return of(llvm::ArrayRef(kDecoders)); }
const Transformer &Draw::encoder() { return of(llvm::ArrayRef(kEncoders)); }
const ImageLayer &Draw::imageLayer() { return of(llvm::ArrayRef(kImageLayers)); }

Extents Draw::heads() {
  const Transformer &model = chance(60) ? decoder() : encoder();
  // 197 is a vision transformer's: 14 x 14 patches and one token more, which fill no tiles.
  return {pick<int64_t>({1, 1, 1, 8}), chance(60) ? model.heads : model.keyValueHeads,
          pick<int64_t>({32, 128, 197, 512, 1024}), model.headSize};
}

Extents Draw::activation() {
  const Transformer &text = decoder(), &image = encoder();
  const ImageLayer &layer = imageLayer();
  // Weights in tenths: three of decode steps, two of prompts, two of encoders, one each of images, heads and edges.
  switch (below(10)) {
  case 0:
  case 1:
  case 2: // a decode step
    return {1, 1, users(), pick({text.hidden, text.hidden, text.inner})};
  case 3:
  case 4: // a prompt
    return {1, tokens(), pick({text.hidden, text.hidden, text.inner})};
  case 5:
  case 6:
    return {pick<int64_t>({1, 1, 8}), tokens(), pick({image.hidden, image.inner})};
  case 7: // an image, a pixel a row
    return {1, 1, layer.outHeight() * layer.outWidth(), layer.out};
  case 8:
    return heads();
  default: // of no model: edges
    return {pick<int64_t>({1, 2, 3}), between(1, 400), between(1, 1400)};
  }
}

std::string tensor(llvm::ArrayRef<int64_t> shape, llvm::StringRef type, llvm::StringRef layout) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return (text + type + "@" + layout).str();
}

std::string call(const std::string &operands, const std::string &results, const std::string &attributes) {
  return operands + " -> " + results + (attributes.empty() ? "" : " ; " + attributes);
}

std::string list(llvm::ArrayRef<int64_t> numbers) {
  return "[" + llvm::join(llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }), ",") + "]";
}

} // namespace tessera::evaluation
