/* The findings of one file, in file order, with the configuration applied. */
#include <stdlib.h>
#include <string.h>

#include "lint/lint.h"
#include "lint/suppress.h"

static int by_place(const void *a, const void *b)
{
    const struct finding *one = a, *other = b;
    if (range_offset(one->range) != range_offset(other->range))
        return range_offset(one->range) < range_offset(other->range) ? -1 : 1;
    int by_id = strcmp(one->check->about.id, other->check->about.id);
    return by_id ? by_id : one->sequence < other->sequence ? -1 : 1;
}

/* Appends a finding with its configured severity. */
static enum opshift_status finding_list(const struct opshift_lint *lint, struct finding_places *places,
                                        struct opshift_findings *findings, const struct finding *from,
                                        struct opshift_error *error)
{
    struct opshift_finding *to = &findings->list[findings->count++];
    *to = (struct opshift_finding){
        .check = &from->check->about,
        .severity = config_severity(lint, &from->check->about),
        .place = place_print(places, from->graph, from->node),
        .location = location_print(places, from->graph, from->node),
        .message = from->message,
        .fingerprint = fingerprint_make(findings->arena, findings->relative, places, from),
        .offset = range_record(from->range),
        .size = range_length(from->range),
        .suppressed = from->suppressed,
    };
    return to->place && to->location && to->fingerprint ? OPSHIFT_OK : opshift_no_memory(error);
}

/* Is an entry of the baseline outdated: its check ran, and no finding matched? */
static bool is_stale(const struct opshift_lint *lint, const struct opshift_findings *findings,
                     const struct baseline_entry *entry)
{
    const struct check *check = check_find(entry->id), *stale = check_by_id(CFG004);
    return (check == NULL || config_wants(lint, findings->relative, &check->about)) &&
           config_wants(lint, findings->relative, &stale->about);
}

/* Puts findings about outdated entries first: they have no place in the model. */
static enum opshift_status stale_list(const struct opshift_lint *lint, struct opshift_findings *findings, size_t first,
                                      const bool *matched, size_t count, struct opshift_error *error)
{
    struct arena *arena = findings->arena;
    const struct check *stale = check_by_id(CFG004);
    struct opshift_finding *list = arena_alloc(arena, findings->count + count, sizeof(*list));
    size_t added = 0;
    if (list == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const struct baseline_entry *entry = &lint->baseline.entries[first + i];
        if (matched[i] || !is_stale(lint, findings, entry))
            continue;
        struct opshift_error words = {0};
        opshift_fail(&words, OPSHIFT_NO, "the baseline has %s at %s: '%.300s', which is not found any more", entry->id,
                     entry->location, entry->message);
        struct finding from = {.check = stale, .message = arena_copy(arena, words.text, strlen(words.text))};
        const char *fingerprint = from.message ? fingerprint_make(arena, entry->fingerprint, NULL, &from) : NULL;
        if (fingerprint == NULL)
            return opshift_no_memory(error);
        list[added++] = (struct opshift_finding){.check = &stale->about,
                                                 .severity = config_severity(lint, &stale->about),
                                                 .place = "",
                                                 .location = "model",
                                                 .message = from.message,
                                                 .fingerprint = fingerprint};
    }
    if (findings->count)
        memcpy(list + added, findings->list, findings->count * sizeof(*list));
    findings->list = list;
    findings->count += added;
    return OPSHIFT_OK;
}

/* Marks findings that the baseline has. */
static enum opshift_status baseline_match(const struct opshift_lint *lint, struct opshift_findings *findings,
                                          struct opshift_error *error)
{
    size_t first, count = baseline_of_file(&lint->baseline, findings->shown, &first);
    if (count == 0)
        return OPSHIFT_OK;
    bool *matched = calloc(count, sizeof(*matched));
    if (matched == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < findings->count; i++) {
        size_t at = baseline_find(&lint->baseline, first, count, findings->list[i].fingerprint);
        findings->list[i].known = at != SIZE_MAX;
        if (at != SIZE_MAX)
            matched[at - first] = true;
    }
    enum opshift_status status = OPSHIFT_OK;
    if (!lint->options.update_baseline && findings->failure == NULL)
        status = stale_list(lint, findings, first, matched, count, error);
    free(matched);
    return status;
}

enum opshift_status findings_collect(const struct opshift_lint *lint, struct checking *checking,
                                     struct opshift_findings *findings, struct opshift_error *error)
{
    enum opshift_status status = suppressions_apply(lint, checking, findings->relative, error);
    if (status)
        return status;
    findings->list = arena_alloc(findings->arena, checking->count + 1, sizeof(*findings->list));
    findings->from = arena_alloc(findings->arena, checking->count + 1, sizeof(*findings->from));
    struct finding_places *places = places_new(checking->model, findings->arena);
    if (findings->list == NULL || findings->from == NULL || places == NULL)
        return opshift_no_memory(error);
    if (checking->count)
        qsort(checking->findings, checking->count, sizeof(*checking->findings), by_place);
    if (checking->malformed && findings->status == OPSHIFT_OK)
        findings->status = OPSHIFT_MALFORMED;
    for (size_t i = 0; status == OPSHIFT_OK && i < checking->count; i++)
        if (config_wants(lint, findings->relative, &checking->findings[i].check->about)) {
            findings->from[findings->from_count++] = &checking->findings[i];
            status = finding_list(lint, places, findings, &checking->findings[i], error);
        }
    places_free(places);
    if (status == OPSHIFT_OK)
        status = fingerprints_number(findings, error);
    return status ? status : baseline_match(lint, findings, error);
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
    struct finding from = {.check = check_of_fault(why), .message = arena_copy(findings->arena, words, strlen(words))};
    if (findings->failure == NULL || findings->list == NULL || from.message == NULL)
        return opshift_no_memory(error);
    findings->count = 1;
    findings->list[0] =
        (struct opshift_finding){.check = &from.check->about,
                                 .severity = config_severity(lint, &from.check->about),
                                 .place = "",
                                 .location = "model",
                                 .message = from.message,
                                 .fingerprint = fingerprint_make(findings->arena, findings->relative, NULL, &from),
                                 .offset = why->offset};
    if (findings->list[0].fingerprint == NULL)
        return opshift_no_memory(error);
    return baseline_match(lint, findings, error);
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

enum opshift_status findings_finish(const struct opshift_lint *lint, struct opshift_findings *findings,
                                    struct opshift_error *error)
{
    enum opshift_status status = fingerprints_number(findings, error);
    if (status == OPSHIFT_OK)
        status = baseline_match(lint, findings, error);
    if (status == OPSHIFT_OK && findings->status == OPSHIFT_OK)
        findings->status = findings_judge(lint, findings);
    return status;
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

uint64_t opshift_findings_fixed(const struct opshift_findings *findings)
{
    return findings->fixed;
}

void opshift_findings_free(struct opshift_findings *findings)
{
    if (findings == NULL)
        return;
    arena_free(findings->arena);
    free(findings);
}
