/*===- plugin.h - Op model plug-ins, by C ABI -------------------------------===
 * Part of Tessera, under the Apache License v2.0.
 *===------------------------------------------------------------------------===
 *
 * A plug-in is a shared library that answers Tessera's questions about ops, for
 * example by asking a vendor's stack or a chip:
 *
 *   tessera optimize model.mlir --op-model plugin:./libmine.so
 *
 * It exports one function, TESSERA_PLUGIN_SYMBOL, and needs no Tessera library.
 * Plain C; from C++ no exception may leave a function. Tessera calls one
 * function at a time, from any thread. Text is UTF-8, ends with a zero byte, and
 * belongs to whoever made it; text that a plug-in hands out must stay valid until
 * the next call of one of its functions. docs/op-model-backends.md describes the
 * JSON; examples/plugin/ is a plug-in.
 *
 *===------------------------------------------------------------------------===*/
#ifndef TESSERA_OPMODEL_PLUGIN_H
#define TESSERA_OPMODEL_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever a struct below or the meaning of one of its fields does. Additions to the JSON change nothing. */
#define TESSERA_PLUGIN_ABI_VERSION 1u
#define TESSERA_PLUGIN_SYMBOL "tessera_op_model_plugin"

/* TesseraAnswer::status. */
enum {
  TESSERA_SUCCESS = 0,         /* legal, with the layouts in output_layouts */
  TESSERA_OUT_OF_MEMORY = 1,   /* legal, but does not fit by itself; the sizes say how much it would need */
  TESSERA_BACKEND_ERROR = 2,   /* refused: rule and message say why */
  TESSERA_NOT_IMPLEMENTED = 3, /* not known; `plugin:FILE,fallthrough` then asks the analytic model */
  TESSERA_UNMATCHED_CONFIG =
      4 /* legal, but the result would be laid out as in output_layouts, not as requested */
};

/* One answer. Tessera passes it with `size` set and all else zero.
 * Bytes are per core, for the core that holds most. Operands and other live tensors count nowhere: Tessera adds
 * them and decides whether all of it fits. */
typedef struct TesseraAnswer {
  uint32_t size;       /* sizeof(TesseraAnswer) of the Tessera that asks */
  int32_t status;      /* TESSERA_... */
  const char *rule;    /* ID of the broken rule, "matmul.in0_tiled"; may be null */
  const char *message; /* for people: what was given, what would be legal; may be null */

  int64_t cb_l1_peak_bytes;     /* circular buffers, at the peak */
  int64_t tensor_l1_peak_bytes; /* L1 tensors that the op allocates (outputs, temporaries), at the peak */
  int64_t l1_peak_bytes;        /* the two together at the peak, at most their sum */
  int64_t output_l1_bytes;      /* outputs that lie in L1 */

  /* JSON: a list with a layout per result, null where it is the requested one. Null pointer: all as requested, which
   * needs a question that leaves no output open. */
  const char *output_layouts;

  /* Time of one execution in nanoseconds, and the parts it is made of; parts may be 0. */
  double compute_ns, l1_ns, noc_ns, dram_ns, dispatch_ns, total_ns;
} TesseraAnswer;

/* The plug-in's own state for one device. */
typedef struct TesseraModel TesseraModel;

typedef struct TesseraPlugin {
  uint32_t abi_version; /* TESSERA_PLUGIN_ABI_VERSION that the plug-in was compiled with */
  uint32_t size;        /* sizeof(TesseraPlugin) */
  const char *name;     /* of the backend, "interleaved-only"; part of records */
  const char *version;  /* changes whenever an answer may change; part of records */

  /* A model of the device that the JSON describes. Null, with *error set, if it cannot answer for it. */
  TesseraModel *(*create)(const char *device, const char **error);
  /* Fills in *answer for one question, in JSON without blanks. */
  void (*answer)(TesseraModel *model, const char *question, TesseraAnswer *answer);
  void (*destroy)(TesseraModel *model);
} TesseraPlugin;

/* What a plug-in exports. The struct must stay valid as long as the library is loaded. */
typedef const TesseraPlugin *(*TesseraPluginEntry)(void);
const TesseraPlugin *tessera_op_model_plugin(void);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_OPMODEL_PLUGIN_H */
