/* The engines that can run a model; each is one row of a table. */
#ifndef RUN_ENGINE_H
#define RUN_ENGINE_H

#include "model/scope.h"
#include "run/values.h"

/* One run. */
struct engine_run {
    struct opshift_model *model;
    struct scopes *scopes;
    const struct opshift_run_options *options; /* never NULL */
    const struct value *inputs;                /* as model->main->inputs; an input with an initializer may be absent */
    struct opshift_value **outputs;            /* set by run, as model->main->outputs */
};

struct engine {
    const char *name;
    /* Tests whether it can run this model. UNSUPPORTED: error lists what it cannot compute. inputs and outputs are
     * NULL. */
    enum opshift_status (*check)(const struct engine_run *run, struct opshift_error *error);
    /* Computes every output. The caller frees those set before a failure. */
    enum opshift_status (*run)(const struct engine_run *run, struct opshift_error *error);
    /* The engine's version, freed with free; NULL: the engine is part of this library. */
    enum opshift_status (*version)(const struct opshift_run_options *options, char **version,
                                   struct opshift_error *error);
};

extern const struct engine engine_builtin, engine_onnxruntime;

#endif
