/* Schedules a graph for execution: an order of its nodes, and the location of each node's inputs. */
#ifndef KERNEL_SCHEDULE_H
#define KERNEL_SCHEDULE_H

#include "kernel/kernel.h"
#include "model/scope.h"

#define PLACE_NOWHERE UINT32_MAX

enum place_kind { PLACE_ABSENT, PLACE_SLOT };

/* The location of a value: a slot of the frame this many levels up. */
struct slot_place {
    enum place_kind kind;
    uint32_t up, slot;
};

/* One node. */
struct schedule_step {
    const struct node *node;
    const struct kernel *kernel; /* NULL: a call, or no kernel exists */
    const struct schema *schema; /* of the kernel's operator */
    struct function *callee;     /* NULL: not a call */
    const char *op_type;
    int64_t opset;
    struct slot_place *inputs;
    uint32_t first_output; /* its outputs' slots are contiguous */
    uint32_t *captures;    /* slots of this graph that its bodies read */
    uint32_t capture_count, capture_room;
    Onnx__AttributeProto **attributes; /* without graphs; NULL: not yet read */
    size_t attribute_count;
    bool once;                /* runs once: its attributes are not cached */
    struct schedule **bodies; /* as node_subgraphs(node) */
};

/* Slots: the graph's inputs, its initializers, then the outputs of its nodes. */
struct schedule {
    struct graph *graph;
    struct schedule_step *steps; /* in the order of the file */
    uint32_t *order;             /* order of execution */
    uint32_t step_count, slot_count;
    uint32_t *uses;        /* per slot: number of reads in this graph, captures included */
    uint32_t *input_slots; /* an input with an initializer shares its slot */
    struct slot_place *outputs;
    struct value *initial; /* cached initializers of a graph that may run more than once */
};

struct scheduler {
    struct opshift_model *model;
    struct scopes *scopes;
    struct arena *arena;
};

/* Schedules a graph and its bodies. */
enum opshift_status schedule_graph(const struct scheduler *scheduler, struct graph *graph, struct schedule **schedule,
                                   struct opshift_error *error);
/* The step for a node run alone: without inputs and bodies. */
void schedule_node(const struct scheduler *scheduler, struct graph *graph, const struct node *node,
                   struct schedule_step *step);
/* Does the slot hold an initializer? */
static inline bool schedule_is_initializer(const struct schedule *schedule, uint32_t slot)
{
    return slot >= schedule->graph->input_count &&
           slot - schedule->graph->input_count < schedule->graph->initializer_count;
}

#endif
