/* A graph made ready to run: its nodes in an order that works, and where each of them finds its inputs. */
#ifndef KERNEL_SCHEDULE_H
#define KERNEL_SCHEDULE_H

#include "kernel/kernel.h"
#include "model/scope.h"

#define PLACE_NOWHERE UINT32_MAX

enum place_kind { PLACE_ABSENT, PLACE_SLOT };

/* Where a value is found: in a slot of the frame so many levels up. */
struct slot_place {
    enum place_kind kind;
    uint32_t up, slot;
};

/* One node. */
struct schedule_step {
    const struct node *node;
    const struct kernel *kernel; /* NULL: a call, or there is none */
    struct function *callee;     /* NULL: no call */
    const char *op_type;
    int64_t opset;
    struct slot_place *inputs;
    uint32_t first_output; /* its outputs' slots follow each other */
    uint32_t *captures;    /* slots of this graph that its bodies read */
    uint32_t capture_count, capture_room;
    Onnx__AttributeProto **attributes; /* graphs left out; NULL: not read yet */
    size_t attribute_count;
    bool once;                /* it is run alone: its attributes are not kept */
    struct schedule **bodies; /* as node_subgraphs(node) */
};

/* Slots: the graph's inputs, its initializers, then the outputs of its nodes. */
struct schedule {
    struct graph *graph;
    struct schedule_step *steps; /* in the order of the file */
    uint32_t *order;             /* the order to run them in */
    uint32_t step_count, slot_count;
    uint32_t *uses;        /* per slot: how often this graph reads it, captures included */
    uint32_t *input_slots; /* an input that is an initializer too shares its slot */
    struct slot_place *outputs;
    struct value *initial; /* initializers of a graph that may run more than once, once they were read */
};

struct scheduler {
    struct opshift_model *model;
    struct scopes *scopes;
    struct arena *arena;
};

/* Schedules a graph and the bodies in it. */
enum opshift_status schedule_graph(const struct scheduler *scheduler, struct graph *graph, struct schedule **schedule,
                                   struct opshift_error *error);
/* The step of a node that is run alone: neither inputs nor bodies are looked for. */
void schedule_node(const struct scheduler *scheduler, struct graph *graph, const struct node *node,
                   struct schedule_step *step);
/* The slots that hold a graph's initializers. */
static inline bool schedule_is_initializer(const struct schedule *schedule, uint32_t slot)
{
    return slot >= schedule->graph->input_count &&
           slot - schedule->graph->input_count < schedule->graph->initializer_count;
}

#endif
