/* Constants by content: two with the same type, dims and bytes are one term, wherever their bytes are. */
#include "equal/term.h"

#include <string.h>

#include "base/sha256.h"
#include "model/weights_file.h"

/* Constants with fewer bytes are their own keys, and their elements are kept. */
#define SHORT_BYTES 256u
/* Of longer ones, bytes that are hashed at once. */
#define PIECE_BYTES (UINT64_C(1) << 20)
/* Constants that may be compared by where they are. */
#define PLACE_BYTES 65536u

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

/* The hash of a long constant, read piece by piece: the key that key_tensor makes of it. *found false: its bytes are
 * not as they are in memory. */
static enum opshift_status key_stream(struct equal_work *work, const struct equal_side *side,
                                      const struct initializer *initializer, bool *found, struct opshift_error *error)
{
    struct weight_part part;
    struct sha256 hash;
    char text[SHA256_TEXT_SIZE];
    uint64_t count = 1;
    *found = false;
    for (uint32_t i = 0; i < initializer->rank; i++)
        if (initializer->dims[i] <= 0 || __builtin_mul_overflow(count, (uint64_t)initializer->dims[i], &count))
            return OPSHIFT_OK;
    uint64_t size = type_size(initializer->type, count);
    if (size <= PIECE_BYTES || size == UINT64_MAX || initializer->type == OPSHIFT_TYPE_STRING)
        return OPSHIFT_OK;
    enum opshift_status status = weight_part_find(side->model, initializer, work->scratch, &part, error);
    uint8_t *piece = arena_alloc(work->scratch, PIECE_BYTES, 1);
    if (status == OPSHIFT_OK && piece == NULL)
        return opshift_no_memory(error);
    if (status != OPSHIFT_OK || part.size != size || part.bytes != NULL)
        return status;
    sha256_start(&hash);
    for (uint64_t at = 0; at < size && status == OPSHIFT_OK; at += PIECE_BYTES) {
        size_t length = (size_t)(size - at < PIECE_BYTES ? size - at : PIECE_BYTES);
        status = weight_part_read(&part, at, piece, length, error);
        sha256_add(&hash, piece, status == OPSHIFT_OK ? length : 0);
    }
    sha256_end(&hash, text);
    key_start(work, 'c');
    key_number(work, initializer->type);
    key_bytes(work, initializer->dims, initializer->rank * sizeof(*initializer->dims));
    buffer_add(&work->key, text, sizeof(text));
    *found = status == OPSHIFT_OK;
    return status;
}

static void key_place(struct equal_work *work, const struct initializer *initializer, const void *file, uint64_t offset,
                      const char *texts[2])
{
    key_start(work, 'p');
    key_number(work, initializer->type);
    key_bytes(work, initializer->dims, initializer->rank * sizeof(*initializer->dims));
    key_bytes(work, &file, sizeof(file));
    key_number(work, offset);
    for (int i = 0; i < 2; i++)
        key_bytes(work, texts[i], strlen(texts[i]));
}

/* Puts the range of a file that a large weight is into the key. *found false: it is none. */
static enum opshift_status place_find(struct equal_work *work, const struct equal_side *side,
                                      const struct initializer *initializer, bool *found, struct opshift_error *error)
{
    struct weight_part part;
    size_t count, at = 0;
    struct source *base;
    *found = false;
    if (!initializer->external && range_size(initializer->range) < PLACE_BYTES)
        return OPSHIFT_OK;
    enum opshift_status status = weight_part_find(side->model, initializer, work->scratch, &part, error);
    if (status || part.size < PLACE_BYTES || part.bytes != NULL)
        return status;
    if (part.location != NULL) {
        const char *texts[2] = {part.model->directory ? part.model->directory : "", part.location};
        key_place(work, initializer, NULL, part.offset, texts);
        *found = part.model->directory != NULL;
        return OPSHIFT_OK;
    }
    const struct stretch *list = source_stretches(part.model->source, &count, &base);
    while (list != NULL && at + 1 < count && list[at + 1].start <= part.offset)
        at++;
    if (list != NULL && (list[at].data != NULL || part.offset + part.size > list[at].start + list[at].size))
        return OPSHIFT_OK;
    const char *texts[2] = {"", ""};
    key_place(work, initializer, list ? base : part.model->source,
              list ? list[at].offset + (part.offset - list[at].start) : part.offset, texts);
    *found = true;
    return OPSHIFT_OK;
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
    bool made = false, placed = false;
    enum opshift_status status = OPSHIFT_OK;
    arena_clear(work->scratch);
    if (work->options->by_place)
        status = place_find(work, side, initializer, &placed, error);
    if (status == OPSHIFT_OK && !placed)
        status = key_stream(work, side, initializer, &placed, error);
    if (status == OPSHIFT_OK && placed) {
        status = term_find(work, TERM_CONSTANT, term, &made, error);
        if (status == OPSHIFT_OK && made) {
            work->terms[*term].side = side;
            work->terms[*term].initializer = initializer;
        }
        return status;
    }
    if (status == OPSHIFT_OK)
        status = initializer_tensor(side->model, initializer, 0, work->scratch, &tensor, error);
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
