/* Lowers Split to DirectML's: word view, shape, sizes. Split only moves bits, so any view that keeps them is exact. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dialect/directml.h"

/* ---- names ---- */

static const struct {
    const char *name;
    uint32_t size; /* in bytes */
    enum opshift_type element;
    enum directml_level since;
} types[DIRECTML_TYPE_COUNT] = {
    [DIRECTML_FLOAT32] = {"FLOAT32", 4, OPSHIFT_TYPE_FLOAT, DIRECTML_1_0},
    [DIRECTML_FLOAT16] = {"FLOAT16", 2, OPSHIFT_TYPE_FLOAT16, DIRECTML_1_0},
    [DIRECTML_UINT32] = {"UINT32", 4, OPSHIFT_TYPE_UINT32, DIRECTML_1_0},
    [DIRECTML_UINT16] = {"UINT16", 2, OPSHIFT_TYPE_UINT16, DIRECTML_1_0},
    [DIRECTML_UINT8] = {"UINT8", 1, OPSHIFT_TYPE_UINT8, DIRECTML_2_1},
    [DIRECTML_INT32] = {"INT32", 4, OPSHIFT_TYPE_INT32, DIRECTML_1_0},
    [DIRECTML_INT16] = {"INT16", 2, OPSHIFT_TYPE_INT16, DIRECTML_1_0},
    [DIRECTML_INT8] = {"INT8", 1, OPSHIFT_TYPE_INT8, DIRECTML_2_1},
    [DIRECTML_FLOAT64] = {"FLOAT64", 8, OPSHIFT_TYPE_DOUBLE, DIRECTML_4_1},
    [DIRECTML_UINT64] = {"UINT64", 8, OPSHIFT_TYPE_UINT64, DIRECTML_4_1},
    [DIRECTML_INT64] = {"INT64", 8, OPSHIFT_TYPE_INT64, DIRECTML_4_1},
};

static const struct {
    const char *name;
    enum directml_level as; /* the level that it inherits Split from */
} levels[] = {{"1_0", DIRECTML_1_0}, {"2_0", DIRECTML_1_0}, {"2_1", DIRECTML_2_1}, {"3_0", DIRECTML_3_0},
              {"3_1", DIRECTML_3_0}, {"4_0", DIRECTML_3_0}, {"4_1", DIRECTML_4_1}, {"5_0", DIRECTML_4_1},
              {"5_1", DIRECTML_4_1}, {"5_2", DIRECTML_4_1}, {"6_0", DIRECTML_4_1}, {"6_1", DIRECTML_4_1},
              {"6_2", DIRECTML_4_1}, {"6_3", DIRECTML_4_1}, {"6_4", DIRECTML_4_1}};

static const char *const views[DIRECTML_VIEW_COUNT] = {"none", "pad-left", "collapse"};

enum directml_level directml_level_find(const char *name)
{
    for (size_t i = 0; i < COUNT(levels); i++)
        if (strcmp(levels[i].name, name) == 0)
            return levels[i].as;
    return DIRECTML_LEVEL_COUNT;
}

const char *directml_level_name(enum directml_level level)
{
    static const char *const names[DIRECTML_LEVEL_COUNT] = {"1_0", "2_1", "3_0", "4_1"};
    return names[level];
}

const char *directml_type_name(enum directml_type type)
{
    return type < DIRECTML_TYPE_COUNT ? types[type].name : NULL;
}

enum directml_type directml_type_find(const char *name)
{
    for (size_t i = DIRECTML_FLOAT32; i < DIRECTML_TYPE_COUNT; i++)
        if (strcmp(types[i].name, name) == 0)
            return (enum directml_type)i;
    return (enum directml_type)0;
}

uint32_t directml_type_size(enum directml_type type)
{
    return types[type].size;
}

enum opshift_type directml_type_element(enum directml_type type)
{
    return types[type].element;
}

const char *directml_view_name(enum directml_view view)
{
    return views[view];
}

enum directml_view directml_view_find(const char *name)
{
    size_t i = 0;
    while (i < DIRECTML_VIEW_COUNT && strcmp(views[i], name) != 0)
        i++;
    return (enum directml_view)i;
}

static enum directml_type type_of_element(enum opshift_type element)
{
    for (size_t i = DIRECTML_FLOAT32; i < DIRECTML_TYPE_COUNT; i++)
        if (types[i].element == element)
            return (enum directml_type)i;
    return (enum directml_type)0;
}

enum directml_level directml_level_of(enum directml_type type, uint32_t rank)
{
    enum directml_level by_rank = rank == 4 ? DIRECTML_1_0 : DIRECTML_3_0;
    return types[type].since > by_rank ? types[type].since : by_rank;
}

/* ---- sizes ---- */

uint64_t directml_round(uint64_t bytes)
{
    return bytes > UINT64_MAX - 3 ? UINT64_MAX : (bytes + 3) / 4 * 4;
}

uint64_t directml_bytes(enum directml_type type, uint32_t rank, const uint32_t *sizes)
{
    uint64_t bytes = types[type].size;
    for (uint32_t i = 0; i < rank; i++)
        if (__builtin_mul_overflow(bytes, sizes[i], &bytes))
            return UINT64_MAX;
    return bytes;
}

uint64_t directml_tensor_bytes(const struct directml_operator *op)
{
    uint64_t bytes = type_bits(op->type) / 8;
    bool over = false;
    for (uint32_t i = 0; i < op->rank; i++)
        if (op->dims[i] == 0)
            return 0;
    for (uint32_t i = 0; i < op->rank; i++)
        over = over || __builtin_mul_overflow(bytes, (uint64_t)op->dims[i], &bytes);
    return over ? UINT64_MAX : bytes;
}

uint64_t directml_row_bytes(const struct directml_operator *op)
{
    int64_t axis = op->axis < 0 ? op->axis + op->rank : op->axis;
    return directml_tensor_bytes(op) / (uint64_t)op->dims[axis];
}

/* The operator in words, before it has a shape. */
struct directml_block {
    uint32_t axis;                /* of the tensor, not negative */
    uint64_t left, middle, right; /* elements before the axis, along it, behind it */
    uint64_t factor, divisor;     /* along the axis: words of an element, elements of a word */
    bool in_axis;                 /* words take several elements of the axis, else of what is behind it */
};

/* The product of dims; false: overflow. */
static bool product(const int64_t *dims, uint32_t from, uint32_t to, uint64_t *result)
{
    *result = 1;
    for (uint32_t i = from; i < to; i++)
        if (dims[i] == 0) {
            *result = 0;
            return true;
        }
    for (uint32_t i = from; i < to; i++)
        if (__builtin_mul_overflow(*result, (uint64_t)dims[i], result))
            return false;
    return true;
}

static enum opshift_status check_dims(const struct directml_split *split, uint32_t axis, struct opshift_error *error)
{
    for (uint32_t i = 0; i < split->rank; i++)
        if (i != axis && split->dims[i] < 0)
            return opshift_fail(error, OPSHIFT_NO,
                                "dim %u is unknown, and DirectML's sizes are fixed when the operator is compiled; "
                                "give the shape with --shape",
                                i);
    return OPSHIFT_OK;
}

/* The lengths' sum, which must be the dim where that is known. */
static enum opshift_status sum_lengths(const struct directml_split *split, uint32_t axis, uint64_t *sum,
                                       struct opshift_error *error)
{
    *sum = 0;
    for (uint32_t i = 0; i < split->count; i++) {
        if (split->lengths[i] < 0)
            return opshift_fail(error, OPSHIFT_NO, "length %" PRId64 " of output %u is negative", split->lengths[i], i);
        if (__builtin_add_overflow(*sum, (uint64_t)split->lengths[i], sum) || *sum > INT64_MAX)
            return opshift_fail(error, OPSHIFT_NO, "the sum of the lengths is above 2^63-1");
    }
    if (split->dims[axis] >= 0 && (uint64_t)split->dims[axis] != *sum)
        return opshift_fail(error, OPSHIFT_NO, "the sum of the lengths is %" PRIu64 ", but dim %u is %" PRId64, *sum,
                            axis, split->dims[axis]);
    return OPSHIFT_OK;
}

static enum opshift_status read_block(const struct directml_split *split, struct directml_block *block,
                                      struct opshift_error *error)
{
    int64_t rank = split->rank, axis = split->axis;
    if (rank == 0 || axis < -rank || axis >= rank)
        return opshift_fail(error, OPSHIFT_NO, "axis %" PRId64 " is out of range for rank %" PRId64, axis, rank);
    *block = (struct directml_block){.axis = (uint32_t)(axis < 0 ? axis + rank : axis), .factor = 1, .divisor = 1};
    if (split->count == 0)
        return opshift_fail(error, OPSHIFT_NO, "there are no outputs");
    enum opshift_status status = check_dims(split, block->axis, error);
    if (status == OPSHIFT_OK)
        status = sum_lengths(split, block->axis, &block->middle, error);
    if (status == OPSHIFT_OK && (!product(split->dims, 0, block->axis, &block->left) ||
                                 !product(split->dims, block->axis + 1, split->rank, &block->right)))
        status = opshift_fail(error, OPSHIFT_NO, "the tensor has more than 2^64-1 elements");
    return status;
}

/* ---- words ---- */

static bool lengths_are_even(const struct directml_split *split)
{
    for (uint32_t i = 0; i < split->count; i++)
        if (split->lengths[i] % 2 != 0)
            return false;
    return true;
}

/* Types of 8 bits where the level has none: words of four elements or two. */
static enum opshift_status pack_bytes(const struct directml_split *split, struct directml_block *block,
                                      enum directml_type *type, struct opshift_error *error)
{
    block->divisor = block->right % 4 == 0 ? 4 : 2;
    *type = block->divisor == 4 ? DIRECTML_UINT32 : DIRECTML_UINT16;
    if (block->right % 2 == 0)
        return OPSHIFT_OK;
    block->in_axis = true;
    if (block->right == 1 && lengths_are_even(split))
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO,
                        "DirectML has no 8-bit type below feature level 2_1, and the parts of this %s tensor are no "
                        "whole 16-bit words; take --feature-level 2_1",
                        type_name(split->type));
}

/* The word type of an element type: its own where the level has it, else unsigned words. */
static enum opshift_status choose_words(const struct directml_split *split, enum directml_level level,
                                        struct directml_block *block, enum directml_type *type,
                                        struct opshift_error *error)
{
    enum directml_type own = type_of_element(split->type);
    if (own != 0 && types[own].since <= level) {
        *type = own;
        return OPSHIFT_OK;
    }
    switch (split->type) {
    case OPSHIFT_TYPE_INT64:
    case OPSHIFT_TYPE_UINT64:
    case OPSHIFT_TYPE_DOUBLE:
    case OPSHIFT_TYPE_COMPLEX64:
    case OPSHIFT_TYPE_COMPLEX128:
        *type = DIRECTML_UINT32;
        block->factor = type_bits(split->type) / 32;
        return OPSHIFT_OK;
    case OPSHIFT_TYPE_BFLOAT16:
        *type = DIRECTML_UINT16;
        return OPSHIFT_OK;
    case OPSHIFT_TYPE_BOOL:
    case OPSHIFT_TYPE_INT8:
    case OPSHIFT_TYPE_UINT8:
        *type = DIRECTML_UINT8;
        return level >= DIRECTML_2_1 ? OPSHIFT_OK : pack_bytes(split, block, type, error);
    case OPSHIFT_TYPE_STRING:
        return opshift_fail(error, OPSHIFT_NO, "strings have no fixed size, and DirectML has no such type");
    case OPSHIFT_TYPE_UNDEFINED:
        return opshift_fail(error, OPSHIFT_NO, "the element type is unknown; declare the type of the input");
    default:
        return opshift_fail(error, OPSHIFT_NO, "type %s is none of Split's", type_name(split->type));
    }
}

/* ---- shape ---- */

static enum opshift_status set_size(struct directml_desc *desc, uint32_t at, uint64_t size, const char *what,
                                    struct opshift_error *error)
{
    if (size > DIRECTML_SIZE_MAX)
        return opshift_fail(error, OPSHIFT_NO, "%s is %" PRIu64 ", above DirectML's largest size, 2^32-1", what, size);
    desc->sizes[at] = (uint32_t)size;
    return OPSHIFT_OK;
}

static enum opshift_status set_dims(const struct directml_split *split, const struct directml_block *block,
                                    struct directml_desc *desc, struct opshift_error *error)
{
    uint32_t before = desc->view == DIRECTML_VIEW_PAD ? 4 - split->rank : 0;
    enum opshift_status status = OPSHIFT_OK;
    desc->rank = before + split->rank;
    desc->axis = before + block->axis;
    for (uint32_t i = 0; i < before; i++)
        desc->sizes[i] = 1;
    for (uint32_t i = 0; i < split->rank && status == OPSHIFT_OK; i++) {
        char what[32];
        snprintf(what, sizeof(what), "dim %u", i);
        status = set_size(desc, before + i, i == block->axis ? block->middle : (uint64_t)split->dims[i], what, error);
    }
    return status;
}

static enum opshift_status set_collapsed(const struct directml_block *block, uint32_t rank, struct directml_desc *desc,
                                         struct opshift_error *error)
{
    uint64_t middle = block->in_axis ? block->middle / block->divisor : block->middle;
    uint64_t right = block->in_axis ? block->right : block->right / block->divisor;
    uint32_t at = rank - 3;
    desc->rank = rank;
    desc->axis = at + 1;
    desc->sizes[0] = 1;
    if (__builtin_mul_overflow(right, block->factor, &right))
        right = UINT64_MAX;
    enum opshift_status status = set_size(desc, at, block->left, "the product of the dims before the axis", error);
    if (status == OPSHIFT_OK)
        status = set_size(desc, at + 1, middle, "the split dim", error);
    if (status == OPSHIFT_OK)
        status = set_size(desc, at + 2, right, "the number of words behind the axis", error);
    return status;
}

static enum directml_view choose_view(const struct directml_split *split, const struct directml_block *block,
                                      enum directml_level level)
{
    uint32_t most = level < DIRECTML_3_0 ? 4 : DIRECTML_RANK_MAX;
    if (block->factor != 1 || block->divisor != 1 || split->rank > most)
        return DIRECTML_VIEW_COLLAPSE;
    return level < DIRECTML_3_0 && split->rank < 4 ? DIRECTML_VIEW_PAD : DIRECTML_VIEW_NONE;
}

/* ---- parts ---- */

static enum opshift_status set_parts(const struct directml_split *split, const struct directml_block *block,
                                     struct arena *arena, struct directml_desc *desc, struct opshift_error *error)
{
    uint32_t sizes[DIRECTML_RANK_MAX];
    desc->total = directml_round(directml_bytes(desc->type, desc->rank, desc->sizes));
    if (desc->total > INT64_MAX)
        return opshift_fail(error, OPSHIFT_NO, "the tensor has more than 2^63-1 bytes");
    desc->parts = arena_alloc(arena, split->count, sizeof(*desc->parts));
    if (desc->parts == NULL)
        return opshift_no_memory(error);
    memcpy(sizes, desc->sizes, sizeof(sizes));
    for (uint32_t i = 0; i < split->count; i++) {
        uint64_t length = (uint64_t)split->lengths[i] / (block->in_axis ? block->divisor : 1);
        if (length == 0)
            continue;
        sizes[desc->axis] = (uint32_t)length;
        desc->parts[desc->count++] =
            (struct directml_part){i, (uint32_t)length, directml_round(directml_bytes(desc->type, desc->rank, sizes))};
    }
    return OPSHIFT_OK;
}

enum opshift_status directml_lower(const struct directml_split *split, enum directml_level level, struct arena *arena,
                                   struct directml_desc *desc, struct opshift_error *error)
{
    struct directml_block block = {0};
    *desc = (struct directml_desc){.element_words = 1, .word_elements = 1};
    enum opshift_status status = read_block(split, &block, error);
    if (status || block.left == 0 || block.middle == 0 || block.right == 0)
        return status;
    status = choose_words(split, level, &block, &desc->type, error);
    if (status)
        return status;
    desc->element_words = (uint32_t)block.factor;
    desc->word_elements = (uint32_t)block.divisor;
    desc->view = choose_view(split, &block, level);
    status = desc->view == DIRECTML_VIEW_COLLAPSE ? set_collapsed(&block, level < DIRECTML_3_0 ? 4 : 3, desc, error)
                                                  : set_dims(split, &block, desc, error);
    return status ? status : set_parts(split, &block, arena, desc, error);
}

/* ---- the lowest level ---- */

/* Neither the type nor the dims are viewed as others (dims of size 1 in front are no such view); or nothing is run. */
static bool is_native(const struct directml_split *split, const struct directml_desc *desc)
{
    return desc->count == 0 || (types[desc->type].element == split->type && desc->view != DIRECTML_VIEW_COLLAPSE);
}

enum opshift_status directml_find_lowest(const struct directml_split *split, struct arena *arena,
                                         struct directml_lowest *lowest, struct opshift_error *error)
{
    *lowest = (struct directml_lowest){DIRECTML_LEVEL_COUNT, DIRECTML_LEVEL_COUNT};
    for (enum directml_level level = DIRECTML_1_0; level < DIRECTML_LEVEL_COUNT; level++) {
        struct directml_desc desc;
        enum opshift_status status = directml_lower(split, level, arena, &desc, error);
        if (status == OPSHIFT_MEMORY)
            return status;
        if (status) {
            error_forget(error);
            continue;
        }
        if (lowest->by_view == DIRECTML_LEVEL_COUNT)
            lowest->by_view = level;
        if (lowest->natively == DIRECTML_LEVEL_COUNT && is_native(split, &desc))
            lowest->natively = level;
    }
    return OPSHIFT_OK;
}
