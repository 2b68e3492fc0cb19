//===- DialectTest.h - What tests of the dialects share --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_DIALECT_DIALECTTEST_H
#define TESSERA_UNITTESTS_DIALECT_DIALECTTEST_H

#include "tessera/Dialect/Register.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <string>

/// A context with all dialects, and the diagnostics that were emitted in it.
class DialectTest : public ::testing::Test {
protected:
  DialectTest()
      : context(registry()), handler(&context, [this](mlir::Diagnostic &diag) {
          messages += diag.str() + "\n";
          return mlir::success();
        }) {
    context.allowUnregisteredDialects();
    context.loadAllAvailableDialects();
  }

  /// Null, with a test failure, if the text is not an attribute of that kind.
  template <typename AttrT>
  AttrT parse(llvm::StringRef text) {
    auto attr = llvm::dyn_cast_or_null<AttrT>(mlir::parseAttribute(text, &context));
    EXPECT_TRUE(attr) << text.str() << "\n" << messages;
    return attr;
  }
  template <typename TypeT>
  TypeT parseType(llvm::StringRef text) {
    auto type = llvm::dyn_cast_or_null<TypeT>(mlir::parseType(text, &context));
    EXPECT_TRUE(type) << text.str() << "\n" << messages;
    return type;
  }
  mlir::InFlightDiagnostic emitError() { return mlir::emitError(mlir::UnknownLoc::get(&context)); }

private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    tessera::registerTesseraDialects(registry);
    return registry;
  }

protected:
  std::string messages; ///< one per line
  mlir::MLIRContext context;

private:
  mlir::ScopedDiagnosticHandler handler;
};

#endif // TESSERA_UNITTESTS_DIALECT_DIALECTTEST_H
