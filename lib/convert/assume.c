/* Assumptions of a conversion: declared types and shapes that inference could not confirm (inputs of bodies, outputs
 * of custom operators). */
#include <inttypes.h>

#include "base/buffer.h"
#include "convert/planner.h"
#include "infer/clash.h"

#define NAME_MOST 120

static void print_shape(const struct value_type *type, struct buffer *out)
{
    buffer_add_byte(out, '[');
    for (int32_t i = 0; i < type->rank; i++) {
        buffer_add_text(out, i ? ", " : "");
        if (type->dims[i] < 0)
            buffer_add_byte(out, '?');
        else
            buffer_add_decimal(out, type->dims[i]);
    }
    buffer_add_byte(out, ']');
}

/* Finds the unconfirmed declaration behind a reliance; *on: the part of the type it concerns. A constant relies on
 * shapes. */
static enum opshift_status assumption_find(struct planner *planner, const struct reliance *reliance,
                                           struct type_assumption *value, enum draft_reliance *on,
                                           struct opshift_error *error)
{
    static const enum type_part parts[] = {[RELIES_ON_ELEMENT] = TYPE_PART_ELEMENT,
                                           [RELIES_ON_RANK] = TYPE_PART_RANK,
                                           [RELIES_ON_SHAPE] = TYPE_PART_SHAPE};
    struct types *types = planner->around.types;
    *on = reliance->on;
    if (*on != RELIES_ON_CONSTANT)
        return types_assumption(types, reliance->graph, reliance->name, parts[*on], value, error);
    enum opshift_status status = types_constant_assumption(types, reliance->graph, reliance->name, value, error);
    if (value->graph != reliance->graph || value->name != reliance->name)
        *on = RELIES_ON_SHAPE;
    return status;
}

/* "rank of 'h' is 2, as declared", in the plan's arena; *words NULL: nothing is declared for it. */
static enum opshift_status words_of(struct planner *planner, const struct type_assumption *value,
                                    enum draft_reliance on, const char **words, struct opshift_error *error)
{
    struct value_type type;
    struct buffer out = {0};
    enum opshift_status status = types_find(planner->around.types, value->graph, value->name, &type, error);
    const char *name = names_text(planner->model->names, value->name);
    const char *said = types_is_given(planner->around.types, value->graph, value->name) ? "given" : "declared";
    *words = NULL;
    if (status)
        return status;
    if (on == RELIES_ON_ELEMENT && (type.type != OPSHIFT_TYPE_UNDEFINED || type.other))
        buffer_print(&out, "type of '%.*s' is %s, as %s", NAME_MOST, name,
                     type.type != OPSHIFT_TYPE_UNDEFINED ? type_name(type.type) : type.other, said);
    else if (on == RELIES_ON_RANK && type.rank >= 0)
        buffer_print(&out, "rank of '%.*s' is %" PRId32 ", as %s", NAME_MOST, name, type.rank, said);
    else if (on == RELIES_ON_CONSTANT)
        buffer_print(&out, "value of '%.*s', which many nodes compute, depends on no declared shape", NAME_MOST, name);
    else if (on == RELIES_ON_SHAPE && type.rank >= 0) {
        buffer_print(&out, "shape of '%.*s' is ", NAME_MOST, name);
        print_shape(&type, &out);
        buffer_print(&out, ", as %s", said);
    }
    if (out.size > 0 && !out.failed)
        *words = arena_copy(planner->plan->arena, out.data, out.size);
    bool failed = out.failed || (out.size > 0 && *words == NULL);
    buffer_free(&out);
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status declared_assume(struct planner *planner, struct graph *graph, const struct node *node,
                                    const struct reliance *reliance, struct opshift_error *error)
{
    struct type_assumption value = {0};
    enum draft_reliance on;
    struct plan_assumption assumption = {.kind = ASSUMED_WORDS};
    enum opshift_status status = assumption_find(planner, reliance, &value, &on, error);
    if (status || value.graph == NULL)
        return status;
    assumption.value = value.name;
    status = words_of(planner, &value, on, &assumption.words, error);
    if (status || assumption.words == NULL)
        return status;
    if (planner->goal->strict)
        return opshift_fail(error, OPSHIFT_NO,
                            "%s, and nothing confirms it; compute it from the graph's inputs, or leave out --strict",
                            assumption.words);
    return plan_assume(planner->plan, graph, node, &assumption, error);
}

/* Records a rule's condition on a value that is known only at run time, or, of a node that could not be computed as it
 * is, what it is meant as. */
static enum opshift_status words_assume(struct planner *planner, const struct draft *draft, const char *words,
                                        struct opshift_error *error)
{
    struct plan_assumption assumption = {.kind = ASSUMED_CONDITION};
    const struct clash *clashes;
    size_t count;
    enum opshift_status status =
        types_clashes(planner->around.types, draft->graph, (uint32_t)(draft->node - draft->graph->nodes),
                      planner->node.arena, &clashes, &count, error);
    if (status)
        return status;
    if (count)
        assumption.kind = ASSUMED_MEANING;
    assumption.words = arena_copy(planner->plan->arena, words, strlen(words));
    return assumption.words ? plan_assume(planner->plan, draft->graph, draft->node, &assumption, error)
                            : opshift_no_memory(error);
}

enum opshift_status draft_assume(struct planner *planner, const struct draft *draft, struct opshift_error *error)
{
    enum opshift_status status = planner->node.relied.failed ? opshift_no_memory(error) : OPSHIFT_OK;
    for (size_t at = 0; status == OPSHIFT_OK && at < planner->node.relied.size; at += sizeof(struct reliance)) {
        struct reliance reliance;
        memcpy(&reliance, planner->node.relied.data + at, sizeof(reliance));
        if (reliance.name != NAME_NONE)
            status = declared_assume(planner, draft->graph, draft->node, &reliance, error);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < draft->assumption_count; i++)
        status = words_assume(planner, draft, draft->assumptions[i], error);
    return status;
}
