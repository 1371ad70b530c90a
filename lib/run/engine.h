/* What computes a model: each way to do it is one row of a table. */
#ifndef RUN_ENGINE_H
#define RUN_ENGINE_H

#include "model/scope.h"
#include "run/values.h"

/* One run. */
struct engine_run {
    struct opshift_model *model;
    struct scopes *scopes;
    const struct opshift_run_options *options; /* never NULL */
    const struct value *inputs;                /* as model->main->inputs; an absent one has an initializer */
    struct opshift_value **outputs;            /* to be made, as model->main->outputs */
};

struct engine {
    const char *name;
    /* Can it run this model at all? UNSUPPORTED: error lists what it cannot compute. inputs and outputs are NULL. */
    enum opshift_status (*check)(const struct engine_run *run, struct opshift_error *error);
    /* Makes every output. What was made before a failure is freed by the caller. */
    enum opshift_status (*run)(const struct engine_run *run, struct opshift_error *error);
    /* What answers, freed with free; NULL: it is of this library. */
    enum opshift_status (*version)(const struct opshift_run_options *options, char **version,
                                   struct opshift_error *error);
};

extern const struct engine engine_builtin, engine_onnxruntime;

#endif
