/* A rewritten Split: proved if possible, and run for each kind of dim, type and binding. */

#include "verify/follow.h"
#include "verify/sequence_readers.h"

/* Elements of one random input. */
#define PIECE_COUNT_MAX (UINT64_C(1) << 16)
#define PIECE_DIMS_MAX  48

/* Types that Split supports at both opsets, of which `least` is the lower one, or the known one. */
static bool is_tried(const struct piece *piece, int64_t least, enum opshift_type type)
{
    if (piece->type.is_tensor && piece->type.type != OPSHIFT_TYPE_UNDEFINED)
        return piece->type.type == type;
    if (least < 2)
        return type == OPSHIFT_TYPE_FLOAT || type == OPSHIFT_TYPE_FLOAT16 || type == OPSHIFT_TYPE_DOUBLE;
    return type <= OPSHIFT_TYPE_COMPLEX128 || (type == OPSHIFT_TYPE_BFLOAT16 && least >= 13);
}

/* The sample's shape: known dims stay, unknown ones are small, and other dims than the split one shrink if there are
 * too many elements. */
static bool shape_sample(const struct piece *piece, uint32_t rank, uint32_t axis, int64_t dim, struct sample *sample)
{
    uint64_t count = dim > 0 ? (uint64_t)dim : 1;
    sample->rank = rank;
    sample->axis = axis;
    if (count > (uint64_t)1 << 22)
        return false;
    for (uint32_t i = 0; i < rank; i++) {
        bool known = piece->type.rank == (int32_t)rank && piece->type.dims[i] >= 0;
        int64_t beside = known ? piece->type.dims[i] : i < axis ? 2 : 3;
        if (beside > 0 && (uint64_t)beside > PIECE_COUNT_MAX / count)
            beside = 1;
        sample->dims[i] = i == axis ? dim : beside;
        if (i != axis && beside > 0)
            count *= (uint64_t)beside;
    }
    return true;
}

/* The first type is run on all dims, the others on two of the accepted ones. */
static enum opshift_status run_dims(struct piece *piece, uint32_t rank, uint32_t axis, const int64_t *dims,
                                    size_t dim_count, bool *first_type, struct opshift_error *error)
{
    int64_t before = graph_opset(piece->comparison->before.model, piece->pair->before, NAME_NONE);
    int64_t after = graph_opset(piece->comparison->after.model, piece->pair->after, NAME_NONE);
    for (int type = OPSHIFT_TYPE_FLOAT; type <= OPSHIFT_TYPE_BFLOAT16; type++) {
        if (!is_tried(piece, before < after ? before : after, (enum opshift_type)type))
            continue;
        struct sample sample = {.type = (enum opshift_type)type};
        size_t limit = *first_type ? SIZE_MAX : 2, taken = 0;
        for (size_t i = 0; i < dim_count && taken < limit && piece->verdict != VERDICT_DIFFERS; i++) {
            bool accepted = false;
            enum opshift_status status = OPSHIFT_OK;
            if (shape_sample(piece, rank, axis, dims[i], &sample))
                status = piece_run(piece, &sample, NULL, &accepted, error);
            else
                piece->refused = "its axis is too long to run here";
            if (status)
                return status;
            taken += accepted;
        }
        *first_type = *first_type && taken == 0;
    }
    return OPSHIFT_OK;
}

/* Runs each dim once; more often if only runs can show equality and the dims are few. */
static enum opshift_status run_dims_enough(struct piece *piece, uint32_t rank, uint32_t axis, const int64_t *dims,
                                           size_t dim_count, bool *first_type, struct opshift_error *error)
{
    bool alone = !piece->is_expected && piece->proof == NULL && piece->expected->refusal == NULL;
    enum opshift_status status = OPSHIFT_OK;
    for (unsigned round = 0; status == OPSHIFT_OK && round < (alone ? PIECE_RUNS_LEAST : 1); round++) {
        uint64_t before = piece->runs;
        if (round > 0 && piece->runs >= PIECE_RUNS_LEAST)
            break;
        status = run_dims(piece, rank, axis, dims, dim_count, first_type, error);
        if (piece->runs == before || piece->verdict == VERDICT_DIFFERS)
            break;
    }
    return status;
}

/* The axis for a rank; false: out of range. */
static bool axis_in(const struct cut *cut, int64_t rank, uint32_t *axis)
{
    if (cut->split.axis < -rank || cut->split.axis >= rank)
        return false;
    *axis = (uint32_t)(cut->split.axis < 0 ? cut->split.axis + rank : cut->split.axis);
    return true;
}

static enum opshift_status run_ranks(struct piece *piece, struct opshift_error *error)
{
    int64_t dims[PIECE_DIMS_MAX];
    size_t dim_count = cut_dims(&piece->before, dims, PIECE_DIMS_MAX);
    int64_t least = piece->before.split.axis < 0 ? 0 - piece->before.split.axis : piece->before.split.axis + 1,
            most = least + 1;
    bool first_type = true;
    if (piece->type.rank >= 0)
        least = most = piece->type.rank;
    piece->refused = "the axis is outside the input's rank";
    for (int64_t rank = least; rank <= most && rank <= TENSOR_RANK_MAX && rank > 0; rank++) {
        uint32_t axis = 0;
        enum opshift_status status = OPSHIFT_OK;
        if (!axis_in(&piece->before, rank, &axis))
            continue;
        int64_t known = piece->before.split.dim;
        if (known >= 0)
            status = run_dims_enough(piece, (uint32_t)rank, axis, &known, 1, &first_type, error);
        else
            status = run_dims_enough(piece, (uint32_t)rank, axis, dims, dim_count, &first_type, error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

bool piece_is_split(const struct side *side, const struct node *node)
{
    return node != NULL && node_is(side->model, node, "Split");
}

static enum opshift_status read_before(struct piece *piece, struct opshift_error *error)
{
    struct side *before = &piece->comparison->before;
    name_id data = piece->node->input_count > 0 ? node_inputs(piece->node)[0] : NAME_NONE;
    enum opshift_status status = types_find(before->types, piece->pair->before, data, &piece->type, error);
    if (status)
        return status;
    if (piece->facts_alone)
        piece->type.rank = -1;
    return cut_read(before, piece->pair->before, &piece->attributes[0], piece->binding, &piece->type, &piece->before,
                    error);
}

/* Compares both splits for one binding of the enclosing function; *proof: why they are equal. */
static enum opshift_status compare_cuts(struct piece *piece, const char **proof, struct opshift_error *error)
{
    struct comparison *comparison = piece->comparison;
    bool found;
    *proof = NULL;
    if (piece->uses != NULL)
        return piece_from_sequence(piece, proof, error);
    enum opshift_status status = read_before(piece, error);
    if (status)
        return status;
    piece->is_split = piece_is_split(&comparison->after, piece->partner);
    if (!piece->is_split) {
        status = piece_to_sequence(piece, &found, proof, error);
        return status == OPSHIFT_OK && !found ? follow_split(piece, proof, &piece->doubt, error) : status;
    }
    status = cut_read(&comparison->after, piece->pair->after, &piece->attributes[1], piece->binding, &piece->type,
                      &piece->after, error);
    if (status == OPSHIFT_OK)
        *proof = cut_proof(&comparison->before, &piece->before, &piece->after);
    return status == OPSHIFT_OK && *proof == NULL ? follow_split(piece, proof, &piece->doubt, error) : status;
}

static name_id second_input(const struct node *node)
{
    return node != NULL && node->input_count > 1 ? node_inputs(node)[1] : NAME_NONE;
}

/* The same with the declarations that the proof depends on: unconfirmed shapes are used only if there is no proof
 * without them. */
static enum opshift_status read_cuts(struct piece *piece, const char **proof, struct opshift_error *error)
{
    const char *declared = NULL;
    enum opshift_status status = OPSHIFT_OK;
    if (piece->node->input_count > 0)
        status = basis_of_shape(piece, node_inputs(piece->node)[0], &declared, error);
    piece->facts_alone = declared != NULL;
    if (status == OPSHIFT_OK)
        status = compare_cuts(piece, proof, error);
    if (status == OPSHIFT_OK && *proof == NULL && piece->facts_alone) {
        piece->facts_alone = false;
        piece->doubt = NULL;
        status = compare_cuts(piece, proof, error);
        piece->basis = *proof != NULL ? declared : piece->basis;
    }
    if (status == OPSHIFT_OK && *proof != NULL)
        status = basis_of_constant(piece, false, second_input(piece->node), error);
    if (status == OPSHIFT_OK && *proof != NULL && piece->is_split)
        status = basis_of_constant(piece, true, second_input(piece->partner), error);
    return status;
}

/* A node that stays a Split must be unchanged except for its lengths and axis. */
static enum opshift_status compare_head(struct piece *piece, struct opshift_error *error)
{
    struct comparison *comparison = piece->comparison;
    const char *what = NULL;
    if (piece->same_head || piece->verdict == VERDICT_DIFFERS || !piece_is_split(&comparison->after, piece->partner))
        return OPSHIFT_OK;
    enum opshift_status status = rest_same_head(comparison, piece->node, piece->partner, &what, error);
    if (status == OPSHIFT_OK && what != NULL)
        piece_differs(piece, what);
    return status;
}

/* Proved if proved for each binding of the function, and all bindings are known. */
enum opshift_status piece_split(struct piece *piece, struct opshift_error *error)
{
    const struct binding_list *bindings = piece->bindings;
    uint32_t proved = 0;
    enum opshift_status status = read_cuts(piece, &piece->proof, error);
    if (status == OPSHIFT_OK && !piece->is_unreached && (bindings == NULL || bindings->count == 0))
        status = run_ranks(piece, error);
    for (uint32_t i = 0;
         status == OPSHIFT_OK && bindings != NULL && i < bindings->count && piece->verdict != VERDICT_DIFFERS; i++) {
        const char *proof;
        piece->binding = &bindings->items[i];
        status = read_cuts(piece, &proof, error);
        proved += proof != NULL;
        if (status == OPSHIFT_OK && piece->proof == NULL && proved == bindings->count && bindings->complete)
            piece->proof = proof;
        if (status == OPSHIFT_OK)
            status = run_ranks(piece, error);
    }
    return status == OPSHIFT_OK ? compare_head(piece, error) : status;
}
