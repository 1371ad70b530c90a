/* opshift_join: outputs of one model are inputs of another, in one model. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/list.h"
#include "base/option_struct.h"
#include "base/report.h"
#include "edit/keep.h"
#include "edit/verify_edit.h"
#include "edit/walk.h"
#include "model/external_set.h"
#include "model/fields.h"
#include "model/preview.h"
#include "model/weights_file.h"
#include "wire/wire.h"

#define PREFIX_DEFAULT "b_"
#define FUNCTIONS      25u /* field of a ModelProto */

struct connection {
    const char *out, *in;
};

struct joining {
    struct editing sides[2]; /* what becomes of both models */
    struct kept_view views[2];
    const struct opshift_join_options *options;
    struct connection *connections;
    size_t connection_count;
    struct opshift_edit_step *steps; /* renames of the second model */
    size_t step_count;
    uint32_t step_room;
    struct arena *arena;
    json_t *done;
    struct buffer functions;     /* bits: functions of the second model that the first has, too */
    uint8_t *dims[2], *nodes[2]; /* bits by name_id */
    const char **ins, **outs;    /* of the second model: names of its inputs and outputs in the joined one */
    struct opshift_error *error;
};

static enum opshift_status tell(struct joining *joining, const char *name, uint64_t count, const char *format,
                                const char *a, const char *b)
{
    struct editing *editing = &joining->sides[0];
    editing->done = joining->done;
    enum opshift_status status = edit_tell(editing, name, count, joining->error, format, a, b);
    joining->done = editing->done;
    return status;
}

/* ---- opsets ---- */

static int64_t import_of(const struct opshift_model *model, struct bytes domain)
{
    for (uint32_t i = 0; i < model->import_count; i++)
        if (bytes_same(names_bytes(model->names, model->imports[i].domain), domain))
            return model->imports[i].version;
    return 0;
}

static enum opshift_status side_convert(struct joining *joining, unsigned side, const char *domain, int64_t opset)
{
    struct editing *editing = &joining->sides[side];
    const char *text = arena_print(joining->arena, "%s=%" PRId64, domain, opset);
    struct opshift_goal goal = {.size = sizeof(goal), .opset = *domain ? 0 : opset, .rules = joining->options->rules};
    const char *number = arena_print(joining->arena, "%" PRId64, opset);
    if (text == NULL || number == NULL)
        return opshift_no_memory(joining->error);
    if (*domain) {
        goal.domains = &text;
        goal.domain_count = 1;
    }
    enum opshift_status status = opshift_convert(editing->model, &goal, NULL, joining->error);
    struct opshift_model *before = editing->model, *after = NULL;
    if (status == OPSHIFT_OK)
        status = model_preview(before, joining->arena, &after, joining->error);
    if (status) {
        opshift_model_free(after);
        return status;
    }
    opshift_model_free(before);
    editing->model = after;
    return tell(joining, "convert", 1, side ? "the second model to %s%s" : "the first model to %s%s",
                *domain ? text : "opset ", *domain ? "" : number);
}

static enum opshift_status opsets_join(struct joining *joining)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < joining->sides[0].model->import_count; i++) {
        const struct opshift_model *models[2] = {joining->sides[0].model, joining->sides[1].model};
        struct bytes domain = names_bytes(models[0]->names, models[0]->imports[i].domain);
        const char *text = arena_print(joining->arena, "%.*s", (int)domain.size, (const char *)domain.data);
        int64_t versions[2] = {models[0]->imports[i].version, import_of(models[1], domain)};
        if (text == NULL)
            return opshift_no_memory(joining->error);
        if (versions[1] > 0 && versions[0] != versions[1])
            status = side_convert(joining, versions[0] > versions[1], text,
                                  versions[0] > versions[1] ? versions[0] : versions[1]);
    }
    return status;
}

/* ---- what is connected ---- */

static bool text_is(const struct opshift_model *model, name_id name, const char *text)
{
    return bytes_are(names_bytes(model->names, name), text);
}

static const struct value_info *info_find(const struct opshift_model *model, const struct value_info *list,
                                          uint32_t count, const char *text)
{
    for (uint32_t i = 0; i < count; i++)
        if (text_is(model, list[i].name, text))
            return &list[i];
    return NULL;
}

static bool connection_add(struct joining *joining, const char *out, const char *in)
{
    struct connection made = {arena_print(joining->arena, "%s", out), arena_print(joining->arena, "%s", in)};
    joining->connections[joining->connection_count++] = made;
    return made.out && made.in;
}

/* Those that are given; else equal names; else the only output and the only input. */
static enum opshift_status connections_find(struct joining *joining)
{
    struct opshift_model *a = joining->sides[0].model, *b = joining->sides[1].model;
    const struct opshift_join_options *options = joining->options;
    size_t room = options->connect_count + b->main->input_count;
    joining->connections = arena_alloc(joining->arena, room + 1, sizeof(*joining->connections));
    bool good = joining->connections != NULL;
    for (size_t i = 0; good && i < options->connect_count; i++) {
        const char *text = options->connect[i], *equals = strrchr(text, '=');
        if (equals == NULL || equals == text || equals[1] == '\0')
            return opshift_fail(joining->error, OPSHIFT_USAGE, "connect '%.200s': must be written as OUT=IN", text);
        const char *out = arena_print(joining->arena, "%.*s", (int)(equals - text), text);
        good = out && connection_add(joining, out, equals + 1);
    }
    for (uint32_t i = 0; good && options->connect_count == 0 && i < b->main->input_count; i++) {
        const char *name = names_text(b->names, b->main->inputs[i].name);
        if (info_find(a, a->main->outputs, a->main->output_count, name))
            good = connection_add(joining, name, name);
    }
    if (good && joining->connection_count == 0 && a->main->output_count == 1 && opshift_model_input_count(b) > 0) {
        const char *only = NULL;
        size_t count = 0;
        for (size_t i = 0; i < opshift_model_input_count(b); i++)
            if (opshift_model_input_is_required(b, i)) {
                only = opshift_model_input_name(b, i);
                count++;
            }
        if (count == 1)
            good = connection_add(joining, names_text(a->names, a->main->outputs[0].name), only);
    }
    if (!good)
        return opshift_no_memory(joining->error);
    return joining->connection_count ? OPSHIFT_OK
                                     : opshift_fail(joining->error, OPSHIFT_USAGE,
                                                    "no output of the first model has the name of an input of the "
                                                    "second; connect them with --connect OUT=IN");
}

/* May the value be given as that input? Dims that both know are the same. */
static enum opshift_status connection_check(struct joining *joining, const struct connection *connection,
                                            struct value_type types[2])
{
    struct opshift_model *a = joining->sides[0].model, *b = joining->sides[1].model;
    const struct value_info *in = info_find(b, b->main->inputs, b->main->input_count, connection->in);
    name_id out = edit_name(&joining->sides[0], connection->out);
    if (in == NULL)
        return opshift_fail(joining->error, OPSHIFT_USAGE,
                            "connect '%.80s=%.80s': the second model has no input '%.80s'", connection->out,
                            connection->in, connection->in);
    if (out == NAME_NONE || !bit_has(joining->views[0].inside, out))
        return opshift_fail(joining->error, OPSHIFT_USAGE,
                            "connect '%.80s=%.80s': the first model has no value '%.80s'", connection->out,
                            connection->in, connection->out);
    enum opshift_status status = types_find(joining->views[0].types, a->main, out, &types[0], joining->error);
    if (status == OPSHIFT_OK)
        status = value_info_type(b, in, joining->arena, &types[1], joining->error);
    if (status)
        return status;
    bool same = types[0].is_tensor == types[1].is_tensor || types[0].type == OPSHIFT_TYPE_UNDEFINED;
    if (same && types[0].is_tensor && types[0].type != OPSHIFT_TYPE_UNDEFINED)
        same = types[0].type == types[1].type;
    if (same && !types[0].is_tensor && types[0].other && types[1].other)
        same = strcmp(types[0].other, types[1].other) == 0;
    if (same && types[0].is_tensor && types[0].rank >= 0 && types[1].rank >= 0)
        same = types[0].rank == types[1].rank;
    for (int32_t i = 0; same && types[0].is_tensor && types[0].rank == types[1].rank && i < types[0].rank; i++)
        same = types[0].dims[i] < 0 || types[1].dims[i] < 0 || types[0].dims[i] == types[1].dims[i];
    return same ? OPSHIFT_OK
                : opshift_fail(joining->error, OPSHIFT_USAGE,
                               "connect '%.80s=%.80s': the input has another type or shape than the value",
                               connection->out, connection->in);
}

/* ---- names of the second model ---- */

static bool step_add(struct joining *joining, const char *kind, const char *from, const char *to)
{
    if (strcmp(from, to) == 0)
        return true;
    if (!arena_list_grow(joining->arena, &joining->steps, (uint32_t)joining->step_count, &joining->step_room,
                         sizeof(*joining->steps)))
        return false;
    const char *text = arena_print(joining->arena, "%s:%s=%s", kind, from, to);
    joining->steps[joining->step_count++] = (struct opshift_edit_step){"rename", text};
    return text != NULL;
}

static bool has_name(const struct opshift_model *model, const char *text)
{
    name_id name;
    return names_find(model->names, text, strlen(text), &name);
}

/* A name with the prefix that neither model has. NULL: no memory. */
static const char *prefixed(struct joining *joining, const char *name)
{
    const char *prefix = joining->options->prefix ? joining->options->prefix : PREFIX_DEFAULT, *made = name;
    do
        made = arena_print(joining->arena, "%s%s", prefix, made);
    while (made && (has_name(joining->sides[0].model, made) || has_name(joining->sides[1].model, made)));
    return made;
}

static const struct connection *connection_of(const struct joining *joining, const char *in)
{
    for (size_t i = 0; i < joining->connection_count; i++)
        if (strcmp(joining->connections[i].in, in) == 0)
            return &joining->connections[i];
    return NULL;
}

/* The names of values that clash; inputs get the names of what they are connected to. */
static enum opshift_status values_rename(struct joining *joining, uint64_t *clashes)
{
    struct opshift_model *b = joining->sides[1].model;
    uint8_t *bits[2] = {edit_values(&joining->sides[0], false), edit_values(&joining->sides[1], false)};
    bool good = bits[0] && bits[1];
    for (name_id i = 1; good && i < names_count(b->names); i++) {
        const char *name = names_text(b->names, i);
        const struct connection *connection = connection_of(joining, name);
        name_id there = edit_name(&joining->sides[0], name);
        if (!bit_has(bits[1], i))
            continue;
        if (connection) {
            good = step_add(joining, "value", name, connection->out);
        } else if (there != NAME_NONE && bit_has(bits[0], there)) {
            const char *to = prefixed(joining, name);
            good = to && step_add(joining, "value", name, to);
            ++*clashes;
        }
    }
    return good ? OPSHIFT_OK : opshift_no_memory(joining->error);
}

struct dim_pair {
    const char *from, *to;
};

/* Names of dims: a connected dim is the first model's, another one that clashes is another size. */
static enum opshift_status dims_rename(struct joining *joining, uint64_t *clashes)
{
    struct opshift_model *models[2] = {joining->sides[0].model, joining->sides[1].model};
    uint8_t *given = arena_alloc(joining->arena, names_count(models[1]->names) / 8 + UINT64_C(1), 1);
    uint8_t *const *dims = joining->dims;
    bool good = given != NULL;
    for (size_t i = 0; good && i < joining->connection_count; i++) {
        struct value_type types[2] = {{.rank = -1}, {.rank = -1}};
        enum opshift_status status = connection_check(joining, &joining->connections[i], types);
        if (status)
            return status;
        for (int32_t k = 0;
             good && types[1].is_tensor && types[1].params && types[0].rank == types[1].rank && k < types[1].rank;
             k++) {
            name_id name = types[1].dims[k] < 0 ? types[1].params[k] : NAME_NONE;
            if (name == NAME_NONE || types[0].dims[k] >= 0 || types[0].params == NULL ||
                types[0].params[k] == NAME_NONE || bit_has(given, name))
                continue;
            bit_set(given, name);
            good = step_add(joining, "dim", names_text(models[1]->names, name),
                            names_text(models[0]->names, types[0].params[k]));
        }
    }
    for (name_id i = 1; good && i < names_count(models[1]->names); i++) {
        const char *name = names_text(models[1]->names, i);
        name_id there = edit_name(&joining->sides[0], name);
        if (!bit_has(dims[1], i) || bit_has(given, i) || there == NAME_NONE || !bit_has(dims[0], there))
            continue;
        const char *to = prefixed(joining, name);
        good = to && step_add(joining, "dim", name, to);
        ++*clashes;
    }
    return good ? OPSHIFT_OK : opshift_no_memory(joining->error);
}

static enum opshift_status nodes_rename(struct joining *joining, uint64_t *clashes)
{
    uint8_t *const *nodes = joining->nodes;
    struct opshift_model *b = joining->sides[1].model;
    bool good = true;
    for (name_id i = 1; good && i < names_count(b->names); i++) {
        name_id there = edit_name(&joining->sides[0], names_text(b->names, i));
        if (!bit_has(nodes[1], i) || there == NAME_NONE || !bit_has(nodes[0], there))
            continue;
        const char *to = prefixed(joining, names_text(b->names, i));
        good = to && step_add(joining, "node", names_text(b->names, i), to);
        ++*clashes;
    }
    return good ? OPSHIFT_OK : opshift_no_memory(joining->error);
}

/* Functions that both have are kept once; others of the same name are renamed. */
static enum opshift_status functions_rename(struct joining *joining, uint64_t *clashes)
{
    struct opshift_model *a = joining->sides[0].model, *b = joining->sides[1].model;
    enum opshift_status status = OPSHIFT_OK;
    bool good = true;
    for (uint32_t i = 0; good && status == OPSHIFT_OK && i < b->function_count; i++) {
        const struct function *own = &b->functions[i];
        bool same = false, renamed = false;
        for (uint32_t k = 0; status == OPSHIFT_OK && k < a->function_count; k++) {
            const struct function *other = &a->functions[k];
            if (!bytes_same(names_bytes(a->names, other->name), names_bytes(b->names, own->name)) ||
                !bytes_same(names_bytes(a->names, other->domain), names_bytes(b->names, own->domain)))
                continue;
            renamed = true;
            if (bytes_same(names_bytes(a->names, other->overload), names_bytes(b->names, own->overload)) &&
                other->message->size == own->message->size)
                status = sources_same(a->source, other->message->offset, b->source, own->message->offset,
                                      own->message->size, &same, joining->error);
        }
        buffer_add_byte(&joining->functions, same);
        if (!renamed || same)
            continue;
        const char *to = prefixed(joining, names_text(b->names, own->name));
        good = to && step_add(joining, "function", names_text(b->names, own->name), to);
        ++*clashes;
    }
    return good && !joining->functions.failed ? status : opshift_no_memory(joining->error);
}

/* What the renames make of a name. */
static const char *renamed(const struct joining *joining, const char *name)
{
    const struct opshift_edit_options options = {.steps = joining->steps, .step_count = joining->step_count};
    const char *made = renamed_by(&options, joining->arena, name);
    return made ? arena_print(joining->arena, "%s", made) : NULL; /* the model's text does not last */
}

static enum opshift_status ends_note(struct joining *joining)
{
    const struct opshift_model *b = joining->sides[1].model;
    const struct graph *graph = b->main;
    joining->ins = arena_alloc(joining->arena, graph->input_count + UINT64_C(1), sizeof(*joining->ins));
    joining->outs = arena_alloc(joining->arena, graph->output_count + UINT64_C(1), sizeof(*joining->outs));
    if (joining->ins == NULL || joining->outs == NULL)
        return opshift_no_memory(joining->error);
    bool good = true;
    for (uint32_t i = 0; good && i < graph->input_count; i++)
        good = (joining->ins[i] = renamed(joining, names_text(b->names, graph->inputs[i].name))) != NULL;
    for (uint32_t i = 0; good && i < graph->output_count; i++)
        good = (joining->outs[i] = renamed(joining, names_text(b->names, graph->outputs[i].name))) != NULL;
    return good ? OPSHIFT_OK : opshift_no_memory(joining->error);
}

static enum opshift_status second_rename(struct joining *joining)
{
    uint64_t clashes = 0;
    struct editing *second = &joining->sides[1];
    enum opshift_status status = OPSHIFT_OK;
    for (unsigned i = 0; status == OPSHIFT_OK && i < 2; i++) {
        status = edit_names(&joining->sides[i], WALK_DIM, &joining->dims[i], joining->error);
        if (status == OPSHIFT_OK)
            status = edit_names(&joining->sides[i], WALK_NODE, &joining->nodes[i], joining->error);
    }
    for (unsigned i = 0; status == OPSHIFT_OK && i < 2; i++) /* nodes may have added names */
        status = edit_names(&joining->sides[i], WALK_DIM, &joining->dims[i], joining->error);
    if (status == OPSHIFT_OK)
        status = view_open(&joining->views[0], &joining->sides[0], joining->error);
    if (status == OPSHIFT_OK)
        status = dims_rename(joining, &clashes);
    if (status == OPSHIFT_OK)
        status = values_rename(joining, &clashes);
    if (status == OPSHIFT_OK)
        status = nodes_rename(joining, &clashes);
    if (status == OPSHIFT_OK)
        status = functions_rename(joining, &clashes);
    view_close(&joining->views[0]);
    second->steps = joining->steps;
    second->step_count = joining->step_count;
    second->done = json_array();
    if (status == OPSHIFT_OK && joining->step_count > 0)
        status = second->done ? rename_edit(second, joining->error) : opshift_no_memory(joining->error);
    json_decref(second->done);
    second->done = NULL;
    if (status == OPSHIFT_OK)
        status = ends_note(joining);
    if (status == OPSHIFT_OK)
        status = edit_settle(second, joining->error);
    const char *count = arena_print(joining->arena, "%" PRIu64, clashes);
    if (status == OPSHIFT_OK && clashes && count)
        status = tell(joining, "prefix", clashes,
                      clashes == 1 ? "%s name of the second model that clashes begins with '%s' now"
                                   : "%s names of the second model that clash begin with '%s' now",
                      count, joining->options->prefix ? joining->options->prefix : PREFIX_DEFAULT);
    return status;
}

/* ---- external data of the second model ---- */

static bool is_same_place(const char *a, const char *b)
{
    struct stat first, second;
    return a && b && stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* From another directory it becomes one file that is written with the joined model. */
static enum opshift_status external_join(struct joining *joining, struct opshift_model *first,
                                         struct opshift_model *second)
{
    struct editing *editing = &joining->sides[1];
    struct external_set set = {0};
    if (!second->has_external || is_same_place(first->directory, second->directory))
        return OPSHIFT_OK;
    const char *slash = strrchr(second->name, '/'), *location;
    location = arena_print(first->arena, "%s.data", slash ? slash + 1 : second->name);
    enum opshift_status status = first->has_external ? external_set_find(first, &set, joining->error) : OPSHIFT_OK;
    for (size_t i = 0; location && i < set.count; i++)
        if (strcmp(set.list[i].location, location) == 0) {
            location = arena_print(first->arena, "b_%s", location);
            i = (size_t)-1;
        }
    external_set_free(&set);
    const struct opshift_edit_step steps[] = {{"external", location}, {"external-from", "4294967295"}};
    editing->steps = steps;
    editing->step_count = COUNT(steps);
    editing->lasting = first->arena;
    editing->done = json_array();
    if (status == OPSHIFT_OK)
        status = location && editing->done ? weights_edit(editing, joining->error) : opshift_no_memory(joining->error);
    json_decref(editing->done);
    editing->done = NULL;
    editing->steps = NULL;
    editing->step_count = 0;
    if (status == OPSHIFT_OK)
        status = edit_settle(editing, joining->error);
    for (uint32_t i = 0; status == OPSHIFT_OK && editing->weights && i < editing->weights->count; i++)
        editing->weights->parts[i].model = second;
    return status ? status
                  : tell(joining, "external", 1, "the second model's external data is in '%s'%s", location, "");
}

/* ---- one model ---- */

static enum opshift_status record_copy(struct joining *joining, struct opshift_model *model, uint64_t record,
                                       uint64_t end, struct buffer *out)
{
    return wire_copy(model->source, record, end, out, joining->error);
}

/* Does a record of the second model's graph, by its name, go: a connected input, or its default? */
static bool goes(const struct joining *joining, const struct opshift_model *model, uint64_t record)
{
    const struct graph *graph = model->main;
    const char *name = NULL;
    for (uint32_t i = 0; i < graph->input_count; i++)
        if (range_record(graph->inputs[i].range) == record)
            name = names_text(model->names, graph->inputs[i].name);
    for (uint32_t i = 0; i < graph->initializer_count; i++)
        if (range_record(graph->initializers[i].range) == record)
            name = names_text(model->names, graph->initializers[i].name);
    for (size_t i = 0; name && i < joining->connection_count; i++)
        if (strcmp(joining->connections[i].out, name) == 0)
            return true;
    return false;
}

/* The fields of the second model's main graph, but for its name and description. */
static enum opshift_status graph_append(struct joining *joining)
{
    struct opshift_model *a = joining->sides[0].model, *b = joining->sides[1].model;
    const struct message *message = b->main->message;
    struct wire_cursor cursor = {b->source, message->offset, message->offset + message->size};
    struct buffer out = {0};
    enum opshift_status status = OPSHIFT_OK;
    bool found = true;
    for (struct wire_field field; status == OPSHIFT_OK && found;) {
        status = wire_next(&cursor, &field, &found, joining->error);
        if (status || !found || field.number == 2 || field.number == 10 || field.type != WIRE_BYTES)
            continue;
        bool named = field.number == GRAPH_INPUT || field.number == GRAPH_INITIALIZER;
        if (!named || !goes(joining, b, field.record))
            status = record_copy(joining, b, field.record, field.offset + field.size, &out);
    }
    if (status == OPSHIFT_OK)
        status = model_edit(a, a->main->message, a->main->message->offset + a->main->message->size, 0,
                            (struct bytes){out.data, out.size}, joining->error);
    buffer_free(&out);
    return status;
}

/* Outputs of the first model that are connected are values inside now. */
static enum opshift_status outputs_hide(struct joining *joining)
{
    struct opshift_model *a = joining->sides[0].model;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < joining->connection_count; i++) {
        const struct value_info *output =
            info_find(a, a->main->outputs, a->main->output_count, joining->connections[i].out);
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || strcmp(joining->connections[k].out, joining->connections[i].out) == 0;
        if (output == NULL || again)
            continue;
        struct buffer body = {0}, record = {0};
        bool declared = info_find(a, a->main->values, a->main->value_count, joining->connections[i].out) ||
                        info_find(a, a->main->inputs, a->main->input_count, joining->connections[i].out);
        status = record_copy(joining, a, range_offset(output->range), range_end(output->range), &body);
        if (status == OPSHIFT_OK && !declared)
            wire_add_bytes(&record, GRAPH_VALUE_INFO, body.data, body.size);
        if (status == OPSHIFT_OK)
            status = record.failed
                         ? opshift_no_memory(joining->error)
                         : model_edit(a, a->main->message, range_record(output->range), range_length(output->range),
                                      (struct bytes){record.data, record.size}, joining->error);
        buffer_free(&body);
        buffer_free(&record);
    }
    return status;
}

struct entry_list {
    Onnx__StringStringEntryProto **items;
    uint32_t count, room;
};

static enum opshift_status metadata_read(struct joining *joining, unsigned side, struct entry_list *list)
{
    struct opshift_model *model = joining->sides[side].model;
    struct wire_cursor cursor = {model->source, 0, source_size(model->source)};
    enum opshift_status status = OPSHIFT_OK;
    bool found = true;
    for (struct wire_field field; status == OPSHIFT_OK && found;) {
        status = wire_next(&cursor, &field, &found, joining->error);
        if (status || !found || field.number != MODEL_METADATA || field.type != WIRE_BYTES)
            continue;
        if (!arena_list_grow(joining->arena, &list->items, list->count, &list->room,
                             sizeof(Onnx__StringStringEntryProto *)))
            return opshift_no_memory(joining->error);
        status = range_decode(model, range_make(field.record, field.offset, field.size),
                              &onnx__string_string_entry_proto__descriptor, joining->arena, &list->items[list->count++],
                              joining->error);
    }
    return status;
}

/* Entries that the first model does not have; one of the same key and another value gets a prefix. */
static enum opshift_status metadata_join(struct joining *joining, struct buffer *out)
{
    struct entry_list lists[2] = {{0}, {0}};
    const char *prefix = joining->options->prefix ? joining->options->prefix : PREFIX_DEFAULT;
    enum opshift_status status = metadata_read(joining, 0, &lists[0]);
    if (status == OPSHIFT_OK)
        status = metadata_read(joining, 1, &lists[1]);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < lists[1].count; i++) {
        Onnx__StringStringEntryProto *entry = lists[1].items[i];
        bool same = false, clash = false;
        for (uint32_t k = 0; k < lists[0].count; k++)
            if (bytes_same(bytes_of(lists[0].items[k]->key), bytes_of(entry->key))) {
                clash = true;
                same = same || bytes_same(bytes_of(lists[0].items[k]->value), bytes_of(entry->value));
            }
        const char *key =
            clash ? arena_print(joining->arena, "%s%.*s", prefix, (int)entry->key.len, (const char *)entry->key.data)
                  : "";
        if (key == NULL)
            return opshift_no_memory(joining->error);
        entry->key = clash ? binary_of(key) : entry->key;
        if (!same)
            wire_add_message(out, MODEL_METADATA, &entry->base);
    }
    return status;
}

/* Opset imports, functions and metadata that the first model does not have. */
static enum opshift_status model_append(struct joining *joining)
{
    struct opshift_model *a = joining->sides[0].model, *b = joining->sides[1].model;
    struct buffer out = {0};
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < b->import_count; i++)
        if (import_of(a, names_bytes(b->names, b->imports[i].domain)) == 0)
            status = record_copy(joining, b, range_record(b->imports[i].range), range_end(b->imports[i].range), &out);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < b->function_count; i++)
        if (!joining->functions.data[i])
            status = record_copy(joining, b, message_record(b->functions[i].message),
                                 b->functions[i].message->offset + b->functions[i].message->size, &out);
    if (status == OPSHIFT_OK)
        status = metadata_join(joining, &out);
    if (status == OPSHIFT_OK && b->ir_version > a->ir_version)
        status = ir_version_set(a, b->ir_version, joining->error);
    if (status == OPSHIFT_OK && out.size)
        status = out.failed ? opshift_no_memory(joining->error)
                            : model_edit(a, a->message, a->message->offset + a->message->size, 0,
                                         (struct bytes){out.data, out.size}, joining->error);
    buffer_free(&out);
    return status;
}

/* ---- all of it ---- */

static enum opshift_status joined_report(struct joining *joining, const struct opshift_model *first,
                                         const struct opshift_model *second, struct opshift_report **report)
{
    json_t *ins = json_array(), *outs = json_array();
    for (uint32_t i = 0; i < second->main->input_count; i++)
        json_array_append_new(ins, report_string(joining->ins[i], strlen(joining->ins[i])));
    for (uint32_t i = 0; i < second->main->output_count; i++)
        json_array_append_new(outs, report_string(joining->outs[i], strlen(joining->outs[i])));
    json_t *root =
        json_pack("{s:s, s:s, s:o, s:o, s:I, s:I, s:O, s:o, s:o}", "kind", "join", "version", opshift_version(),
                  "model", report_string(first->name, strlen(first->name)), "second",
                  report_string(second->name, strlen(second->name)), "before", (json_int_t)source_size(first->source),
                  "after", (json_int_t)source_size(joining->sides[0].model->source), "edits", joining->done,
                  "second_inputs", ins, "second_outputs", outs);
    *report = root ? report_new(root, edit_text) : NULL;
    return *report ? OPSHIFT_OK : opshift_no_memory(joining->error);
}

static enum opshift_status models_join(struct joining *joining, struct opshift_model *first,
                                       struct opshift_model *second)
{
    enum opshift_status status = opsets_join(joining);
    if (status == OPSHIFT_OK)
        status = connections_find(joining);
    if (status == OPSHIFT_OK)
        status = external_join(joining, first, second);
    if (status == OPSHIFT_OK)
        status = second_rename(joining);
    for (size_t i = 0; status == OPSHIFT_OK && i < joining->connection_count; i++)
        status = tell(joining, "connect", 1, "'%.80s' of the first model is '%.80s' of the second",
                      joining->connections[i].out, joining->connections[i].in);
    if (status == OPSHIFT_OK)
        status = graph_append(joining);
    if (status == OPSHIFT_OK)
        status = outputs_hide(joining);
    if (status == OPSHIFT_OK)
        status = model_append(joining);
    return status ? status : edit_settle(&joining->sides[0], joining->error);
}

static bool has_training(const struct opshift_model *model)
{
    for (uint32_t i = 0; i < model->graph_count; i++)
        if (model->graphs[i]->kind == GRAPH_TRAINING)
            return true;
    return false;
}

enum opshift_status opshift_join(struct opshift_model *first, struct opshift_model *second,
                                 const struct opshift_join_options *options, struct opshift_report **report,
                                 struct opshift_error *error)
{
    struct opshift_join_options full;
    struct opshift_model *models[2] = {first, second};
    struct opshift_error own = {0};
    error = error ? error : &own;
    if (report)
        *report = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status)
        return status;
    struct joining joining = {.options = &full, .error = error, .arena = arena_new(0), .done = json_array()};
    status = joining.arena && joining.done ? OPSHIFT_OK : opshift_no_memory(error);
    for (unsigned i = 0; status == OPSHIFT_OK && i < 2; i++) {
        model_edits_clear(models[i]);
        joining.sides[i].arena = joining.sides[i].lasting = joining.arena;
        if (models[i]->broken)
            status = opshift_within(error, error_give(error, models[i]->broken->status, models[i]->broken), "%.256s",
                                    models[i]->name);
        else if (has_training(models[i]))
            status = opshift_fail(error, OPSHIFT_UNSUPPORTED, "%.256s: has graphs for training, which are not joined",
                                  models[i]->name);
        if (status == OPSHIFT_OK)
            status = model_preview(models[i], joining.arena, &joining.sides[i].model, error);
    }
    if (status == OPSHIFT_OK)
        status = models_join(&joining, first, second);
    if (status == OPSHIFT_OK)
        status = model_adopt(first, joining.sides[0].model, error);
    first->weights = joining.sides[1].weights;
    first->moves_external = first->has_external || first->weights;
    if (status == OPSHIFT_OK && report)
        status = joined_report(&joining, first, second, report);
    for (unsigned i = 0; i < 2; i++)
        opshift_model_free(joining.sides[i].model);
    json_decref(joining.done);
    buffer_free(&joining.functions);
    arena_free(joining.arena);
    if (status)
        model_edits_clear(first);
    return status;
}
