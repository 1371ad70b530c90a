/* Runs of a node that was replaced by nodes of other operators, and the tolerance of the comparison. */
#include <math.h>

#include "model/number.h"
#include "verify/piece.h"

/* Runs of one such node, and of all nodes: a model may have thousands of them. */
#define REPLACED_ATTEMPTS     400u
#define REPLACED_FEW          15u /* where all runs are spent */
#define REPLACED_ATTEMPTS_ALL 1500u
#define REPLACED_RUNS         9u
/* Sizes that are drawn for open dims. */
#define DRAWN_SIZES_MAX 48u
/* Number of elements after which one run is enough. */
#define REPLACED_DRAWN (UINT64_C(1) << 18)

/* Relative to the largest number of an output, or to 1 if that is larger; each node of a definition rounds. */
static double replaced_tolerance(enum opshift_type type)
{
    switch (type) {
    case OPSHIFT_TYPE_DOUBLE:
        return 1e-9;
    case OPSHIFT_TYPE_FLOAT16:
        return 1e-2;
    case OPSHIFT_TYPE_BFLOAT16:
        return 8e-2;
    default:
        return 1e-4;
    }
}

static double load_real(const struct number_type *type, const struct tensor *tensor, uint64_t place)
{
    return type->load((const char *)tensor->data + place * type->size).d;
}

/* The difference of two elements; 0: equal, or both NaN. */
static double distance(double a, double b)
{
    if ((isnan(a) && isnan(b)) || a == b)
        return 0;
    return isfinite(a) && isfinite(b) ? fabs(a - b) : INFINITY;
}

/* Integers rounded from floating-point numbers may differ by 1, few of them: where a sum is halfway between two. */
static bool whole_near(const struct number_type *type, const struct tensor *a, const struct tensor *b)
{
    if (type->size > 1 || a->type == OPSHIFT_TYPE_BOOL)
        return tensor_equal(a, b);
    uint64_t apart = 0;
    for (uint64_t i = 0; i < a->count; i++) {
        int64_t left = type->load((const char *)a->data + i).i, right = type->load((const char *)b->data + i).i;
        if (left - right > 1 || right - left > 1)
            return false;
        apart += left != right;
    }
    return apart <= 1 + a->count / 8;
}

/* Equal bits; all NaN are equal. */
static bool same_bits(const struct number_type *type, const struct tensor *a, const struct tensor *b)
{
    for (uint64_t i = 0; i < a->count; i++) {
        double left = load_real(type, a, i), right = load_real(type, b, i);
        if (!(isnan(left) && isnan(right)) && (left != right || signbit(left) != signbit(right)))
            return false;
    }
    return true;
}

static bool near_as(struct piece *piece, enum replacement_kind kind, const struct tensor *a, const struct tensor *b)
{
    const struct number_type *type = number_type(a->type);
    double greatest = 1, largest = 0;
    if (a->type != b->type || !piece_same_shape(a, b) || type == NULL)
        return tensor_equal(a, b);
    if (kind == REPLACED_EXACTLY)
        return type->kind == NUMBER_REAL ? same_bits(type, a, b) : tensor_equal(a, b);
    if (kind == REPLACED_APPROXIMATELY)
        return true;
    if (type->kind != NUMBER_REAL)
        return whole_near(type, a, b);
    for (uint64_t i = 0; i < a->count; i++) {
        double left = load_real(type, a, i), apart = distance(left, load_real(type, b, i));
        greatest = isfinite(left) && fabs(left) > greatest ? fabs(left) : greatest;
        largest = apart > largest ? apart : largest;
    }
    piece->tolerance = replaced_tolerance(a->type);
    piece->largest = largest / greatest > piece->largest ? largest / greatest : piece->largest;
    return largest <= piece->tolerance * greatest;
}

bool replaced_near(struct piece *piece, const struct tensor *a, const struct tensor *b)
{
    return near_as(piece, piece->expected->planned.replaced_as, a, b);
}

bool rounding_near(struct piece *piece, const struct tensor *a, const struct tensor *b)
{
    return near_as(piece, REPLACED_BY_DEFINITION, a, b);
}

/* Extremes overflow inside a definition, and random bits are extreme. */
static bool is_wanted(enum replacement_kind kind, uint32_t attempt)
{
    bool extreme = sample_is_extreme(attempt);
    return kind == REPLACED_EXACTLY || !extreme;
}

/* The sizes to draw for dims that are open. A definition is held against the standard's function, which may fail on
 * tensors without elements (Reshape infers no dim of those). */
static uint32_t choose_sizes(enum replacement_kind kind, const int64_t *dims, uint32_t dim_count, int64_t *sizes)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < dim_count && i < DRAWN_SIZES_MAX; i++)
        if (kind == REPLACED_EXACTLY || dims[i] != 0)
            sizes[count++] = dims[i];
    return count;
}

enum opshift_status piece_run_replaced(struct piece *piece, const int64_t *dims, uint32_t dim_count,
                                       struct opshift_error *error)
{
    int64_t sizes[DRAWN_SIZES_MAX];

    enum replacement_kind kind = piece->expected->planned.replaced_as;
    enum opshift_status status = OPSHIFT_OK;
    uint64_t first = piece->runs;
    uint32_t size_count = choose_sizes(kind, dims, dim_count, sizes);
    bool accepted;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < REPLACED_ATTEMPTS && piece->verdict != VERDICT_DIFFERS; i++) {
        struct draw_style style = {
            .dims = sizes, .dim_count = size_count, .constants = &piece->constants, .attempt = i};
        uint64_t runs = piece->runs - first;
        bool spent = piece->drawn > REPLACED_DRAWN || piece->comparison->attempts > REPLACED_ATTEMPTS_ALL;
        if (runs >= REPLACED_RUNS || ((runs > 0 || i >= REPLACED_FEW) && spent))
            break;
        if (!is_wanted(kind, i))
            continue;
        piece->comparison->attempts++;
        status = piece_run(piece, NULL, &style, &accepted, error);
    }
    return status;
}
