//===- Parameters.cpp - What the runtime formulas were fitted with -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Parameters.def is the one place where a parameter stands. The enumeration (Parameters.h), the table and the values
// that sources expect are all made of it, so that an index is good for each of them.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Parameters.h"
#include "tessera/Support/Json.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

namespace tessera {
namespace {

using enum ParameterFit;
// The file is read once for each table that it makes: what stands in one line of it cannot come apart.
constexpr ParameterInfo kTable[] = {
#define TESSERA_PARAMETER(Id, Name, Unit, Wormhole, Blackhole, Fit, Origin)                                  \
  {Name, Unit, Wormhole, Blackhole, ParameterFit::Fit, Origin},
#include "tessera/OpModel/Parameters.def"
};

// Parameters themselves make nothing here.
constexpr ExpectedValue kExpected[] = {
#define TESSERA_PARAMETER(Id, Name, Unit, Wormhole, Blackhole, Fit, Origin)
#define TESSERA_EXPECTED(Id, Arch_, Value, Source) {Parameter::Id, Arch::Arch_, Value, Source},
#include "tessera/OpModel/Parameters.def"
};

constexpr llvm::StringLiteral kFormat = "tessera-calibration";
constexpr int64_t kVersion = 1;
constexpr Arch kArchs[] = {Arch::WormholeB0, Arch::Blackhole};

llvm::Expected<Parameter> parameterOf(llvm::StringRef name) {
  // Names are compared one by one: a file has a few hundred of them and is read once in a run.
  llvm::SmallVector<llvm::StringRef> names;
  for (size_t i = 0; i < kParameterCount; ++i) {
    if (kTable[i].name == name)
      return Parameter(i);
    names.push_back(kTable[i].name);
  }
  return llvm::createStringError("unknown parameter '" + name + "'" + didYouMean(name, names));
}

llvm::Error readValues(const llvm::json::Object &object, Arch arch, Parameters &parameters) {
  for (const auto &[name, value] : object) {
    llvm::Expected<Parameter> id = parameterOf(name);
    if (!id)
      return id.takeError();
    std::optional<double> number = value.getAsNumber();
    // Bounds are held here, so that no formula has to expect a rate of zero or a negative time.
    double least = leastValue(*id, arch);
    if (!number || !(*number >= least && *number <= kLargestParameter))
      return llvm::createStringError("parameter '" + llvm::StringRef(name) + "': expected a number from " +
                                     llvm::formatv("{0} to 1e9", llvm::format("%g", least)).str());
    parameters[*id] = *number;
  }
  return llvm::Error::success();
}

llvm::Expected<Calibration> parse(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> json = parseJson(text);
  if (!json)
    return json.takeError();
  const llvm::json::Object *file = json->getAsObject();
  if (!file || file->getString("format") != kFormat || file->getInteger("version") != kVersion)
    return llvm::createStringError(
        llvm::formatv("expected an object with \"format\": \"{0}\" and \"version\": {1}", kFormat, kVersion)
            .str());
  // What a file does not name stays as it was built in.
  Calibration calibration = builtInCalibration();
  for (const auto &[key, value] : *file) {
    // Whatever else a file says is an architecture: a misspelt one would otherwise calibrate nothing, silently.
    if (key == "format" || key == "version")
      continue;
    const Arch *arch = llvm::find_if(kArchs, [&](Arch a) { return name(a) == llvm::StringRef(key); });
    const llvm::json::Object *values = value.getAsObject();
    if (arch == std::end(kArchs) || !values)
      return llvm::createStringError("unexpected \"" + llvm::StringRef(key) +
                                     "\": expected \"wormhole_b0\" or \"blackhole\" with an object");
    if (llvm::Error error = readValues(*values, *arch, calibration.of(*arch)))
      return std::move(error);
  }
  return calibration;
}

} // namespace

llvm::ArrayRef<ParameterInfo> parameterTable() { return kTable; }
llvm::ArrayRef<ExpectedValue> expectedValues() { return kExpected; }

/// A rate divides, so it stays above 0 where its term is on; below 1 a smooth maximum would not be one.
double leastValue(Parameter id, Arch arch) {
  const ParameterInfo &info = kTable[size_t(id)];
  bool rate = info.unit == "GB/s" || info.unit == "B/cycle";
  bool used = (arch == Arch::Blackhole ? info.blackhole : info.wormhole) > 0;
  return rate && used ? 1e-3 : info.name.ends_with(".sharpness") ? 1 : 0;
}

const Calibration &builtInCalibration() {
  static const Calibration calibration = [] {
    Calibration values;
    for (size_t i = 0; i < kParameterCount; ++i) {
      values.wormhole[Parameter(i)] = kTable[i].wormhole;
      values.blackhole[Parameter(i)] = kTable[i].blackhole;
    }
    return values;
  }();
  return calibration;
}

llvm::json::Object toJson(const Calibration &calibration) {
  llvm::json::Object file{{"format", kFormat}, {"version", kVersion}};
  for (Arch arch : kArchs) {
    llvm::json::Object values;
    // All of them, changed or not: a file goes on meaning the same when built-in values change.
    for (size_t i = 0; i < kParameterCount; ++i)
      values[kTable[i].name] = calibration.of(arch)[Parameter(i)];
    file[name(arch)] = std::move(values);
  }
  return file;
}

llvm::Expected<Calibration> readCalibration(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read calibration '%s': %s", path.str().c_str(),
                                   buffer.getError().message().c_str());
  llvm::Expected<Calibration> calibration = parse((*buffer)->getBuffer());
  if (!calibration)
    return llvm::createStringError("calibration '" + path + "': " + llvm::toString(calibration.takeError()));
  return calibration;
}

} // namespace tessera
