//===- TTNNBase.td - The ttnn dialect -------------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNBASE
#define TESSERA_DIALECT_TTNN_TTNNBASE

include "tessera/Dialect/TTCore/TTCoreBase.td"

def TTNN_Dialect : Dialect {
  let name = "ttnn";
  let cppNamespace = "::tessera::ttnn";
  let summary = "Tensor ops of Tenstorrent's TTNN library";
  let description = [{
    Reads and writes the text that tt-mlir reads and writes (facts/ir 1). Attributes and types
    with an unknown mnemonic are kept as text; unknown ops pass through.
  }];
  let dependentDialects = ["::tessera::ttcore::TTCoreDialect"];
  let useDefaultAttributePrinterParser = 0;
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser, ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;

  private:
    void registerAttributes(); // TTNNAttrs.cpp
    void registerTypes();      // TTNNTypes.cpp
    void registerOps();        // TTNNOps.cpp

  public:
  }];
}

class TTNN_Op<string mnemonic, list<Trait> traits = []> : Op<TTNN_Dialect, mnemonic, traits>;

class TTNN_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTNN_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class TTNN_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TTNN_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

#endif // TESSERA_DIALECT_TTNN_TTNNBASE
