/* A model: the file's bytes, an index of their structure, and a list of edits. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/file.h"
#include "model/names.h"
#include "model/tensor.h"
#include "onnx.pb-c.h"

/* A message in the source that contains others; an edit inside it changes its length. */
struct message {
    struct message *parent; /* NULL: the ModelProto itself */
    uint64_t offset;        /* of its payload */
    uint64_t size : 54;     /* its bytes, */
    uint64_t head : 5;      /* bytes of tag and length before it, */
    uint64_t tag : 5;       /* bytes of the tag; used by layout.c where the length changes */
    int64_t growth;         /* growth of the payload in bytes, computed by layout.c */
};

static inline struct message message_make(struct message *parent, uint64_t record, uint64_t offset, uint64_t size)
{
    return (struct message){.parent = parent, .offset = offset, .size = size, .head = (offset - record) & 0x1f};
}
/* Where its tag starts. */
static inline uint64_t message_record(const struct message *message)
{
    return message->offset - message->head;
}

/* A range of the source: one child message. Packed into 12 bytes, since the index has one for each node and value; a
 * source is at most RANGE_MAX bytes. Plain words, since bit-fields would be read before they are completely written. */
struct __attribute__((packed, aligned(4))) range {
    uint64_t place; /* 40 bits: offset of the tag; above them the lowest 24 bits of the payload's size */
    uint32_t rest;  /* 16 bits: the highest bits of that size; 5 bits: size of the head before the payload */
};
#define RANGE_BITS 40u
#define RANGE_MAX  ((UINT64_C(1) << RANGE_BITS) - 1)
#define RANGE_LOW  (64 - RANGE_BITS) /* bits of the size in `place` */
#define RANGE_HIGH (RANGE_BITS - RANGE_LOW)
#define RANGE_HEAD 5u

static inline struct range range_make(uint64_t record, uint64_t offset, uint64_t size)
{
    return (struct range){record | size << RANGE_BITS, (uint32_t)(size >> RANGE_LOW | (offset - record) << RANGE_HIGH)};
}
/* Where its tag starts. */
static inline uint64_t range_record(struct range range)
{
    return range.place & RANGE_MAX;
}
/* Bytes of its payload. */
static inline uint64_t range_size(struct range range)
{
    return range.place >> RANGE_BITS | (uint64_t)(range.rest & ((1u << RANGE_HIGH) - 1)) << RANGE_LOW;
}
static inline unsigned range_head(struct range range)
{
    return range.rest >> RANGE_HIGH & ((1u << RANGE_HEAD) - 1);
}
/* Where its payload starts. */
static inline uint64_t range_offset(struct range range)
{
    return range_record(range) + range_head(range);
}
static inline uint64_t range_end(struct range range)
{
    return range_offset(range) + range_size(range);
}
/* Bytes of tag, length and payload. */
static inline uint64_t range_length(struct range range)
{
    return range_head(range) + range_size(range);
}
struct graph;

/* Properties that few nodes have: a domain, an overload, subgraphs, or edits inside. Several nodes may share one that
 * has no message. */
struct inside {
    struct message *message; /* NULL: not decoded yet */
    name_id domain;          /* "ai.onnx" is folded into NAME_NONE */
    name_id overload;
    uint32_t subgraph_count;
    struct graph *subgraphs[]; /* in file order */
};

/* Packed, since the index has many. */
struct __attribute__((packed, aligned(4))) node {
    struct range range;
    name_id op_type : 31, has_inside : 1;
    uint32_t input_count, output_count;
    uint32_t attributes_from; /* bytes of its message before the first attribute, and one; 0: it has none */
    name_id
        *names; /* the inputs, then the outputs; with has_inside, a pointer in the INSIDE_ROOM entries before them */
};
#define INSIDE_ROOM (sizeof(struct inside *) / sizeof(name_id))

/* A ValueInfoProto; for a function's input or output only the name (its range's size is 0). */
struct value_info {
    struct range range;
    name_id name;
};

struct initializer {
    struct range range; /* of the TensorProto, or of the SparseTensorProto */
    name_id name;
    enum opshift_type type;
    uint32_t rank : 30; /* capped at INITIALIZER_DIMS_MAX, which no reader accepts */
    bool sparse : 1, external : 1;
    int64_t *dims;
};

#define INITIALIZER_DIMS_MAX ((UINT32_C(1) << 30) - 1)

enum graph_kind { GRAPH_MAIN, GRAPH_SUB, GRAPH_FUNCTION, GRAPH_TRAINING };

/* A main graph, a subgraph, a training graph, or a function's body. */
struct graph {
    struct message *message;   /* of the GraphProto or FunctionProto */
    struct graph *parent;      /* the enclosing scope; NULL for main and functions */
    struct function *function; /* for a body and all below it; else NULL */
    const char *place;         /* prefix of node_place for its nodes; NULL: not computed yet */
    struct node *nodes;
    struct value_info *inputs, *outputs, *values;
    struct initializer *initializers;
    uint32_t node_count, input_count, output_count, value_count, initializer_count;
    name_id name;
    name_id owner_attribute; /* for a subgraph: the attribute that holds it */
    uint32_t owner;          /* for a subgraph: the index of its node in parent */
    uint32_t number;         /* its index in model->graphs */
    enum graph_kind kind : 31;
    bool is_small : 1; /* its arrays are in the arena; else each is freed separately */
};

struct opset_import {
    struct range range;
    name_id domain;           /* "ai.onnx" is folded into NAME_NONE */
    int64_t version, stamped; /* as it is read, and as it stands in the file */
};

struct function {
    struct message *message;
    name_id name, domain, overload;
    struct opset_import *imports;
    uint32_t import_count;
    name_id *attributes; /* parameters without a default */
    uint32_t attribute_count;
    struct range *defaults; /* AttributeProto of each parameter with a default (field attribute_proto) */
    uint32_t default_count;
    struct graph *body;
};

/* Replaces `removed` bytes at offset (inside parent's payload, at record boundaries) by the `size` bytes at `place` in
 * model->added. Of two edits at one offset, an insertion is applied first; else they are applied in the order in which
 * they were made. */
struct __attribute__((packed, aligned(4))) edit {
    struct message *parent;
    uint64_t offset : 42, removed : 42, place : 42, size : 33;
};
#define EDIT_SIZE_MAX ((UINT64_C(1) << 33) - 1)

struct opshift_model {
    struct arena *arena; /* owns everything below except the source, the names and arrays that open.c frees */
    struct names *names;
    struct source *source;
    const char *name;      /* name in messages */
    const char *directory; /* directory of external data */
    struct opshift_limits limits;
    enum opshift_external_policy external;
    opshift_progress progress; /* of struct opshift_open_options; may be NULL */
    void *progress_data;
    struct message *message;      /* the ModelProto: record and offset 0, size of the file */
    int64_t ir_version;           /* 0: not given */
    int64_t read_as;              /* opset of struct opshift_open_options; 0: none */
    bool is_stamped;              /* an edit writes the opset that it is converted to */
    struct opshift_error *broken; /* the first fault in a message that the index does not need; NULL: none */
    struct range named;           /* the node whose name was read last */
    name_id name_of_that;
    bool all_named;        /* the names of all nodes are in `names` */
    struct range ir_range; /* record: the tag; offset, size: the varint; size 0: not given */
    struct opset_import *imports;
    uint32_t import_count;
    struct graph *main;    /* never NULL after open */
    struct graph **graphs; /* all of them, each before those inside it; main first, then training, then functions */
    uint32_t graph_count;
    struct function *functions;
    uint32_t function_count;
    struct message **messages; /* every message that may contain an edit; layout.c sorts them by offset */
    uint32_t message_count, message_room;
    bool has_external;  /* at least one tensor has external data */
    bool names_outside; /* values may be used outside of nodes: see outside.h */
    struct edit *edits;
    uint32_t edit_count, edit_room;
    struct buffer added;              /* bytes added by all edits, in the order in which they were made */
    struct buffer fresh_names;        /* ids added by scope_fresh, ascending; not in the file */
    struct weights_file *weights;     /* that a save writes, too (weights_file.h); NULL: none */
    struct opshift_model *saved_with; /* whose edits make this one, which is not saved yet; NULL: none */
    bool moves_external;              /* the edits change which files of external data it has */
    bool *defaults; /* by name_id: is the name an initializer that gives an input's default? NULL: not computed yet */
    struct arena *scratch; /* of value_info_type; NULL: not created yet */
};

/* opshift_model_open for a source, whose ownership is taken, also on failure. options may be NULL. */
enum opshift_status model_open_source(struct source *source, const struct opshift_open_options *options,
                                      struct opshift_model **model, struct opshift_error *error);

#define PROGRESS_NODES 1024u /* between two calls of a progress callback */

/* Calls the progress callback of the model's options, if there is one. count may be exceeded. CANCELLED. */
enum opshift_status model_progress(const struct opshift_model *model, uint64_t done, uint64_t count,
                                   struct opshift_error *error);

static inline const name_id *node_inputs(const struct node *node)
{
    return node->names;
}
static inline const name_id *node_outputs(const struct node *node)
{
    return node->input_count ? node->names + node->input_count : node->names; /* NULL: neither inputs nor outputs */
}

/* NULL: the node has none of these properties. */
static inline struct inside *node_inside(const struct node *node)
{
    struct inside *inside = NULL;
    if (node->has_inside)
        memcpy(&inside, node->names - INSIDE_ROOM, sizeof(inside));
    return inside;
}
/* names must have INSIDE_ROOM entries before it. */
static inline void node_set_inside(struct node *node, struct inside *inside)
{
    node->has_inside = 1;
    memcpy(node->names - INSIDE_ROOM, &inside, sizeof(inside));
}
static inline name_id node_overload(const struct node *node)
{
    return node->has_inside ? node_inside(node)->overload : NAME_NONE;
}
static inline name_id node_domain(const struct node *node)
{
    return node->has_inside ? node_inside(node)->domain : NAME_NONE;
}
static inline uint32_t node_subgraph_count(const struct node *node)
{
    return node->has_inside ? node_inside(node)->subgraph_count : 0;
}
static inline struct graph **node_subgraphs(const struct node *node)
{
    return node->has_inside ? node_inside(node)->subgraphs : NULL;
}

/* Reads a name of any length from the file and adds it to the names. IO, MEMORY. */
struct wire_field;
enum opshift_status name_read(struct opshift_model *model, const struct wire_field *field, name_id *name,
                              struct opshift_error *error);
/* Reads a node's name and adds it to the names; NAME_NONE: it has none. NAME_NO_MEMORY. */
name_id node_name(struct opshift_model *model, const struct node *node);
/* Reads the names of all nodes; needed before a fresh node name is chosen. False: no memory. */
bool node_names_read(struct opshift_model *model);
/* "node 'name' (Split)" or "node 12 (Split)"; with the subgraph path in front. */
void node_place_add(struct opshift_model *model, const struct graph *graph, const struct node *node,
                    struct buffer *out);
/* The same in the arena. NULL: no memory. */
const char *node_place_find(struct opshift_model *model, const struct graph *graph, const struct node *node);
/* The same for an error message: "a node" if memory ran out. */
const char *node_place(struct opshift_model *model, const struct graph *graph, const struct node *node);

/* The version of a domain in a graph (from its function's imports, else the model's); 0: not imported. For ai.onnx
 * without any import and IR < 3: 1. */
int64_t graph_opset(const struct opshift_model *model, const struct graph *graph, name_id domain);

/* One attribute of a node in the source. type: field `type`, or (old models) by the field that is set. */
struct attribute_range {
    struct range range;
    name_id name;
    name_id reference; /* ref_attr_name; NAME_NONE: the attribute has a value */
    Onnx__AttributeProto__AttributeType type;
    Onnx__AttributeProto__AttributeType held; /* by the field that is set; UNDEFINED: none */
    bool typed;                               /* field `type` is present */
    bool plain;         /* an INT or INTS, with nothing besides its name, its type and its value */
    uint32_t int_count; /* elements of `ints` that are not packed */
    int64_t i;          /* field `i` */
};

/* The type of attributes whose value is in this field of AttributeProto; UNDEFINED: the field holds no value. */
Onnx__AttributeProto__AttributeType attribute_field_type(uint32_t number);
static inline bool attribute_is_graph(Onnx__AttributeProto__AttributeType type)
{
    return type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH ||
           type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS;
}
/* "INTS"; `otherwise` for an unknown number. */
const char *attribute_type_name(Onnx__AttributeProto__AttributeType type, const char *otherwise);
/* An attribute without a value in the arena, which refers to the name. NULL: no memory. */
Onnx__AttributeProto *attribute_new(struct arena *arena, const char *name, Onnx__AttributeProto__AttributeType type);
/* Reads name and type of one attribute, whose range is set: a function's default. MALFORMED, UNSUPPORTED, IO, MEMORY.
 */
enum opshift_status attribute_look(struct opshift_model *model, struct attribute_range *attribute,
                                   struct opshift_error *error);
/* Walks a node's attributes without decoding them. *attributes is in arena. */
enum opshift_status node_attributes(struct opshift_model *model, const struct node *node, struct arena *arena,
                                    struct attribute_range **attributes, size_t *count, struct opshift_error *error);
/* Decodes an attribute into arena, with protobuf-c unless it is plain; its size is bounded by limit (0: 64 MiB). Depth
 * was checked at open. */
enum opshift_status attribute_decode(struct opshift_model *model, const struct attribute_range *attribute,
                                     struct arena *arena, Onnx__AttributeProto **message, struct opshift_error *error);
/* The attributes of a node for several readers: found at the first query, each decoded at most once. Starts with model,
 * node and arena. */
struct attribute_list {
    struct opshift_model *model;
    const struct node *node;
    struct arena *arena;
    struct attribute_range *ranges;
    Onnx__AttributeProto **messages; /* NULL: not decoded yet */
    size_t count;
    bool read;
};

/* Fills in ranges and count. The errors of node_attributes. */
enum opshift_status attribute_list_read(struct attribute_list *list, struct opshift_error *error);
/* Decodes one of them. The errors of attribute_decode. */
enum opshift_status attribute_list_decode(const struct attribute_list *list, size_t index,
                                          Onnx__AttributeProto **message, struct opshift_error *error);
/* Decodes any message (TypeProto inside ValueInfoProto, ...) with protobuf-c. */
enum opshift_status range_decode(struct opshift_model *model, struct range range,
                                 const ProtobufCMessageDescriptor *descriptor, struct arena *arena, void *message,
                                 struct opshift_error *error);
/* The same; *message is NULL where the bytes do not read as such a message. */
enum opshift_status range_try_decode(struct opshift_model *model, struct range range,
                                     const ProtobufCMessageDescriptor *descriptor, struct arena *arena, void *message,
                                     struct opshift_error *error);
/* A TensorProto's value, external data included (relative to model->directory, never outside it). */
enum opshift_status model_tensor(struct opshift_model *model, const Onnx__TensorProto *message, struct arena *arena,
                                 struct tensor **tensor, struct opshift_error *error);
/* An initializer's value; limit: refuse (UNSUPPORTED) when it has more bytes. Sparse ones are made dense. */
enum opshift_status initializer_tensor(struct opshift_model *model, const struct initializer *initializer,
                                       uint64_t limit, struct arena *arena, struct tensor **tensor,
                                       struct opshift_error *error);
/* A value's declared tensor type. type UNDEFINED: unknown or not a tensor; rank -1: unknown; a dim of -1: unknown;
 * params[i]: the symbolic dim's name, or NAME_NONE. */
struct value_type {
    enum opshift_type type;
    int32_t rank;
    int64_t *dims;
    name_id *params;
    bool is_tensor; /* false: a sequence, map, optional, sparse tensor, or undeclared */
    /* For other values, the type as schemas write it, as far as known: "seq(tensor(float))", "seq(". NULL: a tensor, or
     * unknown. */
    const char *other;
    /* What each element of a sequence is, or what an optional may hold; NULL: unknown. */
    const struct value_type *element;
};

enum opshift_status value_info_type(struct opshift_model *model, const struct value_info *value, struct arena *arena,
                                    struct value_type *type, struct opshift_error *error);
/* The same of a TypeProto. */
enum opshift_status type_message_read(struct opshift_model *model, const Onnx__TypeProto *message, struct arena *arena,
                                      struct value_type *type, struct opshift_error *error);
/* Adds an edit with a copy of the bytes. */
enum opshift_status model_edit(struct opshift_model *model, struct message *parent, uint64_t offset, uint64_t removed,
                               struct bytes added, struct opshift_error *error);
/* Removes a record of a message. */
enum opshift_status range_remove(struct opshift_model *model, struct message *parent, struct range range,
                                 struct opshift_error *error);
/* Replaces the field at a position among those of its number, or adds it at the end. message NULL: no memory. */
enum opshift_status field_set(struct opshift_model *model, struct message *message, uint32_t number, uint32_t position,
                              struct bytes text, struct opshift_error *error);
/* Takes ownership of bytes for a model without edits; model_edit_at adds edits that refer to them. */
void model_edits_take(struct opshift_model *model, struct buffer *bytes);
enum opshift_status model_edit_at(struct opshift_model *model, struct message *parent, uint64_t offset,
                                  uint64_t removed, size_t place, size_t size, struct opshift_error *error);
/* The field number of a graph's nodes: GraphProto.node, or FunctionProto.node of a body. */
static inline uint32_t graph_node_field(const struct graph *graph)
{
    return graph->kind == GRAPH_FUNCTION ? 7 : 1;
}

/* Adds a node to records of the graph; input.data NULL: none, attribute NULL: none. */
void node_record_add(struct buffer *records, const struct graph *graph, const char *op_type, struct bytes input,
                     struct bytes output, const Onnx__AttributeProto *attribute);
/* Where new initializers are inserted: after the last one, or at the end of the graph. */
uint64_t initializer_place(const struct graph *graph);
/* The message of a node, for edits inside it; created on demand. NULL: no memory. */
struct message *node_message(struct opshift_model *model, struct graph *graph, struct node *node);
/* The bytes that an edit adds; valid until the next edit is made. */
static inline struct bytes edit_added(const struct opshift_model *model, const struct edit *edit)
{
    return (struct bytes){edit->size ? model->added.data + edit->place : NULL, (size_t)edit->size};
}
/* A position in the list of edits and added bytes. */
struct edits_mark {
    uint32_t count;
    size_t added;
};
static inline struct edits_mark model_edits_mark(const struct opshift_model *model)
{
    return (struct edits_mark){model->edit_count, model->added.size};
}
/* Removes all edits made since the mark. */
void model_edits_cut(struct opshift_model *model, struct edits_mark mark);
/* Removes all edits. */
void model_edits_clear(struct opshift_model *model);

/* Has the model a node of this operator of ai.onnx, in any graph? */
bool model_has_operator(const struct opshift_model *model, const char *op_type);

/* Is its operator this one of ai.onnx? */
static inline bool node_is(const struct opshift_model *model, const struct node *node, const char *op_type)
{
    return node_domain(node) == NAME_NONE && names_is(model->names, node->op_type, op_type, strlen(op_type));
}

#endif
