/* Runs a model: checks the inputs against its declarations, calls an engine, and returns the outputs by name. */
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "run/engine.h"
#include "run/inputs.h"

static const struct engine *const engines[] = {&engine_builtin, &engine_onnxruntime};

const char *opshift_engine_at(size_t index)
{
    return index < COUNT(engines) ? engines[index]->name : NULL;
}

static const struct engine *find_engine(const char *name)
{
    for (size_t i = 0; i < COUNT(engines); i++)
        if (name == NULL || strcmp(engines[i]->name, name) == 0)
            return engines[i];
    return NULL;
}

/* ---- inputs and outputs of a model ---- */

size_t opshift_model_input_count(const struct opshift_model *model)
{
    return model->main->input_count;
}

const char *opshift_model_input_name(const struct opshift_model *model, size_t index)
{
    return index < model->main->input_count ? names_text(model->names, model->main->inputs[index].name) : NULL;
}

bool opshift_model_input_is_required(struct opshift_model *model, size_t index)
{
    if (index >= model->main->input_count)
        return false;
    if (model->defaults == NULL)
        model->defaults = inputs_defaults(model, model->arena);
    return model->defaults == NULL || !model->defaults[model->main->inputs[index].name];
}

size_t opshift_model_output_count(const struct opshift_model *model)
{
    return model->main->output_count;
}

const char *opshift_model_output_name(const struct opshift_model *model, size_t index)
{
    return index < model->main->output_count ? names_text(model->names, model->main->outputs[index].name) : NULL;
}

/* ---- inputs ---- */

static enum opshift_status check_names(struct opshift_model *model, const struct opshift_values *inputs,
                                       struct arena *arena, struct opshift_error *error)
{
    bool *known = arena_alloc(arena, names_count(model->names), sizeof(*known));
    if (known == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < model->main->input_count; i++)
        known[model->main->inputs[i].name] = true;
    for (size_t i = 0; i < inputs->count; i++) {
        name_id name;
        if (!names_find(model->names, inputs->names[i], strlen(inputs->names[i]), &name) || !known[name])
            return opshift_fail(error, OPSHIFT_USAGE, "there is no input '%s'%s", inputs->names[i],
                                inputs_hint(model, arena, inputs->names[i]));
    }
    return OPSHIFT_OK;
}

/* Before IR version 4, initializers were constant although they had to be listed as inputs. */
static enum opshift_status check_default(const struct opshift_model *model, const char *name, bool given,
                                         bool has_default, struct opshift_error *error)
{
    if (!given && !has_default)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "input '%s' is missing; give it with --input %s=FILE, or draw it with "
                            "--random",
                            name, name);
    if (given && has_default && model->ir_version > 0 && model->ir_version < 4)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "input '%s' is an initializer, which nobody may override before IR "
                            "version 4",
                            name);
    return OPSHIFT_OK;
}

enum opshift_status inputs_match(struct opshift_model *model, const struct opshift_values *inputs, bool ignore_shapes,
                                 struct value *matched, struct opshift_error *error)
{
    const struct graph *graph = model->main;
    struct sizes bindings = {.arena = arena_new(0), .ignored = ignore_shapes};
    if (bindings.arena == NULL)
        return opshift_no_memory(error);
    const bool *defaults = inputs_defaults(model, bindings.arena);
    enum opshift_status status =
        defaults ? check_names(model, inputs, bindings.arena, error) : opshift_no_memory(error);
    for (uint32_t i = 0; i < graph->input_count && status == OPSHIFT_OK; i++) {
        const char *name = names_text(model->names, graph->inputs[i].name);
        const struct opshift_value *value = opshift_values_find(inputs, name);
        struct declared_type declared;
        status = check_default(model, name, value != NULL, defaults[graph->inputs[i].name], error);
        if (status || value == NULL)
            continue;
        if (matched)
            matched[i] = value->value;
        status = declared_read(model, &graph->inputs[i], &declared, error);
        if (status == OPSHIFT_OK)
            status = inputs_check(model, name, &declared, &value->value, &bindings, error);
    }
    arena_free(bindings.arena);
    return status;
}

/* ---- runs ---- */

/* Selects an engine and prepares what every run needs. */
static enum opshift_status start(struct opshift_model *model, const struct opshift_run_options *options,
                                 const struct engine **engine, struct scopes **scopes, struct opshift_error *error)
{
    *scopes = NULL;
    *engine = find_engine(options->engine);
    if (*engine == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "there is no engine '%s'", options->engine);
    return scopes_new(model, scopes, error);
}

enum opshift_status opshift_engine_version(const struct opshift_run_options *options, char **version,
                                           struct opshift_error *error)
{
    struct opshift_run_options full;
    *version = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status)
        return status;
    const struct engine *engine = find_engine(full.engine);
    if (engine == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "there is no engine '%s'", full.engine);
    if (engine->version != NULL)
        return engine->version(&full, version, error);
    *version = strdup(opshift_version());
    return *version == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status opshift_run_check(struct opshift_model *model, const struct opshift_run_options *options,
                                      struct opshift_error *error)
{
    struct opshift_run_options full;
    struct engine_run run = {.model = model, .options = &full};
    const struct engine *engine;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status == OPSHIFT_OK)
        status = start(model, run.options, &engine, &run.scopes, error);
    if (status == OPSHIFT_OK)
        status = engine->check(&run, error);
    scopes_free(run.scopes);
    return status == OPSHIFT_OK ? OPSHIFT_OK : opshift_within(error, status, "%s", model->name);
}

static enum opshift_status collect(struct opshift_model *model, struct opshift_value **made,
                                   struct opshift_values **outputs, struct opshift_error *error)
{
    enum opshift_status status = opshift_values_new(outputs, error);
    for (uint32_t i = 0; i < model->main->output_count && status == OPSHIFT_OK; i++) {
        struct opshift_value *value = made[i];
        made[i] = NULL;
        status = opshift_values_add(*outputs, opshift_model_output_name(model, i), value, error);
    }
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    opshift_values_free(*outputs);
    *outputs = NULL;
    return status;
}

enum opshift_status opshift_run(struct opshift_model *model, const struct opshift_values *inputs,
                                const struct opshift_run_options *options, struct opshift_values **outputs,
                                struct opshift_error *error)
{
    struct opshift_run_options full;
    const struct graph *graph = model->main;
    struct value *matched = calloc(graph->input_count + UINT64_C(1), sizeof(*matched));
    struct opshift_value **made = calloc(graph->output_count + UINT64_C(1), sizeof(struct opshift_value *));
    struct engine_run run = {model, NULL, &full, matched, made};
    const struct engine *engine;
    enum opshift_status status = matched == NULL || made == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    *outputs = NULL;
    if (status == OPSHIFT_OK)
        status = OPTIONS_COPY(options, &full, error);
    if (status == OPSHIFT_OK)
        status = start(model, run.options, &engine, &run.scopes, error);
    if (status == OPSHIFT_OK)
        status = engine->check(&run, error);
    if (status == OPSHIFT_OK)
        status = inputs_match(model, inputs, run.options->ignore_shapes, matched, error);
    if (status == OPSHIFT_OK)
        status = engine->run(&run, error);
    if (status == OPSHIFT_OK)
        status = collect(model, made, outputs, error);
    for (uint32_t i = 0; made != NULL && i < graph->output_count; i++)
        opshift_value_free(made[i]);
    free(made);
    free(matched);
    scopes_free(run.scopes);
    return status == OPSHIFT_OK ? OPSHIFT_OK : opshift_within(error, status, "%s", model->name);
}
