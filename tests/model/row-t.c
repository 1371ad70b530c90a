/* Nodes and value infos in long rows, as most models have them: read in one go, and the same as one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "model/model.h"
#include "model/text.h"
#include "tests/tap/tap.h"

enum { NODES = 4000, WIDE = 200, WIDE_INPUTS = 300 };

/* What each node reads: its line without what it gives. A kind for each index: most are plain, a domain and a node
 * with very many inputs end a row, and some read a name twice, or none. */
static void reads_print(struct buffer *line, int index)
{
    if (index == WIDE) {
        for (int i = 0; i < WIDE_INPUTS; i++)
            buffer_print(line, "%sv%d", i ? ", " : "", i % WIDE);
        return;
    }
    static const char *const kinds[] = {"v%d", "v%d", "v%d, w%d", "v%d, v%d", "v%d, \"\", x"};
    buffer_print(line, kinds[index % 5], index - 1, index - 1);
}

static const char *const op_types[] = {"Relu", "Split", "Concat", "Mul", "my.F"};

static void node_print(struct buffer *text, int index)
{
    buffer_print(text, "v%d", index);
    if (index % 5 == 1)
        buffer_print(text, ", w%d", index);
    buffer_print(text, " = %s(", index == WIDE ? "Max" : op_types[index % 5]);
    reads_print(text, index);
    buffer_add_text(text, ")\n");
}

static char *model_make(size_t *size)
{
    struct opshift_error error = {0};
    struct buffer text = {0};
    char *bytes = NULL;
    buffer_add_text(
        &text, "<ir_version: 8, opset_import: [\"\": 17, \"my\": 1]>\ng (float[2] v0, float x) => (float[2] v3999)\n<");
    for (int i = 1; i < NODES - 1; i++)
        buffer_print(&text, "%s%s v%d", i > 1 ? ", " : "", i % 7 ? "float[2]" : "int64[N, 3]", i);
    buffer_add_text(&text, ">\n{\n");
    for (int i = 1; i < NODES; i++)
        node_print(&text, i);
    buffer_add_text(&text, "}\n");
    char *source = buffer_take(&text);
    if (opshift_text_to_model(source, strlen(source), "rows", &bytes, size, &error))
        diag("%s", error.text);
    free(source);
    return bytes;
}

/* "name, name" as the index has a node's inputs. */
static char *reads_text(const struct opshift_model *model, const struct node *node)
{
    struct buffer text = {0};
    for (uint32_t i = 0; i < node->input_count; i++) {
        name_id name = node_inputs(node)[i];
        buffer_print(&text, "%s%s", i ? ", " : "", name == NAME_NONE ? "\"\"" : names_text(model->names, name));
    }
    return buffer_take(&text);
}

static bool node_is_right(const struct opshift_model *model, int index)
{
    const struct node *node = &model->main->nodes[index - 1];
    struct buffer wanted = {0};
    char gives[16];
    reads_print(&wanted, index);
    snprintf(gives, sizeof gives, "v%d", index);
    char *right = buffer_take(&wanted), *read = reads_text(model, node);
    const char *op_type = index == WIDE ? "Max" : index % 5 == 4 ? "F" : op_types[index % 5];
    bool same = strcmp(right, read) == 0 && strcmp(names_text(model->names, node->op_type), op_type) == 0 &&
                node->output_count == (index % 5 == 1 ? 2 : 1) &&
                strcmp(names_text(model->names, node_outputs(node)[0]), gives) == 0 &&
                (node_domain(node) != NAME_NONE) == (index % 5 == 4) &&
                (index == 1 || range_record(node->range) == range_end(node[-1].range));
    if (!same)
        diag("node %d: '%s' instead of '%s'", index, read, right);
    free(right);
    free(read);
    return same;
}

static bool value_is_right(struct opshift_model *model, int index)
{
    const struct value_info *value = &model->main->values[index - 1];
    struct opshift_error error = {0};
    struct value_type type;
    char name[16];
    snprintf(name, sizeof name, "v%d", index);
    return value_info_type(model, value, model->arena, &type, &error) == OPSHIFT_OK &&
           strcmp(names_text(model->names, value->name), name) == 0 &&
           type.type == (index % 7 ? OPSHIFT_TYPE_FLOAT : OPSHIFT_TYPE_INT64) && type.rank == (index % 7 ? 1 : 2);
}

static void check_index(struct opshift_model *model, const char *where)
{
    int nodes = 0, values = 0;
    is_int(NODES - 1, model->main->node_count, "%s: all nodes", where);
    is_int(NODES - 2, model->main->value_count, "%s: all value infos", where);
    for (int i = 1; i < NODES; i++)
        nodes += node_is_right(model, i);
    for (int i = 1; i < NODES - 1; i++)
        values += value_is_right(model, i);
    is_int(NODES - 1, nodes, "%s: each node reads and gives what it should, behind the one before", where);
    is_int(NODES - 2, values, "%s: each value info is of its value", where);
}

static void test_memory(const char *bytes, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    if (ok(opshift_model_open_memory(bytes, size, NULL, &model, &error) == OPSHIFT_OK, "rows in memory"))
        check_index(model, "in memory");
    opshift_model_free(model);
}

/* A row ends where the window does. */
static void test_file(const char *bytes, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    FILE *file = fopen("rows.onnx", "wb");
    if (ok(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0 &&
               opshift_model_open("rows.onnx", NULL, &model, &error) == OPSHIFT_OK,
           "rows in a file"))
        check_index(model, "in a file");
    opshift_model_free(model);
    remove("rows.onnx");
}

/* A limit that is reached in a row counts as if there were none. */
static void test_limit(const char *bytes, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_open_options options = {.limits.nodes = NODES - 1};
    struct opshift_model *model;
    is_int(OPSHIFT_OK, opshift_model_open_memory(bytes, size, &options, &model, &error), "as many nodes as allowed");
    opshift_model_free(model);
    for (uint64_t most = NODES - 40; most < NODES - 1; most++) {
        options.limits.nodes = most;
        error = (struct opshift_error){0};
        is_int(OPSHIFT_UNSUPPORTED, opshift_model_open_memory(bytes, size, &options, &model, &error), "more");
        char wanted[160];
        snprintf(wanted, sizeof wanted, "more than %d nodes", (int)most);
        ok(strstr(error.text, wanted) != NULL, "in these words: %s", wanted);
    }
}

int main(void)
{
    size_t size = 0;
    char *bytes = model_make(&size);
    if (!ok(bytes != NULL, "a model with rows"))
        return done();
    test_memory(bytes, size);
    test_file(bytes, size);
    test_limit(bytes, size);
    opshift_text_free(bytes);
    return done();
}
