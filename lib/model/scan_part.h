/* The parts of the scan: each reads one kind of message, from tools that they share. */
#ifndef MODEL_SCAN_PART_H
#define MODEL_SCAN_PART_H

#include <inttypes.h>

#include "base/ends.h"
#include "model/form.h"
#include "model/model.h"
#include "model/scan.h"
#include "model/seen.h"
#include "wire/wire.h"

/* Items under way, of a message and of those around it: each message takes off what it put on. */
struct stack {
    void *items;
    size_t count, room;
};

/* A small message that was stepped through and is whole: many values have the same type. */
#define WHOLE_SIZE 30u
#define WHOLE_BITS 6
struct whole {
    uint8_t kind; /* its row's index + 1; 0: none */
    uint8_t size;
    uint8_t bytes[WHOLE_SIZE];
};

/* The attributes of a node or the type of a value, and their number. */
#define LISTED_COUNT 16u
struct listed {
    uint16_t number;
    uint8_t size, bytes[SEEN_SIZE];
};

/* What an initializer says beside its name: in front of it, and behind. */
struct said {
    uint8_t bytes[SEEN_SIZE];
    size_t before, after;
    unsigned number; /* of its value, as in its range */
};

/* A name that was met. */
struct met {
    struct bytes text;
    name_id name;
};

#define SPARES 6u

struct scan {
    struct opshift_model *model;
    struct opshift_error *error;
    struct stack inputs, outputs; /* name_id */
    struct stack subgraphs;       /* struct graph * */
    struct stack dims;            /* int64_t */
    int64_t *last_dims;           /* of an initializer; many have the dims of the one before */
    uint32_t last_rank;
    struct said last_said;           /* by an initializer; many have the value of the one before */
    name_id next_output, next_value; /* the name after the last one; lists often go on in the order of another */
    struct met common[16];           /* that many messages have; each in a place that follows from its bytes */
    struct whole attributes[WHOLE_SIZE + 1];                /* that were met and hold no graph, by their size */
    struct listed lists[LISTED_COUNT], types[LISTED_COUNT]; /* each in a place that follows from its bytes */
    struct inside *foreign; /* of the last node that has nothing inside but a domain; NULL: there was none */
    name_id *slab;          /* room for the names of nodes to come */
    size_t slab_left, slab_room;
    uint64_t held;                        /* bytes of the arrays outside the arena */
    uint64_t nodes;                       /* of all graphs so far */
    uint64_t names;                       /* names_memory, when it was checked */
    struct whole whole[1u << WHOLE_BITS]; /* each in a place that follows from its bytes */
    unsigned places;
    void *spares[SPARES];     /* arrays of small graphs that went, by the size of an item: each starts with the next */
    struct message *messages; /* room for those to come */
    size_t messages_left;
};

/* Where the scan is: in this message, which has so many levels around it. */
struct spot {
    const struct form *form;
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
/* How many more there is room for. */
size_t scan_array_left(uint32_t count);
/* An array that scan_array_add made. */
struct array {
    void *items; /* the pointer to them */
    uint32_t count;
    size_t size; /* of an item */
};
void scan_spares_free(struct scan *scan);
/* Gives back the room that an array does not need. */
void scan_array_trim(const struct array *array);
/* Puts the items into other memory, and gives back their own. Where the next array may go. */
uint8_t *scan_array_move(struct scan *scan, const struct array *array, uint8_t *to);
enum opshift_status scan_message_add(struct scan *scan, struct message *parent, const struct wire_field *field,
                                     struct message **message);

/* ---- fields (scan_field.c) ---- */

struct spot scan_spot(const struct scan *scan, enum form_kind kind, uint64_t offset, uint64_t size, uint32_t depth);
/* The next field that is known and written as its type is. Messages below are checked for depth, but those that hold
 * graphs, which get their own scan. */
static inline enum opshift_status scan_next(struct scan *scan, struct spot *spot, bool *found);
/* The same where the message goes on. */
enum opshift_status scan_next_any(struct scan *scan, struct spot *spot, bool *found);
enum opshift_status scan_name(struct scan *scan, const struct wire_field *field, name_id *name);
/* The same for one that many messages have. */
enum opshift_status scan_common_name(struct scan *scan, const struct wire_field *field, name_id *name);
/* Where such a name belongs, which is not empty. *same: it was the last one there. */
static inline struct met *scan_common_place(struct scan *scan, const uint8_t *data, size_t size, bool *same)
{
    struct met *met = &scan->common[(size + data[0]) % COUNT(scan->common)];
    *same = met->text.size == size && ends_same(met->text.data, data, size, ends_of(data, size));
    return met;
}
/* The domain "ai.onnx" and the empty one are the same. */
static inline bool scan_domain_is_onnx(const uint8_t *data, size_t size)
{
    return size == 7 && memcmp(data, "ai.onnx", 7) == 0;
}
enum opshift_status scan_domain(struct scan *scan, const struct wire_field *field, name_id *name);
enum opshift_status scan_push_name(struct scan *scan, const struct wire_field *field, struct stack *stack);
/* Did names that were added take more than the limit? */
enum opshift_status scan_names_check(struct scan *scan);
/* Makes slab_left at least `count`, which is no more than SLAB_LAST / 2. */
#define SLAB_LAST 4096u
enum opshift_status scan_slab_reserve(struct scan *scan, size_t count);

/* ---- messages that have no scan (scan_frame.c) ---- */

/* Is a message of this row whole, and all below it, with so many levels at most? False: perhaps not. */
bool scan_frame_is_plain(struct scan *scan, unsigned kind, const uint8_t *data, size_t size, uint32_t levels);
/* Packed varints: does each of them end, and the last one where the bytes do? */
bool scan_varints_are_whole(const uint8_t *data, size_t size);
/* Is a field of bytes a list of numbers that stand in a row, all of them whole? */
bool scan_packed_is_plain(unsigned kind, unsigned number, const uint8_t *data, size_t size);
/* Notes what is wrong with a field, a message or packed numbers, for model->broken. IO, MEMORY. */
enum opshift_status scan_frame(struct scan *scan, const struct spot *spot, const ProtobufCFieldDescriptor *known);

/* ---- what most messages are (scan_row.c, scan_plain.c) ---- */

/* Reads plain messages that follow one another from where the spot stands, which goes on behind them: `most` of them at
 * most. How many; 0: the first one is not plain. */
size_t scan_nodes_plain(struct scan *scan, struct spot *around, struct node *nodes, size_t most);
size_t scan_values_plain(struct scan *scan, struct spot *around, struct value_info *values, size_t most);
size_t scan_initializers_plain(struct scan *scan, struct spot *around, struct initializer *initializers, size_t most);

/* ---- messages: the spot stands on the field that holds them; plain ones that follow nodes, values and initializers
 * are read too ---- */

/* A TensorProto or SparseTensorProto, and a ValueInfoProto (scan_value.c). */
enum opshift_status scan_initializer(struct scan *scan, struct spot *around, struct graph *graph);
enum opshift_status scan_value(struct scan *scan, struct spot *around, struct value_info **values, uint32_t *count);
/* A NodeProto (scan_node.c). */
enum opshift_status scan_node(struct scan *scan, struct spot *around, struct graph *graph);
/* An AttributeProto: only the graphs in it are of interest; its name is read when there is one. */
enum opshift_status scan_attribute(struct scan *scan, const struct spot *around, struct owner *owner);
/* A GraphProto (scan.c). */
enum opshift_status scan_graph(struct scan *scan, const struct wire_field *field, struct message *around,
                               struct graph *parent, enum graph_kind kind, uint32_t depth, struct graph **made);

static inline enum opshift_status scan_next(struct scan *scan, struct spot *spot, bool *found)
{
    *found = spot->cursor.at < spot->cursor.end;
    return *found ? scan_next_any(scan, spot, found) : OPSHIFT_OK;
}

#endif
