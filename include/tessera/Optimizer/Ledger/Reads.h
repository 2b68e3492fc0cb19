//===- Reads.h - An op's decisions on a draft, all operands at once ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_LEDGER_READS_H
#define TESSERA_OPTIMIZER_LEDGER_READS_H

#include "tessera/Optimizer/Ledger/Draft.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera {

/// What is decided for one op.
struct Decision {
  ConfigId config;
  llvm::SmallVector<LayoutId, 3> inputs; ///< by distinct value: the layout to read it in
};

/// What readers do when their producer makes a value in another layout.
enum class Readers : uint8_t {
  Follow,        ///< read it as it is made; those who reshard go on doing so
  FollowIfLegal, ///< as Follow where the reader may run so, else as Stay
  Stay,          ///< reshard it to the layout that they read now
};

/// How to read `value` in `layout`, whatever layout it is made in: as it is, from home, or by a reshard that is shared
/// with all who want the same.
Read readIn(Draft &draft, ValueId value, LayoutId layout);

/// The layout in which the op reads the value now.
LayoutId layoutRead(const Draft &draft, OpId op, ValueId value);

/// As Decision::inputs: those in which it reads its values now.
llvm::SmallVector<LayoutId, 3> inputsOf(const Draft &draft, OpId op);

/// All operands of `op` that read `value` change together: an op has one layout per value. Does nothing where the op
/// has no choice.
void setReads(Draft &draft, OpId op, ValueId value, Read read);

/// The op runs with `config` and reads its values in `inputs` (by distinct value).
void take(Draft &draft, OpId op, ConfigId config, llvm::ArrayRef<LayoutId> inputs, Readers readers);
inline void take(Draft &draft, OpId op, const Decision &decision, Readers readers) {
  take(draft, op, decision.config, decision.inputs, readers);
}
/// All ops as decided, by OpId, but for those that keep their layouts: legal and fitting or not.
void takeAll(Draft &draft, llvm::ArrayRef<Decision> decisions);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_LEDGER_READS_H
