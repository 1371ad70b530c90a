/* An IR that was read: its layers, its constants, and what is known of each value. */
#ifndef DIALECT_OPENVINO_NET_H
#define DIALECT_OPENVINO_NET_H

#include "dialect/ir.h"

/* What is known of a value. */
struct ir_value {
    enum opshift_type type; /* UNDEFINED: unknown */
    int32_t rank;           /* -1: unknown */
    const int64_t *dims;    /* -1: unknown */
};

struct openvino_net {
    struct ir_net net;
    char *path, *weights_path;    /* NAME.xml, NAME.bin */
    struct source *xml, *weights; /* weights NULL: no constant has bytes */
    struct ir_value **values;     /* by layer, by output; of computed shapes, else as the port declares */
    struct opshift_limits limits;
    const struct opshift_given *given; /* while it is opened */
};

/* Opens NAME.xml, and NAME.bin if a constant has bytes and the external policy allows it. Every constant has a type,
 * dims and as many bytes as they need. given: shapes of Parameters that the IR leaves open; NULL: none. USAGE,
 * MALFORMED, UNSUPPORTED, IO, MEMORY; messages begin with the path. A failure leaves what openvino_net_close closes. */
enum opshift_status openvino_net_open(const char *path, const struct opshift_open_options *options,
                                      const struct opshift_given *given, struct openvino_net *net,
                                      struct opshift_error *error);
void openvino_net_close(struct openvino_net *net);

/* What is known of a layer's input. */
const struct ir_value *openvino_input(const struct openvino_net *net, const struct ir_layer *layer, uint32_t input);
/* The layer that an input comes from. */
const struct ir_layer *openvino_source(const struct openvino_net *net, const struct ir_layer *layer, uint32_t input);
bool ir_layer_is(const struct ir_layer *layer, const char *type);

/* A Const's place in the .bin. */
struct ir_const {
    enum opshift_type type; /* UNDEFINED: none of ONNX's */
    int32_t rank;
    const int64_t *dims;
    uint64_t count, offset, size; /* elements; bytes */
};
/* *found false: it is no Const. */
void openvino_const(const struct openvino_net *net, const struct ir_layer *layer, struct ir_const *constant,
                    bool *found);
/* The integers of a Const of an integer type, in the net's arena; *values NULL: it is none, or longer than a list can
 * be. */
enum opshift_status openvino_const_ints(struct openvino_net *net, const struct ir_layer *layer, const int64_t **values,
                                        size_t *count, struct opshift_error *error);

/* ---- openvino_cut.c ---- */

/* A Split-1 or VariadicSplit-1 layer. */
struct openvino_cut {
    bool variadic;
    int64_t axis;           /* as written; valid with axis_known */
    bool axis_known;        /* it is a Const of an integer */
    int64_t front;          /* from the front; -1: unknown, or out of range */
    int64_t dim;            /* that is split; -1: unknown */
    int64_t parts;          /* num_splits, or the number of lengths; -1: unknown */
    const int64_t *lengths; /* as written, with -1 for the rest; NULL: computed, or Split-1 */
    size_t rest;            /* where the -1 is; SIZE_MAX: nowhere */
};

bool openvino_is_split(const struct ir_layer *layer);
enum opshift_status openvino_cut_read(struct openvino_net *net, const struct ir_layer *layer, struct openvino_cut *cut,
                                      struct opshift_error *error);
/* The length of a part; -1: unknown, or none. */
int64_t openvino_cut_length(const struct openvino_cut *cut, uint32_t part);

/* ---- openvino_check.c ---- */

/* Called for each fault: id of the check, layer, words. */
typedef enum opshift_status openvino_found(void *data, const char *id, const struct ir_layer *layer, const char *words,
                                           struct opshift_error *error);
/* Checks each Split and VariadicSplit. Fails only where found fails, or IO, MEMORY. */
enum opshift_status openvino_check(struct openvino_net *net, openvino_found *found, void *data,
                                   struct opshift_error *error);

#endif
