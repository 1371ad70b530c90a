/* --dedupe: equal weights once; readers of the others read the first. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "edit/keep.h"
#include "edit/walk.h"
#include "model/preview.h"
#include "model/weights_file.h"

struct weight_seen {
    struct graph *graph;
    const struct initializer *initializer;
    struct weight_part part;
};

struct deduping {
    struct opshift_model *model;
    struct kept_view view;
    struct arena *arena;
    struct table table; /* of `seen`, by type, dims and the first bytes */
    struct weight_seen *seen;
    uint32_t seen_count;
    uint8_t *pieces;   /* two */
    uint8_t *defined;  /* by name_id: defined once, or more than once, as a value */
    name_id *replaced; /* by name_id: the weight that is read instead; NAME_NONE: none */
    struct buffer text;
    uint64_t count, size;
    struct opshift_error *error;
};

/* ---- equal bytes ---- */

static enum opshift_status part_hash(struct deduping *deduping, const struct weight_seen *weight, uint64_t *hash)
{
    const struct initializer *initializer = weight->initializer;
    size_t start = (size_t)(weight->part.size < 4096 ? weight->part.size : 4096), dims = 0;
    uint8_t *bytes = deduping->pieces;
    enum opshift_status status = weight_part_read(&weight->part, 0, bytes, start, deduping->error);
    memcpy(bytes + start, &initializer->type, sizeof(initializer->type));
    start += sizeof(initializer->type);
    dims = initializer->rank * sizeof(*initializer->dims);
    if (dims && dims < WEIGHT_PIECE - start)
        memcpy(bytes + start, initializer->dims, dims);
    *hash = table_hash(&deduping->table, bytes, start + (dims < WEIGHT_PIECE - start ? dims : 0));
    return status;
}

static bool heads_same(const struct initializer *a, const struct initializer *b)
{
    return a->type == b->type && a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0);
}

/* ---- which ---- */

static bool is_around(const struct graph *outer, const struct graph *graph)
{
    while (graph && graph != outer)
        graph = graph->parent;
    return graph != NULL;
}

/* May readers of this weight read another one? Not where its name is one that a caller sees, or has two meanings. */
static bool may_go(const struct deduping *deduping, struct graph *graph, const struct initializer *initializer)
{
    name_id name = initializer->name;
    for (uint32_t i = 0; i < graph->output_count; i++)
        if (graph->outputs[i].name == name)
            return false;
    return deduping->defined[name] == 1 && !scope_is_input(deduping->view.scopes, graph, name) &&
           !scope_is_outside(deduping->view.scopes, name);
}

static enum opshift_status weight_look(struct deduping *deduping, struct graph *graph,
                                       const struct initializer *initializer)
{
    struct weight_seen *weight = &deduping->seen[deduping->seen_count];
    uint64_t hash = 0;
    bool same = false;
    *weight = (struct weight_seen){graph, initializer, {0}};
    enum opshift_status status =
        weight_part_find(deduping->model, initializer, deduping->arena, &weight->part, deduping->error);
    if (status || weight->part.size == 0)
        return status;
    status = part_hash(deduping, weight, &hash);
    for (uint32_t at = 0, item;
         status == OPSHIFT_OK && (item = table_next(&deduping->table, hash, &at)) != TABLE_NONE;) {
        const struct weight_seen *first = &deduping->seen[item];
        if (!heads_same(first->initializer, initializer) || !is_around(first->graph, graph) ||
            !may_go(deduping, graph, initializer) || deduping->defined[first->initializer->name] != 1 ||
            scope_is_input(deduping->view.scopes, first->graph, first->initializer->name))
            continue;
        status = weight_parts_compare(&first->part, &weight->part, deduping->pieces, &same, deduping->error);
        if (status == OPSHIFT_OK && same) {
            deduping->replaced[initializer->name] = first->initializer->name;
            deduping->count++;
            deduping->size += weight->part.size;
            return range_remove(deduping->model, graph->message, initializer->range, deduping->error);
        }
    }
    if (status == OPSHIFT_OK)
        table_put(&deduping->table, hash, deduping->seen_count++);
    return status;
}

static void defined_count(struct deduping *deduping, name_id name)
{
    deduping->defined[name] += deduping->defined[name] < 2;
}

static bool deduping_start(struct deduping *deduping)
{
    const struct opshift_model *model = deduping->model;
    uint64_t weights = 0;
    deduping->defined = arena_alloc(deduping->arena, names_count(model->names), 1);
    deduping->replaced = arena_alloc(deduping->arena, names_count(model->names), sizeof(*deduping->replaced));
    deduping->pieces = malloc(2 * WEIGHT_PIECE);
    if (deduping->defined == NULL || deduping->replaced == NULL || deduping->pieces == NULL)
        return false;
    for (uint32_t g = 0; g < model->graph_count; g++) {
        const struct graph *graph = model->graphs[g];
        for (uint32_t i = 0; i < graph->node_count; i++)
            for (uint32_t k = 0; k < graph->nodes[i].output_count; k++)
                defined_count(deduping, node_outputs(&graph->nodes[i])[k]);
        for (uint32_t i = 0; i < graph->initializer_count; i++)
            defined_count(deduping, graph->initializers[i].name);
        for (uint32_t i = 0; i < graph->input_count; i++)
            defined_count(deduping, graph->inputs[i].name);
        weights += graph->initializer_count;
    }
    deduping->seen = arena_alloc(deduping->arena, weights + 1, sizeof(*deduping->seen));
    deduping->table.arena = deduping->arena;
    return deduping->seen != NULL && weights < UINT32_MAX && table_reserve(&deduping->table, (uint32_t)weights);
}

static enum opshift_status weights_look(struct deduping *deduping)
{
    struct opshift_model *model = deduping->model;
    enum opshift_status status = deduping_start(deduping) ? OPSHIFT_OK : opshift_no_memory(deduping->error);
    for (uint32_t g = 0; status == OPSHIFT_OK && g < model->graph_count; g++) {
        struct graph *graph = model->graphs[g];
        for (uint32_t i = 0; status == OPSHIFT_OK && graph->kind != GRAPH_TRAINING && i < graph->initializer_count; i++)
            status = weight_look(deduping, graph, &graph->initializers[i]);
        for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->value_count; i++)
            if (deduping->replaced[graph->values[i].name] != NAME_NONE)
                status = range_remove(model, graph->message, graph->values[i].range, deduping->error);
    }
    return status;
}

/* ---- readers ---- */

struct dedupe_names {
    const struct names *names;
    const name_id *replaced;
};

static enum walk_answer reader_visit(void *data, const struct walk_place *place, struct bytes *text)
{
    const struct dedupe_names *renaming = data;
    name_id name;
    if (place->in_function || !names_find(renaming->names, place->text.data, place->text.size, &name) ||
        renaming->replaced[name] == NAME_NONE)
        return WALK_KEEP;
    *text = names_bytes(renaming->names, renaming->replaced[name]);
    return WALK_REPLACE;
}

enum opshift_status dedupe_edit(struct editing *editing, struct opshift_error *error)
{
    struct deduping deduping = {.model = editing->model, .arena = editing->arena, .error = error};
    enum opshift_status status = view_open(&deduping.view, editing, error);
    if (status == OPSHIFT_OK)
        status = weights_look(&deduping);
    view_close(&deduping.view);
    free(deduping.pieces);
    struct opshift_model *before = editing->model, *next = NULL;
    if (status || deduping.count == 0)
        return status;
    status = model_preview(before, editing->arena, &next, error);
    if (status)
        return status;
    editing->model = next;
    struct dedupe_names renaming = {before->names, deduping.replaced};
    status = model_walk(next, WALK_VALUE, reader_visit, &renaming, error);
    opshift_model_free(before);
    if (status)
        return status;
    return edit_tell(editing, "dedupe", deduping.count, error,
                     "%" PRIu64 " weight%s of %" PRIu64 " bytes %s removed; readers read the equal one", deduping.count,
                     deduping.count == 1 ? "" : "s", deduping.size, deduping.count == 1 ? "was" : "were");
}
