//===- CertifyCommand.cpp - tessera certify -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A certificate is believed in nothing. The problem is made anew from the
// module, and the plan and the proof that the file holds are checked against
// that: a certificate of another module, or one that was changed, fails.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"
#include "DecidedModule.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Optimizer/Policy/PlanCertificate.h"
#include "tessera/Support/Format.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;

int tessera::runCertify(const OptimizeArguments &arguments) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(arguments.certificate, /*IsText=*/true);
  if (!buffer)
    return inputError(arguments.certificate + ": " + buffer.getError().message());
  llvm::Expected<PlanCertificate> certificate = planCertificateFromJson((*buffer)->getBuffer());
  if (!certificate)
    return inputError(arguments.certificate + ": " + llvm::toString(certificate.takeError()));
  OptimizeArguments asCertified = arguments;
  // The policy is part of the claim, so it is not left to the user; all other options are, as the file does not have
  // them.
  asCertified.policy = certificate->policy;
  std::variant<DecidedModule, ExitCode> decided =
      decideModule(asCertified, [&](OptimizerOptions &options, const ResultNames &) {
        // With one, optimize() checks the plan that it holds and makes none.
        options.certificate = &*certificate;
        return llvm::Error::success();
      });
  if (const ExitCode *code = std::get_if<ExitCode>(&decided))
    return *code;
  for (const OptimizedFunction &function : std::get<DecidedModule>(decided).result.functions) {
    const FunctionSummary &summary = function.summary;
    llvm::outs() << llvm::formatv("certified       @{0}: {1}, at most {2:F2} % above the bound of {3}{4}\n",
                                  summary.function, formatNanoseconds(summary.after),
                                  100 * gapOf(summary).value_or(0), formatNanoseconds(*summary.bound),
                                  summary.boundInOrder ? " in this order of ops" : "");
  }
  return kSuccess;
}
