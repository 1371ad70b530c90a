/* Draws what a region reads: its own types and sizes, near the constants that occur; or what the model computes there.
 */
#include "equal/region_trial.h"

#include <math.h>

#include "run/draw.h"

/* Runs in the full size of images, and the size of the others. */
#define FULL_RUNS   2u
#define IMAGE_SMALL 8

static double draw_real(struct trial *trial, uint32_t attempt, uint64_t random)
{
    double fraction = (double)(random >> 11) * 0x1p-53;
    switch (attempt % 8) {
    case 1:
        return 20 * fraction - 10;
    case 2:
        return (double)(int)(random % 5) - 2;
    case 3:
        return 0;
    case 4:
        if (trial->near_count > 0 && random % 2 == 0) {
            double near = trial->near[(random >> 8) % trial->near_count];
            unsigned beside = (random >> 4) % 4;
            return beside == 0   ? near
                   : beside == 1 ? near + fraction
                   : beside == 2 ? near - fraction
                                 : near * (1 + 2 * fraction);
        }
        return 4 * fraction - 2;
    case 5:
        return (double)(int)(random % 9) / 4 - 1;
    case 6: /* where negative numbers are not lost beside greater ones */
        return -1000 * fraction;
    case 7:
        return fraction;
    default:
        return 4 * fraction - 2;
    }
}

static int64_t draw_whole(const struct trial *trial, uint32_t attempt, uint64_t random)
{
    static const int64_t least[] = {0, 0, -1, 0, 0, -2}, most[] = {1, 3, 2, 0, 9, 2};
    unsigned kind = attempt % 8 % 6;
    if (trial->row_count > 0 && attempt % 2 == 0)
        return (int64_t)(random % (uint64_t)trial->row_count);
    if (trial->near_count > 0 && kind >= 3 && random % 3 == 0)
        return (int64_t)fmax(fmin(trial->near[(random >> 8) % trial->near_count], 1e9), -1e9) +
               (int64_t)((random >> 4) % 3) - 1;
    return least[kind] + (int64_t)((random >> 16) % (uint64_t)(most[kind] - least[kind] + 1));
}

/* A number of a constant, or one far from it on either side. */
uint32_t trial_sweeps(const struct trial *trial)
{
    return 3 * trial->near_count;
}

static double number_swept(const struct trial *trial, uint64_t turn)
{
    double near = trial->near[turn / 3 % trial->near_count], beside = fabs(near) / 2 + 1;
    return turn % 3 == 0 ? near : turn % 3 == 1 ? near + beside : near - beside;
}

static void element_draw(struct trial *trial, struct tensor *tensor, const struct number_type *type, uint32_t attempt,
                         bool edges, uint64_t at)
{
    uint64_t random = draw_next(&trial->seed);
    union number number = {0};
    double swept = trial->sweeps ? number_swept(trial, attempt + at) : 0;
    if (trial->sweeps && type->type != OPSHIFT_TYPE_BOOL)
        number = type->kind == NUMBER_REAL ? (union number){.d = swept}
                                           : (union number){.i = (int64_t)fmax(fmin(swept, 0x1p62), -0x1p62)};
    else if (edges && type->kind == NUMBER_REAL)
        number = draw_edge_at(type, trial->near, trial->near_count,
                              trial->edge_at++ % draw_edge_count(type, trial->near_count));
    else if (trial->has_nans && type->kind == NUMBER_REAL && (at == 0 || random % 4 == 0))
        number.d = NAN;
    else if (edges && type->type != OPSHIFT_TYPE_BOOL)
        number = draw_edge(type, trial->near, trial->near_count, random);
    else if (type->kind == NUMBER_REAL)
        number.d = draw_real(trial, attempt, random);
    else if (type->type == OPSHIFT_TYPE_BOOL)
        number.u = random >> 40 & 1;
    else if (type->size == 1)
        number.u = attempt % 2 == 0 ? random >> 40 : (uint64_t)draw_whole(trial, attempt, random);
    else
        number.i = draw_whole(trial, attempt, random);
    type->store((char *)tensor->data + at * type->size, number);
}

/* The type of a leaf; rank -1: unknown. */
static enum opshift_status leaf_type(struct trial *trial, term_id leaf, struct value_type *type,
                                     struct opshift_error *error)
{
    const struct equal_work *work = trial->work;
    const struct equal_term *term = &work->terms[leaf];
    const struct equal_side *side = term->use == NULL ? &work->sides[0] : term->use->side;
    struct graph *graph = term->use == NULL ? side->model->main : term->use->graph;
    name_id name = term->use == NULL ? graph->inputs[term->input].name : node_outputs(term->use->node)[term->output];
    *type = (struct value_type){.rank = -1};
    return side->types == NULL ? OPSHIFT_OK : types_find(side->types, graph, name, type, error);
}

/* The size of a dim that is not fixed: the same for all dims of one name; every second time about as large as an
 * integer that only one side has. */
static int64_t open_size(const struct trial *trial, name_id name, uint32_t attempt)
{
    static const int64_t sizes[] = {2, 1, 3, 4};
    if (trial->zeros == 3 || (trial->zeros > 0 && name % 2 == trial->zeros - 1))
        return 0;
    if (trial->size_count > 0 && attempt % 2 == 1 && trial->size_sum <= SIZES_SWEPT)
        return (int64_t)((attempt / 2 + name * UINT64_C(5)) % ((uint64_t)trial->size_sum + 2));
    if (trial->size_count > 0 && attempt % 2 == 1) {
        uint64_t seed = trial->first_seed ^ (name + UINT64_C(1)) * 0x9e3779b9 ^ (uint64_t)attempt << 40;
        uint64_t random = draw_next(&seed) >> 8;
        int64_t size = trial->sizes[random % trial->size_count] + (int64_t)((random >> 20) % 3) - 1;
        return attempt % 6 == 1 ? trial->size_sum + 1 + (int64_t)(random % 2) : size < 0 ? 0 : size;
    }
    /* Dims of two names have all pairs of sizes. */
    uint32_t turn = name == NAME_NONE ? attempt / 2 : attempt + attempt / 4 * name + attempt / 16 * (name / 4);
    return sizes[(name * 7 + turn) % COUNT(sizes)];
}

/* Images are run in their size twice, and in a smaller one for as long as the first side accepts that. */
static void dims_shrink(struct trial *trial, int64_t *dims, int32_t rank, uint32_t attempt)
{
    if (trial->is_full || attempt < FULL_RUNS || rank < 3)
        return;
    for (int32_t i = 2; i < rank; i++)
        if (dims[i] > IMAGE_SMALL) {
            dims[i] = IMAGE_SMALL + dims[i] % 2;
            trial->has_shrunk = true;
        }
}

static enum opshift_status leaf_draw(struct trial *trial, uint32_t at, uint32_t attempt, bool edges, bool *known,
                                     struct opshift_error *error)
{
    struct value_type type;
    struct tensor *tensor = NULL;
    enum opshift_status status = leaf_type(trial, trial->cut->leaves[at], &type, error);
    const struct number_type *numbers = status == OPSHIFT_OK ? number_type(type.type) : NULL;
    *known = false;
    if (status != OPSHIFT_OK || !type.is_tensor || type.rank < 0 || type.rank > TENSOR_RANK_MAX || numbers == NULL)
        return status;
    int64_t dims[TENSOR_RANK_MAX];
    for (int32_t i = 0; i < type.rank; i++)
        dims[i] =
            type.dims[i] >= 0 ? type.dims[i] : open_size(trial, type.params ? type.params[i] : NAME_NONE, attempt);
    for (int32_t i = 0; i < type.rank; i++)
        trial->has_open = trial->has_open || type.dims[i] < 0;
    dims_shrink(trial, dims, type.rank, attempt);
    uint64_t bytes = numbers->size;
    for (int32_t i = 0; i < type.rank; i++)
        if (__builtin_mul_overflow(bytes, (uint64_t)dims[i], &bytes))
            bytes = UINT64_MAX;
    if (bytes > trial->work->budget.bytes_max) {
        trial->why = "the values that it reads take too much memory (--max-memory)";
        return OPSHIFT_OK;
    }
    status = tensor_new(trial->drawn, type.type, (uint32_t)type.rank, dims, &tensor, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < tensor->count; i++)
        element_draw(trial, tensor, numbers, attempt, edges, i);
    trial->leaves[at] = tensor;
    *known = status == OPSHIFT_OK;
    return status;
}

/* The inputs of the model, as `run` would draw them. */
static enum opshift_status inputs_draw(struct trial *trial, uint32_t attempt, bool *known, struct opshift_error *error)
{
    struct equal_work *work = trial->work;
    struct opshift_model *model = work->sides[0].model;
    struct opshift_values *values = NULL;
    struct opshift_error why = {0};
    const struct opshift_draw_options how = {
        .seed = trial->seed + attempt, .attempt = attempt + 1, .memory = work->budget.bytes_max};
    enum opshift_status status = opshift_values_new(&values, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_draw(values, model, &how, &why);
    *known = status == OPSHIFT_OK;
    for (uint32_t i = 0; i < trial->cut->leaf_count && *known && status == OPSHIFT_OK; i++) {
        const struct equal_term *term = &work->terms[trial->cut->leaves[i]];
        const char *name = names_text(model->names, model->main->inputs[term->input].name);
        const struct opshift_value *value = term->kind == TERM_INPUT ? opshift_values_find(values, name) : NULL;
        struct tensor *copy = NULL;
        *known = value != NULL && value->value.kind == VALUE_TENSOR;
        if (*known)
            status = tensor_copy(trial->drawn, value->value.tensor, &copy, error);
        trial->leaves[i] = copy;
    }
    opshift_values_free(values);
    if (*known)
        return status;
    trial->why = arena_print(work->arena, "no inputs could be drawn: %s", why.text);
    return status == OPSHIFT_MEMORY || status == OPSHIFT_IO ? error_give(error, status, &why) : OPSHIFT_OK;
}

/* The leaves, as the model computes them from drawn inputs. */
static enum opshift_status source_draw(struct trial *trial, uint32_t attempt, bool *known, bool *refused,
                                       struct opshift_error *error)
{
    struct equal_work *work = trial->work;
    struct trial *source = trial->source;
    enum outcome_of_side outcome = SIDE_DONE;
    enum opshift_status status = inputs_draw(source, attempt, known, error);
    work->run++;
    if (status == OPSHIFT_OK && *known)
        status = trial_set(source, RUN_PLAIN, error);
    if (status == OPSHIFT_OK && *known)
        status = trial_side(source, 0, &outcome, error);
    *refused = outcome == SIDE_REFUSED;
    *known = *known && outcome != SIDE_CANNOT;
    for (uint32_t i = 0; i < trial->cut->leaf_count && status == OPSHIFT_OK && *known && !*refused; i++) {
        struct value value = trial_value(work, trial->cut->leaves[i]);
        struct tensor *copy = NULL;
        *known = value.kind == VALUE_TENSOR;
        if (*known)
            status = tensor_copy(trial->drawn, value.tensor, &copy, error);
        trial->leaves[i] = copy;
    }
    trial_clear(source);
    trial->why = source->why == NULL ? trial->why : source->why;
    return status;
}

enum opshift_status trial_draw(struct trial *trial, uint32_t attempt, bool edges, bool *known, bool *refused,
                               struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *known = true;
    *refused = false;
    if (trial->source != NULL)
        return source_draw(trial, attempt, known, refused, error);
    for (uint32_t i = 0; i < trial->cut->leaf_count && status == OPSHIFT_OK && *known; i++)
        status = leaf_draw(trial, i, attempt, edges, known, error);
    if (!*known && trial->why == NULL)
        trial->why = "the type of a value that it reads is not known";
    return status;
}
