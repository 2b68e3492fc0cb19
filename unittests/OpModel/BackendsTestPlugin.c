/*===- BackendsTestPlugin.c - Plug-ins that go wrong --------------------------===
 * Part of Tessera, under the Apache License v2.0.
 *===------------------------------------------------------------------------===
 * Compiled several times, each with another TEST_... set; what is wrong with the result stands beside it.
 *===------------------------------------------------------------------------===*/
#include "tessera/OpModel/plugin.h"

#include <stddef.h>
#include <string.h>

#ifndef TEST_ABI_VERSION
#define TEST_ABI_VERSION TESSERA_PLUGIN_ABI_VERSION /* 2: compiled for another interface */
#endif
#ifndef TEST_SIZE
#define TEST_SIZE sizeof(TesseraPlugin) /* 8: a struct that ends early */
#endif

/* Answers by the name of the op: each name is one way to go wrong, or right. */
struct Case {
  const char *op;
  TesseraAnswer answer;
};
static const struct Case kCases[] = {
    {"ttnn.relu",
     {.status = TESSERA_SUCCESS, .cb_l1_peak_bytes = 4096, .l1_peak_bytes = 4096, .total_ns = 500}},
    {"ttnn.exp", {.status = TESSERA_BACKEND_ERROR, .rule = "test.no_exp", .message = "no exp today"}},
    {"ttnn.abs", {.status = TESSERA_BACKEND_ERROR}},
    {"ttnn.gelu", {.status = TESSERA_NOT_IMPLEMENTED}},
    {"ttnn.sin", {.status = TESSERA_OUT_OF_MEMORY, .l1_peak_bytes = 100}},
    {"ttnn.cos", {.status = TESSERA_OUT_OF_MEMORY, .cb_l1_peak_bytes = 1 << 28, .l1_peak_bytes = 1 << 28}},
    {"ttnn.tanh", {.status = 42}},
    {"ttnn.sqrt", {.status = TESSERA_SUCCESS, .cb_l1_peak_bytes = -1}},
    {"ttnn.rsqrt", {.status = TESSERA_SUCCESS, .total_ns = -1.0}},
    {"ttnn.neg", {.status = TESSERA_SUCCESS, .output_layouts = "no json"}},
    {"ttnn.log", {.status = TESSERA_SUCCESS, .output_layouts = "[{\"grid\":[1,1]}]"}},
    {"ttnn.sigmoid", {.status = TESSERA_SUCCESS, .output_layouts = "[null,null]"}},
    {"ttnn.silu",
     {.status = TESSERA_SUCCESS,
      .output_layouts =
          "[{\"linear\":{\"dims\":2,\"results\":[[1,0,0],[0,1,0]]},\"grid\":[1,1],\"shard\":[2,2],"
          "\"page\":\"tile\",\"tile\":[32,32],\"dtype\":\"bf16\",\"buffer\":\"dram\","
          "\"memory\":\"interleaved\"}]"}},
};

static const char kState = 0;

static TesseraModel *create_model(const char *device, const char **error) {
  if (strstr(device, "\"arch\":\"blackhole\"")) {
    *error = "no blackhole here";
    return NULL;
  }
  return (TesseraModel *)&kState;
}

static void answer_question(TesseraModel *model, const char *question, TesseraAnswer *answer) {
  (void)model;
  for (size_t i = 0; i < sizeof(kCases) / sizeof(kCases[0]); ++i) {
    size_t length = strlen(kCases[i].op);
    /* {"op":"ttnn.relu", */
    if (strncmp(question + 7, kCases[i].op, length) == 0 && question[7 + length] == '"') {
      uint32_t size = answer->size;
      *answer = kCases[i].answer;
      answer->size = size;
      return;
    }
  }
}

static void destroy_model(TesseraModel *model) { (void)model; }

static const TesseraPlugin kPlugin = {TEST_ABI_VERSION, TEST_SIZE,       "test",       "7",
                                      create_model,     answer_question, destroy_model};

#ifdef TEST_OTHER_SYMBOL
const TesseraPlugin *another_symbol(void);
const TesseraPlugin *another_symbol(void) { return &kPlugin; }
#else
const TesseraPlugin *tessera_op_model_plugin(void) { return &kPlugin; }
#endif
