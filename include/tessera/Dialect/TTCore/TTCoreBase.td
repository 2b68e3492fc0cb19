//===- TTCoreBase.td - The ttcore dialect ---------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_TTCOREBASE
#define TESSERA_DIALECT_TTCORE_TTCOREBASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def TTCore_Dialect : Dialect {
  let name = "ttcore";
  let cppNamespace = "::tessera::ttcore";
  let summary = "Devices, data types and what host and device modules share";
  let description = [{
    The part of tt-mlir's `ttcore` that occurs in TTNN modules (facts/ir 1.5). Attributes and
    types with an unknown mnemonic are kept as text; unknown ops pass through.
  }];
  let useDefaultAttributePrinterParser = 0;
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser, ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;

  private:
    void registerAttributes();
    void registerTypes();

  public:
  }];
}

class TTCore_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTCore_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class TTCore_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TTCore_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

class TTCore_Op<string mnemonic, list<Trait> traits = []> : Op<TTCore_Dialect, mnemonic, traits>;

/// `2x3x4`
class TTCore_Dims<string desc = ""> : ArrayRefParameter<"int64_t", desc> {
  let parser = "::tessera::parseDims($_parser)";
  let printer = "::tessera::printDims($_printer, $_self)";
}

/// `[a, b]`
class TTCore_List<string elementType, string desc = ""> : ArrayRefParameter<elementType, desc> {
  let parser = "::tessera::parseList<" # elementType # ">($_parser)";
  let printer = "::tessera::printList<" # elementType # ">($_printer, $_self)";
}

/// `[a, b]`, or nothing at all.
class TTCore_OptionalList<string elementType, string desc = ""> : OptionalArrayRefParameter<elementType, desc> {
  let parser = "::tessera::parseList<" # elementType # ">($_parser)";
  let printer = "::tessera::printList<" # elementType # ">($_printer, $_self)";
}

/// An optional scalar or enum; printed bare.
class TTCore_Optional<string type, string desc = "">
    : OptionalParameter<"::std::optional<" # type # ">", desc> {
  let parser = "::mlir::FieldParser<" # type # ">::parse($_parser)";
  let printer = "$_printer << *$_self";
}

/// An attribute parameter printed with its full prefix (`#ttnn.core_coord<8, 8>`); read with or without.
class TTCore_Qualified<string type, string desc = ""> : AttrParameter<type, desc> {
  let printer = "$_printer << $_self";
}
class TTCore_OptionalQualified<string type, string desc = ""> : OptionalParameter<type, desc> {
  let printer = "$_printer << $_self";
}

#endif // TESSERA_DIALECT_TTCORE_TTCOREBASE
