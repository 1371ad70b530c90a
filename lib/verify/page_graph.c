/* Draws a few nodes as SVG: inputs at the top, each node below its inputs, outputs at the bottom. */
#include <string.h>

#include "base/shown.h"
#include "base/utf8.h"
#include "verify/certificate.h"

/* Larger pieces are described in words. */
#define ITEMS_MAX  160u
#define LETTER     8 /* pixels */
#define BOX_HEIGHT 30
#define ROW_HEIGHT 74
#define GAP        18
#define SHOWN_MAX  36u /* characters of a name */

enum item_kind { ITEM_READ, ITEM_NODE, ITEM_MADE };

struct item {
    enum item_kind kind;
    const json_t *node; /* ITEM_NODE */
    const char *name;   /* of other items */
    unsigned row;
    int x, width;
};

struct page_graph {
    struct item items[ITEMS_MAX];
    size_t count;
    unsigned rows;
    int width;
    bool full;
};

void page_text(struct buffer *out, const char *raw)
{
    struct buffer shown = {0};
    shown_add(&shown, raw, strlen(raw));
    buffer_add_byte(&shown, '\0');
    out->failed = out->failed || shown.failed;
    for (const char *text = shown.failed ? "" : (const char *)shown.data; *text != '\0'; text++) {
        static const char special[] = "&<>\"'";
        static const char *const words[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
        const char *found = strchr(special, *text);
        if (found != NULL)
            buffer_add_text(out, words[found - special]);
        else
            buffer_add_byte(out, (uint8_t)*text);
    }
    buffer_free(&shown);
}

static const char *string_of(const json_t *text)
{
    return json_string_value(text) == NULL ? "" : json_string_value(text);
}

static bool holds(const json_t *list, const char *name)
{
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item) if (strcmp(string_of(item), name) == 0) return true;
    return false;
}

/* ---- items ---- */

static struct item *add_item(struct page_graph *drawing, enum item_kind kind, const json_t *node, const char *name)
{
    if (drawing->count == ITEMS_MAX) {
        drawing->full = true;
        return NULL;
    }
    struct item *item = &drawing->items[drawing->count++];
    *item = (struct item){.kind = kind, .node = node, .name = name};
    return item;
}

/* The item that gives a name. NULL: none yet. */
static struct item *find_source(struct page_graph *drawing, const char *name)
{
    for (size_t i = 0; i < drawing->count; i++) {
        struct item *item = &drawing->items[i];
        if (item->kind == ITEM_NODE ? holds(json_object_get(item->node, "outputs"), name)
                                    : item->kind == ITEM_READ && strcmp(item->name, name) == 0)
            return item;
    }
    return NULL;
}

static bool is_read(const json_t *nodes, const char *name)
{
    size_t index;
    json_t *node;
    json_array_foreach(nodes, index, node) if (holds(json_object_get(node, "inputs"), name)) return true;
    return false;
}

/* Places a node below all its inputs; nodes come in topological order. */
static void place_node(struct page_graph *drawing, const json_t *node)
{
    const json_t *inputs = json_object_get(node, "inputs");
    unsigned row = 1;
    size_t index;
    json_t *input;
    json_array_foreach(inputs, index, input)
    {
        const char *name = string_of(input);
        struct item *source = name[0] == '\0' ? NULL : find_source(drawing, name);
        if (name[0] != '\0' && source == NULL)
            source = add_item(drawing, ITEM_READ, NULL, name);
        if (source != NULL && source->row >= row)
            row = source->row + 1;
    }
    struct item *item = add_item(drawing, ITEM_NODE, node, NULL);
    if (item != NULL)
        item->row = row;
    if (row > drawing->rows)
        drawing->rows = row;
}

static void place_outputs(struct page_graph *drawing, const json_t *nodes)
{
    size_t index, place;
    json_t *node, *output;
    json_array_foreach(nodes, index, node) json_array_foreach(json_object_get(node, "outputs"), place, output)
    {
        const char *name = string_of(output);
        struct item *item = name[0] == '\0' || is_read(nodes, name) ? NULL : add_item(drawing, ITEM_MADE, NULL, name);
        if (item != NULL)
            item->row = drawing->rows + 1;
    }
}

static void place_all(struct page_graph *drawing, const json_t *nodes)
{
    size_t index;
    json_t *node;
    json_array_foreach(nodes, index, node) place_node(drawing, node);
    place_outputs(drawing, nodes);
}

/* ---- measures ---- */

static const char *item_text(const struct item *item)
{
    return item->kind == ITEM_NODE ? string_of(json_object_get(item->node, "operator")) : item->name;
}

static int item_width(const struct item *item)
{
    size_t letters = utf8_count(item_text(item), strlen(item_text(item)));
    return (int)(letters < SHOWN_MAX ? letters : SHOWN_MAX) * LETTER + 24;
}

/* Places the items of each row from left to right, then centres all rows. */
static void measure(struct page_graph *drawing)
{
    for (unsigned row = 0; row <= drawing->rows + 1; row++) {
        int x = GAP;
        for (size_t i = 0; i < drawing->count; i++)
            if (drawing->items[i].row == row) {
                drawing->items[i].x = x;
                drawing->items[i].width = item_width(&drawing->items[i]);
                x += drawing->items[i].width + GAP;
            }
        drawing->width = x > drawing->width ? x : drawing->width;
    }
    for (unsigned row = 0; row <= drawing->rows + 1; row++) {
        int end = 0;
        for (size_t i = 0; i < drawing->count; i++)
            if (drawing->items[i].row == row)
                end = drawing->items[i].x + drawing->items[i].width + GAP;
        for (size_t i = 0; i < drawing->count; i++)
            if (drawing->items[i].row == row)
                drawing->items[i].x += (drawing->width - end) / 2;
    }
}

/* ---- drawing ---- */

static int top_of(const struct item *item)
{
    return GAP + (int)item->row * ROW_HEIGHT;
}

/* Shortens a long name with three dots, at a character boundary. */
static void draw_name(struct buffer *out, const char *name)
{
    size_t size = strlen(name), at = 0, most = SHOWN_MAX - (utf8_count(name, size) > SHOWN_MAX);
    char part[8] = "";
    for (size_t shown = 0; at < size && shown < most; shown++) {
        size_t taken = utf8_character((const uint8_t *)name + at, size - at);
        taken = taken == 0 ? 1 : taken;
        memcpy(part, name + at, taken);
        part[taken] = '\0';
        page_text(out, part);
        at += taken;
    }
    if (at < size)
        buffer_add_text(out, "\xe2\x80\xa6");
}

/* A line that crosses rows bends around their items. */
static int bow_of(const struct item *from, const struct item *to)
{
    return to->row > from->row + 1 ? 50 + 8 * (int)(to->row - from->row < 12 ? to->row - from->row : 12) : 0;
}

static void draw_line(struct buffer *out, const struct item *from, const struct item *to)
{
    int x1 = from->x + from->width / 2, y1 = top_of(from) + BOX_HEIGHT;
    int x2 = to->x + to->width / 2, y2 = top_of(to), middle = (y1 + y2) / 2;
    int bow = bow_of(from, to), side = (x1 > x2 ? x1 : x2) + bow;
    if (bow > 0)
        buffer_print(out, "<path d=\"M%d %dC%d %d %d %d %d %d\"/>", x1, y1, side, y1 + ROW_HEIGHT, side,
                     y2 - ROW_HEIGHT, x2, y2);
    else
        buffer_print(out, "<path d=\"M%d %dC%d %d %d %d %d %d\"/>", x1, y1, x1, middle, x2, middle, x2, y2);
}

static void draw_lines(struct buffer *out, struct page_graph *drawing)
{
    for (size_t i = 0; i < drawing->count; i++) {
        const struct item *item = &drawing->items[i];
        size_t index;
        json_t *input;
        if (item->kind == ITEM_MADE) {
            const struct item *source = find_source(drawing, item->name);
            if (source != NULL)
                draw_line(out, source, item);
        }
        if (item->kind != ITEM_NODE)
            continue;
        json_array_foreach(json_object_get(item->node, "inputs"), index, input)
        {
            const struct item *source = string_of(input)[0] == '\0' ? NULL : find_source(drawing, string_of(input));
            if (source != NULL && source != item)
                draw_line(out, source, item);
        }
    }
}

static void draw_item(struct buffer *out, const struct item *item)
{
    int top = top_of(item);
    buffer_print(out, "<g class=\"%s\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"/>",
                 item->kind == ITEM_NODE ? "node" : "value", item->x, top, item->width, BOX_HEIGHT,
                 item->kind == ITEM_NODE ? 5 : BOX_HEIGHT / 2);
    buffer_print(out, "<text x=\"%d\" y=\"%d\">", item->x + item->width / 2, top + 20);
    draw_name(out, item_text(item));
    buffer_add_text(out, "</text><title>");
    page_text(out, item_text(item));
    if (item->kind == ITEM_NODE && string_of(json_object_get(item->node, "name"))[0] != '\0') {
        buffer_add_text(out, ": ");
        page_text(out, string_of(json_object_get(item->node, "name")));
    }
    buffer_add_text(out, "</title></g>");
}

void page_graph(struct buffer *out, const json_t *nodes, const char *title)
{
    struct page_graph drawing = {.count = 0};
    place_all(&drawing, nodes);
    measure(&drawing);
    int width = drawing.width + (drawing.rows > 1 ? 120 : 0); /* room for lines that bend */
    int height = (int)(drawing.rows + 1) * ROW_HEIGHT + BOX_HEIGHT + 2 * GAP;
    if (drawing.full) {
        buffer_print(out, "<p>%zu nodes: too many to draw.</p>", json_array_size(nodes));
        return;
    }
    buffer_print(out, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"", width, height,
                 width, height);
    page_text(out, title);
    buffer_add_text(out, "\">");
    draw_lines(out, &drawing);
    for (size_t i = 0; i < drawing.count; i++)
        draw_item(out, &drawing.items[i]);
    buffer_add_text(out, "</svg>");
}
