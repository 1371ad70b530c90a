/* Sizes of dims and shapes of inputs given by the caller. */
#ifndef INFER_GIVEN_H
#define INFER_GIVEN_H

#include "model/model.h"

/* A dim that has a name, and its size or another name. */
struct given_dim {
    name_id name, other;
    int64_t size;     /* -1: other */
    const char *text; /* that gave it */
};

/* Of one input of the main graph. */
struct given_input {
    int32_t rank;  /* -1: no shape is given for it */
    int64_t *dims; /* -1: a name, or unknown */
    name_id *params;
    bool is_changed; /* its shape is not as the model declares it */
    bool has_rank;   /* which the model does not declare */
    bool is_freed;   /* a name is given for a dim whose size the model declares */
};

struct given {
    struct arena *arena;
    struct given_dim *dims;
    uint32_t dim_count, dim_room;
    struct given_dim *freed; /* names over declared sizes, which are their sizes here */
    uint32_t freed_count, freed_room;
    struct given_input *inputs; /* as many as the main graph has */
};

/* Reads it against what the model declares. *given NULL: nothing is given. USAGE: a text that does not read, names
 * nothing, or contradicts the model; MEMORY, IO. Freed by given_free. */
enum opshift_status given_read(struct opshift_model *model, const struct opshift_given *texts, struct given **given,
                               struct opshift_error *error);
void given_free(struct given *given);
/* Puts what is given into a declared type. given may be NULL. False: no memory. */
bool given_apply(const struct given *given, const struct opshift_model *model, const struct value_info *declared,
                 struct arena *arena, struct value_type *type);
/* Does the shape of a main graph's input, or its rank, rest on what is given? given may be NULL. */
bool given_changes(const struct given *given, uint32_t input);
bool given_has_rank(const struct given *given, uint32_t input);
/* Is a name given for a size of it that the model declares? given may be NULL. */
bool given_frees(const struct given *given, uint32_t input);
/* Gives each name of such a dim another size than the declared one, which has all its divisors. *words: "N = 8191,
 * H = 262112", in the given's arena; "": there is none. */
enum opshift_status given_probe(struct opshift_model *model, struct given *given, const char **words,
                                struct opshift_error *error);

#endif
