/* OpenVINO's intermediate representation (IR), versions 10 and 11, in memory: layers, their ports, and where each input
 * comes from. */
#ifndef DIALECT_IR_H
#define DIALECT_IR_H

#include "base/table.h"
#include "base/xml.h"
#include "model/names.h"
#include "model/tensor.h"

#define IR_NONE UINT32_MAX

/* Names that no two layers, or values, may have. */
struct ir_names {
    struct names *taken;
    uint32_t *given; /* by name: how many were made of it */
    uint32_t room;
};
bool ir_names_open(struct ir_names *names); /* false: no memory */
void ir_names_close(struct ir_names *names);
/* The name as the start of others; `otherwise` for a long one. */
const char *ir_stem(const char *name, const char *otherwise);
/* stem, stem_1, stem_2, ...: a new name; stem "": `otherwise` in its place. NULL: no memory. */
const char *ir_name_fresh(struct ir_names *names, struct arena *arena, const char *stem, const char *otherwise);

struct ir_port {
    int64_t id;
    enum opshift_type type;   /* UNDEFINED: unknown, or none of ONNX's */
    int32_t rank;             /* number of <dim>; 0 also where the rank is unknown */
    const int64_t *dims;      /* -1: unknown */
    const char *const *names; /* of its tensor */
    uint32_t name_count;
};

/* An output of a layer. */
struct ir_link {
    uint32_t layer; /* index; IR_NONE: none */
    uint32_t port;  /* index of the output */
};

/* An attribute of <data>. */
struct ir_setting {
    const char *name, *value;
};

struct ir_layer {
    int64_t id;
    const char *name, *type, *version;
    const struct ir_setting *settings;
    uint32_t setting_count;
    struct ir_port *inputs, *outputs;
    uint32_t input_count, output_count;
    struct ir_link *links; /* of each input */
    uint64_t offset, size; /* of the start tag in the file that it was read from */
};

struct ir_net {
    struct arena *arena; /* owns all but the array of layers */
    const char *name;
    int64_t version;
    struct ir_layer *layers;
    uint32_t count, room;
    uint32_t *order; /* of the layers: each behind those that it reads; NULL: not read from a file */
};

/* A new layer, zeroed; valid until the next one is added. NULL: no memory. */
struct ir_layer *ir_layer_add(struct ir_net *net);
void ir_net_free(struct ir_net *net);

/* The spelling of a type in ports ("FP32") and in attributes ("f32"); NULL: the IR has no such type. */
const char *ir_precision(enum opshift_type type);
const char *ir_element(enum opshift_type type);
/* Both ways of spelling, in any case; UNDEFINED: none of ONNX's types. */
enum opshift_type ir_type_find(const char *text);

/* The value of a setting; NULL: there is none of that name. */
const char *ir_setting_find(const struct ir_layer *layer, const char *name);

/* Reads the .xml of version 11, without the payloads of constants. Every layer has its id, name, type and version;
 * every input one edge from an output that exists; there is no cycle. MALFORMED, UNSUPPORTED (another version, a
 * limit), IO, MEMORY. A failure leaves a net that ir_net_free can free; error->offset is the place. */
enum opshift_status ir_read(struct source *source, const struct opshift_limits *limits, struct ir_net *net,
                            struct opshift_error *error);
/* A decimal integer, the whole text. */
bool ir_number(const char *text, int64_t *number);
/* "layer 'split' (Split)", in the arena. NULL: no memory. */
const char *ir_place_new(const struct ir_net *net, const struct ir_layer *layer);
/* The same, for messages: "a layer" where memory ran out. */
const char *ir_place(const struct ir_net *net, const struct ir_layer *layer);

/* Writes the net as an .xml. note: goes into a comment; NULL: none. */
enum opshift_status ir_write(const struct ir_net *net, const char *note, struct destination *destination,
                             struct opshift_error *error);

#endif
