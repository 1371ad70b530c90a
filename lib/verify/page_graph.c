/* Draws a few nodes as SVG: inputs at the top, each node below its inputs, outputs at the bottom. */
#include <string.h>

#include "base/shown.h"
#include "base/utf8.h"
#include "verify/certificate.h"

/* Larger pieces are described in words. */
#define ITEMS_MAX   240u
#define LETTER      8 /* pixels */
#define BOX_HEIGHT  30
#define ROW_GAP     44
#define GAP         18
#define SHOWN_MAX   36u /* characters of a name */
#define LINES_MAX   6u  /* attributes of a node */
#define LINE_HEIGHT 16

/* A lane is where a line passes a row on its way down. */
enum item_kind { ITEM_READ, ITEM_NODE, ITEM_MADE, ITEM_LANE };

struct item {
    enum item_kind kind;
    const json_t *node; /* ITEM_NODE */
    const char *name;   /* of other items; of a lane: what passes */
    unsigned row;
    int x, width;
};

struct page_graph {
    struct item items[ITEMS_MAX];
    size_t count;
    unsigned rows;
    int width, tops[ITEMS_MAX + 2], heights[ITEMS_MAX + 2]; /* of rows */
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

/* Does an item read the name, or stand for it at the bottom? */
static bool item_reads(const struct item *item, const char *name)
{
    return item->kind == ITEM_NODE ? holds(json_object_get(item->node, "inputs"), name)
                                   : item->kind == ITEM_MADE && strcmp(item->name, name) == 0;
}

/* The item that a line for this name leaves in the row above: its lane there, or its source. */
static const struct item *line_above(struct page_graph *drawing, const char *name, unsigned row)
{
    for (size_t i = 0; i < drawing->count; i++)
        if (drawing->items[i].kind == ITEM_LANE && drawing->items[i].row + 1 == row &&
            strcmp(drawing->items[i].name, name) == 0)
            return &drawing->items[i];
    return find_source(drawing, name);
}

/* Lanes for a value of an item, in the rows between it and the last item that reads it. */
static void place_lanes_of(struct page_graph *drawing, const struct item *source, const char *name)
{
    unsigned last = source->row;
    for (size_t i = 0; i < drawing->count; i++)
        if (drawing->items[i].row > last && item_reads(&drawing->items[i], name))
            last = drawing->items[i].row;
    for (unsigned row = source->row + 1; row < last; row++) {
        struct item *lane = add_item(drawing, ITEM_LANE, NULL, name);
        if (lane != NULL)
            lane->row = row;
    }
}

static void place_lanes(struct page_graph *drawing)
{
    size_t count = drawing->count, index;
    json_t *output;
    for (size_t i = 0; i < count; i++) {
        struct item *item = &drawing->items[i];
        if (item->kind == ITEM_READ)
            place_lanes_of(drawing, item, item->name);
        else if (item->kind == ITEM_NODE)
            json_array_foreach(json_object_get(item->node, "outputs"), index, output)
                place_lanes_of(drawing, item, string_of(output));
    }
}

static void place_all(struct page_graph *drawing, const json_t *nodes)
{
    size_t index;
    json_t *node;
    json_array_foreach(nodes, index, node) place_node(drawing, node);
    place_outputs(drawing, nodes);
    place_lanes(drawing);
}

/* ---- measures ---- */

static const char *item_text(const struct item *item)
{
    return item->kind == ITEM_NODE ? string_of(json_object_get(item->node, "operator")) : item->name;
}

/* Attributes that are drawn below the operator. */
static size_t item_lines(const struct item *item)
{
    size_t count = item->kind == ITEM_NODE ? json_array_size(json_object_get(item->node, "attributes")) : 0;
    return count < LINES_MAX ? count : LINES_MAX;
}

static const char *item_line(const struct item *item, size_t at)
{
    return string_of(json_array_get(json_object_get(item->node, "attributes"), at));
}

static int text_width(const char *text)
{
    size_t letters = utf8_count(text, strlen(text));
    return (int)(letters < SHOWN_MAX ? letters : SHOWN_MAX) * LETTER + 24;
}

static int item_width(const struct item *item)
{
    if (item->kind == ITEM_LANE)
        return 2;
    int width = text_width(item_text(item));
    for (size_t i = 0; i < item_lines(item); i++)
        width = text_width(item_line(item, i)) > width ? text_width(item_line(item, i)) : width;
    return width;
}

static int item_height(const struct item *item)
{
    return BOX_HEIGHT + (int)item_lines(item) * LINE_HEIGHT;
}

/* Places the items of each row from left to right, then centres all rows. */
static void measure(struct page_graph *drawing)
{
    for (unsigned row = 0; row <= drawing->rows + 1; row++) {
        int x = GAP, height = BOX_HEIGHT;
        for (size_t i = 0; i < drawing->count; i++)
            if (drawing->items[i].row == row) {
                height = item_height(&drawing->items[i]) > height ? item_height(&drawing->items[i]) : height;
                drawing->items[i].x = x;
                drawing->items[i].width = item_width(&drawing->items[i]);
                x += drawing->items[i].width + GAP;
            }
        drawing->width = x > drawing->width ? x : drawing->width;
        drawing->tops[row] = row == 0 ? GAP : drawing->tops[row - 1] + drawing->heights[row - 1] + ROW_GAP;
        drawing->heights[row] = height;
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

/* Adds characters from one on, while they are fewer than `most`. */
static void draw_part(struct buffer *out, const char *name, size_t from, size_t most)
{
    size_t size = strlen(name), at = 0;
    char part[8] = "";
    for (size_t shown = 0; at < size && shown < from + most; shown++) {
        size_t taken = utf8_character((const uint8_t *)name + at, size - at);
        taken = taken == 0 ? 1 : taken;
        memcpy(part, name + at, taken);
        part[taken] = '\0';
        if (shown >= from)
            page_text(out, part);
        at += taken;
    }
}

/* Leaves out the middle of a long name, since ends tell names apart. */
static void draw_name(struct buffer *out, const char *name)
{
    size_t letters = utf8_count(name, strlen(name)), end = SHOWN_MAX * 3 / 5;
    if (letters <= SHOWN_MAX) {
        draw_part(out, name, 0, letters);
        return;
    }
    draw_part(out, name, 0, SHOWN_MAX - 1 - end);
    buffer_add_text(out, "\xe2\x80\xa6");
    draw_part(out, name, letters - end, end);
}

/* From the bottom of one item to the top of another in a later row; past lower boxes of its row it goes straight. */
static void draw_line(struct buffer *out, const struct page_graph *drawing, const struct item *from,
                      const struct item *to)
{
    int x1 = from->x + from->width / 2, top = drawing->tops[from->row];
    int y1 = from->kind == ITEM_LANE ? top : top + item_height(from), y2 = drawing->tops[to->row];
    int x2 = to->x + to->width / 2, end = top + drawing->heights[from->row], middle = (end + y2) / 2;
    buffer_print(out, "<path d=\"M%d %dV%dC%d %d %d %d %d %d\"/>", x1, y1, end, x1, middle, x2, middle, x2, y2);
}

static void draw_lines_to(struct buffer *out, struct page_graph *drawing, const struct item *item, const char *name)
{
    const struct item *above = name[0] == '\0' ? NULL : line_above(drawing, name, item->row);
    if (above != NULL && above != item && above->row < item->row)
        draw_line(out, drawing, above, item);
}

static void draw_lines(struct buffer *out, struct page_graph *drawing)
{
    for (size_t i = 0; i < drawing->count; i++) {
        const struct item *item = &drawing->items[i];
        size_t index;
        json_t *input;
        if (item->kind == ITEM_MADE || item->kind == ITEM_LANE)
            draw_lines_to(out, drawing, item, item->name);
        else if (item->kind == ITEM_NODE)
            json_array_foreach(json_object_get(item->node, "inputs"), index, input)
                draw_lines_to(out, drawing, item, string_of(input));
    }
}

static void draw_item(struct buffer *out, const struct page_graph *drawing, const struct item *item)
{
    int top = drawing->tops[item->row], middle = item->x + item->width / 2;
    if (item->kind == ITEM_LANE)
        return;
    buffer_print(out, "<g class=\"%s\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"/>",
                 item->kind == ITEM_NODE ? "node" : "value", item->x, top, item->width, item_height(item),
                 item->kind == ITEM_NODE ? 5 : BOX_HEIGHT / 2);
    buffer_print(out, "<text x=\"%d\" y=\"%d\">", middle, top + 20);
    draw_name(out, item_text(item));
    buffer_add_text(out, "</text>");
    for (size_t i = 0; i < item_lines(item); i++) {
        buffer_print(out, "<text class=\"small\" x=\"%d\" y=\"%d\">", middle, top + 36 + (int)i * LINE_HEIGHT);
        draw_name(out, item_line(item, i));
        buffer_add_text(out, "</text>");
    }
    buffer_add_text(out, "<title>");
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
    if (drawing.full) {
        buffer_print(out, "<p>%zu nodes: too many to draw.</p>", json_array_size(nodes));
        return;
    }
    measure(&drawing);
    int width = drawing.width, height = drawing.tops[drawing.rows + 1] + drawing.heights[drawing.rows + 1] + GAP;
    buffer_print(out, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"", width, height,
                 width, height);
    page_text(out, title);
    buffer_add_text(out, "\">");
    draw_lines(out, &drawing);
    for (size_t i = 0; i < drawing.count; i++)
        draw_item(out, &drawing, &drawing.items[i]);
    buffer_add_text(out, "</svg>");
}
