/* Proves that an edited model is the first one, or a part of it, but for names, descriptions and where weights are.
 * Values of the second are paired with values of the first: of nodes with the same operator and attributes, paired
 * inputs give paired outputs; a weight has the same bytes; an input stands for the value of its name. */
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "edit/verify_edit.h"
#include "wire/wire.h"

struct same {
    struct opshift_model *models[2];
    struct scopes *scopes[2];
    const struct opshift_edit_options *options;
    struct arena *arena;
    struct arena *scratch; /* of a node */
    name_id *to, *from;    /* by name_id: the name on the other side; NAME_NONE: not seen yet */
    uint32_t *functions;   /* by function of the second model: that of the first */
    struct table renamed;  /* names of the first model, by what the steps make of them */
    const char **texts;    /* by name_id: that */
    const char *why;       /* NULL: no difference so far */
    struct opshift_error *error;
};

static bool differs(struct same *same, const char *why)
{
    if (same->why == NULL)
        same->why = why ? why : "out of memory";
    return false;
}

/* ---- bytes ---- */

/* Do both sources read a range from the same place of one file? */
static bool range_is_shared(const struct source *a, uint64_t offset_a, const struct source *b, uint64_t offset_b,
                            uint64_t size)
{
    const struct source *sources[2] = {a, b}, *bases[2] = {a, b};
    uint64_t offsets[2] = {offset_a, offset_b};
    for (unsigned i = 0; i < 2; i++) {
        size_t count, low = 0;
        struct source *base;
        const struct stretch *list = source_stretches(sources[i], &count, &base);
        if (list == NULL)
            continue;
        while (count > 1) {
            size_t half = count / 2;
            bool behind = list[low + half].start <= offsets[i];
            low = behind ? low + half : low;
            count = behind ? count - half : half;
        }
        if (list[low].data || offsets[i] + size > list[low].start + list[low].size)
            return false;
        bases[i] = base;
        offsets[i] += list[low].offset - list[low].start;
    }
    return bases[0] == bases[1] && offsets[0] == offsets[1];
}

/* The next field but those to skip (bits by number). */
static enum opshift_status field_next(struct wire_cursor *cursor, uint32_t skip, struct wire_field *field, bool *found,
                                      struct opshift_error *error)
{
    enum opshift_status status;
    do
        status = wire_next(cursor, field, found, error);
    while (status == OPSHIFT_OK && *found && field->number < 32 && (skip >> field->number & 1));
    return status;
}

/* Have two messages the same fields, but for those to skip? */
static enum opshift_status fields_compare(struct same *same, struct range a, struct range b, uint32_t skip, bool *equal)
{
    struct source *sources[2] = {same->models[0]->source, same->models[1]->source};
    struct wire_cursor cursors[2] = {{sources[0], range_offset(a), range_end(a)},
                                     {sources[1], range_offset(b), range_end(b)}};
    enum opshift_status status = OPSHIFT_OK;
    *equal = true;
    for (bool found[2] = {true, true}; status == OPSHIFT_OK && *equal && found[0];) {
        struct wire_field fields[2];
        for (unsigned i = 0; status == OPSHIFT_OK && i < 2; i++)
            status = field_next(&cursors[i], skip, &fields[i], &found[i], same->error);
        if (status || (!found[0] && !found[1]))
            break;
        *equal = found[0] == found[1] && fields[0].number == fields[1].number && fields[0].type == fields[1].type &&
                 fields[0].size == fields[1].size && fields[0].value == fields[1].value;
        if (*equal && fields[0].type == WIRE_BYTES)
            status = range_is_shared(sources[0], fields[0].offset, sources[1], fields[1].offset, fields[0].size)
                         ? OPSHIFT_OK
                         : sources_same(sources[0], fields[0].offset, sources[1], fields[1].offset, fields[0].size,
                                        equal, same->error);
    }
    return status;
}

/* ---- names ---- */

static bool is_initializer(const struct same *same, struct graph *graph, name_id name)
{
    return scope_find(same->scopes[0], graph, name).kind == DEFINED_INITIALIZER;
}

/* A name stands for one other, and two for one only where both are weights, which are compared. */
static bool names_pair(struct same *same, struct graph *graphs[2], name_id a, name_id b)
{
    if ((a == NAME_NONE) != (b == NAME_NONE))
        return differs(same, "an input or output is left out on one side");
    if (a == NAME_NONE || same->to[a] == b)
        return true;
    bool clash = same->to[a] != NAME_NONE ||
                 (same->from[b] != NAME_NONE &&
                  !(is_initializer(same, graphs[0], a) && is_initializer(same, graphs[0], same->from[b])));
    if (clash || scope_find(same->scopes[1], graphs[1], b).kind == DEFINED_NOWHERE)
        return differs(same, arena_print(same->arena, "'%.80s' is not one value on both sides",
                                         names_text(same->models[0]->names, a)));
    same->to[a] = b;
    same->from[b] = a;
    return true;
}

/* What the steps make of each name of the first model. */
static bool renamed_read(struct same *same)
{
    const struct names *names = same->models[0]->names;
    same->renamed.arena = same->arena;
    same->texts = arena_alloc(same->arena, names_count(names), sizeof(*same->texts));
    if (same->texts == NULL || !table_reserve(&same->renamed, names_count(names)))
        return false;
    for (name_id i = 1; i < names_count(names); i++) {
        const char *text = same->texts[i] = renamed_by(same->options, same->arena, names_text(names, i));
        if (text == NULL)
            return false;
        table_put(&same->renamed, table_hash(&same->renamed, text, strlen(text)), i);
    }
    return true;
}

/* The name of the first model's value that has this name in the second; it is one of the graph. NAME_NONE: none. */
static name_id renamed_find(const struct same *same, struct graph *graph, const char *text)
{
    uint64_t hash = table_hash(&same->renamed, text, strlen(text));
    for (uint32_t at = 0, item; (item = table_next(&same->renamed, hash, &at)) != TABLE_NONE;)
        if (strcmp(same->texts[item], text) == 0 && scope_find(same->scopes[0], graph, item).kind != DEFINED_NOWHERE)
            return item;
    return NAME_NONE;
}

/* ---- nodes ---- */

static enum opshift_status graphs_compare(struct same *same, struct graph *a, struct graph *b);

static bool operators_equal(const struct same *same, const struct node *a, const struct node *b)
{
    const struct opshift_model *const *models = (const struct opshift_model *const *)same->models;
    const struct function *callees[2] = {scope_callee(same->scopes[0], a), scope_callee(same->scopes[1], b)};
    if (callees[0] && callees[1])
        return callees[0] - models[0]->functions == same->functions[callees[1] - models[1]->functions];
    return !callees[0] && !callees[1] &&
           bytes_same(names_bytes(models[0]->names, a->op_type), names_bytes(models[1]->names, b->op_type)) &&
           bytes_same(names_bytes(models[0]->names, node_domain(a)), names_bytes(models[1]->names, node_domain(b))) &&
           bytes_same(names_bytes(models[0]->names, node_overload(a)), names_bytes(models[1]->names, node_overload(b)));
}

static enum opshift_status attributes_compare(struct same *same, const struct node *a, const struct node *b,
                                              const char *place)
{
    struct attribute_range *lists[2];
    size_t counts[2];
    enum opshift_status status = node_attributes(same->models[0], a, same->scratch, &lists[0], &counts[0], same->error);
    if (status == OPSHIFT_OK)
        status = node_attributes(same->models[1], b, same->scratch, &lists[1], &counts[1], same->error);
    if (status == OPSHIFT_OK && counts[0] != counts[1])
        differs(same, arena_print(same->arena, "%s has other attributes", place));
    for (size_t i = 0; status == OPSHIFT_OK && same->why == NULL && i < counts[0]; i++) {
        bool equal;
        uint32_t graphs = 1u << 6 | 1u << 11; /* compared as graphs */
        status = fields_compare(same, lists[0][i].range, lists[1][i].range,
                                1u << 13 | (attribute_is_graph(lists[0][i].type) ? graphs : 0), &equal);
        if (status == OPSHIFT_OK && !equal)
            differs(same, arena_print(same->arena, "%s: attribute '%.80s' differs", place,
                                      names_text(same->models[0]->names, lists[0][i].name)));
    }
    return status;
}

static enum opshift_status wired_compare(struct same *same, struct graph *graphs[2], const struct node *a,
                                         const struct node *b)
{
    const char *place = node_place(same->models[0], graphs[0], a);
    arena_clear(same->scratch);
    if (!operators_equal(same, a, b) || a->input_count != b->input_count || a->output_count != b->output_count ||
        node_subgraph_count(a) != node_subgraph_count(b)) {
        differs(same, arena_print(same->arena, "%s is another node", place));
        return OPSHIFT_OK;
    }
    for (uint32_t i = 0; same->why == NULL && i < a->input_count; i++)
        names_pair(same, graphs, node_inputs(a)[i], node_inputs(b)[i]);
    for (uint32_t i = 0; same->why == NULL && i < a->output_count; i++)
        names_pair(same, graphs, node_outputs(a)[i], node_outputs(b)[i]);
    enum opshift_status status =
        a->attributes_from == 0 && b->attributes_from == 0 ? OPSHIFT_OK : attributes_compare(same, a, b, place);
    for (uint32_t i = 0; status == OPSHIFT_OK && same->why == NULL && i < node_subgraph_count(a); i++)
        status = graphs_compare(same, node_subgraphs(a)[i], node_subgraphs(b)[i]);
    return status;
}

/* Has the second model's node the outputs that the steps make of the first one's? */
static bool outputs_match(const struct same *same, const struct graph *graph, const struct node *a,
                          const struct node *b)
{
    for (uint32_t i = 0; i < a->output_count && i < b->output_count; i++) {
        const char *text = names_text(same->models[1]->names, node_outputs(b)[i]);
        name_id name = node_outputs(a)[i];
        if (strcmp(graph->function ? names_text(same->models[0]->names, name)
                   : name          ? same->texts[name]
                                   : "",
                   text) != 0)
            return false;
    }
    return true;
}

/* Nodes of the second model are those of the first one, some of which may be missing. */
static enum opshift_status all_nodes_compare(struct same *same, struct graph *graphs[2])
{
    enum opshift_status status = OPSHIFT_OK;
    bool whole = graphs[0]->node_count == graphs[1]->node_count;
    for (uint32_t i = 0, k = 0; status == OPSHIFT_OK && same->why == NULL && k < graphs[1]->node_count; i++, k++) {
        while (!whole && i < graphs[0]->node_count &&
               !outputs_match(same, graphs[0], &graphs[0]->nodes[i], &graphs[1]->nodes[k]))
            i++;
        if (i < graphs[0]->node_count)
            status = wired_compare(same, graphs, &graphs[0]->nodes[i], &graphs[1]->nodes[k]);
        else
            differs(same, arena_print(same->arena, "%s is new",
                                      node_place(same->models[1], graphs[1], &graphs[1]->nodes[k])));
    }
    return status;
}

/* ---- graphs ---- */

/* Are they the same bytes of one file? Those of the file that will be saved are where they are copied from. */
static bool parts_same(const struct same *same, const struct weight_part *a, struct weight_part b, bool *is_new)
{
    const struct weights_file *file = same->models[0]->weights;
    *is_new = file && b.location && strcmp(b.location, file->location) == 0;
    if (*is_new) {
        uint32_t low = 0, high = file->count;
        while (low + 1 < high)
            *(file->parts[(low + high) / 2].at <= b.offset ? &low : &high) = (low + high) / 2;
        if (file->count == 0 || file->parts[low].at != b.offset || file->parts[low].size != b.size)
            return false;
        b = file->parts[low];
    }
    if (a->size == b.size && a->bytes && b.bytes)
        return memcmp(a->bytes, b.bytes, (size_t)a->size) == 0;
    if (a->size != b.size || (a->location != NULL) != (b.location != NULL) || a->bytes || b.bytes)
        return false;
    return a->location ? strcmp(a->location, b.location) == 0 && a->offset == b.offset
                       : range_is_shared(same->models[0]->source, a->offset, same->models[*is_new ? 0 : 1]->source,
                                         b.offset, a->size);
}

/* Reads both, wherever they are. */
static enum opshift_status streams_compare(struct same *same, struct range a, struct range b, enum opshift_type type,
                                           bool *equal)
{
    struct diff diff = {.models = {same->models[0], same->models[1]}};
    const struct range ranges[2] = {a, b};
    struct stream streams[2] = {{.descriptor = -1}, {.descriptor = -1}};
    uint8_t *pieces = malloc(2 * STREAM_PIECE);
    size_t sizes[2] = {1, 1};
    enum opshift_status status = pieces ? OPSHIFT_OK : opshift_no_memory(same->error);
    for (int i = 0; status == OPSHIFT_OK && i < 2; i++) {
        struct record record = {.type = WIRE_BYTES, .offset = range_offset(ranges[i]), .size = range_size(ranges[i])};
        status = stream_open(&diff, i, &record, type, &streams[i], same->error);
    }
    while (status == OPSHIFT_OK && *equal && sizes[0] > 0) {
        for (int i = 0; status == OPSHIFT_OK && i < 2; i++)
            status = stream_read(&streams[i], pieces + i * STREAM_PIECE, &sizes[i], same->error);
        *equal = status || (sizes[0] == sizes[1] && memcmp(pieces, pieces + STREAM_PIECE, sizes[0]) == 0);
    }
    stream_close(&streams[0]);
    stream_close(&streams[1]);
    free(pieces);
    return status;
}

static enum opshift_status weight_compare(struct same *same, const struct initializer *a, const struct initializer *b)
{
    const uint32_t apart = 1u << 8 | 1u << 12 | 1u << 16; /* name, description, metadata */
    struct weight_part parts[2];
    bool equal = a->type == b->type && a->rank == b->rank && a->sparse == b->sparse &&
                 (a->rank == 0 || memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0);
    arena_clear(same->scratch);
    enum opshift_status status = OPSHIFT_OK;
    if (equal)
        status = weight_part_find(same->models[0], a, same->scratch, &parts[0], same->error);
    if (equal && status == OPSHIFT_OK)
        status = weight_part_find(same->models[1], b, same->scratch, &parts[1], same->error);
    bool is_new, is_data = a->type != OPSHIFT_TYPE_STRING && !a->sparse;
    if (equal && status == OPSHIFT_OK && !(parts[0].size && parts_same(same, &parts[0], parts[1], &is_new))) {
        if (parts[0].size && is_new)
            equal = false;
        else
            status = is_data ? streams_compare(same, a->range, b->range, a->type, &equal)
                             : fields_compare(same, a->range, b->range, a->sparse ? 0 : apart, &equal);
    }
    if (status == OPSHIFT_OK && !equal)
        differs(same, arena_print(same->arena, "weight '%.80s' differs", names_text(same->models[0]->names, a->name)));
    return status;
}

static enum opshift_status weights_compare(struct same *same, struct graph *a, struct graph *b)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && same->why == NULL && i < a->initializer_count; i++) {
        name_id name = same->to[a->initializers[i].name];
        struct definition found = scope_find(same->scopes[1], b, name);
        if (name == NAME_NONE || found.kind == DEFINED_INPUT)
            continue; /* nothing reads it, or it is given */
        if (found.kind != DEFINED_INITIALIZER || found.graph != b)
            differs(same, arena_print(same->arena, "weight '%.80s' is missing",
                                      names_text(same->models[0]->names, a->initializers[i].name)));
        else
            status = weight_compare(same, &a->initializers[i], &b->initializers[found.index]);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && same->why == NULL && i < b->initializer_count; i++) {
        name_id name = same->from[b->initializers[i].name];
        if (name != NAME_NONE && scope_find(same->scopes[0], a, name).kind != DEFINED_INITIALIZER)
            differs(same, arena_print(same->arena, "'%.80s' was no weight", names_text(same->models[0]->names, name)));
    }
    return status;
}

/* The inputs and outputs of the main graph stand for the values that have their names. */
static bool ends_compare(struct same *same, struct graph *graphs[2], const struct value_info *ends, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *text = names_text(same->models[1]->names, ends[i].name);
        name_id name = renamed_find(same, graphs[0], text);
        if (name == NAME_NONE)
            return differs(same, arena_print(same->arena, "there is no '%.80s' in the first model", text));
        if (!names_pair(same, graphs, name, ends[i].name))
            return false;
    }
    return true;
}

static bool positions_compare(struct same *same, struct graph *graphs[2], const struct value_info *a, uint32_t count_a,
                              const struct value_info *b, uint32_t count_b)
{
    if (count_a != count_b)
        return differs(same, "a graph has other inputs or outputs");
    for (uint32_t i = 0; i < count_a; i++)
        if (!names_pair(same, graphs, a[i].name, b[i].name))
            return false;
    return true;
}

static bool is_asked(const struct same *same, const char *name)
{
    for (size_t i = 0; i < same->options->step_count; i++)
        if (strcmp(same->options->steps[i].name, name) == 0)
            return true;
    return false;
}

static bool interface_compare(struct same *same, struct graph *graphs[2])
{
    struct graph *a = graphs[0], *b = graphs[1];
    if (a->kind != GRAPH_MAIN)
        return positions_compare(same, graphs, a->inputs, a->input_count, b->inputs, b->input_count) &&
               positions_compare(same, graphs, a->outputs, a->output_count, b->outputs, b->output_count);
    if (!ends_compare(same, graphs, b->inputs, b->input_count) ||
        !ends_compare(same, graphs, b->outputs, b->output_count))
        return false;
    bool whole = !is_asked(same, "extract") && !is_asked(same, "drop-output") && !is_asked(same, "show-output");
    return !whole || positions_compare(same, graphs, a->outputs, a->output_count, b->outputs, b->output_count);
}

static enum opshift_status graphs_compare(struct same *same, struct graph *a, struct graph *b)
{
    struct graph *graphs[2] = {a, b};
    if (!interface_compare(same, graphs))
        return OPSHIFT_OK;
    enum opshift_status status = all_nodes_compare(same, graphs);
    return status == OPSHIFT_OK && same->why == NULL ? weights_compare(same, a, b) : status;
}

static bool names_begin(struct same *same)
{
    same->to = arena_alloc(same->arena, names_count(same->models[0]->names), sizeof(*same->to));
    same->from = arena_alloc(same->arena, names_count(same->models[1]->names), sizeof(*same->from));
    return same->to && same->from;
}

/* Imports of the second are those of the first, some of which may be missing. */
static bool imports_match(const struct same *same, const struct opset_import *a, uint32_t count_a,
                          const struct opset_import *b, uint32_t count_b)
{
    const struct names *names[2] = {same->models[0]->names, same->models[1]->names};
    bool whole = count_a == count_b;
    uint32_t i = 0, k = 0;
    for (; i < count_a && k < count_b; i++)
        if (whole || bytes_same(names_bytes(names[0], a[i].domain), names_bytes(names[1], b[k].domain))) {
            if (a[i].version != b[k].version || (a[i].domain == NAME_NONE) != (b[k].domain == NAME_NONE))
                return false;
            k++;
        }
    return k == count_b;
}

static bool functions_match(struct same *same)
{
    const struct opshift_model *a = same->models[0], *b = same->models[1];
    bool whole = a->function_count == b->function_count;
    uint32_t k = 0;
    for (uint32_t i = 0; i < a->function_count && k < b->function_count; i++) {
        const struct function *one = &a->functions[i], *other = &b->functions[k];
        if (whole || (bytes_same(names_bytes(a->names, one->name), names_bytes(b->names, other->name)) &&
                      bytes_same(names_bytes(a->names, one->domain), names_bytes(b->names, other->domain)) &&
                      bytes_same(names_bytes(a->names, one->overload), names_bytes(b->names, other->overload))))
            same->functions[k++] = i;
    }
    return k == b->function_count;
}

static enum opshift_status all_compare(struct same *same)
{
    struct opshift_model *a = same->models[0], *b = same->models[1];
    same->functions = arena_alloc(same->arena, b->function_count + UINT64_C(1), sizeof(*same->functions));
    if (same->functions == NULL || !renamed_read(same) || !names_begin(same))
        return opshift_no_memory(same->error);
    if (!functions_match(same) || !imports_match(same, a->imports, a->import_count, b->imports, b->import_count))
        differs(same, "there are other functions or opsets");
    enum opshift_status status = same->why ? OPSHIFT_OK : graphs_compare(same, a->main, b->main);
    for (uint32_t i = 0; status == OPSHIFT_OK && same->why == NULL && i < b->function_count; i++) {
        const struct function *one = &a->functions[same->functions[i]], *other = &b->functions[i];
        if (!names_begin(same))
            return opshift_no_memory(same->error);
        if (!imports_match(same, one->imports, one->import_count, other->imports, other->import_count))
            differs(same, "a function has other opsets");
        else
            status = graphs_compare(same, one->body, other->body);
    }
    return status;
}

enum opshift_status models_same(struct opshift_model *before, struct opshift_model *after,
                                const struct opshift_edit_options *options, struct arena *arena, bool *same,
                                const char **why, struct opshift_error *error)
{
    struct same comparison = {.models = {before, after}, .options = options, .arena = arena, .error = error};
    comparison.scratch = arena_new(0);
    enum opshift_status status = comparison.scratch ? OPSHIFT_OK : opshift_no_memory(error);
    for (unsigned i = 0; status == OPSHIFT_OK && i < 2; i++)
        status = scopes_new(comparison.models[i], &comparison.scopes[i], error);
    if (status == OPSHIFT_OK)
        status = all_compare(&comparison);
    *same = status == OPSHIFT_OK && comparison.why == NULL;
    *why = comparison.why;
    for (unsigned i = 0; i < 2; i++)
        scopes_free(comparison.scopes[i]);
    arena_free(comparison.scratch);
    return status;
}
