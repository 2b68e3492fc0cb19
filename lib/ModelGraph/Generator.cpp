//===- Generator.cpp - Tokens, one after the other ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Runs a model for several users. A prefill is one program for one user's
// prompt: rows of tokens are cut over the rows of the mesh, filled up to whole
// tiles, and its latents go to the cache. A decode step is one program for all
// users, 32 to a row of the mesh; a user without a token takes part with
// position -1. Caches are pages of 32 positions, and here user i of a device
// has pages from i times the pages of a user on: page tables say so, as the
// kernels ask for tables.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Generator.h"

#include "tessera/ModelGraph/Forward.h"
#include "tessera/ModelRunner/ConfigHelpers.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace tessera;
using namespace tessera::runner;
using simulator::DenseTensor;
using simulator::MeshTensor;

// ---- Rotary embedding ------------------------------------------------------------------------------------

void runner::rotaryRow(const HfConfig &hf, int64_t position, llvm::MutableArrayRef<float> cos,
                       llvm::MutableArrayRef<float> sin) {
  const RopeScaling &rope = hf.rope_scaling;
  auto width = double(hf.qk_rope_head_dim);
  // Slow turns are stretched, fast ones stay, those between are mixed.
  auto boundary = [&](double rotations) {
    return width * std::log(double(rope.original_max_position_embeddings) / (rotations * 2 * M_PI)) /
           (2 * std::log(hf.rope_theta));
  };
  bool stretched = rope.factor > 1;
  // Rounded outwards, so that a dimension between the two bounds is mixed and none of them left out (facts/deepseek
  // 4.2).
  double low = stretched ? std::max(std::floor(boundary(rope.beta_fast)), 0.0) : 0;
  double high = stretched ? std::min(std::ceil(boundary(rope.beta_slow)), width - 1) : 0;
  auto scaleOf = [&](double mscale) { return stretched ? 0.1 * mscale * std::log(rope.factor) + 1 : 1; };
  // mscale_all_dim stands in the softmax's scale already (mla1d::scale); with equal factors 1 is left.
  double magnitude = scaleOf(rope.mscale) / scaleOf(rope.mscale_all_dim);
  for (size_t i = 0; i != cos.size() / 2; ++i) {
    double fast = std::pow(hf.rope_theta, -2 * double(i) / width);
    // The bounds may coincide, as in a model of few dimensions.
    double ramp = stretched ? std::clamp((double(i) - low) / std::max(high - low, 0.001), 0.0, 1.0) : 0;
    double angle = double(position) * (fast / rope.factor * ramp + fast * (1 - ramp));
    // Neighbours turn together, as the published weights have them (rope_interleave): places 2i and 2i + 1 have one
    // angle.
    cos[2 * i] = cos[2 * i + 1] = float(magnitude * std::cos(angle));
    sin[2 * i] = sin[2 * i + 1] = float(magnitude * std::sin(angle));
  }
}

int64_t runner::greedyToken(llvm::ArrayRef<float> logits) {
  return std::max_element(logits.begin(), logits.end()) - logits.begin();
}

namespace {

/// Rows of the table of cosines or of sines, from `first` on.
void fillRotary(const HfConfig &hf, bool sines, DenseTensor &table) {
  auto width = size_t(hf.qk_rope_head_dim);
  std::vector<float> cos(width), sin(width);
  for (int64_t position = 0; position != table.volume() / int64_t(width); ++position) {
    rotaryRow(hf, position, cos, sin);
    std::copy_n((sines ? sin : cos).begin(), width, table.floats.begin() + position * int64_t(width));
  }
}

/// Neighbours (a, b) become (-b, a).
void fillRotation(DenseTensor &matrix) {
  for (int64_t i = 0; i != kTile; i += 2) {
    // Rows are multiplied from the left, so column i says what becomes of place i: minus its neighbour.
    matrix.set((i + 1) * kTile + i, -1);
    matrix.set(i * kTile + i + 1, 1);
  }
}

} // namespace

bool runner::fillRotaryInput(const HfConfig &hf, llvm::StringRef input, DenseTensor &tensor) {
  if (input == "rotation")
    fillRotation(tensor);
  else if (input == "cos" || input == "sin")
    fillRotary(hf, input == "sin", tensor);
  else
    return false;
  return true;
}

// ---- Users -----------------------------------------------------------------------------------------------

int64_t Generator::users() const { return kUsersPerRow * modelTarget.mesh.rows; }

UserPlace Generator::placeOf(int64_t user) const {
  int64_t inRow = user % kUsersPerRow, share = kUsersPerRow / modelTarget.columns();
  return {user / kUsersPerRow, inRow / share, inRow, inRow % share};
}

namespace {

/// Positions that each user has in the caches of a state, 0 if it has none; a block is left for those of no user.
int64_t positionsOf(const Item &state, int64_t usersPerDevice) {
  // The first cache that is found speaks for all: a state has one for each layer, of equal size.
  if (std::optional<KvCacheConfig> cache = fromItem<KvCacheConfig>(state))
    // One block is for nobody (Modules.h, createState).
    return cache->kv_cache_shape && !cache->kv_cache_shape->empty()
               ? (cache->kv_cache_shape->front() - 1) / usersPerDevice * kTile
               : 0;
  int64_t found = 0;
  if (const Dict *dict = state.get<Dict>())
    for (const auto &[key, item] : dict->entries)
      found = found ? found : positionsOf(item, usersPerDevice);
  if (const Sequence *list = state.get<Sequence>())
    for (const Item &item : list->items)
      found = found ? found : positionsOf(item, usersPerDevice);
  return found;
}

} // namespace

llvm::Expected<Generator> Generator::make(mlir::MLIRContext &context, const GeneratorOptions &options,
                                          const WeightReader &weights) {
  Generator made(context, options, weights);
  if (llvm::Error error = checkMesh(weights.hf(), weights.mesh()))
    return std::move(error);
  // A board's own mesh may be another one than the weights are cut for.
  made.options.board.mesh = weights.mesh();
  made.modelTarget = {weights.hf(), weights.mesh(), options.board.workerGrid, options.board.dramBanks};
  int64_t most = weights.hf().max_position_embeddings;
  if (options.positions > most)
    return simulator::failure("the model knows " + llvm::Twine(most) + " positions; " +
                              llvm::Twine(options.positions) + " are needed");
  // A prefill fills whole tiles of rows on all mesh rows.
  made.modelTarget.cachePositions =
      alignUp(options.positions ? options.positions : most, kTile * weights.mesh().rows);
  if (int64_t given = positionsOf(options.state, kUsersPerRow / weights.mesh().columns)) {
    if (given < 0)
      return simulator::failure("the state's caches have a kv_cache_shape that begins with a negative "
                                "number of blocks; each user has one or more, and one is for nobody");
    if (options.positions > given)
      return simulator::failure("the state's caches have " + llvm::Twine(given) + " positions; " +
                                llvm::Twine(options.positions) + " are needed");
    made.modelTarget.cachePositions = given;
  }
  return made;
}

MeshTensor Generator::perDevice(const TensorDesc &desc,
                                llvm::function_ref<void(size_t, DenseTensor &)> fill) const {
  MeshTensor tensors;
  for (int64_t device = 0; device != modelTarget.mesh.volume(); ++device)
    fill(size_t(device), tensors.emplace_back(desc));
  return tensors;
}

llvm::Expected<TracedModel> Generator::programOf(const Target &target, Phase phase) const {
  auto trace = [&](bool asConfigured) {
    return traceModel(*context, target, phase, options.board,
                      {phase == Phase::Prefill ? options.prefillConfig : options.decodeConfig,
                       weights->weightConfig(), options.state, weights, asConfigured});
  };
  if (!options.policy.empty()) {
    llvm::Expected<OptimizedTrace> optimized = optimizedTrace(trace, options.board, options.policy);
    if (!optimized)
      return optimized.takeError();
    return std::move(optimized->model);
  }
  llvm::Expected<TracedModel> traced = trace(options.asConfigured);
  if (traced && options.asConfigured)
    if (llvm::Error refused = checkConfigured(*traced->module, options.board))
      return std::move(refused);
  return traced;
}

llvm::Expected<const Executable *> Generator::executable(Phase phase, int64_t rows) {
  if (phase == Phase::Decode && decoder)
    return &*decoder;
  if (auto found = prefills.find(rows); phase == Phase::Prefill && found != prefills.end())
    return &found->second;
  Target target = modelTarget;
  // A prefill is a program for one length, and is kept: prompts of equal length in tiles share it.
  target.sequenceLength = rows;
  auto begin = std::chrono::steady_clock::now();
  llvm::Expected<TracedModel> traced = programOf(target, phase);
  if (!traced)
    return traced.takeError();
  llvm::Expected<Executable> made = Executable::make(std::move(*traced), options.board);
  if (!made)
    return made.takeError();
  programSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (phase == Phase::Decode)
    return &decoder.emplace(std::move(*made));
  return &prefills.emplace(rows, std::move(*made)).first->second;
}

/// The head's columns are cut over the columns of the mesh, so a row of logits is the parts of a mesh row one after the
/// other.
std::vector<float> Generator::gathered(const MeshTensor &tensors, int64_t meshRow, int64_t row) const {
  std::vector<float> all;
  for (int64_t column = 0; column != modelTarget.columns(); ++column) {
    const DenseTensor &tensor = tensors[size_t(meshRow * modelTarget.columns() + column)];
    int64_t width = tensor.shape().back();
    all.insert(all.end(), tensor.floats.begin() + row * width, tensor.floats.begin() + (row + 1) * width);
  }
  return all;
}

llvm::Expected<std::vector<float>> Generator::prefill(int64_t user, llvm::ArrayRef<int64_t> prompt) {
  int64_t length = int64_t(prompt.size()), meshRows = modelTarget.mesh.rows;
  int64_t rows = alignUp(length, kTile * meshRows) / meshRows; // of a device
  // Rows that fill the last tile write to the cache, too; a position counts only after its token has.
  if (rows * meshRows > modelTarget.cachePositions)
    return simulator::failure("a prompt of " + llvm::Twine(length) + " tokens does not fit a cache of " +
                              llvm::Twine(modelTarget.cachePositions) + " positions");
  llvm::Expected<const Executable *> program = executable(Phase::Prefill, rows);
  if (!program)
    return program.takeError();
  UserPlace place = placeOf(user);
  int64_t columns = modelTarget.columns(), blocks = modelTarget.cachePositions / kTile;
  auto inputs = [&](const GraphArgument &argument) {
    return perDevice(argument.desc, [&](size_t device, DenseTensor &tensor) {
      // Devices that do not own the user write the block that is left for no user, since all run the same
      // program.
      bool owner = int64_t(device) == place.row * columns + place.column;
      if (argument.name == "ids")
        for (int64_t i = 0; i != length; ++i)
          tensor.set(i, double(prompt[size_t(i)]));
      else if (argument.name == "page_table")
        for (int64_t i = 0; i != blocks; ++i)
          tensor.set(i, double(owner ? place.onDevice * blocks + i : kUsersPerRow / columns * blocks));
      else
        fillRotaryInput(modelTarget.hf, argument.name, tensor);
    });
  };
  llvm::Expected<MeshTensor> logits = (*program)->run(*weights, kept, inputs, options.maxMemory);
  if (!logits)
    return logits.takeError();
  // Of the last token: rows of the sequence go over the mesh rows in order.
  return gathered(*logits, (length - 1) / rows, (length - 1) % rows);
}

llvm::Expected<std::vector<std::vector<float>>> Generator::decode(llvm::ArrayRef<UserToken> tokens) {
  llvm::Expected<const Executable *> program = executable(Phase::Decode, kUsersPerRow);
  if (!program)
    return program.takeError();
  int64_t columns = modelTarget.columns();
  // The page table names no block for a position beyond the cache.
  for (const UserToken &token : tokens)
    if (token.position >= modelTarget.cachePositions)
      return simulator::failure("position " + llvm::Twine(token.position) + " of a cache of " +
                                llvm::Twine(modelTarget.cachePositions));
  auto inputs = [&](const GraphArgument &argument) {
    return perDevice(argument.desc, [&](size_t device, DenseTensor &tensor) {
      int64_t row = int64_t(device) / columns, column = int64_t(device) % columns;
      if (fillRotaryInput(modelTarget.hf, argument.name, tensor))
        return;
      if (argument.name == "page_table") {
        for (int64_t i = 0; i != tensor.volume(); ++i) // user after user
          tensor.set(i, double(i));
        return;
      }
      // Users without a token have position -1, which the cache update skips.
      bool ofDevice = argument.name == "positions";
      if (ofDevice)
        for (int64_t i = 0; i != tensor.volume(); ++i)
          tensor.set(i, -1);
      for (auto [user, token] : llvm::enumerate(tokens)) {
        UserPlace place = placeOf(int64_t(user));
        if (argument.name == "ids")
          tensor.set(int64_t(user), double(token.token));
        else if (ofDevice && place.row == row && place.column == column)
          tensor.set(place.onDevice, double(token.position));
        else if (argument.name == "position_ids" && place.row == row)
          tensor.set(place.inRow, double(std::max<int64_t>(token.position, 0)));
      }
    });
  };
  llvm::Expected<MeshTensor> logits = (*program)->run(*weights, kept, inputs, options.maxMemory);
  if (!logits)
    return logits.takeError();
  std::vector<std::vector<float>> ofUsers;
  for (size_t user = 0; user != tokens.size(); ++user) {
    UserPlace place = placeOf(int64_t(user));
    ofUsers.push_back(tokens[user].position < 0 ? std::vector<float>()
                                                : gathered(*logits, place.row, place.inRow));
  }
  return ofUsers;
}
