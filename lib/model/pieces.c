/* A save as a list of ranges to copy and bytes to write. */
#include <stdlib.h>

#include "model/preview.h"

struct opshift_pieces {
    struct opshift_model *model;
    struct arena *arena;
    struct opshift_piece *list;
    size_t count;
    uint64_t size;
};

static void piece_add(struct opshift_pieces *pieces, const void *bytes, uint64_t offset, uint64_t size)
{
    if (size == 0)
        return;
    pieces->list[pieces->count++] = (struct opshift_piece){.bytes = bytes, .offset = offset, .size = size};
    pieces->size += size;
}

static enum opshift_status pieces_fill(struct opshift_pieces *pieces, struct opshift_model *model,
                                       struct opshift_error *error)
{
    struct splice *splices;
    size_t count;
    uint64_t position = 0;
    enum opshift_status status = model_splices(model, pieces->arena, &splices, &count, error);
    if (status)
        return status;
    pieces->list = arena_alloc(pieces->arena, 2 * count + 1, sizeof(*pieces->list));
    if (pieces->list == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        piece_add(pieces, NULL, position, splices[i].offset - position);
        piece_add(pieces, splices[i].added.data, 0, splices[i].added.size);
        position = splices[i].offset + splices[i].removed;
    }
    piece_add(pieces, NULL, position, source_size(model->source) - position);
    return OPSHIFT_OK;
}

enum opshift_status opshift_output_pieces(struct opshift_model *model, struct opshift_pieces **pieces,
                                          struct opshift_error *error)
{
    struct opshift_pieces *made = calloc(1, sizeof(*made));
    *pieces = NULL;
    if (made == NULL)
        return opshift_no_memory(error);
    made->model = model;
    made->arena = arena_new(0);
    enum opshift_status status = made->arena ? pieces_fill(made, model, error) : opshift_no_memory(error);
    if (status)
        opshift_pieces_free(made);
    else
        *pieces = made;
    return status ? opshift_within(error, status, "%s", model->name) : OPSHIFT_OK;
}

enum opshift_status opshift_pieces_open(struct opshift_pieces *pieces, struct opshift_model **model,
                                        struct opshift_error *error)
{
    enum opshift_status status = model_preview(pieces->model, pieces->arena, model, error);
    if (status == OPSHIFT_OK)
        (*model)->saved_with = pieces->model;
    return status;
}

void opshift_pieces_free(struct opshift_pieces *pieces)
{
    if (pieces == NULL)
        return;
    arena_free(pieces->arena);
    free(pieces);
}

size_t opshift_pieces_count(const struct opshift_pieces *pieces)
{
    return pieces->count;
}

const struct opshift_piece *opshift_pieces_at(const struct opshift_pieces *pieces, size_t index)
{
    return index < pieces->count ? &pieces->list[index] : NULL;
}

uint64_t opshift_pieces_size(const struct opshift_pieces *pieces)
{
    return pieces->size;
}
