/* SEQ: SplitToSequence and operators on sequences. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/family.h"
#include "check/sequence_view.h"

/* ---- SplitToSequence ---- */

/* The cut of the subject's node, read once for all checks. NULL: the node has a fault that OPS or GRF reports, or
 * *status is a failure. */
static const struct sequence_cut *cut_of(struct checking *checking, const struct subject *subject,
                                         enum opshift_status *status, struct opshift_error *error)
{
    struct sequence_cut *cut = checking->sequence;
    *status = OPSHIFT_OK;
    if (cut)
        return cut->readable ? cut : NULL;
    cut = arena_alloc(subject->draft->arena, 1, sizeof(*cut));
    if (cut == NULL) {
        *status = opshift_no_memory(error);
        return NULL;
    }
    bool present = draft_input_present(subject->draft, 0);
    if (present)
        *status = sequence_cut_read(subject->draft, cut, error);
    cut->readable = present && *status == OPSHIFT_OK;
    checking->sequence = *status ? NULL : cut;
    return cut->readable ? cut : NULL;
}

static enum opshift_status cut_find(struct checking *checking, const struct subject *subject,
                                    struct opshift_error *error)
{
    enum opshift_status status;
    const struct sequence_cut *cut = cut_of(checking, subject, &status, error);
    struct opshift_error fault;
    if (cut == NULL || checking->check->judge_cut(cut, &fault) == OPSHIFT_OK)
        return status;
    return finding_add(checking, subject, NULL, error, "%s", fault.text);
}

enum opshift_status sequence_check(const struct sequence_cut *cut, struct opshift_error *error)
{
    for (const struct check *check = checks_sequence; check->id; check++)
        if (check->judge_cut && check->about.severity == OPSHIFT_SEVERITY_ERROR && check->judge_cut(cut, error))
            return check_cite(check->id, error);
    return OPSHIFT_OK;
}

#define FAULT(...) opshift_fail(error, OPSHIFT_NO, __VA_ARGS__)

static const char *input_text(const struct sequence_cut *cut, uint32_t position)
{
    return names_text(cut->draft->model->names, cut->draft->inputs[position].name);
}

static bool has_list(const struct sequence_cut *cut)
{
    return cut->constant && cut->lengths_rank == 1;
}

static enum opshift_status judge_scalar(const struct sequence_cut *cut, struct opshift_error *error)
{
    if (cut->cut.rank != 0)
        return OPSHIFT_OK;
    return FAULT("the input '%s' is a scalar, which has no axis to split; add a dim before", input_text(cut, 0));
}

static enum opshift_status judge_axis(const struct sequence_cut *cut, struct opshift_error *error)
{
    int64_t axis = cut->cut.axis;
    int rank = cut->cut.rank;
    if (!cut->cut.axis_known || rank <= 0 || (axis >= -rank && axis < rank))
        return OPSHIFT_OK;
    return FAULT("axis %" PRId64 " is outside [-%d, %d], the axes of a tensor of rank %d; use the intended one", axis,
                 rank, rank - 1, rank);
}

static enum opshift_status judge_lengths_rank(const struct sequence_cut *cut, struct opshift_error *error)
{
    if (cut->lengths_rank < 2)
        return OPSHIFT_OK;
    return FAULT("'%s' has rank %" PRId64 "; give a scalar, the length of all chunks, or a list of lengths",
                 input_text(cut, 1), cut->lengths_rank);
}

static enum opshift_status judge_empty(const struct sequence_cut *cut, struct opshift_error *error)
{
    if (cut->length_count != 0)
        return OPSHIFT_OK;
    return FAULT("the list of lengths '%s' is empty; write the lengths, or remove the input for chunks of 1",
                 input_text(cut, 1));
}

static enum opshift_status judge_negative(const struct sequence_cut *cut, struct opshift_error *error)
{
    for (uint64_t i = 0; has_list(cut) && i < cut->constant->count; i++)
        if (sequence_length_at(cut->constant, i) < 0)
            return FAULT("length %" PRIu64 " is %" PRId64 "; lengths are not negative, and none means \"the rest\"", i,
                         sequence_length_at(cut->constant, i));
    return OPSHIFT_OK;
}

static enum opshift_status judge_chunk(const struct sequence_cut *cut, struct opshift_error *error)
{
    if (cut->constant == NULL || cut->lengths_rank != 0 || sequence_length_at(cut->constant, 0) > 0)
        return OPSHIFT_OK;
    return FAULT("the length of all chunks is %" PRId64 "; it must be at least 1",
                 sequence_length_at(cut->constant, 0));
}

static enum opshift_status judge_sum(const struct sequence_cut *cut, struct opshift_error *error)
{
    int64_t sum = 0;
    for (uint64_t i = 0; has_list(cut) && i < cut->constant->count; i++)
        if (__builtin_add_overflow(sum, sequence_length_at(cut->constant, i), &sum))
            return FAULT("the lengths sum to more than 2^63 - 1; no dim is that long");
    if (!has_list(cut) || cut->cut.dim < 0 || sum == cut->cut.dim)
        return OPSHIFT_OK;
    return FAULT("the lengths sum to %" PRId64 ", and the dim is %" PRId64 "; make the lengths cover axis %" PRId64
                 " of '%s'",
                 sum, cut->cut.dim, cut->cut.axis, input_text(cut, 0));
}

static enum opshift_status judge_keepdims(const struct sequence_cut *cut, struct opshift_error *error)
{
    if (!cut->given || !cut->drops)
        return OPSHIFT_OK;
    return FAULT("keepdims = 0 is ignored if lengths are given; remove it, and use Squeeze on each tensor if that is "
                 "intended");
}

static enum opshift_status judge_zero(const struct sequence_cut *cut, struct opshift_error *error)
{
    for (uint64_t i = 0; has_list(cut) && i < cut->constant->count; i++)
        if (sequence_length_at(cut->constant, i) == 0)
            return FAULT("length %" PRIu64 " is 0, which the specification forbids in one place and allows in another; "
                         "remove the empty tensor",
                         i);
    return OPSHIFT_OK;
}

static enum opshift_status judge_one(const struct sequence_cut *cut, struct opshift_error *error)
{
    if (cut->length_count != 1)
        return OPSHIFT_OK;
    return FAULT("the list '%s' has one length, which some readers use as the length of all chunks; for one whole "
                 "tensor use SequenceConstruct",
                 input_text(cut, 1));
}

static enum opshift_status judge_empty_input(const struct sequence_cut *cut, struct opshift_error *error)
{
    if (cut->given || !cut->drops || cut->draft->input_count < 2)
        return OPSHIFT_OK;
    return FAULT("keepdims = 0 and an empty second input; remove the empty input");
}

/* ---- positions and types ---- */

enum opshift_status sequence_check_position(const char *name, int64_t count, bool insert, int64_t position,
                                            struct opshift_error *error)
{
    if (position >= -count && position < count + insert)
        return OPSHIFT_OK;
    if (count + insert == 0)
        return FAULT("position %" PRId64 " of the sequence '%s', which is empty; insert a tensor first", position,
                     name);
    return FAULT("position %" PRId64 " is outside [%" PRId64 ", %" PRId64 "], and the sequence '%s' has %" PRId64
                 " tensor%s; use the intended one",
                 position, -count, count - 1 + insert, name, count, count == 1 ? "" : "s");
}

static enum opshift_status position_range(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    const struct node *node = subject->node;
    bool insert = node_is(checking->model, node, "SequenceInsert"), known;
    uint32_t input = insert ? 2 : 1;
    struct sequence_view view;
    int64_t position;
    if (node->input_count <= input || node_inputs(node)[input] == NAME_NONE)
        return OPSHIFT_OK;
    enum opshift_status status =
        sequence_index(checking, subject->graph, node_inputs(node)[input], &position, &known, error);
    if (status || !known)
        return status;
    status = sequence_view_read(checking, subject->graph, node_inputs(node)[0], checking->scratch, &view, error);
    struct opshift_error fault;
    if (status || view.count < 0 ||
        sequence_check_position(checking_text(checking, node_inputs(node)[0]), view.count, insert, position, &fault) ==
            OPSHIFT_OK)
        return status;
    return finding_add(checking, subject, NULL, error, "%s", fault.text);
}

static enum opshift_status element_type(struct checking *checking, const struct subject *subject,
                                        struct opshift_error *error)
{
    const struct node *node = subject->node;
    struct sequence_view view;
    struct value_type type;
    if (node->input_count < 2)
        return OPSHIFT_OK;
    enum opshift_status status =
        sequence_view_read(checking, subject->graph, node_inputs(node)[0], checking->scratch, &view, error);
    if (status == OPSHIFT_OK)
        status = types_find(checking->types, subject->graph, node_inputs(node)[1], &type, error);
    if (status || view.type == OPSHIFT_TYPE_UNDEFINED || type.type == OPSHIFT_TYPE_UNDEFINED ||
        view.type == type.type || type_name(view.type) == NULL || type_name(type.type) == NULL)
        return status;
    return finding_add(checking, subject, NULL, error,
                       "'%s' is %s, and the sequence '%s' is of %s; insert a Cast, or make the sequence of %s",
                       checking_text(checking, node_inputs(node)[1]), type_name(type.type),
                       checking_text(checking, node_inputs(node)[0]), type_name(view.type), type_name(type.type));
}

enum opshift_status sequence_check_axis(const char *name, int64_t rank, int64_t axis, struct opshift_error *error)
{
    if (axis >= -rank && axis < rank)
        return OPSHIFT_OK;
    if (rank == 0)
        return FAULT("the tensors of '%s' are scalars, which cannot be concatenated along axis %" PRId64
                     "; set new_axis = 1 to stack them",
                     name, axis);
    return FAULT("axis %" PRId64 " is outside [%" PRId64 ", %" PRId64
                 "], the axes of what is put together; use the intended one",
                 axis, -rank, rank - 1);
}

static enum opshift_status concat_axis(struct checking *checking, const struct subject *subject,
                                       struct opshift_error *error)
{
    struct draft_int axis, stacks;
    struct sequence_view view;
    if (subject->node->input_count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = draft_int_read(subject->draft, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = draft_int_read(subject->draft, "new_axis", &stacks, error);
    if (status || !axis.known || (stacks.given && !stacks.known))
        return status;
    status =
        sequence_view_read(checking, subject->graph, node_inputs(subject->node)[0], checking->scratch, &view, error);
    if (status || view.rank < 0)
        return status;
    struct opshift_error fault;
    if (sequence_check_axis(checking_text(checking, node_inputs(subject->node)[0]), view.rank + (stacks.value != 0),
                            axis.value, &fault) == OPSHIFT_OK)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error, "%s", fault.text);
}

/* ---- replacement by Split ---- */

/* By node of the graph: number of uses of its sequence that Split could replace. */
struct uses {
    uint32_t *served;
    bool any; /* the graph has a SplitToSequence */
};

/* Counts SequenceAt at a constant position and SequenceLength as uses of their SplitToSequence. */
static enum opshift_status use_count(struct checking *checking, struct graph *graph, const struct node *node,
                                     struct uses *uses, struct opshift_error *error)
{
    bool at = node_is(checking->model, node, "SequenceAt") && node->input_count == 2, known = true;
    if ((!at && !node_is(checking->model, node, "SequenceLength")) || node->input_count == 0)
        return OPSHIFT_OK;
    struct definition found = scope_find(checking->scopes, graph, node_inputs(node)[0]);
    if (found.kind != DEFINED_NODE || found.graph != graph)
        return OPSHIFT_OK;
    enum opshift_status status = OPSHIFT_OK;
    int64_t position;
    if (at)
        status = sequence_index(checking, graph, node_inputs(node)[1], &position, &known, error);
    uses->served[found.index] += known;
    return status;
}

static enum opshift_status split_offer(struct checking *checking, struct graph *graph, uint32_t index,
                                       const struct uses *uses, struct opshift_error *error)
{
    struct node *node = &graph->nodes[index];
    struct sequence_view view;
    if (uses->served[index] == 0 || node->output_count != 1 || !node_is(checking->model, node, "SplitToSequence") ||
        scope_uses(checking->scopes, node_outputs(node)[0]) != uses->served[index])
        return OPSHIFT_OK;
    struct arena *arena = arena_new(0);
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = sequence_view_read(checking, graph, node_outputs(node)[0], arena, &view, error);
    arena_free(arena);
    struct subject subject = {.graph = graph, .node = node};
    if (status || view.count < 1)
        return status;
    return finding_add(checking, &subject, NULL, error,
                       "the sequence '%s' always has %" PRId64
                       " tensor%s and is read only at constant positions; a Split can replace it",
                       checking_text(checking, node_outputs(node)[0]), view.count, view.count == 1 ? "" : "s");
}

static enum opshift_status could_be_split(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    struct graph *graph = subject->graph;
    struct uses uses = {0};
    name_id split;
    enum opshift_status status = OPSHIFT_OK;
    if (!names_find(checking->model->names, "SplitToSequence", strlen("SplitToSequence"), &split))
        return OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->node_count && !uses.any; i++)
        uses.any = node_domain(&graph->nodes[i]) == NAME_NONE && graph->nodes[i].op_type == split;
    if (!uses.any)
        return OPSHIFT_OK;
    uses.served = calloc(graph->node_count, sizeof(*uses.served));
    if (uses.served == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++)
        status = use_count(checking, graph, &graph->nodes[i], &uses, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++)
        status = split_offer(checking, graph, i, &uses, error);
    free(uses.served);
    return status;
}

/* ---- the table ---- */

#define CUT(function) .scope = CHECK_DRAFT, .operator_type = "SplitToSequence", .find = cut_find, .judge_cut = function

const struct check checks_sequence[] = {
    {CHECK(SEQ001), .by_types = true, CUT(judge_scalar)},
    {CHECK(SEQ002), .by_types = true, CUT(judge_axis)},
    {CHECK(SEQ003), .by_types = true, CUT(judge_lengths_rank)},
    {CHECK(SEQ004), .by_types = true, CUT(judge_empty)},
    {CHECK(SEQ005), .by_types = true, CUT(judge_negative)},
    {CHECK(SEQ006), .by_types = true, CUT(judge_chunk)},
    {CHECK(SEQ007), .relies_on = IDS(SEQ004, SEQ005), .by_types = true, CUT(judge_sum)},
    {CHECK(SEQ008), .by_types = true, .scope = CHECK_DRAFT, .operator_type = "SequenceAt", .find = position_range},
    {CHECK(SEQ009), .by_types = true, .scope = CHECK_DRAFT, .operator_type = "SequenceErase", .find = position_range},
    {CHECK(SEQ010), .by_types = true, .scope = CHECK_DRAFT, .operator_type = "SequenceInsert", .find = position_range},
    {CHECK(SEQ011), .by_types = true, .scope = CHECK_DRAFT, .operator_type = "SequenceInsert", .find = element_type},
    {CHECK(SEQ012), .by_types = true, .scope = CHECK_DRAFT, .operator_type = "ConcatFromSequence", .find = concat_axis},
    {CHECK(SEQ020), CUT(judge_keepdims)},
    {CHECK(SEQ021), .relies_on = IDS(SEQ005, SEQ007), .by_types = true, CUT(judge_zero)},
    {CHECK(SEQ022), .relies_on = IDS(SEQ005, SEQ007), .by_types = true, CUT(judge_one)},
    {CHECK(SEQ030), CUT(judge_empty_input)},
    {CHECK(SEQ031), .scope = CHECK_GRAPH, .find = could_be_split},
    {0},
};
