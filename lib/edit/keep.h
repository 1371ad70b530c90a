/* Which nodes, initializers and functions some outputs need, and the removal of the others. */
#ifndef EDIT_KEEP_H
#define EDIT_KEEP_H

#include "edit/edit.h"
#include "infer/types.h"

/* What is known of a model's values. */
struct kept_view {
    struct scopes *scopes;
    struct types *types;
    uint8_t *inside; /* by name_id: values of the main graph */
};
/* After a failure, too, view_close follows. */
enum opshift_status view_open(struct kept_view *view, struct editing *editing, struct opshift_error *error);
void view_close(struct kept_view *view);
/* Removes the value infos of a name of the main graph. */
enum opshift_status infos_remove(struct opshift_model *model, name_id name, struct opshift_error *error);

/* By graph number: bits for nodes, initializers, inputs. */
struct keep_graph {
    uint8_t *nodes, *initializers, *inputs;
};

/* What is needed. */
struct keep {
    struct opshift_model *model;
    struct scopes *scopes;
    struct arena *arena;
    const uint8_t *cut; /* by name_id: values of the main graph that are given instead of computed; NULL: none */
    bool only_needed;   /* of subgraphs, too */
    struct keep_graph *graphs;
    uint8_t *functions;
    uint8_t *cut_used; /* by name_id */
    struct call *stack;
    uint32_t stack_count, stack_room;
};

/* Start with model, scopes, arena, cut and only_needed. MEMORY. */
enum opshift_status keep_start(struct keep *keep, struct opshift_error *error);
/* Marks all that a value of a graph needs. */
enum opshift_status keep_need(struct keep *keep, struct graph *graph, name_id name, struct opshift_error *error);
/* Marks what stands for itself: values of training. */
enum opshift_status keep_need_training(struct keep *keep, struct opshift_error *error);

struct keep_counts {
    uint64_t nodes, initializers, functions, infos, imports;
};
/* Removes what is not needed; before: only of what that marks; NULL: of all. */
enum opshift_status keep_remove(const struct keep *keep, const struct keep *before, struct keep_counts *counts,
                                struct opshift_error *error);
/* "12 nodes, 3 initializers". */
const char *keep_words(struct arena *arena, const struct keep_counts *counts);

/* The value info of a value, as a record of a field of its graph: as it is declared, else as it is inferred. *known:
 * an element type is known. */
enum opshift_status value_record(struct opshift_model *model, struct types *types, struct graph *graph, name_id name,
                                 uint32_t number, struct buffer *out, bool *known, struct opshift_error *error);

#endif
