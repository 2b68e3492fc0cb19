// RUN: not tessera-opt %s --split-input-file 2>&1 | FileCheck %s

// What MLIR's own readers skip is refused: there is no place to keep it.
// CHECK: not all of the module was read: 'func.func' lost its property 'new_key', at {{.*}}unread_errors.mlir:5:1
"func.func"() <{sym_name = "f", function_type = () -> (), new_key = 1 : i32}> ({
  "func.return"() : () -> ()
}) : () -> ()
