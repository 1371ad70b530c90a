/* Tables built in one pass over all uses of names: what is used, and where nodes are out of order. */
#include "check/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/table.h"
#include "base/nearest.h"

/* Limit on comparisons for name suggestions; models with many undefined names get few. */
#define COMPARED_MAX 4000000u
#define NAME_PIECE   65536u /* bytes of a name that are hashed at a time */

struct once_key {
    uint32_t what, where, which; /* what: enum once */
};

struct once_entry {
    struct once_key key;
    uint32_t number; /* of the call that added it */
};

/* A value info of a graph. */
struct named {
    name_id name;
    uint32_t index;
};

struct node_place {
    uint32_t graph, index; /* number of the graph; where the node is in it */
};

struct check_tables {
    uint32_t graph_count;
    uint8_t **nodes, **initializers; /* by graph number: bitmap of used ones */
    uint8_t **further;               /* the same: nodes of which an output other than the first one is used */
    bool *disordered;                /* by graph number */
    uint32_t *lost;                  /* by number of root graph: number of lost names */
    bool undefined, repeated;        /* a name that is read; an output */
    uint32_t *listed;                /* by name_id: the number of the last list with this name */
    uint32_t list;                   /* the number of the list at hand */
    struct named **values;           /* by graph number: value infos by name; NULL: not yet built */
    struct table node_table; /* of named_nodes, by graph and name: the names are read again where they are compared */
    struct node_place *named_nodes;
    uint32_t node_room;
    struct table key_table;
    struct once_entry *keys;
    uint32_t key_room;
    uint32_t compared;
    uint8_t *function_domains; /* by name_id, a bitmap */
    uint32_t name_count;
    name_id **defaults;            /* by function; NULL: not yet built */
    struct function_needs **needs; /* by function; NULL: not yet built */
};

static bool bit_get(const uint8_t *bits, uint32_t index)
{
    return bits && bits[index / 8] >> index % 8 & 1;
}

static void bit_set(uint8_t *bits, uint32_t index)
{
    bits[index / 8] |= (uint8_t)(1u << index % 8);
}

const struct graph *graph_root(const struct graph *graph)
{
    while (graph->parent)
        graph = graph->parent;
    return graph;
}

/* ---- lost names ---- */

void tables_name_lost(struct check_tables *tables, const struct graph *graph)
{
    tables->lost[graph_root(graph)->number]++;
}

bool tables_name_find_lost(struct check_tables *tables, const struct graph *root)
{
    if (tables->lost[root->number] == 0)
        return false;
    tables->lost[root->number]--;
    return true;
}

/* ---- reads ---- */

/* index: the consumer in its graph; the number of nodes for the graph's own outputs. */
static void note_read(struct checking *checking, struct check_tables *tables, struct graph *graph, uint32_t index,
                      name_id name)
{
    struct definition found = scope_find(checking->scopes, graph, name);
    if (found.kind == DEFINED_NOWHERE && name != NAME_NONE)
        tables->undefined = true;
    if (found.kind == DEFINED_INITIALIZER)
        bit_set(tables->initializers[found.graph->number], found.index);
    if (found.kind != DEFINED_NODE)
        return;
    for (; graph != found.graph; graph = graph->parent)
        index = graph->owner;
    bit_set(tables->nodes[found.graph->number], found.index);
    if (found.output > 0)
        bit_set(tables->further[found.graph->number], found.index);
    if (found.index >= index)
        tables->disordered[found.graph->number] = true;
}

static void note_outputs(struct checking *checking, struct check_tables *tables, struct graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].output_count; k++) {
            name_id name = node_outputs(&graph->nodes[i])[k];
            struct definition found = scope_find(checking->scopes, graph, name);
            bool own = found.kind == DEFINED_NODE && found.index == i && found.output == k;
            if (name == NAME_NONE || found.graph != graph || own)
                continue;
            tables->repeated = true;
            tables_name_lost(tables, graph);
        }
}

static void note_reads(struct checking *checking, struct check_tables *tables, struct graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].input_count; k++)
            note_read(checking, tables, graph, i, node_inputs(&graph->nodes[i])[k]);
    for (uint32_t i = 0; i < graph->output_count; i++)
        note_read(checking, tables, graph, graph->node_count, graph->outputs[i].name);
}

static enum opshift_status tables_fill(struct checking *checking, struct check_tables *tables,
                                       struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    tables->graph_count = model->graph_count;
    tables->nodes = calloc(model->graph_count, sizeof(*tables->nodes));
    tables->further = calloc(model->graph_count, sizeof(*tables->further));
    tables->initializers = calloc(model->graph_count, sizeof(*tables->initializers));
    tables->disordered = calloc(model->graph_count, sizeof(*tables->disordered));
    tables->lost = calloc(model->graph_count, sizeof(*tables->lost));
    tables->values = calloc(model->graph_count, sizeof(*tables->values));
    if (tables->nodes == NULL || tables->further == NULL || tables->initializers == NULL ||
        tables->disordered == NULL || tables->lost == NULL || tables->values == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < model->graph_count; i++) {
        tables->nodes[i] = calloc(model->graphs[i]->node_count / 8 + 1, 1);
        tables->further[i] = calloc(model->graphs[i]->node_count / 8 + 1, 1);
        tables->initializers[i] = calloc(model->graphs[i]->initializer_count / 8 + 1, 1);
        if (tables->nodes[i] == NULL || tables->further[i] == NULL || tables->initializers[i] == NULL)
            return opshift_no_memory(error);
    }
    for (uint32_t i = 0; i < model->graph_count; i++) {
        note_reads(checking, tables, model->graphs[i]);
        note_outputs(checking, tables, model->graphs[i]);
    }
    tables->name_count = names_count(model->names);
    tables->function_domains = calloc(tables->name_count / 8 + 1, 1);
    tables->listed = calloc((size_t)tables->name_count + 1, sizeof(*tables->listed));
    tables->defaults = calloc((size_t)model->function_count + 1, sizeof(*tables->defaults));
    tables->needs = calloc((size_t)model->function_count + 1, sizeof(*tables->needs));
    if (tables->function_domains == NULL || tables->listed == NULL || tables->defaults == NULL || tables->needs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < model->function_count; i++)
        bit_set(tables->function_domains, model->functions[i].domain);
    return OPSHIFT_OK;
}

enum opshift_status tables_new(struct checking *checking, struct check_tables **result, struct opshift_error *error)
{
    struct check_tables *tables = calloc(1, sizeof(*tables));
    if (tables == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = tables_fill(checking, tables, error);
    if (status)
        tables_free(tables);
    else
        *result = tables;
    return status;
}

static void bitmaps_free(uint8_t **bitmaps, uint32_t count)
{
    for (uint32_t i = 0; bitmaps != NULL && i < count; i++)
        free(bitmaps[i]);
    free(bitmaps);
}

void tables_free(struct check_tables *tables)
{
    if (tables == NULL)
        return;
    bitmaps_free(tables->nodes, tables->graph_count);
    bitmaps_free(tables->further, tables->graph_count);
    bitmaps_free(tables->initializers, tables->graph_count);
    free(tables->disordered);
    free(tables->lost);
    free(tables->listed);
    free(tables->values);
    table_free(&tables->node_table);
    free(tables->named_nodes);
    table_free(&tables->key_table);
    free(tables->keys);
    free(tables->function_domains);
    free(tables->defaults);
    free(tables->needs);
    free(tables);
}

bool tables_have_undefined(const struct check_tables *tables)
{
    return tables->undefined;
}

bool tables_have_repeated(const struct check_tables *tables)
{
    return tables->repeated;
}

bool graph_is_disordered(const struct check_tables *tables, const struct graph *graph)
{
    return tables->disordered[graph->number];
}

bool node_is_used(const struct check_tables *tables, const struct graph *graph, uint32_t index)
{
    return bit_get(tables->nodes[graph->number], index);
}

bool node_is_used_beyond_first(const struct check_tables *tables, const struct graph *graph, uint32_t index)
{
    return bit_get(tables->further[graph->number], index);
}

bool initializer_is_used(const struct check_tables *tables, const struct graph *graph, uint32_t index)
{
    return bit_get(tables->initializers[graph->number], index);
}

/* ---- value infos ---- */

static int named_order(const void *a, const void *b)
{
    const struct named *one = a, *other = b;
    if (one->name != other->name)
        return one->name < other->name ? -1 : 1;
    return one->index < other->index ? -1 : one->index > other->index;
}

enum opshift_status value_info_first(struct checking *checking, const struct graph *graph, name_id name,
                                     const struct value_info **first, struct opshift_error *error)
{
    struct named **list = &checking->tables->values[graph->number];
    size_t low = 0, high = graph->value_count;
    if (*list == NULL) {
        *list = arena_alloc(checking->arena, high + 1, sizeof(**list));
        if (*list == NULL)
            return opshift_no_memory(error);
        for (uint32_t i = 0; i < graph->value_count; i++)
            (*list)[i] = (struct named){graph->values[i].name, i};
        qsort(*list, high, sizeof(**list), named_order);
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((*list)[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    bool known = low < graph->value_count && (*list)[low].name == name;
    *first = known ? &graph->values[(*list)[low].index] : NULL;
    return OPSHIFT_OK;
}

/* ---- lists of names ---- */

void tables_list_begin(struct check_tables *tables)
{
    tables->list++;
}

bool tables_list_add(struct check_tables *tables, name_id name)
{
    bool first = tables->listed[name] != tables->list;
    tables->listed[name] = tables->list;
    return first;
}

/* ---- functions ---- */

bool domain_has_functions(const struct check_tables *tables, name_id domain)
{
    return domain < tables->name_count && bit_get(tables->function_domains, domain);
}

enum opshift_status function_defaults(struct checking *checking, const struct function *function, const name_id **names,
                                      struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    name_id **defaults = &checking->tables->defaults[function - model->functions];
    *names = *defaults;
    if (*defaults)
        return OPSHIFT_OK;
    name_id *made = arena_alloc(checking->arena, function->default_count, sizeof(*made));
    if (made == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < function->default_count; i++) {
        Onnx__AttributeProto *message;
        enum opshift_status status = range_try_decode(model, function->defaults[i], &onnx__attribute_proto__descriptor,
                                                      checking->scratch, &message, error);
        if (status)
            return status;
        if (message)
            made[i] = names_add(model->names, message->name.data, message->name.len);
        if (made[i] == NAME_NO_MEMORY)
            return opshift_no_memory(error);
    }
    *names = *defaults = made;
    return OPSHIFT_OK;
}

/* ---- parameters that a body requires ---- */

static bool needs_have(const struct function_needs *needs, name_id name)
{
    for (uint32_t i = 0; i < needs->count; i++)
        if (needs->names[i] == name)
            return true;
    return false;
}

static bool is_sorted_name(const name_id *sorted, uint32_t count, name_id name)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sorted[middle] < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sorted[low] == name;
}

/* Records the parameters from which a node takes required attributes; parameters: those without a default, sorted. */
static enum opshift_status note_needs(struct checking *checking, const struct graph *graph, const struct node *node,
                                      const name_id *parameters, struct function_needs *needs,
                                      struct opshift_error *error)
{
    const struct names *names = checking->model->names;
    const char *domain = names_whole(names, node_domain(node)), *op_type = names_whole(names, node->op_type);
    int64_t opset = graph_opset(checking->model, graph, node_domain(node));
    const struct schema *schema = domain && op_type && opset > 0 ? schema_find(domain, op_type, opset) : NULL;
    struct attribute_range *attributes;
    size_t count;
    if (schema == NULL || scope_callee(checking->scopes, node))
        return OPSHIFT_OK;
    enum opshift_status status = node_attributes(checking->model, node, checking->scratch, &attributes, &count, error);
    /* Constant requires one of several attributes. */
    bool is_constant = status == OPSHIFT_OK && count == 1 && *domain == '\0' && strcmp(op_type, "Constant") == 0;
    for (size_t i = 0; status == OPSHIFT_OK && i < count && needs->count < COUNT(needs->names); i++) {
        const char *name = attributes[i].reference == NAME_NONE ? NULL : names_whole(names, attributes[i].name);
        const struct schema_attribute *known = name ? schema_attribute_find(schema, name) : NULL;
        if (known && (known->required || is_constant) && !needs_have(needs, attributes[i].reference) &&
            is_sorted_name(parameters, graph->function->attribute_count, attributes[i].reference))
            needs->names[needs->count++] = attributes[i].reference;
    }
    return status;
}

static enum opshift_status needs_fill(struct checking *checking, const struct function *function,
                                      struct function_needs *needs, struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    size_t size = function->attribute_count * sizeof(name_id);
    name_id *parameters = arena_copy(checking->scratch, function->attributes, size);
    enum opshift_status status = parameters ? OPSHIFT_OK : opshift_no_memory(error);
    if (parameters)
        names_sort(parameters, function->attribute_count);
    for (uint32_t i = function->body->number; status == OPSHIFT_OK && i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        if (graph->function != function)
            break; /* a body is followed by the graphs nested in it */
        for (uint32_t k = 0; status == OPSHIFT_OK && k < graph->node_count; k++)
            status = note_needs(checking, graph, &graph->nodes[k], parameters, needs, error);
    }
    return status;
}

enum opshift_status function_needs_find(struct checking *checking, const struct function *function,
                                        const struct function_needs **needs, struct opshift_error *error)
{
    struct function_needs **known = &checking->tables->needs[function - checking->model->functions];
    *needs = *known;
    if (*known)
        return OPSHIFT_OK;
    struct function_needs *found = arena_alloc(checking->arena, 1, sizeof(*found));
    if (found == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = needs_fill(checking, function, found, error);
    if (status == OPSHIFT_OK)
        *needs = *known = found;
    return status;
}

/* ---- keys that were already checked ---- */

enum opshift_status tables_holder(struct checking *checking, enum once what, uint32_t where, uint32_t which,
                                  uint32_t number, uint32_t *holder, struct opshift_error *error)
{
    struct check_tables *tables = checking->tables;
    struct table *table = &tables->key_table;
    struct once_key key = {(uint32_t)what, where, which};
    if (!table_reserve(table, 1) || !list_grow(&tables->keys, table->count, &tables->key_room, sizeof(*tables->keys)))
        return opshift_no_memory(error);
    uint64_t hash = table_hash(table, &key, sizeof(key));
    *holder = number;
    for (uint32_t at = 0, item; (item = table_next(table, hash, &at)) != TABLE_NONE;)
        if (memcmp(&tables->keys[item].key, &key, sizeof(key)) == 0) {
            *holder = tables->keys[item].number;
            return OPSHIFT_OK;
        }
    tables->keys[table->count] = (struct once_entry){key, number};
    table_put(table, hash, table->count);
    return OPSHIFT_OK;
}

enum opshift_status tables_once(struct checking *checking, enum once what, uint32_t where, uint32_t which, bool *first,
                                struct opshift_error *error)
{
    uint32_t before = checking->tables->key_table.count, holder;
    enum opshift_status status = tables_holder(checking, what, where, which, 0, &holder, error);
    *first = checking->tables->key_table.count > before;
    return status;
}

/* ---- names of nodes ---- */

/* The hash of a graph and a name. */
static enum opshift_status node_hash(struct checking *checking, const struct graph *graph,
                                     const struct wire_field *name, uint64_t *hash, struct opshift_error *error)
{
    const struct table *table = &checking->tables->node_table;
    uint64_t key[2] = {graph->number};
    for (uint64_t at = 0; at < name->size; at += NAME_PIECE) {
        size_t size = name->size - at < NAME_PIECE ? (size_t)(name->size - at) : NAME_PIECE;
        const uint8_t *data;
        enum opshift_status status = source_view(checking->model->source, name->offset + at, size, &data, error);
        if (status)
            return status;
        key[1] = key[1] * 31 + table_hash(table, data, size);
    }
    *hash = table_hash(table, key, sizeof(key));
    return OPSHIFT_OK;
}

enum opshift_status tables_node_add(struct checking *checking, const struct graph *graph, const struct node *node,
                                    const struct wire_field *name, bool *first, struct opshift_error *error)
{
    struct check_tables *tables = checking->tables;
    struct opshift_model *model = checking->model;
    uint64_t hash;
    *first = true;
    if (!table_reserve(&tables->node_table, 1) ||
        !list_grow(&tables->named_nodes, tables->node_table.count, &tables->node_room, sizeof(*tables->named_nodes)))
        return opshift_no_memory(error);
    enum opshift_status status = node_hash(checking, graph, name, &hash, error);
    if (status)
        return status;
    for (uint32_t at = 0, item; *first && (item = table_next(&tables->node_table, hash, &at)) != TABLE_NONE;) {
        const struct node_place *place = &tables->named_nodes[item];
        if (place->graph != graph->number)
            continue;
        name_id other = node_name(model, &graph->nodes[place->index]), own = node_name(model, node);
        if (own == NAME_NO_MEMORY || other == NAME_NO_MEMORY)
            return opshift_no_memory(error);
        *first = own != other;
    }
    if (!*first)
        return OPSHIFT_OK;
    tables->named_nodes[tables->node_table.count] = (struct node_place){graph->number, (uint32_t)(node - graph->nodes)};
    table_put(&tables->node_table, hash, tables->node_table.count);
    return OPSHIFT_OK;
}

/* ---- suggestions ---- */

const char *tables_nearest(struct checking *checking, struct graph *graph, name_id name)
{
    const struct names *names = checking->model->names;
    struct nearest nearest;
    nearest_begin(&nearest, names_text(names, name));
    for (name_id id = 1; id < names_count(names) && checking->tables->compared < COMPARED_MAX; id++) {
        checking->tables->compared++;
        size_t before = nearest.distance;
        const char *best = nearest.best;
        nearest_offer(&nearest, names_text(names, id));
        if (nearest.distance < before && scope_find(checking->scopes, graph, id).kind == DEFINED_NOWHERE) {
            nearest.distance = before;
            nearest.best = best;
        }
    }
    return nearest.best;
}
