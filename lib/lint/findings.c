/* What was found in one file, in the order of the file, as the configuration wants it. */
#include <stdlib.h>
#include <string.h>

#include "lint/lint.h"

static int by_place(const void *a, const void *b)
{
    const struct finding *one = a, *other = b;
    if (one->range.offset != other->range.offset)
        return one->range.offset < other->range.offset ? -1 : 1;
    int by_id = strcmp(one->check->about.id, other->check->about.id);
    return by_id ? by_id : one->sequence < other->sequence ? -1 : 1;
}

static bool listed(const char *const *ids, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(ids[i], id, strlen(ids[i])) == 0)
            return true;
    return false;
}

static bool wanted(const struct opshift_lint *lint, const struct check *check)
{
    const struct opshift_lint_options *options = &lint->options;
    if (listed(options->ignore, options->ignore_count, check->about.id))
        return false;
    return options->select_count == 0 || listed(options->select, options->select_count, check->about.id);
}

enum opshift_status findings_collect(const struct opshift_lint *lint, struct checking *checking,
                                     struct opshift_findings *findings, struct opshift_error *error)
{
    struct arena *arena = findings->arena;
    findings->list = arena_alloc(arena, checking->count + 1, sizeof(*findings->list));
    if (findings->list == NULL)
        return opshift_no_memory(error);
    if (checking->count)
        qsort(checking->findings, checking->count, sizeof(*checking->findings), by_place);
    if (checking->malformed && findings->status == OPSHIFT_OK)
        findings->status = OPSHIFT_MALFORMED;
    for (size_t i = 0; i < checking->count; i++) {
        const struct finding *from = &checking->findings[i];
        if (!wanted(lint, from->check))
            continue;
        const char *place = place_print(arena, checking->model, from->graph, from->node);
        const char *location = location_print(arena, checking->model, from->graph, from->node);
        struct opshift_finding *to = &findings->list[findings->count++];
        *to = (struct opshift_finding){
            .check = &from->check->about,
            .severity = from->check->about.severity,
            .place = place ? text_show(arena, place) : NULL,
            .location = location ? text_show(arena, location) : NULL,
            .message = from->message,
            .offset = from->range.record,
            .size = from->range.offset + from->range.size - from->range.record,
        };
        if (to->place == NULL || to->location == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

enum opshift_status findings_add_failure(const struct opshift_lint *lint, struct opshift_findings *findings,
                                         const struct opshift_error *why, struct opshift_error *error)
{
    const char *words = why->text;
    size_t named = strlen(findings->name);
    if (strncmp(words, findings->name, named) == 0 && strncmp(words + named, ": ", 2) == 0)
        words += named + 2;
    findings->status = why->status;
    findings->failure = arena_copy(findings->arena, why->text, strlen(why->text));
    findings->list = arena_alloc(findings->arena, 1, sizeof(*findings->list));
    const char *message = arena_copy(findings->arena, words, strlen(words));
    if (findings->failure == NULL || findings->list == NULL || message == NULL)
        return opshift_no_memory(error);
    const struct opshift_check *check = &check_of_fault(why)->about;
    findings->count = 1;
    findings->list[0] = (struct opshift_finding){.check = check,
                                                 .severity = check->severity,
                                                 .place = "",
                                                 .location = "model",
                                                 .message = message,
                                                 .offset = why->offset};
    return OPSHIFT_OK;
}

enum opshift_status findings_judge(const struct opshift_lint *lint, const struct opshift_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct opshift_finding *finding = &findings->list[i];
        if (!finding->known && finding->suppressed == NULL && (int)finding->severity >= lint->fail_level)
            return OPSHIFT_NO;
    }
    return OPSHIFT_OK;
}

const char *opshift_findings_name(const struct opshift_findings *findings)
{
    return findings->name;
}

size_t opshift_findings_count(const struct opshift_findings *findings)
{
    return findings->count;
}

const struct opshift_finding *opshift_findings_at(const struct opshift_findings *findings, size_t index)
{
    return index < findings->count ? &findings->list[index] : NULL;
}

enum opshift_status opshift_findings_status(const struct opshift_findings *findings)
{
    return findings->status;
}

const char *opshift_findings_failure(const struct opshift_findings *findings)
{
    return findings->failure;
}

void opshift_findings_free(struct opshift_findings *findings)
{
    if (findings == NULL)
        return;
    arena_free(findings->arena);
    free(findings);
}
