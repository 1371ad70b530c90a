/* Finds unconfirmed declarations that a proof depends on. */
#include "verify/piece.h"

static enum opshift_status words_of(struct piece *piece, const struct side *side,
                                    const struct type_assumption *assumption, const char **words,
                                    struct opshift_error *error)
{
    *words = NULL;
    if (assumption->graph == NULL)
        return OPSHIFT_OK;
    *words =
        arena_print(piece->arena, "shape of '%.80s' is as declared", names_text(side->model->names, assumption->name));
    return *words ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status basis_of_shape(struct piece *piece, name_id name, const char **words, struct opshift_error *error)
{
    const struct side *side = &piece->comparison->before;
    struct type_assumption assumption;
    enum opshift_status status =
        types_assumption(side->types, piece->pair->before, name, TYPE_PART_SHAPE, &assumption, error);
    return status ? status : words_of(piece, side, &assumption, words, error);
}

enum opshift_status basis_of_constant(struct piece *piece, bool after, name_id name, struct opshift_error *error)
{
    const struct side *side = after ? &piece->comparison->after : &piece->comparison->before;
    struct graph *graph = after ? piece->pair->after : piece->pair->before;
    struct type_assumption assumption = {NULL, NAME_NONE};
    if (piece->basis != NULL || name == NAME_NONE)
        return OPSHIFT_OK;
    enum opshift_status status = types_constant_assumption(side->types, graph, name, &assumption, error);
    return status ? status : words_of(piece, side, &assumption, &piece->basis, error);
}
