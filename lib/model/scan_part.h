/* The internal interface of the scan's files: shared tools, and a function for each kind of message. */
#ifndef MODEL_SCAN_PART_H
#define MODEL_SCAN_PART_H

#include <inttypes.h>

#include "model/model.h"
#include "model/scan.h"
#include "wire/wire.h"

/* A stack of items of the messages being scanned: each message pops what it pushed. */
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
    name_id *slab;                /* room for the names of following nodes */
    size_t slab_left, slab_room;
    uint64_t held;  /* bytes of the arrays outside the arena */
    uint64_t nodes; /* of all graphs so far */
    name_id names;  /* names_count at the last check of the memory */
    unsigned places;
    void *spares[SPARES];     /* free arrays of small graphs, as linked lists by the item's size */
    struct message *messages; /* room for further messages */
    size_t messages_left;
};

/* The position of the scan: a message and its nesting level. */
struct scan_place {
    const ProtobufCMessageDescriptor *message;
    struct wire_cursor cursor;
    struct wire_field field;
    uint32_t depth;
    uint32_t parts; /* SCAN_PART of the fields whose messages other functions scan */
};
#define SCAN_PART(number) (UINT32_C(1) << (number))

/* A node and its enclosing message, while its attributes are scanned for graphs. */
struct owner {
    struct graph *graph;
    struct message *around; /* the GraphProto or FunctionProto */
    struct message *node;   /* NULL until a graph is found in it */
    name_id domain, overload;
    struct wire_field field, name; /* name.size 0: none so far */
    uint32_t index;
    uint64_t attributes, outputs; /* so far */
};

static inline struct range range_of(const struct wire_field *field)
{
    return range_make(field->record, field->offset, field->size);
}

/* ---- memory, within the limit (scan_memory.c) ---- */

enum opshift_status scan_check_memory(struct scan *scan, uint64_t wanted);
/* Allocates zeroed items in the model's arena. */
enum opshift_status scan_take(struct scan *scan, size_t count, size_t size, void *pointer);
/* Doubles the room. */
enum opshift_status scan_stack_grow(struct scan *scan, struct stack *stack, size_t size);
static inline enum opshift_status scan_stack_push(struct scan *scan, struct stack *stack, const void *item, size_t size)
{
    enum opshift_status status = stack->count == stack->room ? scan_stack_grow(scan, stack, size) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        memcpy((uint8_t *)stack->items + stack->count++ * size, item, size);
    return status;
}
/* Pops the items from `base` on and gives a copy of them in the arena; NULL if there are none. */
enum opshift_status scan_stack_take(struct scan *scan, struct stack *stack, size_t base, size_t size, void *pointer);
/* Adds a zeroed item to an array that the model owns. The capacity follows from the count: 4, 8, 16, ... */
static inline enum opshift_status scan_array_add(struct scan *scan, void *array, uint32_t *count, size_t size,
                                                 void *item);
/* Makes room for another item in an array that is full. */
enum opshift_status scan_array_grow(struct scan *scan, void *array, uint32_t count, size_t size);
#define SCAN_ARRAY_FIRST 4u
/* An array that scan_array_add made. */
struct scan_array {
    void *items; /* the pointer to them */
    uint32_t count;
    size_t size; /* of an item */
};
void scan_spares_free(struct scan *scan);
/* Shrinks an array to its count. */
void scan_array_trim(const struct scan_array *array);
/* Moves the items to `to` and frees their memory. Returns the address behind them. */
uint8_t *scan_array_move(struct scan *scan, const struct scan_array *array, uint8_t *to);
enum opshift_status scan_message_add(struct scan *scan, struct message *parent, const struct wire_field *field,
                                     struct message **message);

static inline enum opshift_status scan_array_add(struct scan *scan, void *array, uint32_t *count, size_t size,
                                                 void *item)
{
    uint32_t before = *count;
    if ((before & (before - 1)) == 0 && (before == 0 || before >= SCAN_ARRAY_FIRST)) {
        enum opshift_status status = scan_array_grow(scan, array, before, size);
        if (status)
            return status;
    }
    uint8_t *items;
    memcpy(&items, array, sizeof items);
    items += (size_t)before * size;
    memset(items, 0, size);
    memcpy(item, &items, sizeof items);
    *count = before + 1;
    return OPSHIFT_OK;
}

/* ---- fields (scan_field.c) ---- */

static inline struct scan_place scan_spot(const struct scan *scan, const ProtobufCMessageDescriptor *message,
                                          uint64_t offset, uint64_t size, uint32_t depth)
{
    return (struct scan_place){
        .message = message, .cursor = {scan->model->source, offset, offset + size}, .depth = depth};
}
/* Reads the next known field and checks its wire type. Child messages are checked, but for the depth of those that
 * another function scans. */
enum opshift_status scan_next(struct scan *scan, struct scan_place *spot, bool *found);
enum opshift_status scan_name(struct scan *scan, const struct wire_field *field, name_id *name);
enum opshift_status scan_domain(struct scan *scan, const struct wire_field *field, name_id *name);
enum opshift_status scan_push_name(struct scan *scan, const struct wire_field *field, struct stack *stack);
/* Makes slab_left at least `count`, which is no more than SLAB_LAST / 2. */
#define SLAB_LAST 4096u
enum opshift_status scan_slab_reserve(struct scan *scan, size_t count);

/* ---- messages that have no scan (scan_frame.c) ---- */

/* Checks a field, a message or packed numbers and records the first fault in model->broken. IO, MEMORY. */
enum opshift_status scan_frame(struct scan *scan, const struct scan_place *spot, const ProtobufCFieldDescriptor *known);

/* ---- messages: the spot stands on the field that holds them ---- */

/* A TensorProto or SparseTensorProto, and a ValueInfoProto (scan_value.c). */
enum opshift_status scan_initializer(struct scan *scan, struct scan_place *around, struct graph *graph);
enum opshift_status scan_value(struct scan *scan, struct scan_place *around, struct value_info **values,
                               uint32_t *count);
/* A NodeProto (scan_node.c). */
enum opshift_status scan_node(struct scan *scan, struct scan_place *around, struct graph *graph);
/* An AttributeProto: only its graphs are scanned; its name is read if there is one. */
enum opshift_status scan_attribute(struct scan *scan, const struct scan_place *around, struct owner *owner);
/* A GraphProto (scan.c). */
enum opshift_status scan_graph(struct scan *scan, const struct wire_field *field, struct message *around,
                               struct graph *parent, enum graph_kind kind, uint32_t depth, struct graph **made);

#endif
