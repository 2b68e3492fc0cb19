// Tessera inside another program: reads a module, optimizes it, prints it.
#include <tessera/Dialect/Register.h>
#include <tessera/Optimizer/Optimizer.h>

#include <mlir/Parser/Parser.h>

int main(int, char **argv) {
  mlir::DialectRegistry dialects;
  tessera::registerTesseraDialects(dialects);
  mlir::MLIRContext context(dialects);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module || failed(tessera::optimize(*module, {})))
    return 1;
  module->print(llvm::outs());
  llvm::outs() << '\n';
}
