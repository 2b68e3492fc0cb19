//===- Parameters.h - What the runtime formulas were fitted with ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The analytic model's formulas for time hold figures that come from measurements:
// cycles per tile, bandwidths, starts. Parameters.def lists every one of them, with
// its unit and where it was measured. `tessera ops calibrate` fits them to timings
// of anyone's own device and writes a calibration file, which `--op-model
// analytic:FILE` reads.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_PARAMETERS_H
#define TESSERA_OPMODEL_PARAMETERS_H

#include "tessera/Device/DeviceSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <array>

namespace tessera {

/// A figure's number: an index into what follows, the same in every calibration of one build and in no file (files
/// have names).
enum class Parameter : uint16_t {
#define TESSERA_PARAMETER(Id, Name, Unit, Wormhole, Blackhole, Fit, Origin) Id,
#include "tessera/OpModel/Parameters.def"
};

/// Which values of a parameter may be fitted.
/// Shared: one value for both, as where the kernel and not the chip decides.
enum class ParameterFit : uint8_t { None, Wormhole, Blackhole, Both, Shared };

/// A line of Parameters.def. Units are "ns", "cycles", "B/cycle", "GB/s" and "" for ratios.
struct ParameterInfo {
  llvm::StringRef name, unit;
  /// 0: the term is switched off on that chip, and never fitted.
  double wormhole, blackhole; ///< built-in values, >= 0
  ParameterFit fit;
  /// The table of facts/measurements that the values were fitted to, or where else they are from.
  llvm::StringRef origin;
};

/// All parameters, indexed by Parameter.
llvm::ArrayRef<ParameterInfo> parameterTable();

/// Where a fit should look for a value, from figures that are not in the table it is fitted to.
struct ExpectedValue {
  Parameter id;
  Arch arch;
  double value;
  llvm::StringRef source;
};
/// In the order of Parameters.def; of most parameters there is none.
llvm::ArrayRef<ExpectedValue> expectedValues();

/// Counted, so that a line that is added to the file changes nothing else.
inline constexpr size_t kParameterCount = [] {
  size_t count = 0;
#define TESSERA_PARAMETER(Id, Name, Unit, Wormhole, Blackhole, Fit, Origin) ++count;
#include "tessera/OpModel/Parameters.def"
  return count;
}();

/// The values for one architecture.
class Parameters {
public:
  /// In the parameter's own unit.
  double operator[](Parameter id) const { return values[size_t(id)]; }
  double &operator[](Parameter id) { return values[size_t(id)]; }
  bool operator==(const Parameters &) const = default;

private:
  std::array<double, kParameterCount> values{};
};

/// The values for every architecture.
struct Calibration {
  Parameters wormhole, blackhole;
  const Parameters &of(Arch arch) const { return arch == Arch::Blackhole ? blackhole : wormhole; }
  Parameters &of(Arch arch) { return arch == Arch::Blackhole ? blackhole : wormhole; }
  bool operator==(const Calibration &) const = default;
};

/// The values of Parameters.def.
const Calibration &builtInCalibration();

/// The least value that makes sense: rates divide (unless they are 0, that is unused, as built in), and a
/// smooth maximum has an exponent of at least 1. 0 for others. The largest is kLargestParameter, for all.
double leastValue(Parameter id, Arch arch);
inline constexpr double kLargestParameter = 1e9;

/// {"format": "tessera-calibration", "version": 1, "wormhole_b0": {"dram.read": 314.1, ...}, "blackhole":
/// {...}}.
llvm::json::Object toJson(const Calibration &calibration);
/// Reads what toJson wrote. Parameters that the file does not name keep their built-in value. Errors, each
/// with the path: unreadable, no JSON, another format or version, an unknown architecture or parameter (with
/// the nearest name), a value that is not a number, or out of range.
llvm::Expected<Calibration> readCalibration(llvm::StringRef path);

} // namespace tessera

#endif // TESSERA_OPMODEL_PARAMETERS_H
