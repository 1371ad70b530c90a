/* The smallest part of both models between two values and those that both are computed from. */
#include "equal/term.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* Nodes of a region; of a whole model. */
#define REGION_NODES 2000u
#define WHOLE_NODES  20000u
/* Nodes, of both sides, after which values that differ in between are not believed to be the same again. */
#define HEALED_NODES 40u
/* Values that are apart by less, of the greatest number, and by more than rounding, are no other values of the same
 * name: something is wrong before them, even if nodes behind them hide it from the runs. */
#define NEARLY_SAME 0.01

/* Terms that are needed, the one with the greatest number on top: each is made from terms with lower numbers. */
struct term_heap {
    term_id *items;
    uint32_t count, room;
};

static bool heap_push(struct term_heap *heap, term_id term)
{
    if (!list_grow(&heap->items, heap->count, &heap->room, sizeof(*heap->items)))
        return false;
    uint32_t at = heap->count++;
    for (; at > 0 && heap->items[(at - 1) / 2] < term; at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = term;
    return true;
}

static term_id heap_pop(struct term_heap *heap)
{
    term_id top = heap->items[0], last = heap->items[--heap->count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < heap->count; at = child) {
        child += child + 1 < heap->count && heap->items[child + 1] > heap->items[child];
        if (heap->items[child] <= last)
            break;
        heap->items[at] = heap->items[child];
    }
    heap->items[at] = last;
    return top;
}

static bool need(struct equal_work *work, struct term_heap *heap, term_id term, uint8_t sides)
{
    if (term == TERM_NONE)
        return true;
    bool is_new = work->terms[term].needed == 0;
    work->terms[term].needed |= sides;
    return !is_new || heap_push(heap, term);
}

struct cutting {
    struct cut_out *cut;
    struct term_heap heap;
    struct arena *arena;
    uint32_t rooms[2], leaf_room, constant_room, side_room, most;
    const char *cannot;
};

static bool add_term(struct arena *arena, term_id **list, uint32_t *count, uint32_t *room, term_id term)
{
    if (!arena_list_grow(arena, list, *count, room, sizeof(**list)))
        return false;
    (*list)[(*count)++] = term;
    return true;
}

static bool add_constant(struct cutting *cutting, term_id id, uint8_t sides)
{
    struct cut_out *cut = cutting->cut;
    if (!arena_list_grow(cutting->arena, &cut->constant_sides, cut->constant_count, &cutting->side_room,
                         sizeof(*cut->constant_sides)))
        return false;
    cut->constant_sides[cut->constant_count] = sides;
    return add_term(cutting->arena, &cut->constants, &cut->constant_count, &cutting->constant_room, id);
}

/* A node that makes a term: it is run for the sides that need it. */
static bool add_maker(struct equal_work *work, struct cutting *cutting, term_id id, uint8_t sides)
{
    struct cut_out *cut = cutting->cut;
    struct node_use *use = (struct node_use *)(uintptr_t)work->terms[id].use;
    bool done = true;
    if (use->captures)
        cutting->cannot = "a body reads values of the graph around it";
    for (int i = 0; i < 2; i++) {
        if (!(sides >> i & 1))
            continue;
        done = done && arena_list_grow(cutting->arena, &cut->uses[i], cut->use_count[i], &cutting->rooms[i],
                                       sizeof(struct node_use *));
        if (done)
            cut->uses[i][cut->use_count[i]++] = use;
    }
    if (cut->use_count[0] + cut->use_count[1] > cutting->most)
        cutting->cannot = "the part that differs has too many nodes";
    for (uint32_t i = 0; i < use->node->input_count; i++)
        done = done && need(work, &cutting->heap, use->inputs[i], sides);
    return done;
}

static void turn_around(struct node_use **uses, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        struct node_use *use = uses[i];
        uses[i] = uses[count - 1 - i];
        uses[count - 1 - i] = use;
    }
}

static enum opshift_status cut_make(struct equal_work *work, struct cutting *cutting, struct opshift_error *error)
{
    struct cut_out *cut = cutting->cut;
    bool done = true;
    while (done && cutting->heap.count > 0) {
        term_id id = heap_pop(&cutting->heap);
        struct equal_term *term = &work->terms[id];
        uint8_t sides = term->needed;
        term->needed = 0;
        if (cutting->cannot != NULL)
            continue; /* only to clear what is needed */
        if (term->kind == TERM_CONSTANT)
            done = add_constant(cutting, id, sides);
        else if (term->kind != TERM_MADE || (sides == 3 && !cut->whole))
            done = add_term(cutting->arena, &cut->leaves, &cut->leaf_count, &cutting->leaf_room, id);
        else
            done = add_maker(work, cutting, id, sides);
        if (term->kind == TERM_INNER)
            cutting->cannot = "it is inside of a body";
    }
    free(cutting->heap.items);
    turn_around(cut->uses[0], cut->use_count[0]);
    turn_around(cut->uses[1], cut->use_count[1]);
    return done ? OPSHIFT_OK : opshift_no_memory(error);
}

/* The first failed pair that lies within a region. */
static const struct failed *first_within(const struct equal_work *work, const struct equal_region *region)
{
    for (uint32_t i = 0; i < work->failed_count; i++) {
        const struct node_use *use = work->terms[work->failed[i].after].use;
        for (uint32_t k = 0; k < region->use_count[1]; k++)
            if (region->uses[1][k] == use && work->failed[i].region->verdict == EQUAL_DIFFERS)
                return &work->failed[i];
    }
    return NULL;
}

static enum opshift_status region_cut(struct equal_work *work, struct cut_out *cut, const char **cannot,
                                      struct opshift_error *error)
{
    struct cutting cutting = {.cut = cut, .arena = work->arena, .most = REGION_NODES};
    if (!need(work, &cutting.heap, cut->before, 1) || !need(work, &cutting.heap, cut->after, 2))
        return opshift_no_memory(error);
    enum opshift_status status = cut_make(work, &cutting, error);
    *cannot = cutting.cannot;
    return status;
}

/* What computes the leaves of a region from the inputs. */
static enum opshift_status source_cut(struct equal_work *work, struct cut_out *cut, const char **cannot,
                                      struct opshift_error *error)
{
    struct cut_out *source = arena_alloc(work->arena, 1, sizeof(*source));
    struct cutting cutting = {.cut = source, .arena = work->arena, .most = WHOLE_NODES};
    if (source == NULL)
        return opshift_no_memory(error);
    source->whole = true;
    for (uint32_t i = 0; i < cut->leaf_count; i++)
        if (!need(work, &cutting.heap, cut->leaves[i], 1))
            return opshift_no_memory(error);
    enum opshift_status status = cut_make(work, &cutting, error);
    cut->source = source;
    *cannot = cutting.cannot;
    return status;
}

static void region_describe(struct equal_work *work, const struct cut_out *cut, struct equal_region *region)
{
    const struct equal_term *term = &work->terms[cut->before];
    for (int i = 0; i < 2; i++) {
        region->uses[i] = cut->uses[i];
        region->use_count[i] = cut->use_count[i];
    }
    if (term->kind == TERM_MADE)
        region->output = arena_print(
            work->arena, "%s", names_text(term->use->side->model->names, node_outputs(term->use->node)[term->output]));
    region->from_inputs = true;
    for (uint32_t i = 0; i < cut->leaf_count; i++)
        region->from_inputs = region->from_inputs && work->terms[cut->leaves[i]].kind == TERM_INPUT;
    region->verdict = EQUAL_NOT_SHOWN;
}

/* Cuts out and runs, on drawn values or on those that drawn inputs of the model give. */
static enum opshift_status region_try(struct equal_work *work, term_id before, term_id after, bool from_inputs,
                                      struct equal_region **made, struct opshift_error *error)
{
    struct equal_region *region = *made = arena_alloc(work->arena, 1, sizeof(*region));
    struct cut_out *cut = arena_alloc(work->arena, 1, sizeof(*cut));
    const char *cannot = NULL;
    if (region == NULL || cut == NULL)
        return opshift_no_memory(error);
    *cut = (struct cut_out){.before = before, .after = after};
    enum opshift_status status = region_cut(work, cut, &cannot, error);
    region_describe(work, cut, region);
    const struct failed *first = first_within(work, region);
    cut->has_failed = first != NULL;
    region->healed_late = first != NULL && (first->region->relative < NEARLY_SAME ||
                                            cut->use_count[0] + cut->use_count[1] > HEALED_NODES);
    if (status == OPSHIFT_OK && cannot == NULL && from_inputs)
        status = source_cut(work, cut, &cannot, error);
    region->why = cannot;
    return status == OPSHIFT_OK && cannot == NULL ? region_run(work, cut, region, error) : status;
}

/* Values between nodes that no node accepts, such as shapes, are computed from the inputs. */
static enum opshift_status region_try_twice(struct equal_work *work, term_id before, term_id after,
                                            struct equal_region **region, struct opshift_error *error)
{
    enum opshift_status status = region_try(work, before, after, false, region, error);
    if (status == OPSHIFT_OK && (*region)->is_refused && !(*region)->from_inputs)
        status = region_try(work, before, after, true, region, error);
    return status;
}

static void region_add(struct equal_work *work, struct equal_region *region)
{
    if (region->is_listed)
        return;
    region->is_listed = true;
    *work->region_end = region;
    work->region_end = &region->next;
}

static enum opshift_status note_failed(struct equal_work *work, term_id before, term_id after,
                                       struct equal_region *region, struct opshift_error *error)
{
    if (!list_grow(&work->failed, work->failed_count, &work->failed_room, sizeof(*work->failed)))
        return opshift_no_memory(error);
    work->failed[work->failed_count++] = (struct failed){before, after, region};
    return OPSHIFT_OK;
}

/* The verdict of a region at an output that is not shown to be the same. Drawn values between nodes may be none that
 * occur, so the first part of it that differs, or all of it, is run from the inputs of the model. */
static enum opshift_status judge_from_inputs(struct equal_work *work, term_id before, term_id after,
                                             struct equal_region **region, struct opshift_error *error)
{
    struct equal_region *whole = NULL, *inner = *region;
    const struct failed *first = first_within(work, inner);
    enum opshift_status status = OPSHIFT_OK;
    if (first != NULL)
        inner = first->region;
    *region = inner;
    if (inner->from_inputs)
        return OPSHIFT_OK;
    status = region_try(work, first == NULL ? before : first->before, first == NULL ? after : first->after, true,
                        &whole, error);
    if (status == OPSHIFT_OK && whole->verdict == EQUAL_DIFFERS) {
        inner->cut = whole->cut;
        inner->number = whole->number;
    }
    if (status != OPSHIFT_OK || whole->verdict >= EQUAL_DIFFERS) {
        if (status == OPSHIFT_OK && whole->verdict == EQUAL_DIFFERS && inner->verdict == EQUAL_NOT_SHOWN) {
            inner->verdict = EQUAL_DIFFERS;
            inner->why = whole->why;
        }
        return status;
    }
    if (inner->verdict == EQUAL_DIFFERS)
        inner->why = arena_print(work->arena,
                                 "differs on values that may not occur: %s; runs from the inputs show no difference",
                                 inner->why);
    inner->verdict = EQUAL_NOT_SHOWN;
    return OPSHIFT_OK;
}

enum opshift_status region_judge(struct equal_work *work, term_id before, term_id after, bool report,
                                 enum likeness *likeness, struct opshift_error *error)
{
    struct equal_region *region = NULL;
    *likeness = LIKENESS_NONE;
    enum opshift_status status = region_try_twice(work, before, after, &region, error);
    if (status == OPSHIFT_OK && report && (region->verdict >= EQUAL_DIFFERS || region->healed_late))
        status = judge_from_inputs(work, before, after, &region, error);
    if (status != OPSHIFT_OK)
        return status;
    bool same = region->verdict < EQUAL_DIFFERS && !region->healed_late;
    *likeness = same ? LIKENESS_SAME : region->other_shape ? LIKENESS_OTHER_SHAPE : LIKENESS_NONE;
    if (same || report)
        region_add(work, region);
    return same || report || region->other_shape ? OPSHIFT_OK : note_failed(work, before, after, region, error);
}
