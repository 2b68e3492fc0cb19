//===- KernelsTest.cpp - Ops by hand-computed values ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

#include "tessera/Simulator/Parallel.h"

#include <cmath>

using namespace tessera;
using namespace tessera::simulator;

namespace {

using Values = std::vector<double>;
using List = std::vector<int64_t>;

// ---- Element by element ----------------------------------------------------------------------------------

TEST(UnaryKernels, Values) {
  auto at = [](const char *op, double x) { return KernelRun(op, {tensorOf({1}, {x})}).result({1}).at(0); };
  EXPECT_EQ(at("ttnn.relu", -2), 0);
  EXPECT_EQ(at("ttnn.neg", 3), -3);
  EXPECT_EQ(at("ttnn.reciprocal", 4), 0.25);
  EXPECT_EQ(at("ttnn.rsqrt", 4), 0.5);
  EXPECT_EQ(at("ttnn.logical_not", 0), 1);
  EXPECT_FLOAT_EQ(float(at("ttnn.silu", 1)), 0.7310586f);
  EXPECT_FLOAT_EQ(float(at("ttnn.gelu", 1)), 0.8413447f);
  EXPECT_FLOAT_EQ(float(at("ttnn.sigmoid", -1)), 0.26894143f);
  EXPECT_TRUE(std::isnan(at("ttnn.relu", std::nan("")))) << "poison does not become 0";
}

TEST(UnaryKernels, Parameters) {
  EXPECT_EQ(valuesOf(KernelRun("ttnn.pow_scalar", {tensorOf({2}, {3, -2})}).with("rhs", 2.0).result({2})),
            (Values{9, 4}));
  EXPECT_EQ(valuesOf(KernelRun("ttnn.clamp_scalar", {tensorOf({3}, {-1, 1, 9})})
                         .with("min", int64_t(0))
                         .with("max", int64_t(5))
                         .result({3})),
            (Values{0, 1, 5}));
}

TEST(BinaryKernels, Broadcast) {
  KernelRun add("ttnn.add", {counting({2, 1, 3}), tensorOf({2, 1}, {10, 20})});
  EXPECT_EQ(valuesOf(add.result({2, 2, 3})), (Values{10, 11, 12, 20, 21, 22, 13, 14, 15, 23, 24, 25}));
}

TEST(BinaryKernels, Activations) {
  auto run = [](const char *list, const std::string &text) {
    KernelRun multiply("ttnn.multiply", {tensorOf({3}, {-1, 4, 9}), tensorOf({1}, {-2})});
    return valuesOf(multiply.with(list, text).result({3}));
  };
  EXPECT_EQ(run("input_tensor_a_activations", "relu"), (Values{0, -8, -18}));
  EXPECT_EQ(run("input_tensor_b_activations", "abs"), (Values{-2, 8, 18}));
  EXPECT_EQ(run("activations", "relu"), (Values{2, 0, 0}));
  // In order, by other names, with parameters.
  EXPECT_EQ(run("activations", "neg, relu"), (Values{0, 8, 18}));
  EXPECT_EQ(run("activations", "relu, neg, add_unary_sfpu(1)"), (Values{-1, 1, 1}));
  EXPECT_EQ(run("input_tensor_a_activations", "leaky_relu(0.5), recip"), (Values{4, -0.5, float(-2 / 9.0)}));
}

TEST(BinaryKernels, UnknownActivationsAreErrors) {
  KernelRun add("ttnn.add", {counting({2}), counting({2})});
  add.with("activations", std::string("relu, warp")).result({2});
  EXPECT_EQ(add.error, "the simulator does not know the activation 'warp'");
  KernelRun scaled("ttnn.add", {counting({2}), counting({2})});
  scaled.with("activations", std::string("mul_unary_sfpu")).result({2});
  EXPECT_EQ(scaled.error, "the activation 'mul_unary_sfpu' needs 1 parameters");
  KernelRun integers("ttnn.add", {counting({2}, DataType::Int32), counting({2}, DataType::Int32)});
  integers.with("activations", std::string("relu")).result({2}, DataType::Int32);
  EXPECT_EQ(integers.error, "the simulator applies the activation 'relu' to no integers");
}

TEST(BinaryKernels, IntegersAreExact) {
  // 2^24 + 1 is no float.
  KernelRun add("ttnn.add",
                {tensorOf({1}, {16777216}, DataType::Int32), tensorOf({1}, {1}, DataType::Int32)});
  EXPECT_EQ(add.result({1}, DataType::Int32).at(0), 16777217);
  KernelRun less("ttnn.lt",
                 {tensorOf({1}, {16777216}, DataType::UInt32), tensorOf({1}, {16777217}, DataType::UInt32)});
  EXPECT_EQ(less.result({1}, DataType::BFloat16).at(0), 1);
}

TEST(BinaryKernels, ShiftsKeepTheSign) {
  KernelRun shift("ttnn.bitwise_right_shift", {tensorOf({4}, {-5, 5, -1, 7}, DataType::Int32),
                                               tensorOf({4}, {1, 1, 40, 2}, DataType::Int32)});
  EXPECT_EQ(valuesOf(shift.result({4}, DataType::Int32)), (Values{-3, 2, -1, 1}));
}

/// What has no whole number counts as 0, and what 64 bits do not hold as much.
TEST(BinaryKernels, BitsOfWhatIsNoNumber) {
  KernelRun bits("ttnn.bitwise_or", {tensorOf({2}, {std::nan(""), 4}), tensorOf({2}, {1, 1})});
  EXPECT_EQ(valuesOf(bits.result({2})), (Values{1, 5}));
  KernelRun none("ttnn.bitwise_and", {tensorOf({2}, {HUGE_VAL, -HUGE_VAL}), tensorOf({2}, {0, 0})});
  EXPECT_EQ(valuesOf(none.result({2})), (Values{0, 0}));
}

TEST(BinaryKernels, Where) {
  KernelRun where("ttnn.where", {tensorOf({3}, {1, 0, -1}), tensorOf({1}, {5}), tensorOf({3}, {7, 8, 9})});
  EXPECT_EQ(valuesOf(where.result({3})), (Values{5, 8, 5}));
}

TEST(BinaryKernels, ShapesThatDoNotBroadcastAreErrors) {
  KernelRun add("ttnn.add", {counting({2}), counting({3})});
  add.result({3});
  EXPECT_EQ(add.error, "operand shapes do not broadcast to the result's");
}

// ---- Matrix products -------------------------------------------------------------------------------------

TEST(MatmulKernels, BiasAndActivation) {
  // [0 1; 2 3] * [1 0; 0 -1] = [0 -1; 2 -3], plus (1, 2), relu
  KernelRun linear("ttnn.linear", {counting({2, 2}), tensorOf({2, 2}, {1, 0, 0, -1}), tensorOf({2}, {1, 2})});
  EXPECT_EQ(valuesOf(linear.with("activation", std::string("relu")).result({2, 2})), (Values{1, 1, 3, 0}));
}

TEST(MatmulKernels, AnActivationOfTheProgramConfigCounts) {
  KernelRun matmul("ttnn.matmul", {tensorOf({1, 1}, {-3}), tensorOf({1, 1}, {1})});
  MatmulProgramConfig config;
  config.fusedActivation = "relu";
  matmul.config = config;
  EXPECT_EQ(matmul.result({1, 1}).at(0), 0);
}

TEST(MatmulKernels, BatchesBroadcastAndTranspose) {
  DenseTensor a = counting({2, 1, 2, 3}), b = counting({3, 4, 3});
  DenseTensor made = KernelRun("ttnn.matmul", {a, b}).with("transpose_b", true).result({2, 3, 2, 4});
  for (int64_t i = 0; i < made.volume(); ++i) {
    int64_t column = i % 4, row = i / 4 % 2, batchB = i / 8 % 3, batchA = i / 24;
    double sum = 0;
    for (int64_t k = 0; k < 3; ++k)
      sum += a.at((batchA * 2 + row) * 3 + k) * b.at((batchB * 4 + column) * 3 + k);
    EXPECT_EQ(made.at(i), sum) << i;
  }
}

/// However the second matrix is stored: another order of its sums would round otherwise.
TEST(MatmulKernels, TheSameBytesOfATransposedMatrix) {
  constexpr int64_t kInner = 70, kColumns = 280;
  DenseTensor a = counting({3, kInner}, DataType::Float32, 0.37),
              b = counting({kInner, kColumns}, DataType::Float32, -0.11),
              turned({{kColumns, kInner}, DataType::Float32});
  for (int64_t k = 0; k < kInner; ++k)
    for (int64_t n = 0; n < kColumns; ++n)
      turned.set(n * kInner + k, b.at(k * kColumns + n));
  DenseTensor product = KernelRun("ttnn.matmul", {a, b}).result({3, kColumns});
  KernelRun ofTurned("ttnn.matmul", {a, turned});
  EXPECT_EQ(ofTurned.with("transpose_b", true).result({3, kColumns}).floats, product.floats);
}

TEST(MatmulKernels, TheSameBytesForAnyNumberOfThreads) {
  DenseTensor a = counting({600, 700}, DataType::Float32, 0.37),
              b = counting({700, 600}, DataType::Float32, -0.11);
  setThreads(1);
  DenseTensor one = KernelRun("ttnn.matmul", {a, b}).result({600, 600});
  setThreads(2);
  EXPECT_EQ(KernelRun("ttnn.matmul", {a, b}).result({600, 600}).floats, one.floats);
}

// ---- Reductions and norms --------------------------------------------------------------------------------

TEST(ReductionKernels, Dimensions) {
  KernelRun sum("ttnn.sum", {counting({2, 3})});
  EXPECT_EQ(valuesOf(sum.with("dim_arg", List{0}).result({1, 3})), (Values{3, 5, 7}));
  EXPECT_EQ(valuesOf(KernelRun("ttnn.mean", {counting({2, 3})}).with("dim_arg", List{-1}).result({2})),
            (Values{1, 4}));
  EXPECT_EQ(KernelRun("ttnn.max", {tensorOf({3}, {-5, -2, -9})}).result({1}).at(0), -2);
  EXPECT_EQ(valuesOf(KernelRun("ttnn.cumsum", {counting({4})}).with("dim", int64_t(0)).result({4})),
            (Values{0, 1, 3, 6}));
}

TEST(ReductionKernels, ArgMaxTakesTheFirstOfEqualOnes) {
  KernelRun argmax("ttnn.argmax", {tensorOf({2, 3}, {1, 7, 7, 9, 2, 3})});
  EXPECT_EQ(valuesOf(argmax.with("dim", int64_t(1)).result({2, 1}, DataType::UInt32)), (Values{1, 0}));
}

TEST(ReductionKernels, CumulativeByAnyReduction) {
  auto run = [](const std::string &reduction, bool reverse, DataType type) {
    KernelRun cumulative("ttnn.cumulative", {tensorOf({2, 3}, {3, 1, 4, 0, 5, 2}, type)});
    cumulative.with("dim", int64_t(-1)).with("reduction", "#ttcore.reduce_type<" + reduction + ">");
    return valuesOf(cumulative.with("reverse", reverse).result({2, 3}, type));
  };
  EXPECT_EQ(run("max", false, DataType::Float32), (Values{3, 3, 4, 0, 5, 5}));
  EXPECT_EQ(run("min", true, DataType::Float32), (Values{1, 1, 4, 0, 2, 2}));
  EXPECT_EQ(run("sum", true, DataType::Int32), (Values{8, 5, 4, 7, 7, 2}));
  EXPECT_EQ(run("prod", false, DataType::Int32), (Values{3, 3, 12, 0, 0, 0}));
  EXPECT_FLOAT_EQ(float(run("logsumexp", false, DataType::Float32)[1]),
                  std::log(std::exp(3.f) + std::exp(1.f)));
  EXPECT_EQ(run("logsumexp", false, DataType::Int32)[1], 3) << "of 3.13, and no running sum";
}

/// What was read from memory that is no more has to come through.
TEST(ReductionKernels, NaNComesThroughLogarithmsOfSums) {
  KernelRun cumulative("ttnn.cumulative",
                       {tensorOf({3}, {-std::numeric_limits<double>::infinity(), std::nan(""), 1})});
  cumulative.with("dim", int64_t(0)).with("reduction", "#ttcore.reduce_type<logsumexp>");
  DenseTensor made = cumulative.with("reverse", false).result({3});
  EXPECT_TRUE(std::isnan(made.at(1)));
  EXPECT_TRUE(std::isnan(made.at(2)));
}

TEST(ReductionKernels, SoftmaxAlongAnyDimension) {
  DenseTensor made = KernelRun("ttnn.softmax", {tensorOf({2, 2}, {0, 1000, 0, 1000})})
                         .with("dimension", int64_t(0))
                         .result({2, 2});
  EXPECT_EQ(valuesOf(made), (Values{0.5, 0.5, 0.5, 0.5}));
}

TEST(NormKernels, Values) {
  DenseTensor x = tensorOf({1, 2}, {3, 4});
  DenseTensor rms = KernelRun("ttnn.rms_norm", {x, tensorOf({2}, {1, 2})})
                        .with("operandSegmentSizes", List{1, 1, 0})
                        .with("epsilon", 0.0)
                        .result({1, 2});
  EXPECT_FLOAT_EQ(rms.floats[0], 3 / std::sqrt(12.5f));
  EXPECT_FLOAT_EQ(rms.floats[1], 8 / std::sqrt(12.5f));
  DenseTensor layer = KernelRun("ttnn.layer_norm", {x, tensorOf({2}, {10, 20})})
                          .with("operandSegmentSizes", List{1, 0, 1})
                          .with("epsilon", 0.0)
                          .result({1, 2});
  EXPECT_EQ(valuesOf(layer), (Values{9, 21})) << "-1 and 1, plus the bias";
  DenseTensor batch = KernelRun("ttnn.batch_norm_inference",
                                {counting({1, 2, 1, 1}), tensorOf({2}, {1, 1}), tensorOf({2}, {4, 4})})
                          .with("operandSegmentSizes", List{1, 1, 1, 0, 0})
                          .with("epsilon", 0.0)
                          .result({1, 2, 1, 1});
  EXPECT_EQ(valuesOf(batch), (Values{-0.5, 0}));
}

// ---- Data movement ---------------------------------------------------------------------------------------

TEST(DataMovementKernels, Permute) {
  EXPECT_EQ(
      valuesOf(KernelRun("ttnn.permute", {counting({2, 3})}).with("permutation", List{1, 0}).result({3, 2})),
      (Values{0, 3, 1, 4, 2, 5}));
  DenseTensor x = counting({2, 3, 70, 40});
  DenseTensor made =
      KernelRun("ttnn.permute", {x}).with("permutation", List{1, 0, 3, 2}).result({3, 2, 40, 70});
  for (int64_t i = 0; i < made.volume(); ++i) {
    int64_t d = i % 70, c = i / 70 % 40, b = i / 2800 % 2, a = i / 5600;
    ASSERT_EQ(made.at(i), x.at(((b * 3 + a) * 70 + d) * 40 + c)) << i;
  }
}

TEST(DataMovementKernels, PermutedIntegersStayIntegers) {
  KernelRun permute("ttnn.permute", {counting({2, 3}, DataType::Int32)});
  permute.with("permutation", List{1, 0}).result({3, 2});
  EXPECT_EQ(permute.error, "of operand and result only one has integers");
}

TEST(DataMovementKernels, SliceWithSteps) {
  KernelRun slice("ttnn.slice_static", {counting({4, 6})});
  slice.with("begins", List{1, 0}).with("ends", List{4, 6}).with("step", List{2, 3});
  EXPECT_EQ(valuesOf(slice.result({2, 2})), (Values{6, 9, 18, 21}));
}

TEST(DataMovementKernels, SliceBackwards) {
  auto slice = [](int64_t begin) {
    KernelRun run("ttnn.slice_static", {counting({4})});
    return run.with("begins", List{begin}).with("ends", List{0}).with("step", List{-1});
  };
  EXPECT_EQ(valuesOf(slice(3).result({3})), (Values{3, 2, 1}));
  KernelRun behind = slice(4), before = slice(1);
  behind.result({4});
  EXPECT_EQ(behind.error, "the slice is not within dimension 0 of extent 4");
  before.result({3});
  EXPECT_EQ(before.error, "the slice is not within dimension 0 of extent 4");
}

TEST(DataMovementKernels, PadConcatRepeat) {
  KernelRun pad("ttnn.pad", {tensorOf({1, 2}, {1, 2})});
  EXPECT_EQ(valuesOf(pad.with("padding", List{1, 0, 0, 1}).with("value", -1.0).result({2, 3})),
            (Values{-1, -1, -1, 1, 2, -1}));
  KernelRun large("ttnn.pad", {tensorOf({1}, {1}, DataType::UInt32)});
  EXPECT_EQ(
      valuesOf(large.with("padding", List{0, 1}).with("value", 4294967295.0).result({2}, DataType::UInt32)),
      (Values{1, 4294967295.0}));
  KernelRun concat("ttnn.concat", {counting({2, 1}), tensorOf({2, 2}, {5, 6, 7, 8})});
  EXPECT_EQ(valuesOf(concat.with("dim", int64_t(-1)).result({2, 3})), (Values{0, 5, 6, 1, 7, 8}));
  EXPECT_EQ(valuesOf(KernelRun("ttnn.repeat", {counting({1, 2})}).result({2, 4})),
            (Values{0, 1, 0, 1, 0, 1, 0, 1}));
  KernelRun each("ttnn.repeat_interleave", {counting({2, 1})});
  EXPECT_EQ(valuesOf(each.with("dim", int64_t(0)).with("repeats", int64_t(2)).result({4, 1})),
            (Values{0, 0, 1, 1}));
}

TEST(DataMovementKernels, EmbeddingBeyondTheTableIsAnError) {
  KernelRun embedding("ttnn.embedding", {tensorOf({2}, {1, 3}, DataType::UInt32), counting({3, 2})});
  embedding.result({2, 2});
  EXPECT_EQ(embedding.error, "index 3 into a table of 3 rows");
  // What is no number, and more than any integer holds.
  for (double index : {std::nan(""), 1e30, -1e30}) {
    KernelRun none("ttnn.embedding", {tensorOf({1}, {index}), counting({3, 2})});
    none.result({1, 2});
    EXPECT_TRUE(llvm::StringRef(none.error).ends_with("into a table of 3 rows")) << none.error;
  }
}

TEST(DataMovementKernels, BitsAsAnotherType) {
  auto run = [](DataType from, double value, DataType to) {
    return KernelRun("ttnn.bitcast_convert", {tensorOf({1}, {value}, from)}).result({1}, to).at(0);
  };
  EXPECT_EQ(run(DataType::Float32, 1, DataType::Int32), 0x3F800000);
  EXPECT_EQ(run(DataType::UInt32, 0x40490000, DataType::Float32), 3.140625);
  EXPECT_EQ(run(DataType::BFloat16, -2, DataType::UInt16), 0xC000);
  KernelRun narrower("ttnn.bitcast_convert", {tensorOf({1}, {1})});
  narrower.result({1}, DataType::UInt8);
  EXPECT_EQ(narrower.error, "the simulator knows the bits of elements of one width only");
}

TEST(DataMovementKernels, TypecastTruncates) {
  KernelRun cast("ttnn.typecast", {tensorOf({3}, {1.9, -1.9, 3})});
  EXPECT_EQ(valuesOf(cast.result({3}, DataType::Int32)), (Values{1, -1, 3}));
}

// ---- Windows ---------------------------------------------------------------------------------------------

KernelRun image(const char *op, int64_t height, int64_t width, int64_t channels,
                std::vector<DenseTensor> more = {}) {
  more.insert(more.begin(), counting({1, 1, height * width, channels}));
  KernelRun run(op, std::move(more));
  run.with("batch_size", int64_t(1)).with("input_height", height).with("input_width", width);
  return run;
}

TEST(WindowKernels, ConvolutionWithPaddingAndStride) {
  // 3x3 image 0..8, kernel of ones 3x3, padding 1, stride 2: sums of the four corners' neighbourhoods
  KernelRun conv =
      image("ttnn.conv2d", 3, 3, 1,
            {tensorOf({1, 1, 3, 3}, {1, 1, 1, 1, 1, 1, 1, 1, 1}), tensorOf({1, 1, 1, 1}, {0.5})});
  conv.with("in_channels", int64_t(1)).with("out_channels", int64_t(1)).with("groups", int64_t(1));
  conv.with("kernel_size", List{3, 3})
      .with("stride", List{2, 2})
      .with("padding", List{1, 1})
      .with("dilation", List{1, 1});
  EXPECT_EQ(valuesOf(conv.result({1, 1, 4, 1})), (Values{8.5, 12.5, 20.5, 24.5}));
}

/// What is prepared is convolved with as what it was made of.
TEST(WindowKernels, PreparedWeights) {
  DenseTensor weight = counting({2, 3, 2, 2}), bias = tensorOf({1, 1, 1, 2}, {1, -1});
  KernelRun prepare("ttnn.prepare_conv2d_weights", {weight});
  DenseTensor prepared = prepare.with("groups", int64_t(1)).result({1, 1, 12, 2});
  // Rows go through the taps, and through the input channels within a tap; columns are output channels.
  EXPECT_EQ(prepared.at(0), 0);
  EXPECT_EQ(prepared.at(1), 12);
  EXPECT_EQ(prepared.at(2), 4) << "the second input channel of the first tap";
  DenseTensor preparedBias = KernelRun("ttnn.prepare_conv2d_bias", {bias}).result({1, 1, 1, 2});
  auto convolve = [](const DenseTensor &weight, const DenseTensor &bias) {
    KernelRun conv = image("ttnn.conv2d", 3, 3, 3, {weight, bias});
    conv.with("in_channels", int64_t(3)).with("out_channels", int64_t(2)).with("groups", int64_t(1));
    conv.with("kernel_size", List{2, 2})
        .with("stride", List{1, 1})
        .with("padding", List{0, 0})
        .with("dilation", List{1, 1});
    return valuesOf(conv.result({1, 1, 4, 2}));
  };
  EXPECT_EQ(convolve(weight, bias), convolve(prepared, preparedBias));
  KernelRun padded("ttnn.prepare_conv2d_weights", {weight});
  EXPECT_EQ(convolve(weight, bias), convolve(padded.result({1, 1, 32, 32}), preparedBias));
  KernelRun torn("ttnn.prepare_conv2d_weights", {weight});
  torn.result({1, 1, 13, 2});
  EXPECT_EQ(torn.error, "the simulator prepares weights as OIHW to rows of (tap, input channel); "
                        "got 2x3x2x2 f32 to 1x1x13x2 f32");
}

/// Of groups, too: between what is not of one group stand zeros.
TEST(WindowKernels, PreparedWeightsOfGroups) {
  DenseTensor weight = counting({4, 2, 2, 2});
  KernelRun prepare("ttnn.prepare_conv2d_weights", {weight});
  DenseTensor prepared = prepare.with("groups", int64_t(2)).result({1, 1, 16, 4});
  EXPECT_EQ(prepared.at(1), 8) << "the second output, of the first group's first input";
  EXPECT_EQ(prepared.at(2), 0) << "the third output, of the other group";
  auto convolve = [](const DenseTensor &weight) {
    KernelRun conv = image("ttnn.conv2d", 3, 3, 4, {weight});
    conv.with("in_channels", int64_t(4)).with("out_channels", int64_t(4)).with("groups", int64_t(2));
    conv.with("kernel_size", List{2, 2})
        .with("stride", List{1, 1})
        .with("padding", List{0, 0})
        .with("dilation", List{1, 1});
    return valuesOf(conv.result({1, 1, 4, 4}));
  };
  EXPECT_EQ(convolve(weight), convolve(prepared));
}

/// Volumes in groups: raw, prepared, and as two convolutions of half the channels each.
TEST(WindowKernels, VolumesInGroups) {
  auto convolve = [](const DenseTensor &input, const DenseTensor &weight, int64_t groups, int64_t outputs) {
    KernelRun conv("ttnn.conv3d", {input, weight});
    conv.with("groups", groups).with("kernel_size", List{2, 1, 2}).with("stride", List{1, 1, 1});
    return valuesOf(conv.with("padding", List{0, 0, 0}).result({1, 1, 1, 2, outputs}));
  };
  DenseTensor weight = counting({2, 2, 2, 1, 2}), input = counting({1, 2, 1, 3, 4});
  Values whole = convolve(input, weight, 2, 2);
  KernelRun prepare("ttnn.prepare_conv3d_weights", {weight});
  DenseTensor prepared = prepare.with("groups", int64_t(2)).with("c_in_block", int64_t(0)).result({16, 2});
  EXPECT_EQ(prepared.at(1), 0) << "the second output, of the first group's first input";
  EXPECT_EQ(convolve(input, prepared, 2, 2), whole);
  for (int64_t group = 0; group < 2; ++group) {
    DenseTensor half = counting({1, 2, 1, 3, 2}), part = counting({1, 2, 2, 1, 2});
    for (int64_t i = 0; i < half.volume(); ++i)
      half.floats[size_t(i)] = float(input.at(i / 2 * 4 + group * 2 + i % 2));
    for (int64_t i = 0; i < part.volume(); ++i)
      part.floats[size_t(i)] = float(weight.at(group * 8 + i));
    Values alone = convolve(half, part, 1, 1);
    EXPECT_EQ(alone, (Values{whole[size_t(group)], whole[size_t(2 + group)]}));
  }
  KernelRun uneven("ttnn.conv3d", {input, weight});
  uneven.with("groups", int64_t(3)).result({1, 1, 1, 2, 2});
  EXPECT_EQ(uneven.error, "the channels of a volume are no whole groups");
}

/// Each pixel, times the kernel, is added where it goes: a reference that shares nothing with the kernel, which looks from the other side.
TEST(WindowKernels, TransposedConvolution) {
  for (int64_t groups : {1, 2}) {
    const int64_t in = 4, out = 6, height = 3, width = 2, kernel[] = {3, 2}, stride[] = {2, 3},
                  dilation[] = {1, 2}, pad[] = {1, 0, 2, 1}, extra[] = {1, 0};
    const int64_t rows =
        (height - 1) * stride[0] - pad[0] - pad[1] + dilation[0] * (kernel[0] - 1) + extra[0] + 1;
    const int64_t columns =
        (width - 1) * stride[1] - pad[2] - pad[3] + dilation[1] * (kernel[1] - 1) + extra[1] + 1;
    DenseTensor weight = counting({in, out / groups, kernel[0], kernel[1]});
    Values wanted;
    for (int64_t pixel = 0; pixel < rows * columns; ++pixel)
      wanted.insert(wanted.end(), {1, 2, 3, 4, 5, 6});
    DenseTensor bias =
        KernelRun("ttnn.prepare_conv_transpose2d_bias", {tensorOf({1, 1, 1, 6}, {1, 2, 3, 4, 5, 6})})
            .result({1, 1, 1, 6});
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x)
        for (int64_t c = 0; c < in; ++c)
          for (int64_t o = 0; o < out / groups; ++o)
            for (int64_t ky = 0; ky < kernel[0]; ++ky)
              for (int64_t kx = 0; kx < kernel[1]; ++kx) {
                int64_t row = y * stride[0] + ky * dilation[0] - pad[0],
                        column = x * stride[1] + kx * dilation[1] - pad[2];
                if (row < 0 || row >= rows || column < 0 || column >= columns)
                  continue;
                int64_t output = c / (in / groups) * (out / groups) + o;
                wanted[size_t((row * columns + column) * out + output)] +=
                    double((y * width + x) * in + c) *
                    weight.at(((c * (out / groups) + o) * kernel[0] + ky) * kernel[1] + kx);
              }
    auto convolve = [&](const DenseTensor &given) {
      KernelRun conv = image("ttnn.conv_transpose2d", height, width, in, {given, bias});
      conv.with("in_channels", in).with("out_channels", out).with("groups", groups);
      conv.with("kernel_size", List{kernel[0], kernel[1]}).with("stride", List{stride[0], stride[1]});
      conv.with("padding", List{pad[0], pad[2], pad[1], pad[3]}) // above and to the left first
          .with("dilation", List{dilation[0], dilation[1]});
      conv.with("output_padding", List{extra[0], extra[1]});
      return valuesOf(conv.result({1, 1, rows * columns, out}));
    };
    EXPECT_EQ(convolve(weight), wanted);
    KernelRun prepare("ttnn.prepare_conv_transpose2d_weights", {weight});
    EXPECT_EQ(convolve(prepare.with("groups", groups).result({1, 1, kernel[0] * kernel[1] * in, out})),
              wanted);
    // Turned around by who made them, and told so.
    DenseTensor turned = weight;
    for (int64_t i = 0; i < in * out / groups; ++i)
      std::reverse(turned.floats.begin() + i * kernel[0] * kernel[1],
                   turned.floats.begin() + (i + 1) * kernel[0] * kernel[1]);
    KernelRun known("ttnn.prepare_conv_transpose2d_weights", {turned});
    known.with("groups", groups).with("mirror_kernel", false);
    EXPECT_EQ(convolve(known.result({1, 1, kernel[0] * kernel[1] * in, out})), wanted);
  }
}

TEST(WindowKernels, ConvolutionOfALine) {
  KernelRun conv("ttnn.conv1d", {tensorOf({1, 4, 1}, {1, 2, 3, 4}), tensorOf({1, 1, 3}, {1, 10, 100})});
  conv.with("in_channels", int64_t(1)).with("out_channels", int64_t(1)).with("groups", int64_t(1));
  conv.with("batch_size", int64_t(1)).with("input_length", int64_t(4)).with("kernel_size", int64_t(3));
  conv.with("stride", int64_t(1)).with("padding", List{1, 1}).with("dilation", int64_t(1));
  EXPECT_EQ(valuesOf(conv.result({1, 1, 4, 1})), (Values{210, 321, 432, 43}));
}

TEST(WindowKernels, DepthwiseConvolution) {
  // Two channels, each with a kernel of its own: 1x1 with weights 2 and 3
  KernelRun conv = image("ttnn.conv2d", 1, 2, 2, {tensorOf({2, 1, 1, 1}, {2, 3})});
  conv.with("in_channels", int64_t(2)).with("out_channels", int64_t(2)).with("groups", int64_t(2));
  conv.with("kernel_size", List{1, 1})
      .with("stride", List{1, 1})
      .with("padding", List{0, 0})
      .with("dilation", List{1, 1});
  EXPECT_EQ(valuesOf(conv.result({1, 1, 2, 2})), (Values{0, 3, 4, 9}));
}

TEST(WindowKernels, PoolsInCeilMode) {
  KernelRun pool = image("ttnn.max_pool2d", 3, 3, 1);
  pool.with("channels", int64_t(1)).with("ceil_mode", true);
  pool.with("kernel_size", List{2, 2})
      .with("stride", List{2, 2})
      .with("padding", List{0, 0})
      .with("dilation", List{1, 1});
  EXPECT_EQ(valuesOf(pool.result({1, 1, 4, 1})), (Values{4, 5, 7, 8}));
}

TEST(WindowKernels, PaddingOfPoolsBeginsAboveAndToTheLeft) {
  KernelRun pool = image("ttnn.max_pool2d", 2, 3, 1);
  pool.with("channels", int64_t(1)).with("ceil_mode", false);
  pool.with("kernel_size", List{2, 2})
      .with("stride", List{1, 2})
      .with("padding", List{0, 0, 1, 1})
      .with("dilation", List{1, 1});
  EXPECT_EQ(valuesOf(pool.result({1, 1, 4, 1})), (Values{4, 5, 4, 5}))
      << "a row below, a column to the right";
}

TEST(WindowKernels, Upsample) {
  DenseTensor made = KernelRun("ttnn.upsample", {counting({1, 1, 2, 1})}).result({1, 2, 4, 1});
  EXPECT_EQ(valuesOf(made), (Values{0, 0, 1, 1, 0, 0, 1, 1}));
}

// ---- Collectives -----------------------------------------------------------------------------------------

/// Runs a collective on 2 x 2 devices, device d holding `operand(d)`; the results, one list per device.
std::vector<Values> onMesh(const OpSignature &op, Shape shape, llvm::function_ref<DenseTensor(int)> operand) {
  std::vector<DenseTensor> operands(4);
  std::vector<std::vector<const DenseTensor *>> pointers(4);
  std::vector<std::vector<DenseTensor>> results(4);
  std::vector<KernelCall> calls;
  OpSpecificConfig config;
  for (size_t d = 0; d < 4; ++d) {
    operands[d] = operand(int(d));
    pointers[d] = {&operands[d]};
    results[d].emplace_back(TensorDesc{shape, DataType::Float32});
    calls.push_back({op, config, pointers[d], results[d]});
  }
  CollectiveCall call{{2, 2}, calls};
  llvm::cantFail(findKernel(op.name)->collective(call));
  std::vector<Values> made;
  for (const std::vector<DenseTensor> &result : results)
    made.push_back(valuesOf(result.front()));
  return made;
}

TEST(CollectiveKernels, AlongAnAxis) {
  auto own = [](int d) { return tensorOf({2}, {double(d), double(10 * d)}); };
  OpSignature reduce{"ttnn.all_reduce", {}, {}, {}};
  reduce.addAttribute("cluster_axis", int64_t(1));
  reduce.addAttribute("reduce_type", std::string("#ttcore.reduce_type<sum>"));
  EXPECT_EQ(onMesh(reduce, {2}, own), (std::vector<Values>{{1, 10}, {1, 10}, {5, 50}, {5, 50}}));
  OpSignature gather{"ttnn.all_gather", {}, {}, {}};
  gather.addAttribute("cluster_axis", int64_t(0));
  gather.addAttribute("all_gather_dim", int64_t(0));
  EXPECT_EQ(onMesh(gather, {4}, own),
            (std::vector<Values>{{0, 0, 2, 20}, {1, 10, 3, 30}, {0, 0, 2, 20}, {1, 10, 3, 30}}));
  OpSignature part{"ttnn.mesh_partition", {}, {}, {}};
  part.addAttribute("cluster_axis", int64_t(1));
  part.addAttribute("dim", int64_t(0));
  EXPECT_EQ(onMesh(part, {1}, own), (std::vector<Values>{{0}, {10}, {2}, {30}}));
}

/// Whichever device has it.
TEST(CollectiveKernels, NaNComesThrough) {
  for (const char *type : {"max", "min"})
    for (int broken : {0, 3}) {
      OpSignature reduce{"ttnn.all_reduce", {}, {}, {}};
      reduce.addAttribute("reduce_type", "#ttcore.reduce_type<" + std::string(type) + ">");
      auto made = onMesh(reduce, {1}, [&](int d) { return tensorOf({1}, {d == broken ? std::nan("") : d}); });
      for (const Values &values : made)
        EXPECT_TRUE(std::isnan(values[0])) << type << " of device " << broken;
    }
}

/// Sums are 3, 4, and their root mean square is 5 / sqrt(2).
TEST(Kernels, RmsNormOfASum) {
  KernelRun run("ttnn.rms_norm_residual",
                {tensorOf({1, 2}, {1, 5}), tensorOf({1, 2}, {2, -1}), tensorOf({2}, {5, 10})});
  run.with("epsilon", 0.0);
  std::vector<DenseTensor> made = run.allResults({{{1, 2}, DataType::Float32}, {{1, 2}, DataType::Float32}});
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(valuesOf(made[1]), (std::vector<double>{3, 4}));
  EXPECT_NEAR(made[0].at(0), 3 * std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(made[0].at(1), 8 * std::sqrt(2.0), 1e-6);
  KernelRun narrow("ttnn.rms_norm_residual",
                   {tensorOf({1, 2}, {1, 5}), tensorOf({1, 2}, {2, -1}), tensorOf({1}, {5})});
  narrow.allResults({{{1, 2}, DataType::Float32}, {{1, 2}, DataType::Float32}});
  EXPECT_EQ(narrow.error,
            "residual and results are not as large as the operand, or the weight is no row of it");
}

} // namespace
