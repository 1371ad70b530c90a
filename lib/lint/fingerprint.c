/* The fingerprint of a finding, made of parts that stay when other nodes are added or removed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "lint/lint.h"

/* Adds the quoted names in the message. Numbers are left out, since they change with other nodes. */
static void add_subjects(struct sha256 *hash, const char *message)
{
    for (const char *open = strchr(message, '\''); open; open = strchr(open, '\'')) {
        const char *close = strchr(open + 1, '\'');
        if (close == NULL)
            return;
        /* An apostrophe within a word does not start a quotation. */
        if (open == message || strchr(" (:", open[-1]) == NULL) {
            open++;
            continue;
        }
        sha256_add(hash, open, (size_t)(close - open) + 1);
        open = close + 1;
    }
}

char *fingerprint_make(struct arena *arena, const char *relative, struct finding_places *places,
                       const struct finding *finding)
{
    char text[SHA256_TEXT_SIZE];
    struct sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, finding->check->about.id, strlen(finding->check->about.id) + 1);
    sha256_add(&hash, relative, strlen(relative) + 1);
    if (places && !place_hash(places, &hash, finding->graph, finding->node))
        return NULL;
    add_subjects(&hash, finding->message);
    sha256_end(&hash, text);
    return arena_copy(arena, text, sizeof(text) - 1);
}

/* By fingerprint; equal ones in list order. */
static int by_fingerprint(const void *a, const void *b)
{
    const struct opshift_finding *one = *(struct opshift_finding *const *)a;
    const struct opshift_finding *other = *(struct opshift_finding *const *)b;
    int order = strcmp(one->fingerprint, other->fingerprint);
    return order ? order : (one > other) - (one < other);
}

/* The fingerprint with its number among equal ones. */
static char *numbered(struct arena *arena, const char *fingerprint, uint64_t number)
{
    char text[SHA256_TEXT_SIZE];
    struct sha256 hash;
    const char *suffix = arena_print(arena, "%s %" PRIu64, fingerprint, number);
    if (suffix == NULL)
        return NULL;
    sha256_start(&hash);
    sha256_add(&hash, suffix, strlen(suffix));
    sha256_end(&hash, text);
    return arena_copy(arena, text, sizeof(text) - 1);
}

enum opshift_status fingerprints_number(struct opshift_findings *findings, struct opshift_error *error)
{
    if (findings->count < 2)
        return OPSHIFT_OK;
    struct opshift_finding **sorted = calloc(findings->count, sizeof(struct opshift_finding *));
    if (sorted == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < findings->count; i++)
        sorted[i] = &findings->list[i];
    qsort(sorted, findings->count, sizeof(struct opshift_finding *), by_fingerprint);
    enum opshift_status status = OPSHIFT_OK;
    const char *before = sorted[0]->fingerprint;
    uint64_t number = 0;
    for (size_t i = 1; status == OPSHIFT_OK && i < findings->count; i++) {
        number = strcmp(before, sorted[i]->fingerprint) == 0 ? number + 1 : 0;
        before = sorted[i]->fingerprint;
        if (number)
            sorted[i]->fingerprint = numbered(findings->arena, before, number);
        if (sorted[i]->fingerprint == NULL)
            status = opshift_no_memory(error);
    }
    free(sorted);
    return status;
}
