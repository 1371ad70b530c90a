/* Reads a Split node from its draft: its form, and its lengths as far as known. */
#include "check/split_view.h"

#include <math.h>
#include <stdarg.h>

#include "base/shown.h"
#include "kernel/facts.h"

/* Largest range of integers that are exact in double. */
#define WHOLE_MAX 9007199254740992.0

/* Split-1 has its lengths in the data's own type; lengths with fractions are invalid. */
static enum opshift_status lengths_from_numbers(struct split_view *view, const struct tensor *tensor,
                                                struct opshift_error *error)
{
    int64_t *lengths = arena_alloc(view->draft->arena, tensor->count + 1, sizeof(*lengths));
    if (lengths == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < tensor->count; i++) {
        double number = tensor_number(tensor, i);
        if (!(fabs(number) <= WHOLE_MAX) || number != floor(number))
            return OPSHIFT_OK;
        lengths[i] = (int64_t)number;
    }
    view->lengths = lengths;
    return OPSHIFT_OK;
}

static enum opshift_status read_constant(struct split_view *view, const struct tensor *tensor,
                                         struct opshift_error *error)
{
    view->constant = tensor;
    if (tensor->rank != 1)
        return OPSHIFT_OK;
    view->length_count = (int64_t)tensor->count;
    if (view->schema->since == 1)
        return lengths_from_numbers(view, tensor, error);
    if (tensor->type == OPSHIFT_TYPE_INT64)
        view->lengths = tensor->data;
    return OPSHIFT_OK;
}

static enum opshift_status read_input(struct split_view *view, struct opshift_error *error)
{
    const struct draft *draft = view->draft;
    const struct tensor *tensor;
    const char *why;
    name_id name = draft->inputs[1].name;
    enum opshift_status status = draft_type(draft, name, &view->input, error);
    if (status)
        return status;
    status = draft_constant(draft, name, &tensor, &why, error);
    if (status)
        return status;
    if (tensor)
        return read_constant(view, tensor, error);
    if (view->input.rank == 1)
        view->length_count = view->input.dims[0];
    return OPSHIFT_OK;
}

static void read_attribute(struct split_view *view, const Onnx__AttributeProto *message)
{
    static const int64_t none;
    if (message->has_ref_attr_name || message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS)
        return;
    view->length_count = (int64_t)message->n_ints;
    view->lengths = message->n_ints ? message->ints : &none;
}

static enum opshift_status read_count(struct split_view *view, struct opshift_error *error)
{
    const struct draft *draft = view->draft;
    struct draft_int count;
    enum opshift_status status = draft_int_read(draft, "num_outputs", &count, error);
    view->counted = count.given;
    view->parts_known = count.known;
    view->parts = count.value;
    view->uncounted = count.missing;
    return status;
}

enum opshift_status split_view_fault(struct split_view *view, struct opshift_error *error, const char *format, ...)
{
    char words[OPSHIFT_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    size_t size = shown_print(words, sizeof(words), format, arguments);
    va_end(arguments);
    view->fault = arena_copy(view->draft->arena, words, size);
    return view->fault ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status split_view_read(const struct draft *draft, const struct schema *schema, struct split_view **result,
                                    struct opshift_error *error)
{
    struct split_view *view = arena_alloc(draft->arena, 1, sizeof(*view));
    if (view == NULL)
        return opshift_no_memory(error);
    *view = (struct split_view){.draft = draft, .length_count = -1, .input = {.rank = -1}};
    view->schema = schema;
    /* OPS reports attributes and inputs that the version does not have. */
    bool named = schema_attribute_find(view->schema, "split") != NULL;
    const struct draft_attribute *attribute = named ? draft_attribute_find(draft, "split") : NULL;
    bool input = view->schema->input_max > 1 && draft_input_present(draft, 1);
    enum opshift_status status = split_cut(draft, &view->cut, error);
    if (status == OPSHIFT_OK && view->schema->since >= 18)
        status = read_count(view, error);
    if (status == OPSHIFT_OK && input)
        status = read_input(view, error);
    else if (status == OPSHIFT_OK && attribute)
        read_attribute(view, attribute->message);
    view->listed = input || attribute;
    view->form = view->counted ? SPLIT_COUNTED : input ? SPLIT_INPUT : attribute ? SPLIT_ATTRIBUTE : SPLIT_EQUAL;
    *result = view;
    return status;
}

int64_t split_view_length(const struct split_view *view, uint32_t output)
{
    int64_t dim = view->cut.dim, outputs = view->draft->output_count, last;
    if (output >= outputs)
        return -1;
    switch (view->form) {
    case SPLIT_EQUAL:
        return dim >= 0 && view->schema->since < 18 && dim % outputs == 0 ? dim / outputs : -1;
    case SPLIT_COUNTED:
        if (dim < 0 || !view->parts_known || view->parts < outputs || view->parts > INT32_MAX)
            return -1;
        last = split_last(dim, view->parts);
        return last < 0 ? -1 : output + 1 == view->parts ? last : split_chunk(dim, view->parts);
    case SPLIT_ATTRIBUTE:
    case SPLIT_INPUT:
        return view->lengths && output < view->length_count ? view->lengths[output] : -1;
    }
    return -1;
}

struct range split_view_where(const struct split_view *view)
{
    const struct draft_attribute *attribute = view->pointed ? draft_attribute_find(view->draft, view->pointed) : NULL;
    return attribute ? attribute->range : (struct range){0};
}
