//===- Edits.h - Decisions on a draft -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_EDITS_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_EDITS_H

#include "../Common/Draft.h"
#include "Trace.h"

namespace tessera::beam {

/// What readers do when their producer makes a value in another layout.
enum class Readers : uint8_t {
  Follow, ///< read it as it is made; those who reshard go on doing so
  Stay,   ///< reshard it to the layout that they read now
};

/// How to read `value` in `layout`, whatever layout it is made in: as it is, from home, or by a reshard that is shared
/// with all who want the same.
Read readIn(Draft &draft, ValueId value, LayoutId layout);

/// The layout in which the op reads the value now.
LayoutId layoutRead(const Draft &draft, OpId op, ValueId value);

/// All operands of `op` that read `value` change together: an op has one layout per value. Does nothing where the op
/// has no choice.
void setReads(Draft &draft, OpId op, ValueId value, Read read);

/// The op runs with `config` and reads its values in `inputs` (by distinct value).
void take(Draft &draft, OpId op, ConfigId config, llvm::ArrayRef<LayoutId> inputs, Readers readers);
void take(Draft &draft, OpId op, const Candidate &candidate, Readers readers);

/// The whole decision of the layout pass, legal and fitting or not.
void fill(Draft &draft, llvm::ArrayRef<Decision> decisions);

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_EDITS_H
