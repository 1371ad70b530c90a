/* Compares the outputs of two models as terms, and what remains apart by runs. */
#include <stdlib.h>
#include <string.h>

#include "equal/align.h"
#include "equal/definition.h"
#include "equal/reduce.h"

#define FOLD_STEPS (UINT64_C(1) << 32)

/* Nodes of the first model keep their meaning at the opsets of the second: newer ones take all types of older ones. */
static bool opsets_rise(const struct equal_side sides[2])
{
    int64_t greatest = 0, least = INT64_MAX;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < sides[side].model->graph_count; i++) {
            int64_t opset = graph_opset(sides[side].model, sides[side].model->graphs[i], NAME_NONE);
            if (side == 0 && opset > greatest)
                greatest = opset;
            if (side == 1 && opset < least && opset > 0)
                least = opset;
        }
    return least >= greatest;
}

static enum opshift_status outputs_judge(struct equal_work *work, struct opshift_error *error)
{
    const struct graph *graphs[] = {work->main[0]->graph, work->main[1]->graph};
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graphs[0]->output_count && status == OPSHIFT_OK && work->refused == NULL; i++) {
        term_id before, after;
        enum likeness likeness;
        status = name_term(work, &work->sides[0], work->main[0], graphs[0]->outputs[i].name, &before, error);
        if (status == OPSHIFT_OK)
            status = name_term(work, &work->sides[1], work->main[1], graphs[1]->outputs[align_output(work, i)].name,
                               &after, error);
        if (status == OPSHIFT_OK && (before == TERM_NONE || after == TERM_NONE))
            work->refused = "an output has no value";
        else if (status == OPSHIFT_OK && before != after)
            status = region_judge(work, before, after, true, &likeness, error);
    }
    return status;
}

/* Each output of the second model is the value of the first one that it is said to be. */
static enum opshift_status ends_judge(struct equal_work *work, struct opshift_error *error)
{
    const struct graph *graph = work->main[1]->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->output_count && status == OPSHIFT_OK && work->refused == NULL; i++) {
        const char *name = work->options->ends->outputs[i];
        term_id before, after = TERM_NONE;
        status = align_named(work, name, &before, error);
        if (status == OPSHIFT_OK)
            status = name_term(work, &work->sides[1], work->main[1], graph->outputs[i].name, &after, error);
        if (status == OPSHIFT_OK && (name == NULL || before == TERM_NONE || before != after))
            work->refused = arena_print(
                work->arena, "the output '%.80s' %s", names_text(work->sides[1].model->names, graph->outputs[i].name),
                name == NULL || before == TERM_NONE ? "is not in the first model" : "is computed in another way");
    }
    return status;
}

/* How many nodes of the first model are in no region. */
static void count_proved(const struct equal_work *work)
{
    struct equal_answer *answer = work->answer;
    uint32_t number = UINT32_MAX;
    for (struct node_use *use = work->first[0]; use != NULL; use = use->next, answer->nodes++)
        use->run = 0;
    answer->proved = answer->nodes;
    for (const struct equal_region *region = answer->regions; region != NULL; region = region->next)
        for (uint32_t i = 0; i < region->use_count[0]; i++) {
            struct node_use *use = region->uses[0][i];
            answer->proved -= use->run != number && answer->proved > 0;
            use->run = number;
        }
}

/* Bit for bit, what is apart by rounding differs. */
static void judge_bits(struct equal_work *work)
{
    for (struct equal_region *region = work->answer->regions; region != NULL; region = region->next)
        if (region->verdict < EQUAL_DIFFERS && !region->is_exact) {
            region->verdict = EQUAL_DIFFERS;
            region->why = arena_print(work->arena, "not bit for bit the same: %s", region->why);
        }
}

static void conclude(struct equal_work *work)
{
    struct equal_answer *answer = work->answer;
    if (work->options->exact)
        judge_bits(work);
    for (const struct equal_region *region = answer->regions; region != NULL; region = region->next)
        if (region->verdict > answer->verdict)
            answer->verdict = region->verdict;
    for (const struct equal_region *region = answer->regions; region != NULL; region = region->next)
        if (region->verdict == EQUAL_DIFFERS)
            answer->verdict = EQUAL_DIFFERS;
    if (work->refused != NULL && answer->verdict != EQUAL_DIFFERS) {
        answer->verdict = EQUAL_NOT_SHOWN;
        answer->why = work->refused;
    }
    if (work->main[0] != NULL)
        count_proved(work);
}

enum opshift_status equal_compare(const struct equal_side sides[2], const struct equal_options *options,
                                  struct arena *arena, struct equal_answer *answer, struct opshift_error *error)
{
    struct equal_work work = {.sides = sides,
                              .options = options,
                              .arena = arena,
                              .scratch = arena_new(0),
                              .fold_budget = {.bytes_max = BUDGET_MEMORY_DEFAULT, .steps_max = FOLD_STEPS},
                              .rises = opsets_rise(sides),
                              .answer = answer,
                              .region_end = &answer->regions};
    struct opshift_error why = {0};
    *answer = (struct equal_answer){.verdict = EQUAL_PROVED};
    enum opshift_status status = work.scratch == NULL ? opshift_no_memory(&why) : align_interface(&work, &why);
    for (int i = 0; i < 2 && status == OPSHIFT_OK && work.refused == NULL; i++)
        status = graph_read(&work, i, &why);
    if (status == OPSHIFT_OK && work.refused == NULL)
        status = options->ends ? ends_judge(&work, &why) : outputs_judge(&work, &why);
    if (status == OPSHIFT_UNSUPPORTED || status == OPSHIFT_MALFORMED) {
        work.refused = arena_print(arena, "%s", why.text);
        status = OPSHIFT_OK;
    }
    if (status == OPSHIFT_OK)
        conclude(&work);
    if (status == OPSHIFT_OK && options->reduce != NULL && answer->verdict == EQUAL_DIFFERS)
        status = reduce_write(&work, &why);
    if (status == OPSHIFT_OK && options->map && work.main[1] != NULL)
        status = map_make(&work, &why);
    definitions_free(work.definitions);
    free(work.terms);
    free(work.failed);
    free(work.salt_keys);
    free(work.salt_counts);
    table_free(&work.table);
    table_free(&work.salts);
    buffer_free(&work.key);
    arena_free(work.scratch);
    return error_give(error, status, &why);
}

/* A node of a definition stands for the node that it defines. */
static const struct node_use *shown_use(const struct node_use *use)
{
    return use->call == NULL ? use : use->call;
}

const char *equal_place(const struct node_use *use)
{
    use = shown_use(use);
    return node_place_find(use->side->model, use->graph, use->node);
}

struct opshift_model *equal_model(const struct node_use *use)
{
    return shown_use(use)->side->model;
}

const struct node *equal_node(const struct node_use *use)
{
    return shown_use(use)->node;
}
