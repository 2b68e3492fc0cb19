//===- SanitizerOptions.cpp - Linked into every sanitized executable ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Debian's LLVM is not instrumented: our inlined copy of BumpPtrAllocator poisons slabs that theirs does not
// unpoison, which would be reported as use-after-poison.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_stack_use_after_return=1";
}

// Undefined behaviour ends the program, as addresses out of bounds do.
extern "C" const char *__ubsan_default_options() { return "halt_on_error=1:print_stacktrace=1"; }
