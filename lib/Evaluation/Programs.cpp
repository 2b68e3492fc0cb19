//===- Programs.cpp - Parts of ops that profiles time by themselves -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Profilers time parts of an op by themselves, such as a halo or the kernel of a
// convolution, and formulas have functions for them. A row names the part as if
// it were an op (program.halo), with its work as attributes. What a figure of
// work is called stands in one list for each kind of work, by which it is read
// and written.
//
//===----------------------------------------------------------------------===//
#include "Programs.h"

#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <variant>

namespace tessera::evaluation {
namespace {

using namespace analytic;

/// An attribute of a program and the figure of its work that it is.
template <class Work>
struct Figure {
  llvm::StringLiteral name;
  std::variant<double Work::*, bool Work::*, int Work::*> member;
};

/// One list serves both ways, so what programOf() writes is what programTime() reads.
template <class Work>
struct Figures;

template <>
struct Figures<HaloWork> {
  static constexpr Figure<HaloWork> all[] = {{"shard_rows", &HaloWork::shardRows},
                                             {"row_bytes", &HaloWork::rowBytes},
                                             {"tile_rows", &HaloWork::tileRows},
                                             {"tile_columns", &HaloWork::tileCols},
                                             {"out_rows", &HaloWork::outRows},
                                             {"image_share", &HaloWork::imageShare},
                                             {"needed_rows", &HaloWork::neededRows},
                                             {"pixel_cores", &HaloWork::pixelCores},
                                             {"cores", &HaloWork::cores}};
};
template <>
struct Figures<PaddedSliceWork> {
  static constexpr Figure<PaddedSliceWork> all[] = {
      {"shard_rows", &PaddedSliceWork::shardRows}, {"row_bytes", &PaddedSliceWork::rowBytes},
      {"tile_rows", &PaddedSliceWork::tileRows},   {"tile_columns", &PaddedSliceWork::tileCols},
      {"narrow", &PaddedSliceWork::narrow},        {"bytes", &PaddedSliceWork::bytes}};
};
template <>
struct Figures<SliceWriteWork> {
  static constexpr Figure<SliceWriteWork> all[] = {{"tiled", &SliceWriteWork::tiled},
                                                   {"units", &SliceWriteWork::units},
                                                   {"row_bytes", &SliceWriteWork::rowBytes},
                                                   {"bytes", &SliceWriteWork::bytes}};
};
template <>
struct Figures<PoolWork> {
  static constexpr Figure<PoolWork> all[] = {{"sticks", &PoolWork::sticks},
                                             {"tile_columns", &PoolWork::tileCols},
                                             {"kernel_h", &PoolWork::kernelH},
                                             {"kernel_w", &PoolWork::kernelW}};
};
template <>
struct Figures<ConvWork> {
  static constexpr Figure<ConvWork> all[] = {{"rows", &ConvWork::rows},
                                             {"columns", &ConvWork::columns},
                                             {"inner", &ConvWork::inner},
                                             {"block_rows", &ConvWork::blockRows},
                                             {"block_inner", &ConvWork::blockInner},
                                             {"kernel_h", &ConvWork::kernelH},
                                             {"kernel_w", &ConvWork::kernelW},
                                             {"stick_bytes", &ConvWork::stickBytes},
                                             {"weight_tile", &ConvWork::weightTile},
                                             {"channel_cores", &ConvWork::channelCores},
                                             {"multicast", &ConvWork::multicast},
                                             {"double_buffer", &ConvWork::doubleBuffer},
                                             {"fidelity", &ConvWork::fidelity}};
};

// ---- Attributes to work and back ------------------------------------------------------------------------

AttrValue valueOf(bool flag) { return flag; }
AttrValue valueOf(int number) { return int64_t(number); }
// Whole numbers are written as such: most figures are counts, and double only to be computed with.
AttrValue valueOf(double number) {
  int64_t whole = int64_t(number);
  return double(whole) == number ? AttrValue(whole) : AttrValue(number);
}

/// False if the value is of another kind than the member, or beyond what a device can be asked to do.
bool assign(bool &flag, const AttrValue &value) {
  const bool *given = std::get_if<bool>(&value);
  return given && (flag = *given, true);
}
bool assign(double &number, const AttrValue &value) {
  if (const auto *whole = std::get_if<int64_t>(&value))
    number = double(*whole);
  else if (const auto *real = std::get_if<double>(&value))
    number = *real;
  else
    return false;
  return number >= 0 && number <= 1e12;
}
// By way of double: "2.0" is taken for 2, and 2.5 is refused.
bool assign(int &number, const AttrValue &value) {
  double given = 0;
  return assign(given, value) && given <= 1e6 && (number = int(given), double(number) == given);
}

/// All figures, those at their defaults too: a row says what was computed with, whatever defaults become.
template <class Work>
OpSignature signatureOf(llvm::StringRef name, const Work &work) {
  OpSignature signature;
  signature.name = name.str();
  for (const Figure<Work> &figure : Figures<Work>::all)
    std::visit([&](auto member) { signature.addAttribute(figure.name.str(), valueOf(work.*member)); },
               figure.member);
  return signature;
}

template <class Work>
llvm::Expected<Work> workOf(const OpSignature &signature) {
  Work work;
  std::vector<llvm::StringRef> names;
  for (const Figure<Work> &figure : Figures<Work>::all)
    names.push_back(figure.name);
  // Figures that are not given keep the default of the work; one that is not known is a slip, and told.
  for (const auto &[name, value] : signature.attributes) {
    const Figure<Work> *figure =
        llvm::find_if(Figures<Work>::all, [&](const Figure<Work> &known) { return known.name == name; });
    if (figure == std::end(Figures<Work>::all))
      return llvm::createStringError(signature.name + " has no figure '" + name + "'" +
                                     didYouMean(name, names) + "; known: " + llvm::join(names, ", "));
    if (!std::visit([&, &attribute = value](auto member) { return assign(work.*member, attribute); },
                    figure->member))
      return llvm::createStringError(signature.name + ": '" + name + "' is no figure from 0, or no flag");
  }
  return work;
}

// ---- The programs ---------------------------------------------------------------------------------------

using Model = llvm::Expected<KernelTime>;

/// The work is read once and kept: a fit asks for its time with every set of parameters that it tries.
template <class Work, auto time>
Model timeOf(const KernelQuery &query) {
  llvm::Expected<Work> work = workOf<Work>(query.signature);
  if (!work)
    return work.takeError();
  DeviceSpec device = query.device;
  // Profilers time the program on the device, without its launch (docs/timings-format.md, `kernel`).
  device.launch = Nanoseconds(0);
  KernelTime model = [device, work = *work](const Calibration &calibration) {
    return time(device, calibration.of(device.arch), work).total.value();
  };
  // Figures of work come from a table by hand: one that makes no sense is told with its row, not in the middle
  // of a fit.
  double ns = model(builtInCalibration());
  if (!std::isfinite(ns) || ns <= 0)
    return llvm::createStringError("the model gives no time");
  return model;
}

/// The same work as Conv2d's, slower by one factor.
Model predecessorTime(const KernelQuery &query) {
  Model model = timeOf<ConvWork, convKernelTime>(query);
  if (!model)
    return model;
  // The factor is fitted like all parameters, from the rows of the older kernel alone.
  return [model = *model, arch = query.device.arch](const Calibration &calibration) {
    return model(calibration) * calibration.of(arch)[Parameter::ConvPredecessor];
  };
}

constexpr llvm::StringLiteral kHalo = "program.halo", kPaddedSlice = "program.padded_slice",
                              kSliceWrite = "program.slice_write", kPool = "program.pool",
                              kConv = "program.conv", kPredecessor = "program.conv_predecessor";

constexpr std::pair<llvm::StringLiteral, Model (*)(const KernelQuery &)> kPrograms[] = {
    {kHalo, timeOf<HaloWork, haloTime>},
    {kPaddedSlice, timeOf<PaddedSliceWork, paddedSliceTime>},
    {kSliceWrite, timeOf<SliceWriteWork, sliceWriteTime>},
    {kPool, timeOf<PoolWork, poolKernelTime>},
    {kConv, timeOf<ConvWork, convKernelTime>},
    {kPredecessor, predecessorTime}};

} // namespace

bool isProgram(llvm::StringRef op) { return op.starts_with("program."); }

Model programTime(const KernelQuery &query) {
  std::vector<llvm::StringRef> names;
  for (const auto &[name, time] : kPrograms) {
    if (name == query.signature.name)
      return time(query);
    names.push_back(name);
  }
  return llvm::createStringError("no program '" + query.signature.name + "'" +
                                 didYouMean(query.signature.name, names) +
                                 "; known: " + llvm::join(names, ", "));
}

OpSignature programOf(const HaloWork &work) { return signatureOf(kHalo, work); }
OpSignature programOf(const PaddedSliceWork &work) { return signatureOf(kPaddedSlice, work); }
OpSignature programOf(const SliceWriteWork &work) { return signatureOf(kSliceWrite, work); }
OpSignature programOf(const PoolWork &work) { return signatureOf(kPool, work); }
OpSignature programOf(const ConvWork &work, bool predecessor) {
  return signatureOf(predecessor ? kPredecessor : kConv, work);
}

} // namespace tessera::evaluation
