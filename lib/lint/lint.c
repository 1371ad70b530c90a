/* Runs all checks on a file. */
#include "check/part.h"
#include "lint/conversion.h"
#include "lint/lint.h"

#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "convert/domain_moves.h"
#include "kernel/facts.h"

static enum opshift_status targets_read(struct opshift_lint *lint, struct opshift_error *error)
{
    const struct opshift_lint_options *options = &lint->options;
    return targets_load(options->targets, options->target_count, options->target_directories,
                        options->target_directory_count, lint->arena, &lint->targets, error);
}

enum opshift_status opshift_target_list(char **text, struct opshift_error *error)
{
    struct buffer lines = {0};
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena ? OPSHIFT_OK : opshift_no_memory(error);
    for (const struct target_text *shipped = targets_shipped; status == OPSHIFT_OK && shipped->name; shipped++) {
        struct target *target;
        status = target_load(shipped->name, NULL, 0, arena, &target, error);
        if (status == OPSHIFT_OK)
            buffer_print(&lines, "%-18s %s\n", target->name, target->description);
    }
    arena_free(arena);
    buffer_add_text(&lines, "");
    return buffer_finish(&lines, status, text, error);
}

/* Copies the caller's options, which need not outlive this call. */
static enum opshift_status options_read(struct opshift_lint *lint, const struct opshift_lint_options *options,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPTIONS_COPY(options, &lint->options, error);
    if (status == OPSHIFT_OK)
        status = OPTIONS_COPY(lint->options.open, &lint->open, error);
    if (status == OPSHIFT_OK)
        status = OPTIONS_COPY(lint->open.limits, &lint->limits, error);
    lint->options.open = &lint->open;
    lint->open.limits = &lint->limits;
    return status;
}

enum opshift_status opshift_lint_new(const struct opshift_lint_options *options, struct opshift_lint **result,
                                     struct opshift_error *error)
{
    struct opshift_lint *lint = calloc(1, sizeof(*lint));
    if (lint == NULL)
        return opshift_no_memory(error);
    lint->arena = arena_new(0);
    enum opshift_status status = lint->arena ? options_read(lint, options, error) : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = config_read(lint, error);
    if (status == OPSHIFT_OK && lint->options.baseline)
        status =
            baseline_read(&lint->baseline_place, !lint->options.update_baseline, lint->arena, &lint->baseline, error);
    if (status == OPSHIFT_OK)
        status = targets_read(lint, error);
    if (status == OPSHIFT_OK)
        status = domain_goals_check(lint->options.to_domains, lint->options.to_domain_count, error);
    if (status == OPSHIFT_OK && (lint->options.to || lint->options.to_domain_count) && lint->options.rules == NULL)
        status = opshift_rules_load(NULL, 0, &lint->rules, error);
    if (lint->rules)
        lint->options.rules = lint->rules;
    lint->fail_level = lint->options.fail_level ? lint->options.fail_level - 1 : OPSHIFT_SEVERITY_ERROR;
    if (status)
        opshift_lint_free(lint);
    else
        *result = lint;
    return status;
}

void opshift_lint_free(struct opshift_lint *lint)
{
    if (lint == NULL)
        return;
    opshift_rules_free(lint->rules);
    arena_free(lint->arena);
    free(lint);
}

const struct opshift_open_options *opshift_lint_open_options(const struct opshift_lint *lint)
{
    return &lint->open;
}

const char *opshift_lint_baseline(const struct opshift_lint *lint)
{
    return lint->options.baseline;
}

struct opshift_findings *findings_new(const struct opshift_lint *lint, const char *name)
{
    struct opshift_findings *findings = calloc(1, sizeof(*findings));
    if (findings)
        findings->arena = arena_new(0);
    if (findings && findings->arena)
        findings->name = arena_copy(findings->arena, name, strlen(name));
    if (findings && findings->name)
        findings->relative = config_relative(lint, findings->arena, name);
    if (findings && findings->relative)
        findings->shown = text_show(findings->arena, findings->relative);
    if (findings && findings->shown == NULL) {
        opshift_findings_free(findings);
        return NULL;
    }
    return findings;
}

/* An unreadable part of the model ends the checks; earlier findings stay. */
static enum opshift_status stopped(struct checking *checking, struct opshift_findings *findings,
                                   const struct opshift_error *why, struct opshift_error *error)
{
    if (why->status == OPSHIFT_MEMORY || why->status == OPSHIFT_CANCELLED)
        return error_give(error, why->status, why);
    findings->status = why->status;
    findings->failure = arena_print(findings->arena, "%s: %s", findings->name, why->text);
    if (findings->failure == NULL)
        return opshift_no_memory(error);
    return checking->malformed ? OPSHIFT_OK : finding_add_failure(checking, &(struct subject){0}, why, error);
}

enum opshift_status findings_make(const struct opshift_lint *lint, struct opshift_model *model,
                                  struct opshift_findings *findings, findings_then *then, void *data,
                                  struct opshift_error *error)
{
    struct surroundings around;
    struct checking checking = {
        .model = model,
        .options = &lint->options,
        .directory = model->directory,
        .targets = lint->targets,
        .arena = findings->arena,
    };
    findings->size = opshift_model_size(model);
    findings->opset = opshift_model_opset(model);
    findings->ir_version = opshift_model_ir_version(model);
    model->directory = NULL;
    enum opshift_status status = surroundings_open(&around, model, false, error);
    if (status == OPSHIFT_OK)
        status = scopes_count_uses(around.scopes, error);
    around.lenient = true;
    checking.scopes = around.scopes;
    checking.types = around.types;
    checking.around = &around;
    struct opshift_error why = {0};
    if (status == OPSHIFT_OK && (check_model(&checking, &why) || conversion_check(&checking, &why)))
        status = stopped(&checking, findings, &why, error);
    if (status == OPSHIFT_OK)
        status = findings_collect(lint, &checking, findings, error);
    if (status == OPSHIFT_OK && then)
        status = then(data, &checking, findings, error);
    findings->from = NULL;
    findings->from_count = 0;
    model->directory = checking.directory;
    checking_free(&checking);
    surroundings_close(&around);
    if (status == OPSHIFT_OK && findings->status == OPSHIFT_OK)
        findings->status = findings_judge(lint, findings);
    return status;
}

enum opshift_status outputs_check(const struct opshift_lint *lint, struct opshift_model *model,
                                  struct opshift_error *error)
{
    return lint->options.files ? opshift_files_check_model(lint->options.files, model, lint->options.replaces, error)
                               : OPSHIFT_OK;
}

enum opshift_status opshift_lint_model(const struct opshift_lint *lint, struct opshift_model *model,
                                       struct opshift_findings **result, struct opshift_error *error)
{
    enum opshift_status status = outputs_check(lint, model, error);
    if (status)
        return status;
    struct opshift_findings *findings = findings_new(lint, opshift_model_name(model));
    if (findings == NULL)
        return opshift_no_memory(error);
    status = findings_make(lint, model, findings, NULL, NULL, error);
    if (status) {
        opshift_findings_free(findings);
        return status;
    }
    *result = findings;
    return OPSHIFT_OK;
}

enum opshift_status opshift_lint_failure(const struct opshift_lint *lint, const char *path,
                                         const struct opshift_error *why, struct opshift_findings **result,
                                         struct opshift_error *error)
{
    struct opshift_findings *findings = findings_new(lint, path);
    if (findings == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = findings_add_failure(lint, findings, why, error);
    if (status)
        opshift_findings_free(findings);
    else
        *result = findings;
    return status;
}

/* Checks a model that was opened, or tells why it was not. Frees it. */
static enum opshift_status lint_opened(const struct opshift_lint *lint, const char *name, struct opshift_model *model,
                                       enum opshift_status status, struct opshift_error *why,
                                       struct opshift_findings **findings, struct opshift_error *error)
{
    if (status == OPSHIFT_OK)
        status = opshift_lint_model(lint, model, findings, why);
    opshift_model_free(model);
    if (status == OPSHIFT_OK)
        return status;
    if (status != OPSHIFT_MEMORY && status != OPSHIFT_USAGE && status != OPSHIFT_CANCELLED)
        return opshift_lint_failure(lint, name, why, findings, error);
    return error_give(error, status, why);
}

enum opshift_status opshift_lint_file(const struct opshift_lint *lint, const char *path,
                                      struct opshift_findings **findings, struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    struct opshift_error why = {0};
    enum opshift_status status = opshift_model_open(path, &lint->open, &model, &why);
    if (status && why.fault == OPSHIFT_FAULT_IR && strcmp(path, "-") != 0)
        return lint_openvino(lint, path, findings, error);
    return lint_opened(lint, path, model, status, &why, findings, error);
}

enum opshift_status opshift_lint_memory(const struct opshift_lint *lint, const void *bytes, size_t size,
                                        const char *name, struct opshift_findings **findings,
                                        struct opshift_error *error)
{
    struct opshift_model *model = NULL;
    struct opshift_error why = {0};
    struct opshift_open_options options = lint->open;
    if (name == NULL)
        name = "<memory>";
    options.name = name;
    enum opshift_status status = opshift_model_open_memory(bytes, size, &options, &model, &why);
    return lint_opened(lint, name, model, status, &why, findings, error);
}
