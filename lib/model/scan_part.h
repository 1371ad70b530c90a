/* The parts of the scan: each reads one kind of message, from tools that they share. */
#ifndef MODEL_SCAN_PART_H
#define MODEL_SCAN_PART_H

#include <inttypes.h>

#include "model/model.h"
#include "model/scan.h"
#include "wire/wire.h"

/* Items under way, of a message and of those around it: each message takes off what it put on. */
struct stack {
    void *items;
    size_t count, room;
};

#define SPARES 6u

struct scan {
    struct opshift_model *model;
    struct opshift_error *error;
    struct stack inputs, outputs; /* name_id */
    struct stack subgraphs;       /* struct graph * */
    struct stack dims;            /* int64_t */
    name_id *slab;                /* room for the names of nodes to come */
    size_t slab_left, slab_room;
    uint64_t held;  /* bytes of the arrays outside the arena */
    uint64_t nodes; /* of all graphs so far */
    uint64_t names; /* names_memory, when it was checked */
    unsigned places;
    void *spares[SPARES];     /* arrays of small graphs that went, by the size of an item: each starts with the next */
    struct message *messages; /* room for those to come */
    size_t messages_left;
};

/* Where the scan is: in this message, which has so many levels around it. */
struct scan_place {
    const ProtobufCMessageDescriptor *message;
    struct wire_cursor cursor;
    struct wire_field field;
    uint32_t depth;
};

/* A node, and what stands around it, while its attributes are searched for graphs. */
struct owner {
    struct graph *graph;
    struct message *around; /* the GraphProto or FunctionProto */
    struct message *node;   /* NULL until a graph is found in it */
    name_id domain, overload;
    struct wire_field field, name; /* name.size 0: it has none so far */
    uint32_t index;
    uint64_t attributes, outputs; /* so far */
};

static inline struct range range_of(const struct wire_field *field)
{
    return range_make(field->record, field->offset, field->size);
}

/* ---- memory, within the limit (scan_memory.c) ---- */

enum opshift_status scan_check_memory(struct scan *scan, uint64_t wanted);
/* Zeroed items in the model's arena. */
enum opshift_status scan_take(struct scan *scan, size_t count, size_t size, void *pointer);
enum opshift_status scan_stack_push(struct scan *scan, struct stack *stack, const void *item, size_t size);
/* A copy in the arena of what a stack has from `base` on, which leaves the stack. Nothing: NULL. */
enum opshift_status scan_stack_take(struct scan *scan, struct stack *stack, size_t base, size_t size, void *pointer);
/* One more zeroed item at the end of an array that the model owns. Its room follows from its count: 4, 8, 16, ... */
enum opshift_status scan_array_add(struct scan *scan, void *array, uint32_t *count, size_t size, void *item);
/* An array that scan_array_add made. */
struct scan_array {
    void *items; /* the pointer to them */
    uint32_t count;
    size_t size; /* of an item */
};
void scan_spares_free(struct scan *scan);
/* Gives back the room that an array does not need. */
void scan_array_trim(const struct scan_array *array);
/* Puts the items into other memory, and gives back their own. Where the next array may go. */
uint8_t *scan_array_move(struct scan *scan, const struct scan_array *array, uint8_t *to);
enum opshift_status scan_message_add(struct scan *scan, struct message *parent, const struct wire_field *field,
                                     struct message **message);

/* ---- fields (scan_field.c) ---- */

struct scan_place scan_spot(const struct scan *scan, const ProtobufCMessageDescriptor *message, uint64_t offset,
                            uint64_t size, uint32_t depth);
/* The next field that is known and written as its type is. Messages below are checked for depth, but those that hold
 * graphs, which get their own scan. */
enum opshift_status scan_next(struct scan *scan, struct scan_place *spot, bool *found);
enum opshift_status scan_name(struct scan *scan, const struct wire_field *field, name_id *name);
enum opshift_status scan_domain(struct scan *scan, const struct wire_field *field, name_id *name);
enum opshift_status scan_push_name(struct scan *scan, const struct wire_field *field, struct stack *stack);
/* Did names that were added take more than the limit? */
enum opshift_status scan_names_check(struct scan *scan);
/* Makes slab_left at least `count`, which is no more than SLAB_LAST / 2. */
#define SLAB_LAST 4096u
enum opshift_status scan_slab_reserve(struct scan *scan, size_t count);

/* ---- messages that have no scan (scan_frame.c) ---- */

/* Notes what is wrong with a field, a message or packed numbers, for model->broken. IO, MEMORY. */
enum opshift_status scan_frame(struct scan *scan, const struct scan_place *spot, const ProtobufCFieldDescriptor *known);

/* ---- messages: the spot stands on the field that holds them ---- */

/* A TensorProto or SparseTensorProto, and a ValueInfoProto (scan_value.c). */
enum opshift_status scan_initializer(struct scan *scan, struct scan_place *around, struct graph *graph);
enum opshift_status scan_value(struct scan *scan, struct scan_place *around, struct value_info **values,
                               uint32_t *count);
/* A NodeProto (scan_node.c). */
enum opshift_status scan_node(struct scan *scan, struct scan_place *around, struct graph *graph);
/* An AttributeProto: only the graphs in it are of interest; its name is read when there is one. */
enum opshift_status scan_attribute(struct scan *scan, const struct scan_place *around, struct owner *owner);
/* A GraphProto (scan.c). */
enum opshift_status scan_graph(struct scan *scan, const struct wire_field *field, struct message *around,
                               struct graph *parent, enum graph_kind kind, uint32_t depth, struct graph **made);

#endif
