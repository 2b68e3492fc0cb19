//===- TTNNBase.td - The ttnn dialect -------------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNBASE
#define TESSERA_DIALECT_TTNN_TTNNBASE

include "mlir/IR/Properties.td"
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

/// What stands between `<{` and `}>` of an op and has no place among its arguments: properties that a newer tt-mlir
/// writes. KeepsUnread fills it and prints it back; unreadProperties (TTNNInterfaces.h) tells what it holds. Not an
/// attribute, so that no name in a file can mean it.
def TTNN_UnreadProperties : Property<"::mlir::DictionaryAttr", "properties that the op does not have"> {
  let convertToAttribute = "return $_storage ? $_storage : ::mlir::DictionaryAttr::get($_ctxt);";
  let convertFromAttribute = [{
    $_storage = ::llvm::dyn_cast<::mlir::DictionaryAttr>($_attr);
    return ::llvm::success(bool($_storage));
  }];
  let hashProperty = "::mlir::hash_value(::mlir::Attribute($_storage))";
  let writeToMlirBytecode = "$_writer.writeOptionalAttribute($_storage);";
  let readFromMlirBytecode = [{
    if (::mlir::failed($_reader.readOptionalAttribute($_storage)))
      return ::mlir::failure();
  }];
  let defaultValue = "{}";
}

def TTNN_KeepsUnread : NativeOpTrait<"KeepsUnread", [], [{
  // MLIR's hooks for properties take these overloads, because the storage has the type that they take.
  template <class ConcreteOp>
  using InferredProperties = ::tessera::ttnn::Keeping<typename ConcreteOp::Properties>;
  ::tessera::ttnn::Keeping<Properties> &getProperties() {
    return *getOperation()->getPropertiesStorageUnsafe().as<::tessera::ttnn::Keeping<Properties> *>();
  }
  static ::llvm::LogicalResult
  setPropertiesFromAttr(::tessera::ttnn::Keeping<Properties> &properties, ::mlir::Attribute attr,
                        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) {
    Properties &own = properties;
    // Without emitError it is a builder that asks, with a dictionary in which discardable attributes stand, too.
    if (!emitError)
      return setPropertiesFromAttr(own, attr, emitError);
    ::mlir::DictionaryAttr unread;
    ::mlir::Attribute known = ::tessera::ttnn::splitKnown(attr, getAttributeNames(), unread);
    if (failed(setPropertiesFromAttr(own, known, emitError)))
      return ::llvm::failure();
    own.unread = unread;
    return ::llvm::success();
  }
  static ::mlir::Attribute getPropertiesAsAttr(::mlir::MLIRContext *context,
                                               const ::tessera::ttnn::Keeping<Properties> &properties) {
    const Properties &own = properties;
    return ::tessera::ttnn::joinUnread(context, getPropertiesAsAttr(context, own), own.unread);
  }
}]> {
  let cppNamespace = "::tessera::ttnn::OpTrait";
}

/// Ops that some code makes by their class, `MatmulOp::create(...)`: they have MLIR's builders. A new one needs its name here.
defvar TTNN_MadeOps = " add clamp_scalar concat concatenate_heads conv2d deallocate from_device full get_device layer_norm multiply neg "
  #"nlp_concat_heads_decode nlp_create_qkv_heads_decode pad paged_update_cache permute repeat reshape rms_norm rotary_embedding rsqrt scaled_dot_product_attention "
  #"scaled_dot_product_attention_decode slice_static softmax split_query_key_value_and_split_heads subtract to_device to_layout "
  #"to_memory_config typecast where ";

/// Families define `ownArguments`.
class TTNN_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTNN_Dialect, mnemonic, [TTNN_KeepsUnread]#traits> {
  dag ownArguments = (ins);
  let arguments = !con(ownArguments, (ins TTNN_UnreadProperties:$unread));
  // Ops are read, or made from an OperationState; the few that code makes by their class have MLIR's builders. Builders of all of them were a third
  // of what every file of the MLIR line has to read.
  bit isMade = !ge(!find(TTNN_MadeOps, " "#mnemonic#" "), 0);
  let skipDefaultBuilders = !not(isMade);
  let builders = !if(isMade, []<OpBuilder>, [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$operands), [{
    $_state.addTypes(results);
    $_state.addOperands(operands);
  }]>]);
}

class TTNN_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTNN_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class TTNN_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TTNN_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

#endif // TESSERA_DIALECT_TTNN_TTNNBASE
