/*===- interleaved_only.c - An example op model plug-in -----------------------===
 * Part of Tessera, under the Apache License v2.0.
 *===------------------------------------------------------------------------===
 *
 * Knows one rule: nothing is sharded.
 *
 *   some layout is sharded       refused, rule "interleaved_only.sharded"
 *   all layouts lie in DRAM      legal, with made-up figures
 *   anything else                no opinion: `plugin:FILE,fallthrough` asks the analytic model
 *
 *   cc -shared -fPIC -I include examples/plugin/interleaved_only.c -o interleaved_only.so
 *   tessera optimize examples/resnet_block.mlir --op-model plugin:./interleaved_only.so,fallthrough
 *
 *===------------------------------------------------------------------------===*/
#include "tessera/OpModel/plugin.h"

#include <stdlib.h>
#include <string.h>

/* Two tiles of bf16 for each of two operands and a result. */
#define CIRCULAR_BUFFERS (3 * 2 * 2048)

struct TesseraModel {
  int64_t questions;
};

/* Layouts are the only objects of a question with this key. Inside a JSON string the quotes would be escaped, and
 * questions have no blanks, so a plain search is enough; a plug-in that looks at more will use a JSON library. */
static const char kMemory[] = "\"memory\":\"";
static const char kBuffer[] = "\"buffer\":\"";

/* The number of places where `key` is followed by something else than `value`. */
static int count_others(const char *question, const char *key, const char *value) {
  int others = 0;
  for (const char *at = strstr(question, key); at; at = strstr(at + 1, key))
    others += strncmp(at + strlen(key), value, strlen(value)) != 0;
  return others;
}

static TesseraModel *create_model(const char *device, const char **error) {
  (void)device;
  TesseraModel *model = calloc(1, sizeof(TesseraModel));
  if (!model)
    *error = "out of memory";
  return model;
}

static void answer_question(TesseraModel *model, const char *question, TesseraAnswer *answer) {
  ++model->questions;
  if (count_others(question, kMemory, "interleaved\"") > 0) {
    answer->status = TESSERA_BACKEND_ERROR;
    answer->rule = "interleaved_only.sharded";
    answer->message = "this backend has interleaved tensors only";
    return;
  }
  /* "outputs":[null]: Tessera asks where the result would lie. */
  if (count_others(question, kBuffer, "dram\"") > 0 || strstr(question, "\"outputs\":[null")) {
    answer->status = TESSERA_NOT_IMPLEMENTED;
    return;
  }
  answer->status = TESSERA_SUCCESS; /* output_layouts stays null: all as requested */
  answer->cb_l1_peak_bytes = CIRCULAR_BUFFERS;
  answer->l1_peak_bytes = CIRCULAR_BUFFERS;
  answer->dram_ns = 10000;
  answer->total_ns = 10000;
}

static void destroy_model(TesseraModel *model) { free(model); }

const TesseraPlugin *tessera_op_model_plugin(void) {
  static const TesseraPlugin plugin = {TESSERA_PLUGIN_ABI_VERSION,
                                       sizeof(TesseraPlugin),
                                       "interleaved-only",
                                       "1",
                                       create_model,
                                       answer_question,
                                       destroy_model};
  return &plugin;
}
