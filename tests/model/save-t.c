/* Saving: unchanged parts stay byte for byte, and lengths around an edit are updated. */
#include "model/layout.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap/tap.h"

enum { MODEL_GRAPH = 7, GRAPH_NODE = 1, GRAPH_NAME = 2, NODE_INPUT = 1 };

/* A model of three levels: the ModelProto, its graph, and in that two nodes. */
struct save_sample {
    struct buffer bytes;
    struct opshift_model model;
    struct message root, graph;
    struct graph main;
    struct node nodes[2];
};

static struct opshift_error error;

static struct range range_inside(uint64_t outer, uint64_t offset, uint64_t size)
{
    return range_make(outer + offset - 1 - wire_varint_size(size), outer + offset, size);
}

/* first and second: the nodes' payloads. */
static struct save_sample *sample_new(struct buffer *first, struct buffer *second)
{
    struct save_sample *sample = calloc(1, sizeof(*sample));
    struct buffer graph = {0};
    wire_add_bytes(&graph, GRAPH_NODE, first->data, first->size);
    uint64_t first_end = graph.size;
    wire_add_bytes(&graph, GRAPH_NODE, second->data, second->size);
    uint64_t second_end = graph.size;
    wire_add_bytes(&graph, GRAPH_NAME, "g", 1);
    wire_add_int(&sample->bytes, 1, 8);
    uint64_t record = sample->bytes.size;
    wire_add_bytes(&sample->bytes, MODEL_GRAPH, graph.data, graph.size);
    uint64_t offset = sample->bytes.size - graph.size;

    sample->nodes[0].range = range_inside(offset, first_end - first->size, first->size);
    sample->nodes[1].range = range_inside(offset, second_end - second->size, second->size);
    sample->root = (struct message){.size = sample->bytes.size};
    sample->graph = message_make(&sample->root, record, offset, graph.size);
    struct message **messages = calloc(2, sizeof(*messages)); /* node_message adds the nodes' */
    messages[0] = &sample->graph;                             /* in any order */
    messages[1] = &sample->root;
    sample->main = (struct graph){.message = &sample->graph, .nodes = sample->nodes, .node_count = 2};
    sample->model = (struct opshift_model){.arena = arena_new(0),
                                           .name = "net.onnx",
                                           .message = &sample->root,
                                           .messages = messages,
                                           .message_count = 2,
                                           .message_room = 2,
                                           .main = &sample->main};
    source_open_memory(sample->bytes.data, sample->bytes.size, &sample->model.source, &error);
    buffer_free(&graph);
    buffer_free(first);
    buffer_free(second);
    return sample;
}

static void sample_free(struct save_sample *sample)
{
    source_free(sample->model.source);
    free(sample->model.messages);
    free(sample->model.edits);
    buffer_free(&sample->model.added);
    arena_free(sample->model.arena);
    buffer_free(&sample->bytes);
    free(sample);
}

/* A node's payload: one input of this many letters. */
static struct buffer node_bytes(char letter, size_t count)
{
    struct buffer bytes = {0};
    char name[512];
    memset(name, letter, count);
    wire_add_bytes(&bytes, NODE_INPUT, name, count);
    return bytes;
}

static struct save_sample *sample_small(void)
{
    struct buffer first = node_bytes('a', 3), second = node_bytes('b', 3);
    return sample_new(&first, &second);
}

static void edit(struct save_sample *sample, struct message *parent, uint64_t offset, uint64_t removed,
                 const char *added)
{
    struct bytes bytes = {(const uint8_t *)added, strlen(added)};
    if (model_edit(&sample->model, parent, offset, removed, bytes, &error))
        diag("%s", error.text);
}

/* An edit that removes a whole record of the graph. */
static void remove_record(struct save_sample *sample, struct range range)
{
    edit(sample, &sample->graph, range_record(range), range_length(range), "");
}

static void is_saved(struct save_sample *sample, const void *wanted, size_t size, const char *what)
{
    char *seen = NULL;
    size_t seen_size = 0;
    is_int(OPSHIFT_OK, opshift_model_save(&sample->model, "out.onnx", NULL, &error), "%s: saved", what);
    file_read("out.onnx", 1 << 24, &seen, &seen_size, &error);
    is_bytes(wanted, size, seen, seen_size, "%s", what);
    free(seen);
    unlink("out.onnx");
}

#define IS_SAVED(sample, wanted, what) is_saved(sample, wanted, sizeof(wanted) - 1, what)

#define HEAD "\x08\x08"
#define NODE_A                                                                                                         \
    "\x0a\x05\x0a\x03"                                                                                                 \
    "aaa"
#define NODE_B                                                                                                         \
    "\x0a\x05\x0a\x03"                                                                                                 \
    "bbb"
#define GRAPH_TAIL "\x12\x01g"

static void nothing_edited(void)
{
    struct save_sample *sample = sample_small();
    IS_SAVED(sample, HEAD "\x3a\x11" NODE_A NODE_B GRAPH_TAIL, "no edits: the same bytes");
    remove_record(sample, sample->nodes[0].range);
    model_edits_clear(&sample->model);
    IS_SAVED(sample, HEAD "\x3a\x11" NODE_A NODE_B GRAPH_TAIL, "edits forgotten: the same bytes");
    sample_free(sample);
}

static void places(void)
{
    struct save_sample *sample = sample_small();
    struct node *second = &sample->nodes[1];
    edit(sample, &sample->graph, range_record(second->range), 0, "\x12\x01x");
    edit(sample, &sample->graph, range_record(second->range), 0, "\x12\x01y");
    IS_SAVED(sample, HEAD "\x3a\x17" NODE_A "\x12\x01x\x12\x01y" NODE_B GRAPH_TAIL, "at one place in the order made");

    remove_record(sample, sample->nodes[0].range);
    IS_SAVED(sample,
             HEAD "\x3a\x10"
                  "\x12\x01x\x12\x01y" NODE_B GRAPH_TAIL,
             "saved, edited, saved again");
    sample_free(sample);

    sample = sample_small();
    second = &sample->nodes[1];
    struct message *message = node_message(&sample->model, &sample->main, second);
    ok(message && message == node_message(&sample->model, &sample->main, second), "a node has one message");
    is_int(3, sample->model.message_count, "which joins the list once");
    edit(sample, &sample->graph, range_end(second->range), 0, "\x12\x01x");
    edit(sample, message, range_end(second->range), 0, "\x12\x01y");
    IS_SAVED(sample,
             HEAD "\x3a\x17" NODE_A "\x0a\x08\x0a\x03"
                  "bbb"
                  "\x12\x01y"
                  "\x12\x01x" GRAPH_TAIL,
             "the end of a message comes before what follows it");
    edit(sample, &sample->root, 1, 1, "\x07");
    edit(sample, &sample->root, sample->root.size, 0, "\x10\x01");
    IS_SAVED(sample,
             "\x08\x07"
             "\x3a\x17" NODE_A "\x0a\x08\x0a\x03"
             "bbb"
             "\x12\x01y"
             "\x12\x01x" GRAPH_TAIL "\x10\x01",
             "the model itself");
    sample_free(sample);
}

static void removals(void)
{
    struct save_sample *sample = sample_small();
    struct node *first = &sample->nodes[0];
    struct message *message = node_message(&sample->model, &sample->main, first);
    edit(sample, message, range_offset(first->range), 0, "\x12\x01x");
    edit(sample, message, range_end(first->range), 0, "\x12\x01y");
    remove_record(sample, first->range);
    IS_SAVED(sample, HEAD "\x3a\x0a" NODE_B GRAPH_TAIL, "what is edited and then removed is gone");
    remove_record(sample, first->range);
    IS_SAVED(sample, HEAD "\x3a\x0a" NODE_B GRAPH_TAIL, "what is removed twice is removed once");
    edit(sample, &sample->graph, range_record(first->range), 0, "\x12\x01z");
    IS_SAVED(sample,
             HEAD "\x3a\x0d"
                  "\x12\x01z" NODE_B GRAPH_TAIL,
             "what is put where something was removed stays");
    sample_free(sample);
}

/* A node of 127 bytes gets one more, so that its length, the graph's and the model's take more bytes. */
static void lengths_that_grow(void)
{
    struct buffer first = node_bytes('a', 125), second = node_bytes('b', 3);
    struct save_sample *sample = sample_new(&first, &second);
    struct message *message = node_message(&sample->model, &sample->main, &sample->nodes[0]);
    first = node_bytes('a', 126);
    edit(sample, message, message->offset, message->size, "");
    model_edit(&sample->model, message, message->offset, 0, (struct bytes){first.data, first.size}, &error);

    struct buffer graph = {0}, wanted = {0};
    wire_add_bytes(&graph, GRAPH_NODE, first.data, first.size);
    buffer_add(&graph, NODE_B GRAPH_TAIL, 10);
    wire_add_int(&wanted, 1, 8);
    wire_add_bytes(&wanted, MODEL_GRAPH, graph.data, graph.size);
    is_saved(sample, wanted.data, wanted.size, "a length that takes one byte more");
    buffer_free(&first);
    buffer_free(&graph);
    buffer_free(&wanted);
    sample_free(sample);
}

/* The graph's length 7 is encoded in three bytes: kept while it is right, shortened when it changes. */
static void long_lengths(void)
{
    static const char bytes[] = HEAD "\x3a\x87\x80\x00" NODE_B;
    struct save_sample *sample = sample_small();
    source_free(sample->model.source);
    source_open_memory(bytes, sizeof(bytes) - 1, &sample->model.source, &error);
    sample->root.size = sizeof(bytes) - 1;
    sample->graph = message_make(&sample->root, 2, 6, 7);
    edit(sample, &sample->graph, 6, 7, NODE_A);
    IS_SAVED(sample, HEAD "\x3a\x87\x80\x00" NODE_A, "a length that stays true stays as it was written");
    edit(sample, &sample->graph, 13, 0, GRAPH_TAIL);
    IS_SAVED(sample, HEAD "\x3a\x0a" NODE_A GRAPH_TAIL, "a length that changes is written short");
    sample_free(sample);
}

static void too_large(void)
{
    struct save_sample *sample = sample_small();
    int descriptor = open("large", O_RDWR | O_CREAT, 0666);
    is_int(0, ftruncate(descriptor, INT32_MAX), "a file of all that protobuf takes");
    source_free(sample->model.source);
    is_int(OPSHIFT_OK, source_open_descriptor(descriptor, &sample->model.source, &error), "opened");
    close(descriptor);
    edit(sample, &sample->root, 0, 0, "x");
    is_int(OPSHIFT_UNSUPPORTED, opshift_model_save(&sample->model, "out.onnx", NULL, &error), "may not grow");
    is_string("net.onnx: would grow to 2147483648 bytes, but readers of protobuf take 2147483647 at most; move weights "
              "to external data first",
              error.text, "in words");
    ok(access("out.onnx", F_OK) != 0, "nothing is written");

    model_edits_clear(&sample->model);
    is_int(0, truncate("large", 5), "the input shrinks meanwhile");
    is_int(OPSHIFT_IO, opshift_model_save(&sample->model, "out.onnx", NULL, &error), "saving fails");
    is_string("net.onnx: the file shrank to 5 bytes while it was read (it had 2147483647); try again when no program "
              "writes to it",
              error.text, "in words");
    ok(access("out.onnx", F_OK) != 0, "again nothing is written");

    unlink("large");
    sample_free(sample);
}

static void outputs(void)
{
    struct save_sample *sample = sample_small();
    struct opshift_output *output = NULL;
    is_int(OPSHIFT_IO, opshift_model_write(&sample->model, "none/out.onnx", NULL, &output, &error), "no directory");
    is_string("none/out.onnx: there is no such directory; make it first", error.text, "in words");
    ok(output == NULL, "nothing is given");
    struct opshift_write_options options = {.sync = true};
    is_int(OPSHIFT_OK, opshift_model_write(&sample->model, "out.onnx", &options, &output, &error), "written");
    ok(access("out.onnx", F_OK) != 0, "not yet in its place");
    is_int(OPSHIFT_OK, opshift_output_commit(output, &error), "committed");
    ok(access("out.onnx", F_OK) == 0, "in its place");
    is_int(OPSHIFT_USAGE, opshift_output_commit(output, &error), "committed twice");
    is_string("out.onnx: the output was committed already; commit it once", error.text, "in words");
    opshift_output_free(output);
    opshift_output_free(NULL);
    unlink("out.onnx");
    sample_free(sample);
}

/* A saved model can be read before it is renamed. */
static void written_and_opened(void)
{
    static const char text[] = "<ir_version: 8, opset_import: [\"\": 13]>\n"
                               "g (float[4] x) => (float[2] a, float[2] b) {\n"
                               "  a, b = Split<axis = 0>(x)\n"
                               "}\n";
    struct opshift_model *model = NULL, *written = NULL;
    struct opshift_output *output = NULL;
    char *bytes = NULL;
    size_t size = 0;
    is_int(OPSHIFT_OK, opshift_text_to_model(text, sizeof(text) - 1, "text", &bytes, &size, &error), "a model as text");
    is_int(OPSHIFT_OK, opshift_model_open_memory(bytes, size, NULL, &model, &error), "opened");
    struct node *node = &model->main->nodes[0];
    struct message *message = node_message(model, model->main, node);
    model_edit(model, message, message->offset + message->size, 0, (struct bytes){(const uint8_t *)"\x1a\x01n", 3},
               &error);
    is_int(OPSHIFT_OK, opshift_model_write(model, "out.onnx", NULL, &output, &error), "written");
    is_int(OPSHIFT_OK, opshift_output_open(output, &written, &error), "opened anew");
    is_string("out.onnx", opshift_model_name(written), "it has the name that it will have");
    is_string("n", names_text(written->names, node_name(written, &written->main->nodes[0])), "and the node's new name");
    opshift_model_free(written);
    is_int(OPSHIFT_OK, opshift_output_commit(output, &error), "committed");
    is_int(OPSHIFT_USAGE, opshift_output_open(output, &written, &error), "then it is not the output's any more");
    is_string("out.onnx: the output was committed already; open it before, or open the file", error.text, "in words");
    opshift_output_free(output);
    opshift_model_free(model);
    opshift_text_free(bytes);
    unlink("out.onnx");
}

/* An edit at each of many places: the time must not be quadratic. */
static void many_edits(void)
{
    enum { COUNT_NODES = 100000 };
    struct buffer nodes = {0}, wanted = {0}, empty = {0}, other = {0};
    for (int i = 0; i < COUNT_NODES; i++)
        buffer_add(&nodes, NODE_A, 7);
    struct save_sample *sample = sample_new(&nodes, &empty);
    struct message *message = node_message(&sample->model, &sample->main, &sample->nodes[0]);
    for (int i = COUNT_NODES; i-- > 0;)
        edit(sample, message, message->offset + 7 * (uint64_t)i, i % 2 ? 7 : 0, "\x12\x01y");
    for (int i = 0; i < COUNT_NODES; i++)
        buffer_add(&other, "\x12\x01y" NODE_A, i % 2 ? 3 : 10);
    struct buffer graph = {0};
    wire_add_bytes(&graph, GRAPH_NODE, other.data, other.size);
    wire_add_bytes(&graph, GRAPH_NODE, NULL, 0);
    buffer_add(&graph, GRAPH_TAIL, 3);
    wire_add_int(&wanted, 1, 8);
    wire_add_bytes(&wanted, MODEL_GRAPH, graph.data, graph.size);
    is_saved(sample, wanted.data, wanted.size, "100,000 edits, from the last to the first");
    buffer_free(&graph);
    buffer_free(&wanted);
    buffer_free(&other);
    sample_free(sample);
}

/* A progress callback that cancels after `data` calls. */
static bool count_down(void *data, double progress)
{
    int *left = data;
    if (progress < 0 || progress > 1)
        ok(false, "progress is between 0 and 1, not %g", progress);
    return (*left)-- > 0;
}

/* A caller can cancel a save at each block, and at its end: no file is left. */
static void cancelled(void)
{
    static const char text[] =
        "<ir_version: 8, opset_import: [\"\" : 13]> g (float[6] x) => (float[6] y) { y = Relu (x) }";
    int left = 0;
    char *bytes = NULL;
    size_t size = 0;
    struct opshift_model *model = NULL;
    struct opshift_output *output = NULL;
    struct opshift_write_options options = {.progress = count_down, .progress_data = &left};
    opshift_text_to_model(text, strlen(text), "text", &bytes, &size, &error);
    is_int(OPSHIFT_OK, opshift_model_open_memory(bytes, size, NULL, &model, &error), "a small model");
    is_int(OPSHIFT_OK, opshift_model_write(model, "out.onnx", &options, &output, &error), "written");
    is_int(OPSHIFT_CANCELLED, opshift_output_commit(output, &error), "and not committed");
    is_string("out.onnx: cancelled; nothing is written", error.text, "in words");
    opshift_output_free(output);
    is_int(-1, access("out.onnx", F_OK), "there is no file");
    left = 1;
    is_int(OPSHIFT_OK, opshift_model_save(model, "out.onnx", &options, &error), "where nobody objects it is saved");
    is_int(0, left, "and one block is asked about once");
    opshift_model_free(model);
    opshift_text_free(bytes);
    unlink("out.onnx");

    enum { NODES = 1 << 20 };
    struct buffer nodes = {0}, empty = {0};
    for (int i = 0; i < NODES; i++)
        buffer_add(&nodes, NODE_A, 7);
    struct save_sample *sample = sample_new(&nodes, &empty);
    left = 2;
    is_int(OPSHIFT_CANCELLED, opshift_model_save(&sample->model, "out.onnx", &options, &error),
           "in the middle of a save");
    is_int(-1, access("out.onnx", F_OK), "there is no file either");
    sample_free(sample);
}

int main(void)
{
    char directory[] = "/tmp/opshift-save-XXXXXX";
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        skip_all("no temporary directory");
    nothing_edited();
    places();
    removals();
    lengths_that_grow();
    long_lengths();
    too_large();
    outputs();
    written_and_opened();
    many_edits();
    cancelled();
    return chdir("/") == 0 && rmdir(directory) == 0 ? done() : 1;
}
