//===- ConversionEffects.h - What conversions do, and for whom -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_CONVERSIONEFFECTS_H
#define TESSERA_OPTIMIZER_PLAN_CONVERSIONEFFECTS_H

#include "tessera/Optimizer/Plan/Plan.h"

#include <optional>

namespace tessera {

/// What a conversion does. Decides the name of the op in IR (facts/ir 1.4 "Location conventions").
enum class ConversionReason : uint8_t {
  Reshard, ///< all else, as the consumer wants it so:                    <consumer>_mem_reconfig
  Spill,   ///< it takes an op's result out of L1:                        <producer>_spill
  Reload,  ///< it brings a value back into L1, where that was before:    <consumer>_reshard
  Return,  ///< it serves the function's return, and no op:               <producer>_spill
};
inline constexpr llvm::StringRef kConversionReasons[] = {"reshard", "spill", "reload", "return"};
inline llvm::StringRef name(ConversionReason reason) { return kConversionReasons[size_t(reason)]; }
/// Whether it is made for the op that it is named after, and not of what that op makes.
inline bool isForReader(ConversionReason reason) {
  return reason == ConversionReason::Reshard || reason == ConversionReason::Reload;
}
/// "reshard for matmul_3", "spill of matmul_3"; `op` is what the op is called, "" of none.
std::string conversionText(ConversionReason reason, llvm::StringRef op);

struct ConversionEffect {
  ConversionReason reason;
  /// Who reads first what it makes, or whose result it moves; invalid of a returned argument. It stands in the name.
  OpId op;
};
/// "reshard for add_2", "spill of matmul_1", "return".
std::string describe(const Problem &problem, const ConversionEffect &effect);

/// By step; nullopt of what converts nothing. By layouts and readers alone, conversion ops of the program included: so whoever put conversions
/// in, names, counts and explanations say the same of them. The ids of the plan must exist. Linear in steps and tensors.
std::vector<std::optional<ConversionEffect>> conversionEffects(const Problem &problem, const Plan &plan);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_CONVERSIONEFFECTS_H
