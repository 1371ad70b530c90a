/* Compares sequences with Splits: each tensor must be the same part on both sides. */
#include <inttypes.h>
#include <string.h>

#include "verify/sequence_readers.h"

/* State of comparing the tensors of one piece. */
struct watch {
    struct piece *piece;
    const char *op_type;       /* operator that must give the tensors of the second side */
    struct sequence_part seen; /* the node that gives them; node NULL: none found yet */
    int64_t *before, *after;   /* start of each part and end of the last one; NULL: known only at run time */
    int64_t before_count, after_count;
    const char *what;  /* the current tensor in messages: "'a'", "input 1 of 'y'" */
    const char *doubt; /* why equality is not proved; NULL: proved so far */
};

static const char *after_text(const struct piece *piece, name_id name)
{
    return names_text(piece->comparison->after.model->names, name);
}

static enum opshift_status doubt(struct watch *watch, const char *why)
{
    if (watch->doubt == NULL)
        watch->doubt = why == NULL ? "no memory for the reason" : why;
    return OPSHIFT_OK;
}

static bool goes_on(const struct watch *watch, enum opshift_status status)
{
    return status == OPSHIFT_OK && watch->doubt == NULL && watch->piece->verdict != VERDICT_DIFFERS;
}

/* ---- starts of parts ---- */

/* *starts NULL: the starts do not depend on the dim alone, or the dim is unknown. */
static enum opshift_status starts_of(const struct cut *cut, int64_t dim, struct arena *arena, int64_t **starts,
                                     int64_t *count, struct opshift_error *error)
{
    struct split_cut split = cut->split;
    const int64_t *lengths = NULL;
    split.dim = dim;
    *starts = NULL;
    *count = 0;
    bool known =
        cut->kind == CUT_LIST || ((cut->kind == CUT_EQUAL || cut->kind == CUT_CHUNKS) && split.parts < SPLIT_PARTS_MAX);
    enum opshift_status status = known ? split_lengths(&split, arena, &lengths, error) : OPSHIFT_OK;
    int64_t parts = cut->kind == CUT_LIST ? split.length_count : split.parts;
    if (status || lengths == NULL || parts == 0 || split_sum(lengths, parts) < 0)
        return status;
    *count = parts;
    *starts = arena_alloc(arena, (size_t)parts + 1, sizeof(**starts));
    for (int64_t i = 0; *starts != NULL && i < parts; i++)
        (*starts)[i + 1] = (*starts)[i] + lengths[i];
    return *starts == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* ---- the Split of the second side ---- */

/* int32 lengths were cast to int64 for Split. */
static enum opshift_status skip_cast(struct piece *piece, struct opshift_error *error)
{
    struct side *side = &piece->comparison->after;
    struct cut *cut = &piece->after;
    struct definition found = scope_find(side->scopes, piece->pair->after, cut->value);
    int64_t to;
    bool known;
    if (cut->kind != CUT_VALUE || found.kind != DEFINED_NODE)
        return OPSHIFT_OK;
    const struct node *node = &found.graph->nodes[found.index];
    if (!sequence_is_operator(side, node, "Cast") || node->input_count != 1)
        return OPSHIFT_OK;
    enum opshift_status status = sequence_attribute(side, node, "to", 0, piece->arena, &to, &known, error);
    if (status == OPSHIFT_OK && known && to == OPSHIFT_TYPE_INT64)
        cut->value = node_inputs(node)[0];
    return status;
}

static enum opshift_status read_after(struct watch *watch, struct opshift_error *error)
{
    struct piece *piece = watch->piece;
    struct side *side = &piece->comparison->after;
    struct attribute_list attributes = {.model = side->model, .node = watch->seen.node, .arena = piece->arena};
    if (strcmp(watch->op_type, "Split") != 0)
        return cut_read_sequence(side, watch->seen.graph, &attributes, piece->binding, &piece->type, &piece->after,
                                 error);
    enum opshift_status status =
        cut_read(side, watch->seen.graph, &attributes, piece->binding, &piece->type, &piece->after, error);
    return status == OPSHIFT_OK ? skip_cast(piece, error) : status;
}

/* Both split the same value at the same axis into parts of known equal lengths. */
static enum opshift_status compare_cuts(struct watch *watch, struct opshift_error *error)
{
    struct piece *piece = watch->piece;
    const struct side *side = &piece->comparison->before;
    struct cut *before = &piece->before, *after = &piece->after;
    bool given = watch->seen.node->input_count > 1 && before->kind == CUT_VALUE &&
                 node_inputs(watch->seen.node)[1] == side->other[before->value];
    if (after->kind == CUT_OPEN && given &&
        after->split.input_rank != 0) { /* as many lengths as the Split has outputs */
        after->kind = CUT_VALUE;
        after->split.output_count = before->split.output_count;
    }
    int64_t dim = before->split.dim;
    enum opshift_status status = starts_of(before, dim, piece->arena, &watch->before, &watch->before_count, error);
    if (status == OPSHIFT_OK && watch->before != NULL)
        dim = watch->before[watch->before_count];
    if (status == OPSHIFT_OK)
        status = starts_of(after, dim, piece->arena, &watch->after, &watch->after_count, error);
    if (status)
        return status;
    if (side->other[before->data] != after->data || !cut_same_axis(before, after))
        return doubt(watch, "they are not seen to cut the same value at the same axis");
    if (before->kind == CUT_VALUE && after->kind == CUT_VALUE && side->other[before->value] == after->value &&
        before->split.output_count == after->split.output_count)
        return OPSHIFT_OK;
    if (watch->before == NULL || watch->after == NULL)
        return doubt(watch, "the two cuts are not seen to be one for every dim");
    if (watch->before[watch->before_count] != watch->after[watch->after_count])
        return doubt(watch, "the lengths do not sum to the same dim");
    if (after->kind == CUT_LIST && strcmp(watch->op_type, "Split") == 0 &&
        after->split.length_count != after->split.output_count)
        return doubt(watch, "the Split has not one output for each length");
    return OPSHIFT_OK;
}

/* ---- one tensor ---- */

/* Compares part `was` of the first split with part `is` of the second. */
static enum opshift_status compare_part(struct watch *watch, int64_t was, int64_t is)
{
    struct piece *piece = watch->piece;
    const char *text = watch->what == NULL ? "a tensor" : watch->what;
    if (watch->before == NULL || watch->after == NULL) {
        if (was != is)
            piece_differs(piece,
                          arena_print(piece->arena, "%s was part %" PRId64 " and is part %" PRId64, text, was, is));
        return OPSHIFT_OK;
    }
    if (was >= watch->before_count || is < 0 || is >= watch->after_count)
        return doubt(watch, "a part is read that is none");
    int64_t start = watch->before[was], end = watch->before[was + 1];
    if (watch->after[is] != start || watch->after[is + 1] != end) {
        if (start == end && watch->after[is] == watch->after[is + 1])
            return OPSHIFT_OK;
        piece_differs(piece, arena_print(piece->arena,
                                         "%s was the part from %" PRId64 " to %" PRId64
                                         " of the axis and is that from %" PRId64 " to %" PRId64,
                                         text, start, end, watch->after[is], watch->after[is + 1]));
    }
    return OPSHIFT_OK;
}

/* The tensor of this name on the second side must be part `was`. *found: it is an output of such a node. */
static enum opshift_status take_part(struct watch *watch, struct graph *graph, name_id name, int64_t was, bool *found,
                                     struct opshift_error *error)
{
    struct piece *piece = watch->piece;
    struct side *side = &piece->comparison->after;
    struct sequence_part part;
    enum opshift_status status = part_find(side, graph, name, piece->arena, &part, error);
    *found = status == OPSHIFT_OK && part.node != NULL && sequence_is_operator(side, part.node, watch->op_type) &&
             part.graph == piece->pair->after;
    if (status || !*found)
        return status;
    if (watch->seen.node == NULL) {
        watch->seen = part;
        status = read_after(watch, error);
        if (status == OPSHIFT_OK)
            status = compare_cuts(watch, error);
    } else if (watch->seen.node != part.node) {
        return doubt(watch, arena_print(piece->arena, "its tensors come from more than one %s", watch->op_type));
    }
    if (!goes_on(watch, status))
        return status;
    bool drops = part.squeezed || piece->after.drops;
    int64_t axis = part.axis < 0 ? part.axis + piece->type.rank : part.axis;
    if (drops != piece->before.drops ||
        (part.squeezed && (piece->type.rank < 1 || axis != piece->before.split.front || piece->after.drops)))
        return doubt(watch, arena_print(piece->arena, "%s is not seen to lose the axis that it lost, and no other",
                                        watch->what));
    int64_t position = part.position < 0 ? part.position + piece->after.split.output_count : part.position;
    return compare_part(watch, was, position);
}

/* ---- readers of the sequence ---- */

static enum opshift_status need_part(struct watch *watch, const struct sequence_use *use, name_id name, int64_t was,
                                     struct opshift_error *error)
{
    bool found = false;
    enum opshift_status status = take_part(watch, use->pair.after, name, was, &found, error);
    if (status == OPSHIFT_OK && !found)
        return doubt(watch, arena_print(watch->piece->arena, "%s is not seen to be an output of a Split", watch->what));
    return status;
}

static enum opshift_status compare_at(struct watch *watch, const struct sequence_use *use, name_id name,
                                      struct opshift_error *error)
{
    int64_t position = 0, count = watch->piece->before.split.output_count;
    bool known = false;
    enum opshift_status status = OPSHIFT_OK;
    if (use->node->input_count == 2)
        status = sequence_number(&watch->piece->comparison->before, use->pair.before, node_inputs(use->node)[1],
                                 &position, &known, error);
    if (status)
        return status;
    if (!known || position < -count || position >= count)
        return doubt(watch, "a position in the sequence is not known, or outside it");
    return need_part(watch, use, name, position < 0 ? position + count : position, error);
}

static enum opshift_status compare_length(struct watch *watch, const struct sequence_use *use, name_id name,
                                          struct opshift_error *error)
{
    struct piece *piece = watch->piece;
    const struct tensor *tensor = NULL;
    int64_t count = piece->before.split.output_count;
    enum opshift_status status =
        fold_constant(piece->comparison->after.fold, use->pair.after, name, &tensor, NULL, error);
    if (status)
        return status;
    if (tensor == NULL || tensor->type != OPSHIFT_TYPE_INT64 || tensor->rank != 0)
        return doubt(watch, arena_print(piece->arena, "'%s' is no constant int64", after_text(piece, name)));
    if (*(const int64_t *)tensor->data != count)
        piece_differs(piece, arena_print(piece->arena, "'%s' was %" PRId64 " and is %" PRId64, after_text(piece, name),
                                         count, *(const int64_t *)tensor->data));
    return OPSHIFT_OK;
}

/* The same axis of tensors of this rank (-1: unknown). */
static bool same_axis(int64_t before, int64_t after, int64_t rank)
{
    return before == after || (rank > 0 && (before - after == rank || after - before == rank) && before >= -rank &&
                               before < rank && after >= -rank && after < rank);
}

static enum opshift_status compare_concat(struct watch *watch, const struct sequence_use *use, name_id name,
                                          struct opshift_error *error)
{
    struct piece *piece = watch->piece;
    struct side *before = &piece->comparison->before, *after = &piece->comparison->after;
    struct definition found = scope_find(after->scopes, use->pair.after, name);
    int64_t axes[2], stacks, rank = piece->type.rank < 0 ? -1 : piece->type.rank - piece->before.drops;
    bool known[3];
    if (found.kind != DEFINED_NODE || !sequence_is_operator(after, &found.graph->nodes[found.index], "Concat") ||
        found.graph->nodes[found.index].input_count != piece->before.split.output_count)
        return doubt(watch, arena_print(piece->arena, "'%s' is not seen to be the Concat of all tensors",
                                        after_text(piece, name)));
    const struct node *node = &found.graph->nodes[found.index];
    enum opshift_status status =
        sequence_attribute(before, use->node, "axis", 0, piece->arena, &axes[0], &known[0], error);
    if (status == OPSHIFT_OK)
        status = sequence_attribute(before, use->node, "new_axis", 0, piece->arena, &stacks, &known[1], error);
    if (status == OPSHIFT_OK)
        status = sequence_attribute(after, node, "axis", 1, piece->arena, &axes[1], &known[2], error);
    if (status)
        return status;
    if (!known[0] || !known[1] || !known[2] || stacks != 0 || !same_axis(axes[0], axes[1], rank))
        return doubt(watch, arena_print(piece->arena, "'%s' is not seen to be joined along the same axis",
                                        after_text(piece, name)));
    for (uint32_t i = 0; goes_on(watch, status) && i < node->input_count; i++) {
        watch->what = arena_print(piece->arena, "input %" PRIu32 " of '%s'", i, after_text(piece, name));
        status = need_part(watch, use, node_inputs(node)[i], i, error);
    }
    return status;
}

static enum opshift_status compare_use(struct watch *watch, const struct sequence_use *use, struct opshift_error *error)
{
    const struct side *before = &watch->piece->comparison->before;
    name_id name = before->other[node_outputs(use->node)[0]];
    if (name == NAME_NO_MEMORY)
        return doubt(watch, arena_print(watch->piece->arena, "'%s' is lost",
                                        names_text(before->model->names, node_outputs(use->node)[0])));
    watch->what = arena_print(watch->piece->arena, "'%s'", after_text(watch->piece, name));
    if (sequence_is_operator(before, use->node, "SequenceAt"))
        return compare_at(watch, use, name, error);
    if (sequence_is_operator(before, use->node, "SequenceLength"))
        return compare_length(watch, use, name, error);
    return compare_concat(watch, use, name, error);
}

/* ---- a whole piece ---- */

static const char *proof_of(const struct watch *watch)
{
    const struct piece *piece = watch->piece;
    if (watch->doubt != NULL || piece->verdict == VERDICT_DIFFERS)
        return NULL;
    if (watch->seen.node == NULL)
        return "the number of its tensors is known, and nothing else is read";
    if (watch->before == NULL)
        return "the same value gives the lengths, and each tensor is the same part";
    if (piece->before.from_dim || piece->after.from_dim || piece->before.kind != CUT_LIST)
        return "the lengths are the parts of the known dim, and each tensor is the same part";
    return "the same list of lengths, and each tensor is the same part";
}

enum opshift_status piece_from_sequence(struct piece *piece, const char **proof, struct opshift_error *error)
{
    struct side *side = &piece->comparison->before;
    struct watch watch = {.piece = piece, .op_type = "Split"};
    enum opshift_status status = OPSHIFT_OK;
    if (piece->node->input_count > 0)
        status = types_find(side->types, piece->pair->before, node_inputs(piece->node)[0], &piece->type, error);
    if (piece->facts_alone)
        piece->type.rank = -1;
    if (status == OPSHIFT_OK)
        status = cut_read_sequence(side, piece->pair->before, &piece->attributes[0], piece->binding, &piece->type,
                                   &piece->before, error);
    if (status == OPSHIFT_OK && piece->before.kind == CUT_OPEN)
        doubt(&watch, "how many tensors the sequence has is not known");
    for (const struct sequence_use *use = piece->uses; goes_on(&watch, status) && use != NULL; use = use->next)
        status = compare_use(&watch, use, error);
    *proof = status == OPSHIFT_OK ? proof_of(&watch) : NULL;
    piece->doubt = watch.doubt;
    return status;
}

enum opshift_status piece_to_sequence(struct piece *piece, bool *found, const char **proof, struct opshift_error *error)
{
    const struct side *side = &piece->comparison->before;
    struct watch watch = {.piece = piece, .op_type = "SplitToSequence"};
    enum opshift_status status = OPSHIFT_OK;
    *found = true;
    for (uint32_t i = 0; goes_on(&watch, status) && *found && i < piece->before.split.output_count; i++) {
        name_id name = piece->before.outputs[i];
        if (name == NAME_NONE || side->other[name] == NAME_NO_MEMORY)
            continue;
        watch.what = arena_print(piece->arena, "'%s'", names_text(side->model->names, name));
        status = take_part(&watch, piece->pair->after, side->other[name], i, found, error);
    }
    *found = *found && watch.seen.node != NULL;
    *proof = status == OPSHIFT_OK && *found ? proof_of(&watch) : NULL;
    piece->doubt = watch.doubt;
    return status;
}
