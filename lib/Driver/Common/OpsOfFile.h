//===- OpsOfFile.h - One op of a TTNN file, by a name that a user has -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// People know an op by what they see of it:
//
//   matmul_3, loc("matmul_3")     its location's name, or the one that `tessera optimize --explain` lists
//   12, model.mlir:12:8           where it stands in the file, or where its location says that it came from
//   %5                            its result in the text
//   ttnn.matmul#3                 the n-th of its kind in the file, from 0
//   ttnn.matmul                   if there is only one
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_OPSOFFILE_H
#define TESSERA_LIB_DRIVER_COMMON_OPSOFFILE_H

#include "mlir/AsmParser/AsmParserState.h"
#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/OpModel/OpModelOptions.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace tessera {

/// An op of a function body, without what only frees tensors or handles no tensor.
struct OpOfFile {
  const BuiltProblem *function = nullptr;
  OpId id;
  std::string indexed;            ///< "ttnn.matmul#3"
  std::string result;             ///< "%5"; empty if it has none or the file is bytecode
  unsigned line = 0;              ///< in the text; 0 in bytecode
  std::vector<std::string> names; ///< location names, the problem's first

  const Op &op() const { return function->problem[id]; }
  mlir::Operation *ir() const { return function->binding.ops[id.index()]; }
};

/// All ops of a file, numbered as the optimizer does.
class OpsOfFile {
public:
  ~OpsOfFile();
  /// Who is to answer for a module; what says nothing of versions is then asked for the module's.
  using ChooseOpModel = llvm::function_ref<OpModelOptions(mlir::ModuleOp)>;
  /// Parses the file for `device`, or if that is nullptr for the one that it describes, else n150; as the backend of
  /// `opModel` opens it. nullptr after a diagnostic.
  static std::unique_ptr<OpsOfFile> read(const std::string &path, bool allowBytecode,
                                         const DeviceSpec *device, ChooseOpModel opModel);
  static std::unique_ptr<OpsOfFile> read(const std::string &path, bool allowBytecode,
                                         const DeviceSpec *device, const OpModelOptions &opModel);
  /// The same of a text that MLIR can take (findModuleTextFault), for the device that it describes, else n150. nullptr
  /// without a word if it is no module.
  static std::unique_ptr<OpsOfFile> ofText(llvm::StringRef text, llvm::StringRef name);

  llvm::ArrayRef<OpOfFile> ops() const { return all; }
  /// The op that `wanted` names. The error lists candidates if there is none, or more than one.
  llvm::Expected<const OpOfFile *> select(llvm::StringRef wanted) const;

  /// Every function with a body of one block, in the order of the file.
  llvm::ArrayRef<std::unique_ptr<BuiltProblem>> functions() const;
  const DeviceSpec &device() const;
  /// Who answers for the file: what was asked for, and the module's version unless one was named.
  const OpModelOptions &opModel() const;
  /// The version of the library that the module says that it is for; "" if it says nothing.
  llvm::StringRef version() const;
  /// The chips that the module uses: those of its ttcore.device, else all that the board has.
  GridShape mesh() const;
  LayoutPool &layouts() const;
  /// What `tessera optimize` would let the file's programs use with that cap.
  Bytes l1Budget(double cap) const;
  llvm::SourceMgr &sources() const;
  /// Where things stand in the text; empty for bytecode.
  const mlir::AsmParserState &text() const;

private:
  struct Content;
  OpsOfFile();
  /// Parses what the sources hold and lists its ops. False after a diagnostic.
  bool parse(const DeviceSpec *device, ChooseOpModel opModel);
  void list(const BuiltProblem &function);

  std::unique_ptr<Content> content;
  std::vector<OpOfFile> all;
};

/// The op in its declared layouts; `inputs` is filled with what the query refers to.
OpQuery declaredQuery(const OpOfFile &op, llvm::SmallVectorImpl<LayoutId> &inputs);

/// "line 12, ttnn.matmul#3, matmul_3, %5": every name that select() takes.
std::string describe(const OpOfFile &op);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_OPSOFFILE_H
