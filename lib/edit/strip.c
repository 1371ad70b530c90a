/* --strip: descriptions, names of nodes, value infos and metadata, which change nothing that is computed. */
#include "edit/edit.h"

#include <inttypes.h>
#include <string.h>

#include "edit/walk.h"

#define STEP "strip"
enum { KEYS_MOST = 64 };

static const struct {
    const char *name;
    unsigned part;
    const char *one, *many;
} kinds[] = {{"docs", WALK_DOC, "description", "descriptions"},
             {"names", WALK_NODE, "name of a node", "names of nodes"},
             {"value-infos", WALK_INFO, "value info", "value infos"},
             {"metadata", WALK_METADATA, "metadata entry", "metadata entries"}};

struct strip {
    unsigned parts;
    const char *keys[KEYS_MOST]; /* of metadata; none: all */
    size_t key_count;
    uint64_t count[COUNT(kinds)], size[COUNT(kinds)];
    bool key_found[KEYS_MOST];
    struct names *seen; /* keys that are there */
};

static enum opshift_status word_read(struct editing *editing, struct strip *strip, const char *text, size_t size,
                                     struct opshift_error *error)
{
    char *word = arena_print(editing->arena, "%.*s", (int)size, text), *colon = word ? strchr(word, ':') : NULL;
    if (word == NULL)
        return opshift_no_memory(error);
    if (colon)
        *colon = '\0';
    size_t i = 0;
    while (i < COUNT(kinds) && strcmp(kinds[i].name, word) != 0)
        i++;
    if (i == COUNT(kinds) || (colon && (kinds[i].part != WALK_METADATA || colon[1] == '\0')))
        return opshift_fail(error, OPSHIFT_USAGE,
                            STEP " '%.*s': is none of docs, names, value-infos, metadata, metadata:KEY", (int)size,
                            text);
    strip->parts |= kinds[i].part;
    if (colon && strip->key_count == KEYS_MOST)
        return opshift_fail(error, OPSHIFT_USAGE, STEP ": more than %d keys", KEYS_MOST);
    if (colon)
        strip->keys[strip->key_count++] = colon + 1;
    return OPSHIFT_OK;
}

static enum walk_answer field_strip(void *data, const struct walk_place *place, struct bytes *text)
{
    struct strip *strip = data;
    struct bytes part;
    bool wanted = place->part != WALK_METADATA || strip->key_count == 0;
    (void)text;
    if (place->part == WALK_METADATA)
        names_add(strip->seen, place->text.data, place->text.size);
    for (size_t i = 0; place->part == WALK_METADATA && i < strip->key_count; i++)
        if (edit_matches(strip->keys[i], place->text, &part))
            wanted = strip->key_found[i] = true;
    if (!wanted)
        return WALK_KEEP;
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (kinds[i].part == (unsigned)place->part) {
            strip->count[i]++;
            strip->size[i] += place->size;
        }
    return WALK_REMOVE;
}

/* A key that no entry has. */
static enum opshift_status key_missing(const struct strip *strip, const char *key, struct opshift_error *error)
{
    const char *near[256];
    size_t count = 0;
    for (name_id i = 1; i < names_count(strip->seen) && count < COUNT(near); i++)
        near[count++] = names_text(strip->seen, i);
    const char *nearest = opshift_text_nearest(key, near, count);
    return opshift_fail(error, OPSHIFT_USAGE,
                        STEP " 'metadata:%.120s': the model has no metadata of that key%s%.120s%s", key,
                        nearest ? "; there is '" : "", nearest ? nearest : "", nearest ? "'" : "");
}

enum opshift_status strip_edit(struct editing *editing, struct opshift_error *error)
{
    struct strip strip = {.seen = names_new()};
    enum opshift_status status = strip.seen ? OPSHIFT_OK : opshift_no_memory(error);
    size_t at = 0;
    for (const char *text; status == OPSHIFT_OK && (text = edit_next(editing, STEP, &at)) != NULL;)
        while (status == OPSHIFT_OK && *text) {
            size_t size = strcspn(text, ",");
            status = word_read(editing, &strip, text, size, error);
            text += size + (text[size] == ',');
        }
    if (status == OPSHIFT_OK)
        status = model_walk(editing->model, strip.parts, field_strip, &strip, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < strip.key_count; i++)
        if (!strip.key_found[i])
            status = key_missing(&strip, strip.keys[i], error);
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(kinds); i++)
        if (strip.count[i])
            status = edit_tell(editing, STEP, strip.count[i], error, "%" PRIu64 " %s, %" PRIu64 " bytes",
                               strip.count[i], strip.count[i] == 1 ? kinds[i].one : kinds[i].many, strip.size[i]);
    names_free(strip.seen);
    return status;
}
