/* Makes forms.c from the messages' descriptors, at build time, so that no process has to. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/form.h"

#define FRAME_MAX UINT8_MAX

#define FORM(kind, message)                                                                                            \
    [FORM_##kind] = {"FORM_" #kind, "onnx__" #message "__descriptor", &onnx__##message##__descriptor}
static const struct {
    const char *kind, *name;
    const ProtobufCMessageDescriptor *descriptor;
} forms[FORM_COUNT] = {
    FORM(MODEL, model_proto),
    FORM(GRAPH, graph_proto),
    FORM(NODE, node_proto),
    FORM(ATTRIBUTE, attribute_proto),
    FORM(VALUE, value_info_proto),
    FORM(TENSOR, tensor_proto),
    FORM(SPARSE, sparse_tensor_proto),
    FORM(IMPORT, operator_set_id_proto),
    FORM(FUNCTION, function_proto),
    FORM(TRAINING, training_info_proto),
};

struct frames {
    const ProtobufCMessageDescriptor *descriptors[FRAME_MAX];
    struct frame rows[FRAME_MAX];
    unsigned count;
};

static void fail(const char *what)
{
    fprintf(stderr, "generate: %s\n", what);
    exit(1);
}

/* The row of a message's type, which is made with those of all messages below it. */
static unsigned frame_add(struct frames *frames, const ProtobufCMessageDescriptor *descriptor)
{
    for (unsigned i = 0; i < frames->count; i++)
        if (frames->descriptors[i] == descriptor)
            return i;
    if (frames->count == FRAME_MAX)
        fail("there are more messages than a byte counts");
    unsigned made = frames->count++;
    frames->descriptors[made] = descriptor;
    struct frame *frame = &frames->rows[made];
    for (unsigned i = 0; i < descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
        if (field->id >= FRAME_FIELDS || field_says_place(descriptor, field))
            continue;
        if (field->type == PROTOBUF_C_TYPE_MESSAGE)
            frame->below[field->id] = (uint8_t)(frame_add(frames, field->descriptor) + 1);
        else
            frame->plain[field_wire_type(field)] |= UINT32_C(1) << field->id;
        if (field->label == PROTOBUF_C_LABEL_REPEATED && field_wire_type(field) != WIRE_BYTES)
            frame->packed |= UINT32_C(1) << field->id;
    }
    return made;
}

/* What has a scan of its own wherever it stands, and what has one in a graph, a function and the model. */
static bool is_scanned(const ProtobufCMessageDescriptor *around, const void *below)
{
    bool graph = around == &onnx__graph_proto__descriptor || around == &onnx__function_proto__descriptor;
    if (below == &onnx__operator_set_id_proto__descriptor)
        return graph || around == &onnx__model_proto__descriptor;
    if (below == &onnx__value_info_proto__descriptor || below == &onnx__tensor_proto__descriptor ||
        below == &onnx__sparse_tensor_proto__descriptor)
        return graph;
    return below == &onnx__graph_proto__descriptor || below == &onnx__node_proto__descriptor ||
           below == &onnx__attribute_proto__descriptor || below == &onnx__function_proto__descriptor ||
           below == &onnx__training_info_proto__descriptor;
}

static struct form form_make(struct frames *frames, const ProtobufCMessageDescriptor *descriptor)
{
    struct form form = {.frame = (uint8_t)frame_add(frames, descriptor)};
    for (unsigned i = 0; i < descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
        uint64_t bit = field->id < FORM_FIELDS ? UINT64_C(1) << field->id : 0;
        if (field->type != PROTOBUF_C_TYPE_MESSAGE)
            form.plain[field_wire_type(field)] |= bit;
        else
            form.messages |= bit;
        if (field->type == PROTOBUF_C_TYPE_MESSAGE && is_scanned(descriptor, field->descriptor))
            form.scanned |= bit;
    }
    return form;
}

static void forms_print(struct frames *frames)
{
    printf("const struct form scan_forms[FORM_COUNT] = {\n");
    for (unsigned i = 0; i < FORM_COUNT; i++) {
        struct form form = form_make(frames, forms[i].descriptor);
        printf("    [%s] = {&%s, {", forms[i].kind, forms[i].name);
        for (unsigned type = 0; type <= WIRE_FIXED32; type++)
            printf("%s%#" PRIx64, type ? ", " : "", form.plain[type]);
        printf("}, %#" PRIx64 ", %#" PRIx64 ", %u},\n", form.messages, form.scanned, form.frame);
    }
    printf("};\n");
}

static void frames_print(const struct frames *frames)
{
    printf("\nconst struct frame scan_frames[] = {\n");
    for (unsigned i = 0; i < frames->count; i++) {
        printf("    {{");
        for (unsigned type = 0; type <= WIRE_FIXED32; type++)
            printf("%s%#" PRIx32, type ? ", " : "", frames->rows[i].plain[type]);
        printf("}, %#" PRIx32 ", {", frames->rows[i].packed);
        for (unsigned field = 0; field < FRAME_FIELDS; field++)
            printf("%s%u", field ? ", " : "", frames->rows[i].below[field]);
        printf("}}, /* %s */\n", frames->descriptors[i]->name);
    }
    printf("};\n");
}

int main(void)
{
    struct frames frames = {.count = 0};
    printf("/* Made from proto/onnx.proto by generate.c: change those instead. */\n#include \"model/form.h\"\n\n");
    forms_print(&frames);
    frames_print(&frames);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(strerror(errno));
    return 0;
}
