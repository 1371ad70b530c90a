/* Filler that keeps long ranges of a file where they lie, or at the same place of a block, while what stands between
 * them changes its size. Filler is a field that no ONNX can ever have, from the numbers that protobuf keeps for itself:
 * every reader skips it. One to three bytes are the length of a record written in more bytes than it needs. */
#ifndef MODEL_FIT_H
#define MODEL_FIT_H

#include "model/plan.h"
#include "wire/wire.h"

/* Ranges of so many bytes keep their place; shorter ones are moved. */
#define FIT_LONG ((uint64_t)1 << 20)
/* The number of the field. */
#define FIT_FIELD 19999u

static inline bool fit_is_filler(const struct wire_field *field)
{
    return field->number == FIT_FIELD && field->type == WIRE_BYTES;
}

struct fit {
    uint64_t block; /* 0: what is long stays where it is; else it is moved by a multiple of this */
    /* by edit, as plan_make sorts them: */
    uint32_t *fills;     /* bytes of filler behind what it adds */
    struct bytes *added; /* that, and the filler, in the plan's arena */
    bool *live;          /* it does not lie in what another one removed, so that what it adds is written */
};

/* Makes the plan so that what is long fits. With block 0 UNSUPPORTED where that cannot be; else it is left where it
 * comes to lie. MEMORY. */
enum opshift_status fit_make(struct plan *plan, uint64_t block, struct opshift_error *error);
/* Puts together what the edit adds and its filler. false: no memory. */
bool fit_fill(struct fit *fit, uint32_t edit, struct bytes added, struct arena *arena);
void fit_free(struct fit *fit);

#endif
