/* --rename and --unique-names: names of values, dims, nodes, graphs, functions and domains, wherever they stand. */
#include "edit/edit.h"

#include <inttypes.h>
#include <string.h>

#include "base/list.h"
#include "convert/cases.h"
#include "edit/walk.h"
#include "model/fields.h"
#include "wire/wire.h"

#define STEP "rename"
enum { FUNCTION_NAME_FIELD = 1 };

/* ---- what is renamed ---- */

/* "x=input", "dim:N=batch", "layers/{*}=block/{*}" without the braces. */
struct renaming {
    const char *text; /* the whole step */
    const char *from, *to;
    unsigned part; /* of enum walk_part; 0: a function */
    uint64_t names, places;
};

struct mapping {
    name_id from;
    struct bytes to;
    struct renaming *by;
};

struct rename {
    struct editing *editing;
    struct renaming *list;
    uint32_t count, room;
    struct mapping *maps; /* by table items */
    uint32_t map_count, map_room;
    uint32_t *of[2]; /* by name_id: of values outside of functions and in them: 1 + index in maps; 0: stays */
    uint32_t *dims, *nodes, *graphs, *domains;
    uint8_t *values[2], *dim_bits, *node_bits, *graph_bits, *domain_bits;
    bool with_metadata;
    struct opshift_error *error;
};

static const unsigned seen_parts[] = {WALK_DIM, WALK_NODE, WALK_GRAPH, WALK_DOMAIN};

static const struct {
    const char *prefix;
    unsigned part;
    const char *what;
} kinds[] = {{"value:", WALK_VALUE, "value"}, {"dim:", WALK_DIM, "dim"},          {"node:", WALK_NODE, "node"},
             {"graph:", WALK_GRAPH, "graph"}, {"domain:", WALK_DOMAIN, "domain"}, {"function:", 0, "function"}};

static const char *what_is(unsigned part)
{
    size_t i = 0;
    while (kinds[i].part != part)
        i++;
    return kinds[i].what;
}

static enum opshift_status renaming_read(struct rename *rename, const char *text)
{
    struct arena *arena = rename->editing->arena;
    const char *start = text, *equals = strrchr(text, '=');
    unsigned part = WALK_VALUE;
    bool is_prefixed = false;
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strncmp(text, kinds[i].prefix, strlen(kinds[i].prefix)) == 0) {
            part = kinds[i].part;
            start += strlen(kinds[i].prefix);
            is_prefixed = true;
            break;
        }
    if (equals == NULL || equals <= start || equals[1] == '\0')
        return opshift_fail(rename->error, OPSHIFT_USAGE, STEP " '%.200s': must be written as OLD=NEW", text);
    if (!arena_list_grow(arena, &rename->list, rename->count, &rename->room, sizeof(*rename->list)))
        return opshift_no_memory(rename->error);
    struct renaming *made = &rename->list[rename->count++];
    char *from = arena_print(arena, "%.*s", (int)(equals - start), start);
    *made = (struct renaming){.text = text, .from = from, .to = equals + 1, .part = part};
    if (from == NULL)
        return opshift_no_memory(rename->error);
    const char *star = strchr(from, '*');
    if ((star && strchr(star + 1, '*')) || (star != NULL) != (strchr(made->to, '*') != NULL))
        return opshift_fail(rename->error, OPSHIFT_USAGE,
                            STEP " '%.200s': a pattern has one '*' on each side, for the same text", text);
    /* A plain name is a value's; where there is no such value, that of a dim. */
    name_id name = edit_name(rename->editing, from);
    if (!is_prefixed && !star && (name == NAME_NONE || !bit_has(rename->values[0], name)) && name != NAME_NONE &&
        bit_has(rename->dim_bits, name))
        made->part = WALK_DIM;
    return OPSHIFT_OK;
}

/* ---- which names there are ---- */

static enum opshift_status names_read(struct rename *rename)
{
    struct editing *editing = rename->editing;
    uint8_t **bits[] = {&rename->dim_bits, &rename->node_bits, &rename->graph_bits, &rename->domain_bits};
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < 2 * COUNT(bits); i++) /* again, when all names are known */
        status = edit_names(editing, seen_parts[i % COUNT(bits)], bits[i % COUNT(bits)], rename->error);
    size_t size = names_count(editing->model->names);
    uint32_t **maps[] = {&rename->of[0], &rename->of[1],  &rename->dims,
                         &rename->nodes, &rename->graphs, &rename->domains};
    bool good = true;
    for (size_t i = 0; i < COUNT(maps); i++)
        good = good && (*maps[i] = arena_alloc(editing->arena, size, sizeof(**maps[i]))) != NULL;
    for (unsigned i = 0; good && i < 2; i++)
        good = (rename->values[i] = edit_values(editing, i > 0)) != NULL;
    return status || good ? status : opshift_no_memory(rename->error);
}

/* ---- old to new ---- */

struct rename_target {
    const uint8_t *bits;
    uint32_t *map;
};

static struct rename_target target_of(struct rename *rename, unsigned part, unsigned functions)
{
    switch (part) {
    case WALK_VALUE:
        return (struct rename_target){rename->values[functions], rename->of[functions]};
    case WALK_DIM:
        return (struct rename_target){rename->dim_bits, rename->dims};
    case WALK_NODE:
        return (struct rename_target){rename->node_bits, rename->nodes};
    case WALK_GRAPH:
        return (struct rename_target){rename->graph_bits, rename->graphs};
    default:
        return (struct rename_target){rename->domain_bits, rename->domains};
    }
}

static enum opshift_status map_add(struct rename *rename, struct renaming *renaming, struct rename_target target,
                                   name_id name, struct bytes part)
{
    struct arena *arena = rename->editing->arena;
    struct buffer to = {0};
    const char *star = strchr(renaming->to, '*');
    buffer_add(&to, renaming->to, star ? (size_t)(star - renaming->to) : strlen(renaming->to));
    if (star) {
        buffer_add(&to, part.data, part.size);
        buffer_add_text(&to, star + 1);
    }
    uint8_t *text = to.failed ? NULL : arena_copy(arena, to.data, to.size);
    struct bytes made = {text, to.size};
    buffer_free(&to);
    if (text == NULL ||
        !arena_list_grow(arena, &rename->maps, rename->map_count, &rename->map_room, sizeof(*rename->maps)))
        return opshift_no_memory(rename->error);
    if (target.map[name])
        return opshift_fail(rename->error, OPSHIFT_USAGE, STEP " '%.200s': '%.80s' is renamed by '%.200s' already",
                            renaming->text, names_text(rename->editing->model->names, name),
                            rename->maps[target.map[name] - 1].by->text);
    rename->maps[rename->map_count++] = (struct mapping){name, made, renaming};
    target.map[name] = rename->map_count;
    renaming->names++;
    return OPSHIFT_OK;
}

static enum opshift_status renaming_map(struct rename *rename, struct renaming *renaming)
{
    const struct names *names = rename->editing->model->names;
    enum opshift_status status = OPSHIFT_OK;
    if (renaming->part == 0)
        return OPSHIFT_OK; /* functions are done by themselves */
    /* Values of functions are renamed only where no graph has such a value. */
    for (unsigned f = 0; f < (renaming->part == WALK_VALUE ? 2u : 1u) && renaming->names == 0; f++) {
        struct rename_target target = target_of(rename, renaming->part, f);
        for (name_id i = 1; status == OPSHIFT_OK && i < names_count(names); i++) {
            struct bytes part;
            if (bit_has(target.bits, i) && edit_matches(renaming->from, names_bytes(names, i), &part))
                status = map_add(rename, renaming, target, i, part);
        }
    }
    if (status == OPSHIFT_OK && renaming->names == 0)
        status = edit_no_such(rename->editing, STEP, renaming->text, what_is(renaming->part), renaming->from,
                              target_of(rename, renaming->part, 0).bits, rename->error);
    return status;
}

/* Two of one kind must not get one name. */
static enum opshift_status clash_find(struct rename *rename, unsigned part, unsigned functions)
{
    const struct names *names = rename->editing->model->names;
    struct rename_target target = target_of(rename, part, functions);
    struct table table = {.arena = rename->editing->arena};
    for (uint32_t i = 0; i < rename->map_count; i++) {
        const struct mapping *map = &rename->maps[i];
        name_id other;
        if (map->by->part != part || target.map[map->from] != i + 1)
            continue;
        bool is_twice = false, taken = names_find(names, map->to.data, map->to.size, &other) &&
                                       other < names_count(names) && other != map->from &&
                                       bit_has(target.bits, other) && target.map[other] == 0;
        if (!table_reserve(&table, 1))
            return opshift_no_memory(rename->error);
        uint64_t hash = table_hash(&table, map->to.data, map->to.size);
        for (uint32_t at = 0, item; (item = table_next(&table, hash, &at)) != TABLE_NONE;)
            is_twice = is_twice || bytes_same(rename->maps[item].to, map->to);
        table_put(&table, hash, i);
        if (is_twice)
            return opshift_fail(rename->error, OPSHIFT_USAGE,
                                STEP " '%.200s': another %s becomes '%.*s', too; choose another name", map->by->text,
                                what_is(part), map->to.size < 80 ? (int)map->to.size : 80, (const char *)map->to.data);
        if (taken)
            return opshift_fail(rename->error, OPSHIFT_USAGE,
                                STEP " '%.200s': there is a %s '%.*s' already; choose another name", map->by->text,
                                what_is(part), map->to.size < 80 ? (int)map->to.size : 80, (const char *)map->to.data);
    }
    return OPSHIFT_OK;
}

/* ---- the edits ---- */

static enum walk_answer name_replace(void *data, const struct walk_place *place, struct bytes *text)
{
    struct rename *rename = data;
    bool in_metadata = place->part == WALK_METADATA_VALUE;
    struct rename_target target = target_of(rename, in_metadata ? WALK_VALUE : place->part, place->in_function);
    name_id name;
    if (!names_find(rename->editing->model->names, place->text.data, place->text.size, &name) || name == NAME_NONE ||
        target.map[name] == 0)
        return WALK_KEEP;
    struct mapping *map = &rename->maps[target.map[name] - 1];
    *text = map->to;
    map->by->places++;
    return WALK_REPLACE;
}

static enum opshift_status edits_make(struct rename *rename)
{
    unsigned parts = 0;
    for (uint32_t i = 0; i < rename->count; i++)
        parts |= rename->list[i].part;
    if (rename->with_metadata && (parts & WALK_VALUE))
        parts |= WALK_METADATA_VALUE;
    return parts ? model_walk(rename->editing->model, parts, name_replace, rename, rename->error) : OPSHIFT_OK;
}

/* ---- functions ---- */

static enum opshift_status function_rename(struct rename *rename, struct renaming *renaming,
                                           const struct function *function, struct bytes to,
                                           const struct scopes *scopes)
{
    struct opshift_model *model = rename->editing->model;
    uint32_t count;
    const struct call *calls = scope_calls(scopes, function, &count);
    enum opshift_status status = field_set(model, function->message, FUNCTION_NAME_FIELD, 0, to, rename->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = call_rename(model, calls[i].graph, &calls[i].graph->nodes[calls[i].node], to, rename->error);
    renaming->names++;
    renaming->places += 1 + (uint64_t)count;
    return status;
}

static enum opshift_status functions_rename(struct rename *rename, struct renaming *renaming)
{
    struct editing *editing = rename->editing;
    struct opshift_model *model = editing->model;
    struct scopes *scopes = NULL;
    uint8_t *bits = arena_alloc(editing->arena, names_count(model->names) / 8 + UINT64_C(1), 1);
    if (bits == NULL)
        return opshift_no_memory(rename->error);
    struct bytes to = {(const uint8_t *)renaming->to, strlen(renaming->to)};
    enum opshift_status status = scopes_new(model, &scopes, rename->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++) {
        const struct function *function = &model->functions[i];
        bit_set(bits, function->name);
        if (strchr(renaming->from, '*') == NULL && bytes_are(names_bytes(model->names, function->name), renaming->to))
            status = opshift_fail(rename->error, OPSHIFT_USAGE,
                                  STEP " '%.200s': there is a function '%.80s' already; choose another name",
                                  renaming->text, renaming->to);
        if (status == OPSHIFT_OK && bytes_are(names_bytes(model->names, function->name), renaming->from))
            status = function_rename(rename, renaming, function, to, scopes);
    }
    scopes_free(scopes);
    if (status == OPSHIFT_OK && renaming->names == 0)
        status = edit_no_such(editing, STEP, renaming->text, "function", renaming->from, bits, rename->error);
    return status ? status : edit_settle(editing, rename->error);
}

/* ---- --rename ---- */

static enum opshift_status told(struct rename *rename)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < rename->count; i++) {
        const struct renaming *renaming = &rename->list[i];
        status =
            edit_tell(rename->editing, STEP, renaming->places, rename->error,
                      "%" PRIu64 " %s%s, in %" PRIu64 " place%s: '%.*s' is '%.*s' now", renaming->names,
                      what_is(renaming->part), renaming->names == 1 ? "" : "s", renaming->places,
                      renaming->places == 1 ? "" : "s", EDIT_NAME_MOST, renaming->from, EDIT_NAME_MOST, renaming->to);
    }
    return status;
}

enum opshift_status rename_edit(struct editing *editing, struct opshift_error *error)
{
    struct rename rename = {.editing = editing, .with_metadata = edit_has(editing, "rename-metadata"), .error = error};
    size_t at = 0;
    enum opshift_status status = names_read(&rename);
    for (const char *text; status == OPSHIFT_OK && (text = edit_next(editing, STEP, &at)) != NULL;)
        status = renaming_read(&rename, text);
    if (status == OPSHIFT_OK && rename.count == 0)
        status = opshift_fail(error, OPSHIFT_USAGE, "edit: 'rename-metadata' is of no use without 'rename'");
    for (uint32_t i = 0; status == OPSHIFT_OK && i < rename.count; i++)
        status = renaming_map(&rename, &rename.list[i]);
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(kinds); i++)
        for (unsigned f = 0; status == OPSHIFT_OK && kinds[i].part && f < (kinds[i].part == WALK_VALUE ? 2u : 1u); f++)
            status = clash_find(&rename, kinds[i].part, f);
    if (status == OPSHIFT_OK)
        status = edits_make(&rename);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < rename.count; i++)
        if (rename.list[i].part == 0) {
            status = edit_settle(editing, error);
            if (status == OPSHIFT_OK)
                status = functions_rename(&rename, &rename.list[i]);
        }
    return status ? status : told(&rename);
}

/* ---- --unique-names ---- */

enum opshift_status unique_edit(struct editing *editing, struct opshift_error *error)
{
    struct opshift_model *model = editing->model;
    struct scopes *scopes = NULL;
    uint64_t count = 0;
    enum opshift_status status = scopes_new(model, &scopes, error);
    if (status == OPSHIFT_OK && !node_names_read(model))
        status = opshift_no_memory(error);
    uint32_t names = names_count(model->names);
    uint8_t *seen = arena_alloc(editing->arena, names / 8 + UINT64_C(1), 1);
    if (status == OPSHIFT_OK && seen == NULL)
        status = opshift_no_memory(error);
    for (uint32_t g = 0; status == OPSHIFT_OK && g < model->graph_count; g++)
        for (uint32_t n = 0; status == OPSHIFT_OK && n < model->graphs[g]->node_count; n++) {
            struct node *node = &model->graphs[g]->nodes[n];
            name_id name = node_name(model, node);
            struct bytes stem = names_bytes(model->names, name == NAME_NONE ? node->op_type : name);
            if (name != NAME_NONE && name < names && !bit_has(seen, name)) {
                bit_set(seen, name);
                continue;
            }
            name_id fresh =
                scope_fresh(scopes, (const char *)stem.data, stem.size < SCOPE_STEM_MAX ? stem.size : SCOPE_STEM_MAX);
            status = fresh == NAME_NO_MEMORY ? opshift_no_memory(error)
                                             : field_set(model, node_message(model, model->graphs[g], node), NODE_NAME,
                                                         0, names_bytes(model->names, fresh), error);
            count++;
        }
    scopes_free(scopes);
    if (status || count == 0)
        return status;
    return edit_tell(editing, "unique-names", count, error, "%" PRIu64 " node%s got a name of its own", count,
                     count == 1 ? "" : "s");
}
