/* The location of a finding, for people and for machines. The part of the graph is computed once: a graph can have
 * many findings and subgraphs. */
#include <inttypes.h>
#include <string.h>

#include "base/sha256.h"
#include "base/shown.h"
#include "lint/lint.h"

#define LOCATION_MAX 512u  /* bytes of a graph's path, and of a node's name */
#define HASHED_MAX   1024u /* bytes of a name used for a fingerprint */

struct graph_place {
    const char *location;          /* NULL: not computed yet */
    char hashed[SHA256_TEXT_SIZE]; /* "": not computed yet */
};

struct finding_places {
    struct opshift_model *model;
    struct arena *arena;
    struct graph_place **graphs; /* by number; NULL: no finding is in it */
    struct buffer text;          /* text under construction */
    struct buffer shown;         /* the same escaped */
};

struct finding_places *places_new(struct opshift_model *model, struct arena *arena)
{
    struct finding_places *places = arena_alloc(arena, 1, sizeof(*places));
    if (places == NULL)
        return NULL;
    *places = (struct finding_places){.model = model, .arena = arena};
    places->graphs = arena_alloc(arena, model->graph_count, sizeof(*places->graphs));
    return places->graphs ? places : NULL;
}

void places_free(struct finding_places *places)
{
    if (places == NULL)
        return;
    buffer_free(&places->text);
    buffer_free(&places->shown);
}

static struct graph_place *graph_place(struct finding_places *places, const struct graph *graph)
{
    struct graph_place **place = &places->graphs[graph->number];
    if (*place == NULL)
        *place = arena_alloc(places->arena, 1, sizeof(**place));
    return *place;
}

const char *text_show(struct arena *arena, const char *text)
{
    struct shown shown = {.data = (const uint8_t *)text, .size = strlen(text)};
    size_t room = 0, size;
    while (shown_next(&shown, &size) != NULL)
        room += size;
    char *copy = arena_alloc(arena, room + 1, 1);
    if (copy != NULL)
        shown_copy(copy, room + 1, text, strlen(text));
    return copy;
}

/* Returns the text under construction, escaped, and empties the buffer. */
static const char *text_taken(struct finding_places *places)
{
    struct buffer *shown = &places->shown;
    shown->size = 0;
    shown_add(shown, places->text.data, places->text.size);
    buffer_shorten(shown, 0, 2 * LOCATION_MAX);
    places->text.size = 0;
    return places->text.failed || shown->failed ? NULL : arena_copy(places->arena, shown->data, shown->size);
}

/* ---- for machines ---- */

static const char *graph_location(struct finding_places *places, const struct graph *graph);

/* False: no memory. */
static bool location_add(struct finding_places *places, const struct graph *graph, const struct node *node)
{
    const char *around = graph_location(places, graph);
    name_id id = node ? node_name(places->model, node) : NAME_NONE;
    if (around == NULL || id == NAME_NO_MEMORY)
        return false;
    const char *name = names_text(places->model->names, id);
    buffer_add_text(&places->text, around);
    if (node)
        buffer_print(&places->text, "/node[%td]%s", node - graph->nodes, *name ? ":" : "");
    buffer_add_text(&places->text, name);
    buffer_shorten(&places->text, 0, LOCATION_MAX);
    return !places->text.failed;
}

/* Recursion is limited: nesting of messages was checked when the model was opened. */
static const char *graph_location(struct finding_places *places, const struct graph *graph)
{
    struct graph_place *place = graph_place(places, graph);
    struct buffer *text = &places->text;
    if (place == NULL || place->location)
        return place ? place->location : NULL;
    switch (graph->kind) {
    case GRAPH_MAIN:
        return place->location = "graph";
    case GRAPH_TRAINING:
        buffer_print(text, "training[%" PRIu32 "]", graph->number);
        break;
    case GRAPH_FUNCTION:
        buffer_print(text, "function[%td]:", graph->function - places->model->functions);
        buffer_add_text(text, names_text(places->model->names, graph->name));
        break;
    case GRAPH_SUB:
        if (!location_add(places, graph->parent, &graph->parent->nodes[graph->owner]))
            return NULL;
        buffer_add_byte(text, '/');
        buffer_add_text(text, names_text(places->model->names, graph->owner_attribute));
    }
    buffer_shorten(text, 0, LOCATION_MAX);
    buffer_add_byte(text, 0);
    place->location = text->failed ? NULL : arena_copy(places->arena, text->data, text->size);
    text->size = 0;
    return place->location;
}

const char *location_print(struct finding_places *places, const struct graph *graph, const struct node *node)
{
    if (graph == NULL)
        return "model";
    return location_add(places, graph, node) ? text_taken(places) : NULL;
}

/* ---- for people ---- */

const char *place_print(struct finding_places *places, const struct graph *graph, const struct node *node)
{
    struct buffer *text = &places->text;
    const struct names *names = places->model->names;
    if (graph == NULL || (node == NULL && graph->kind == GRAPH_MAIN))
        return "";
    if (node) {
        node_place_add(places->model, graph, node, text);
    } else if (graph->kind == GRAPH_SUB) {
        node_place_add(places->model, graph->parent, &graph->parent->nodes[graph->owner], text);
        buffer_add_text(text, ": ");
        buffer_add_text(text, names_text(names, graph->owner_attribute));
    } else {
        buffer_add_text(text, graph->kind == GRAPH_FUNCTION ? "function '" : "training graph '");
        buffer_add_text(text, names_text(names, graph->name));
        buffer_add_byte(text, '\'');
    }
    buffer_shorten(text, 0, 2 * LOCATION_MAX);
    return text_taken(places);
}

/* ---- for fingerprints ---- */

static void name_hash(struct finding_places *places, struct sha256 *hash, name_id name)
{
    const char *text = name == NAME_NONE ? "" : names_text(places->model->names, name);
    sha256_add(hash, text, strnlen(text, HASHED_MAX));
    sha256_add(hash, "", 1);
}

/* Hashes a node's name, or its operator and first named output: never its index. */
static bool node_hash(struct finding_places *places, struct sha256 *hash, const struct node *node)
{
    name_id name = node_name(places->model, node);
    if (name == NAME_NO_MEMORY)
        return false;
    name_hash(places, hash, name);
    if (*names_text(places->model->names, name))
        return true;
    uint32_t output = 0;
    while (output + 1 < node->output_count && node_outputs(node)[output] == NAME_NONE)
        output++;
    name_hash(places, hash, node->op_type);
    name_hash(places, hash, node->output_count ? node_outputs(node)[output] : NAME_NONE);
    return true;
}

/* The location of a subgraph as a text; NULL: no memory. */
static const char *subgraph_hash(struct finding_places *places, const struct graph *graph)
{
    struct graph_place *place = graph_place(places, graph);
    if (place == NULL || place->hashed[0])
        return place ? place->hashed : NULL;
    struct sha256 hash;
    sha256_start(&hash);
    name_hash(places, &hash, graph->owner_attribute);
    if (!place_hash(places, &hash, graph->parent, &graph->parent->nodes[graph->owner]))
        return NULL;
    sha256_end(&hash, place->hashed);
    return place->hashed;
}

bool place_hash(struct finding_places *places, struct sha256 *hash, const struct graph *graph, const struct node *node)
{
    const char *kind = graph == NULL ? "model" : graph->kind == GRAPH_TRAINING ? "training" : "graph";
    if (node && !node_hash(places, hash, node))
        return false;
    if (graph && graph->kind == GRAPH_SUB) {
        const char *hashed = subgraph_hash(places, graph);
        if (hashed)
            sha256_add(hash, hashed, strlen(hashed) + 1);
        return hashed != NULL;
    }
    if (graph && graph->kind == GRAPH_FUNCTION)
        name_hash(places, hash, graph->name);
    sha256_add(hash, kind, strlen(kind) + 1);
    return true;
}
