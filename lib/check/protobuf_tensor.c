/* PRT: tensors whose type, dims and data are inconsistent; payloads are measured, not read. */
#include <inttypes.h>

#include "check/protobuf.h"

/* As bits by number. */
#define DATA_FIELDS                                                                                                    \
    (1u << TENSOR_FLOATS | 1u << TENSOR_INT32S | 1u << TENSOR_STRINGS | 1u << TENSOR_INT64S | 1u << TENSOR_RAW |       \
     1u << TENSOR_DOUBLES | 1u << TENSOR_UINT64S)

#define DIMS_MAX    65536u
#define COUNT_BYTES (UINT64_C(1) << 20) /* varints are counted up to this size, and estimated beyond it */

/* The typed field that stores elements of a type. */
static uint32_t field_of_type(int64_t type)
{
    switch (type) {
    case OPSHIFT_TYPE_FLOAT:
    case OPSHIFT_TYPE_COMPLEX64:
        return TENSOR_FLOATS;
    case OPSHIFT_TYPE_DOUBLE:
    case OPSHIFT_TYPE_COMPLEX128:
        return TENSOR_DOUBLES;
    case OPSHIFT_TYPE_INT64:
        return TENSOR_INT64S;
    case OPSHIFT_TYPE_UINT32:
    case OPSHIFT_TYPE_UINT64:
        return TENSOR_UINT64S;
    case OPSHIFT_TYPE_STRING:
        return TENSOR_STRINGS;
    default:
        return TENSOR_INT32S;
    }
}

static void count_elements(struct tensor_facts *facts)
{
    bool empty = false;
    facts->count = 1;
    for (size_t i = 0; i < facts->rank; i++) {
        facts->negative = facts->negative || facts->dims[i] < 0;
        empty = empty || facts->dims[i] == 0;
    }
    for (size_t i = 0; i < facts->rank && !facts->negative && !empty; i++) {
        facts->overflow = facts->overflow || facts->count > (uint64_t)INT64_MAX / 16 / (uint64_t)facts->dims[i];
        facts->count *= facts->overflow ? 0 : (uint64_t)facts->dims[i];
    }
    if (empty || facts->negative)
        facts->count = 0;
}

enum opshift_status tensor_read_facts(struct part_context *context, const struct part *part, struct tensor_facts *facts,
                                      struct opshift_error *error)
{
    *facts = (struct tensor_facts){.type = (int64_t)part_last(part, TENSOR_TYPE)->value,
                                   .external = part_last(part, TENSOR_LOCATION)->value == 1};
    if (facts->type > 0 && facts->type < OPSHIFT_TYPE_COUNT)
        facts->type_name = type_name((enum opshift_type)facts->type);
    enum opshift_status status = part_numbers(context, part, TENSOR_DIMS, DIMS_MAX, &facts->dims, &facts->rank, error);
    if (status)
        return status;
    count_elements(facts);
    if (facts->type_name)
        facts->size = type_size((enum opshift_type)facts->type, facts->count);
    return OPSHIFT_OK;
}

enum opshift_status tensor_type_unknown(struct part_context *context, const struct part *part,
                                        struct opshift_error *error)
{
    const struct wire_field *type = part_last(part, TENSOR_TYPE);
    int64_t value = (int64_t)type->value;
    if (value > 0 && value < OPSHIFT_TYPE_COUNT)
        return OPSHIFT_OK;
    if (value == 0)
        return context_add(context, part, NULL, error, "it has no data_type; set its element type");
    return context_add_field(context, part, type, error,
                             "data_type %" PRId64 " is unknown (known are 1 to %d); write the tensor with another type",
                             value, OPSHIFT_TYPE_COUNT - 1);
}

enum opshift_status tensor_negative_dim(struct part_context *context, const struct part *part,
                                        struct opshift_error *error)
{
    struct tensor_facts facts;
    if (part->fields[TENSOR_DIMS].size < WIRE_VARINT_MAX) /* as many bytes as a negative number has */
        return OPSHIFT_OK;
    enum opshift_status status = tensor_read_facts(context, part, &facts, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < facts.rank; i++)
        if (facts.dims[i] < 0)
            return context_add(context, part, NULL, error, "dim %zu is %" PRId64 "; a tensor's dims are at least 0", i,
                               facts.dims[i]);
    return status;
}

/* The number of data fields that are not empty, and the first two. */
static size_t fields_set(const struct part *part, uint32_t found[2])
{
    size_t count = 0;
    for (uint64_t left = part->counted & DATA_FIELDS; left != 0; left &= left - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(left);
        bool set = number == TENSOR_STRINGS || part->fields[number].size > 0;
        if (set && count < 2)
            found[count] = number;
        count += set;
    }
    return count;
}

enum opshift_status tensor_two_fields(struct part_context *context, const struct part *part,
                                      struct opshift_error *error)
{
    uint32_t found[2];
    if (fields_set(part, found) < 2)
        return OPSHIFT_OK;
    return context_add_field(context, part, part_last(part, found[1]), error,
                             "both %s and %s have data; keep the intended one", part_known(part, found[0])->name,
                             part_known(part, found[1])->name);
}

enum opshift_status tensor_other_field(struct part_context *context, const struct part *part,
                                       struct opshift_error *error)
{
    uint32_t found[2];
    int64_t type = (int64_t)part_last(part, TENSOR_TYPE)->value;
    if (type <= 0 || type >= OPSHIFT_TYPE_COUNT || fields_set(part, found) != 1 || found[0] == TENSOR_RAW ||
        found[0] == field_of_type(type))
        return OPSHIFT_OK;
    return context_add_field(context, part, part_last(part, found[0]), error,
                             "its elements are %s, which belong into %s or raw_data, but the data is in %s",
                             type_name((enum opshift_type)type), part_known(part, field_of_type(type))->name,
                             part_known(part, found[0])->name);
}

enum opshift_status tensor_raw_strings(struct part_context *context, const struct part *part,
                                       struct opshift_error *error)
{
    if (part_last(part, TENSOR_TYPE)->value != OPSHIFT_TYPE_STRING || part->fields[TENSOR_RAW].size == 0)
        return OPSHIFT_OK;
    return context_add_field(context, part, part_last(part, TENSOR_RAW), error,
                             "its elements are strings, which belong into string_data, but the data is in raw_data");
}

enum opshift_status tensor_segment(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    if (part->fields[TENSOR_SEGMENT].count == 0)
        return OPSHIFT_OK;
    return context_add_field(context, part, part_last(part, TENSOR_SEGMENT), error,
                             "it is a segment of a tensor, which no runtime joins; write the whole tensor");
}

/* ---- size ---- */

#define VALUES_MAX 65536u /* values examined per tensor; larger tensors use raw_data */

/* The range of a small type's elements in int32_data. False: unlimited. */
static bool range_of_type(int64_t type, int64_t *least, int64_t *most)
{
    static const struct {
        int32_t least, most;
    } ranges[OPSHIFT_TYPE_COUNT] = {
        [OPSHIFT_TYPE_BOOL] = {0, 1},
        [OPSHIFT_TYPE_UINT8] = {0, UINT8_MAX},
        [OPSHIFT_TYPE_INT8] = {INT8_MIN, INT8_MAX},
        [OPSHIFT_TYPE_UINT16] = {0, UINT16_MAX},
        [OPSHIFT_TYPE_INT16] = {INT16_MIN, INT16_MAX},
        [OPSHIFT_TYPE_FLOAT16] = {0, UINT16_MAX},
        [OPSHIFT_TYPE_BFLOAT16] = {0, UINT16_MAX},
    };
    if (type < 0 || type >= OPSHIFT_TYPE_COUNT || ranges[type].most == 0)
        return false;
    *least = ranges[type].least;
    *most = ranges[type].most;
    return true;
}

/* Reports the first value out of range. */
enum opshift_status tensor_range(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    struct tensor_facts facts;
    const int64_t *values;
    int64_t least, most;
    size_t count;
    if (part->fields[TENSOR_INT32S].count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = tensor_read_facts(context, part, &facts, error);
    if (status || !range_of_type(facts.type, &least, &most))
        return status;
    status = part_numbers(context, part, TENSOR_INT32S, VALUES_MAX, &values, &count, error);
    if (status)
        return status == OPSHIFT_UNSUPPORTED ? OPSHIFT_OK : status;
    for (size_t i = 0; i < count; i++)
        if (values[i] < least || values[i] > most)
            return context_add(context, part, NULL, error,
                               "element %zu in int32_data is %" PRId64 ", and a %s is %" PRId64 " to %" PRId64
                               " there; correct it",
                               i, values[i], type_name((enum opshift_type)facts.type), least, most);
    return OPSHIFT_OK;
}

/* Bounds on the count of numbers in a typed field; equal if they were counted. */
struct element_tally {
    uint64_t least, most;
};

static enum opshift_status varints_count(struct part_context *context, const struct wire_field *field, uint64_t *count,
                                         struct opshift_error *error)
{
    for (uint64_t at = 0; at < field->size;) {
        size_t size = field->size - at < 65536 ? (size_t)(field->size - at) : 65536;
        const uint8_t *data;
        enum opshift_status status =
            source_view(context->checking->model->source, field->offset + at, size, &data, error);
        if (status)
            return status;
        for (size_t i = 0; i < size; i++)
            *count += data[i] < 0x80;
        at += size;
    }
    return OPSHIFT_OK;
}

static enum opshift_status varints_tally(struct part_context *context, const struct part *part, uint32_t number,
                                         struct element_tally *tally, struct opshift_error *error)
{
    struct wire_cursor cursor = {context->checking->model->source, range_offset(part->range), range_end(part->range)};
    enum opshift_status status = OPSHIFT_OK;
    for (bool found = true; status == OPSHIFT_OK && found;) {
        struct wire_field field;
        uint64_t count = 0;
        status = wire_next(&cursor, &field, &found, error);
        if (status || !found || field.number != number)
            continue;
        if (field.type != WIRE_BYTES)
            count = 1;
        else if (field.size <= COUNT_BYTES)
            status = varints_count(context, &field, &count, error);
        tally->least += count ? count : field.size / 10;
        tally->most += count ? count : field.size;
    }
    return status;
}

static enum opshift_status tally_field(struct part_context *context, const struct part *part, uint32_t number,
                                       struct element_tally *tally, struct opshift_error *error)
{
    const struct part_field *field = &part->fields[number];
    *tally = (struct element_tally){field->size, field->size};
    if (number == TENSOR_STRINGS)
        *tally = (struct element_tally){field->count, field->count};
    else if (number == TENSOR_FLOATS)
        *tally = (struct element_tally){field->size / 4, field->size / 4};
    else if (number == TENSOR_DOUBLES)
        *tally = (struct element_tally){field->size / 8, field->size / 8};
    else if (number != TENSOR_RAW) {
        *tally = (struct element_tally){0, 0};
        return varints_tally(context, part, number, tally, error);
    }
    return OPSHIFT_OK;
}

/* The required size: bytes of raw_data, or numbers in a typed field. */
static uint64_t wanted_in(const struct tensor_facts *facts, uint32_t number)
{
    uint32_t bits = type_bits((enum opshift_type)facts->type);
    bool pairs = facts->type == OPSHIFT_TYPE_COMPLEX64 || facts->type == OPSHIFT_TYPE_COMPLEX128;
    if (number == TENSOR_RAW || (bits > 0 && bits < 8))
        return facts->size;
    return pairs ? 2 * facts->count : facts->count;
}

/* Can the tensor be measured, that is, do no other checks report faults in its data? */
static bool is_plain(const struct part *part, const struct tensor_facts *facts, uint32_t found[2], size_t *count)
{
    *count = fields_set(part, found);
    if (facts->type_name == NULL || facts->negative || facts->overflow || facts->external || *count > 1 ||
        part->fields[TENSOR_SEGMENT].count)
        return false;
    if (*count == 0)
        return true;
    return found[0] == TENSOR_RAW ? facts->type != OPSHIFT_TYPE_STRING : found[0] == field_of_type(facts->type);
}

/* "float[2, 3]", with at most eight dims; NULL: no memory. */
static const char *form_of(struct arena *arena, const struct tensor_facts *facts)
{
    const char *text = arena_print(arena, "%s[", facts->type_name);
    for (size_t i = 0; text && i < facts->rank && i < 8; i++)
        text = arena_print(arena, "%s%s%" PRId64, text, i ? ", " : "", facts->dims[i]);
    return text ? arena_print(arena, "%s%s]", text, facts->rank > 8 ? ", ..." : "") : NULL;
}

enum opshift_status tensor_size(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    uint32_t found[2];
    size_t fields;
    struct element_tally tally = {0, 0};
    struct tensor_facts facts;
    enum opshift_status status = tensor_read_facts(context, part, &facts, error);
    if (status || !is_plain(part, &facts, found, &fields))
        return status;
    if (fields > 0)
        status = tally_field(context, part, found[0], &tally, error);
    uint64_t wanted = fields > 0 ? wanted_in(&facts, found[0]) : facts.count;
    if (status || (wanted >= tally.least && wanted <= tally.most))
        return status;
    const char *form = form_of(context->checking->scratch, &facts);
    if (form == NULL)
        return opshift_no_memory(error);
    if (fields == 0)
        return context_add(context, part, NULL, error, "a %s has no data; give it %" PRIu64 " elements", form,
                           facts.count);
    return context_add_field(context, part, part_last(part, found[0]), error,
                             "%s has %" PRIu64 " %s, but %s needs %" PRIu64 "; correct the dims or the data",
                             part_known(part, found[0])->name, tally.most,
                             found[0] == TENSOR_RAW ? "bytes" : "elements", form, wanted);
}
