/* Lints an IR of OpenVINO: the checks of Split and VariadicSplit, as findings like those of a model. */
#include <inttypes.h>
#include <string.h>

#include "dialect/openvino_net.h"
#include "lint/lint.h"

/* A lint of one IR. */
struct openvino_lint {
    const struct opshift_lint *lint;
    struct opshift_findings *findings;
    const struct openvino_net *net;
    struct buffer list; /* struct opshift_finding */
};

static const char *shown_of(struct arena *arena, const char *text)
{
    return text ? text_show(arena, text) : NULL;
}

/* The name of the layer is part of the fingerprint, its number is not. */
static char *fingerprint_of(struct openvino_lint *work, const struct check *check, const struct ir_layer *layer,
                            const char *message)
{
    struct opshift_findings *findings = work->findings;
    struct finding from = {.check = check, .message = message};
    const char *about = arena_print(findings->arena, "%s#%s", findings->relative, layer ? layer->name : "");
    return about ? fingerprint_make(findings->arena, about, NULL, &from) : NULL;
}

static enum opshift_status finding_list(struct openvino_lint *work, const char *id, const struct ir_layer *layer,
                                        const char *words, uint64_t offset, struct opshift_error *error)
{
    struct arena *arena = work->findings->arena;
    const struct check *check = check_find(id);
    struct opshift_finding finding = {
        .check = &check->about, .severity = config_severity(work->lint, &check->about), .offset = offset};
    if (!config_wants(work->lint, work->findings->relative, &check->about))
        return OPSHIFT_OK;
    finding.message = arena_copy(arena, words, strlen(words));
    finding.place = layer ? shown_of(arena, ir_place(&work->net->net, layer)) : "";
    finding.location =
        layer ? shown_of(arena, arena_print(arena, "net/layer[%" PRId64 "]:%.400s", layer->id, layer->name)) : "model";
    finding.size = layer ? layer->size : 0;
    finding.fingerprint = finding.message ? fingerprint_of(work, check, layer, finding.message) : NULL;
    buffer_add(&work->list, &finding, sizeof(finding));
    bool failed = work->list.failed || !finding.fingerprint || !finding.place || !finding.location;
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status found(void *data, const char *id, const struct ir_layer *layer, const char *words,
                                 struct opshift_error *error)
{
    return finding_list(data, id, layer, words, layer->offset, error);
}

/* A file that cannot be read is a finding, too. */
static enum opshift_status unreadable(struct openvino_lint *work, const struct opshift_error *why,
                                      struct opshift_error *error)
{
    struct opshift_findings *findings = work->findings;
    const char *words = why->text;
    size_t named = strlen(findings->name);
    if (why->status == OPSHIFT_MEMORY || why->status == OPSHIFT_USAGE) {
        if (error)
            *error = *why;
        return why->status;
    }
    if (strncmp(words, findings->name, named) == 0 && strncmp(words + named, ": ", 2) == 0)
        words += named + 2;
    findings->status = why->status;
    findings->failure = arena_copy(findings->arena, why->text, strlen(why->text));
    if (findings->failure == NULL)
        return opshift_no_memory(error);
    return finding_list(work, "OVN001", NULL, words, why->offset, error);
}

static enum opshift_status net_lint(struct openvino_lint *work, const char *path, struct opshift_error *error)
{
    struct openvino_net net;
    struct opshift_error why = {0};
    enum opshift_status status = openvino_net_open(path, &work->lint->open, NULL, &net, &why);
    work->net = &net;
    if (status == OPSHIFT_OK)
        work->findings->size = source_size(net.xml);
    if (status == OPSHIFT_OK)
        status = openvino_check(&net, found, work, &why);
    if (status)
        status = unreadable(work, &why, error);
    openvino_net_close(&net);
    work->net = NULL;
    return status;
}

enum opshift_status lint_openvino(const struct opshift_lint *lint, const char *path, struct opshift_findings **result,
                                  struct opshift_error *error)
{
    struct openvino_lint work = {.lint = lint, .findings = findings_new(lint, path)};
    enum opshift_status status = work.findings ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK && lint->options.files)
        status = opshift_files_check(lint->options.files, "the IR", path, NULL, error);
    if (status == OPSHIFT_OK)
        status = net_lint(&work, path, error);
    if (status == OPSHIFT_OK) {
        struct opshift_findings *findings = work.findings;
        findings->count = work.list.size / sizeof(*findings->list);
        findings->list = arena_copy(findings->arena, work.list.data, work.list.size);
        status = findings->list ? findings_finish(lint, findings, error) : opshift_no_memory(error);
    }
    buffer_free(&work.list);
    if (status)
        opshift_findings_free(work.findings);
    else
        *result = work.findings;
    return status;
}
