/* Constants by content: two with the same type, dims and bytes are one term, wherever their bytes are. */
#include "equal/term.h"

#include <string.h>

#include "base/sha256.h"

/* Constants with fewer bytes are their own keys, and their elements are kept. */
#define SHORT_BYTES 256u

void key_tensor(struct equal_work *work, const struct tensor *tensor)
{
    uint64_t size = type_size(tensor->type, tensor->count);
    key_number(work, tensor->type);
    key_bytes(work, tensor->dims, tensor->rank * sizeof(*tensor->dims));
    if (tensor->type == OPSHIFT_TYPE_STRING) {
        for (uint64_t i = 0; i < tensor->count; i++)
            key_bytes(work, tensor->strings[i].data, tensor->strings[i].size);
    } else if (size <= SHORT_BYTES) {
        key_bytes(work, tensor->data, size);
    } else {
        char text[SHA256_TEXT_SIZE];
        struct sha256 hash;
        sha256_start(&hash);
        sha256_add(&hash, tensor->data, size);
        sha256_end(&hash, text);
        buffer_add(&work->key, text, sizeof(text));
    }
}

static bool is_short(const struct tensor *tensor)
{
    return tensor->type != OPSHIFT_TYPE_STRING && type_size(tensor->type, tensor->count) <= SHORT_BYTES;
}

enum opshift_status content_initializer(struct equal_work *work, const struct equal_side *side,
                                        const struct initializer *initializer, term_id *term,
                                        struct opshift_error *error)
{
    struct tensor *tensor = NULL, *copy = NULL;
    bool made = false;
    arena_clear(work->scratch);
    enum opshift_status status = initializer_tensor(side->model, initializer, 0, work->scratch, &tensor, error);
    if (status != OPSHIFT_OK)
        return status;
    key_start(work, 'c');
    key_tensor(work, tensor);
    status = term_find(work, TERM_CONSTANT, term, &made, error);
    if (status != OPSHIFT_OK || !made)
        return status;
    work->terms[*term].side = side;
    work->terms[*term].initializer = initializer;
    if (is_short(tensor))
        status = tensor_copy(work->arena, tensor, &copy, error);
    work->terms[*term].tensor = copy;
    return status;
}

enum opshift_status content_term(struct equal_work *work, const struct tensor *tensor, term_id *term,
                                 struct opshift_error *error)
{
    struct tensor *copy = NULL;
    bool made = false;
    key_start(work, 'c');
    key_tensor(work, tensor);
    enum opshift_status status = term_find(work, TERM_CONSTANT, term, &made, error);
    if (status != OPSHIFT_OK || !made)
        return status;
    status = tensor_copy(work->arena, tensor, &copy, error);
    work->terms[*term].tensor = copy;
    work->kept += type_size(tensor->type, tensor->count);
    return status;
}

enum opshift_status content_load(const struct equal_term *term, struct arena *arena, const struct tensor **tensor,
                                 struct opshift_error *error)
{
    struct tensor *read = NULL;
    *tensor = term->tensor;
    if (*tensor != NULL)
        return OPSHIFT_OK;
    enum opshift_status status = initializer_tensor(term->side->model, term->initializer, 0, arena, &read, error);
    *tensor = read;
    return status;
}

bool content_integers(const struct equal_work *work, term_id term, size_t most, int64_t *values, size_t *count)
{
    const struct tensor *tensor = term == TERM_NONE ? NULL : work->terms[term].tensor;
    const struct number_type *type = tensor == NULL ? NULL : number_type(tensor->type);
    if (type == NULL || tensor->count > most ||
        (tensor->type != OPSHIFT_TYPE_INT64 && tensor->type != OPSHIFT_TYPE_INT32))
        return false;
    *count = (size_t)tensor->count;
    for (size_t i = 0; i < *count; i++)
        values[i] = type->load((const char *)tensor->data + i * type->size).i;
    return true;
}
