/* Edits through the library: names where the textual syntax has none, and steps that do not read. */
#include <stdlib.h>
#include <string.h>

#include "onnx.pb-c.h"
#include "opshift.h"
#include "tests/tap/opened.h"
#include "tests/tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MODEL                                                                                                          \
    "< ir_version: 10, opset_import: [\"\" : 13] >\n"                                                                  \
    "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float s = {1}, float[2] w_new = {1, 2}> "                    \
    "{ [add] y = Add (x, w) }"

static ProtobufCBinaryData text_of(const char *text)
{
    return (ProtobufCBinaryData){strlen(text), (uint8_t *)(uintptr_t)text};
}

static bool is_text(ProtobufCBinaryData seen, const char *wanted)
{
    return seen.len == strlen(wanted) && memcmp(seen.data, wanted, seen.len) == 0;
}

/* The model with names in a quantization annotation, a training binding and a device configuration. */
static uint8_t *model_make(size_t *size)
{
    struct opened opened;
    uint8_t *bytes = NULL;
    *size = 0;
    if (!text_open(MODEL, NULL, &opened))
        return NULL;
    Onnx__ModelProto *model = onnx__model_proto__unpack(NULL, opened.size, (const uint8_t *)(const void *)opened.bytes);
    Onnx__StringStringEntryProto scale = ONNX__STRING_STRING_ENTRY_PROTO__INIT,
                                 binding = ONNX__STRING_STRING_ENTRY_PROTO__INIT, *scales = &scale,
                                 *bindings = &binding;
    Onnx__TensorAnnotation annotation = ONNX__TENSOR_ANNOTATION__INIT, *annotations = &annotation;
    Onnx__TrainingInfoProto training = ONNX__TRAINING_INFO_PROTO__INIT, *trainings = &training;
    Onnx__ShardingSpecProto sharding = ONNX__SHARDING_SPEC_PROTO__INIT, *shardings = &sharding;
    Onnx__NodeDeviceConfigurationProto device = ONNX__NODE_DEVICE_CONFIGURATION_PROTO__INIT, *devices = &device;
    if (ok(model != NULL, "the model unpacks")) {
        scale.has_key = scale.has_value = binding.has_key = binding.has_value = 1;
        scale.key = text_of("SCALE_TENSOR");
        scale.value = text_of("s");
        binding.key = text_of("w");
        binding.value = text_of("w_new");
        annotation.has_tensor_name = sharding.has_tensor_name = 1;
        annotation.tensor_name = text_of("w");
        annotation.n_quant_parameter_tensor_names = 1;
        annotation.quant_parameter_tensor_names = &scales;
        training.n_update_binding = 1;
        training.update_binding = &bindings;
        sharding.tensor_name = text_of("x");
        device.n_sharding_spec = 1;
        device.sharding_spec = &shardings;
        model->graph->n_quantization_annotation = model->n_training_info = 1;
        model->graph->quantization_annotation = &annotations;
        model->training_info = &trainings;
        model->graph->node[0]->n_device_configurations = 1;
        model->graph->node[0]->device_configurations = &devices;
        *size = onnx__model_proto__get_packed_size(model);
        bytes = malloc(*size);
        if (bytes)
            onnx__model_proto__pack(model, bytes);
        model->graph->n_quantization_annotation = model->n_training_info = 0;
        model->graph->node[0]->n_device_configurations = 0;
        model->graph->quantization_annotation = NULL;
        model->training_info = NULL;
        model->graph->node[0]->device_configurations = NULL;
        onnx__model_proto__free_unpacked(model, NULL);
    }
    text_close(&opened);
    return bytes;
}

/* The bytes of the edited model. */
static uint8_t *edited(const uint8_t *bytes, size_t size, const struct opshift_edit_step *steps, size_t count,
                       size_t *made_size)
{
    struct opshift_edit_options options = {.size = sizeof(options), .steps = steps, .step_count = count};
    struct opshift_model *model = NULL;
    struct opshift_pieces *pieces = NULL;
    struct opshift_error error = {0};
    uint8_t *made = NULL;
    *made_size = 0;
    enum opshift_status status = opshift_model_open_memory(bytes, size, NULL, &model, &error);
    if (status == OPSHIFT_OK)
        status = opshift_edit(model, &options, NULL, &error);
    if (status == OPSHIFT_OK)
        status = opshift_output_pieces(model, &pieces, &error);
    is_string("", error.text, "edited");
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_pieces_count(pieces); i++) {
        const struct opshift_piece *piece = opshift_pieces_at(pieces, i);
        uint8_t *grown = realloc(made, *made_size + piece->size);
        if (grown == NULL)
            break;
        made = grown;
        memcpy(made + *made_size, piece->bytes ? piece->bytes : bytes + piece->offset, piece->size);
        *made_size += piece->size;
    }
    opshift_pieces_free(pieces);
    opshift_model_free(model);
    return made;
}

static void check_names(void)
{
    static const struct opshift_edit_step
        there[] = {{"rename", "w=weight"}, {"rename", "s=scale"}, {"rename", "x=input"}, {"rename", "w_new=next"}},
        back[] = {{"rename", "weight=w"}, {"rename", "scale=s"}, {"rename", "input=x"}, {"rename", "next=w_new"}};
    size_t size, made_size, again_size;
    uint8_t *bytes = model_make(&size);
    uint8_t *made = bytes ? edited(bytes, size, there, COUNT(there), &made_size) : NULL;
    Onnx__ModelProto *model = made ? onnx__model_proto__unpack(NULL, made_size, made) : NULL;
    if (ok(model != NULL, "the edited model unpacks")) {
        const Onnx__TensorAnnotation *annotation = model->graph->quantization_annotation[0];
        const Onnx__StringStringEntryProto *binding = model->training_info[0]->update_binding[0];
        ok(is_text(annotation->tensor_name, "weight"), "a quantization annotation's tensor");
        ok(is_text(annotation->quant_parameter_tensor_names[0]->key, "SCALE_TENSOR") &&
               is_text(annotation->quant_parameter_tensor_names[0]->value, "scale"),
           "its parameters, but not what they are for");
        ok(is_text(binding->key, "weight") && is_text(binding->value, "next"), "both sides of a training binding");
        ok(is_text(model->graph->node[0]->device_configurations[0]->sharding_spec[0]->tensor_name, "input"),
           "a device configuration");
        onnx__model_proto__free_unpacked(model, NULL);
        uint8_t *again = edited(made, made_size, back, COUNT(back), &again_size);
        is_bytes(bytes, size, again, again_size, "there and back: the same bytes");
        free(again);
    }
    free(made);
    free(bytes);
}

static const struct {
    const char *what;
    struct opshift_edit_step step;
    const char *wanted;
} refused[] = {
    {"an unknown edit", {"renam", "x=y"}, "edit: there is no edit 'renam'; there is 'rename'"},
    {"no value", {"rename", NULL}, "edit: 'rename' needs a value"},
    {"no name", {NULL, "x"}, "edit: a step without a name"},
    {"metadata alone", {"rename-metadata", NULL}, "<memory>: edit: 'rename-metadata' is of no use without 'rename'"},
    {"a size alone", {"align", "64"}, "<memory>: edit: 'external-from' and 'align' are of no use without 'external'"},
    {"inputs in another way", {"ir-inputs", "both"}, "<memory>: ir-inputs 'both': must be add or remove"},
};

static void check_refused(void)
{
    size_t size;
    uint8_t *bytes = model_make(&size);
    for (size_t i = 0; bytes && i < COUNT(refused); i++) {
        struct opshift_edit_options options = {.size = sizeof(options), .steps = &refused[i].step, .step_count = 1};
        struct opshift_model *model = NULL;
        struct opshift_report *report = NULL;
        struct opshift_error error = {0};
        if (opshift_model_open_memory(bytes, size, NULL, &model, &error) == OPSHIFT_OK)
            is_int(OPSHIFT_USAGE, opshift_edit(model, &options, &report, &error), "%s", refused[i].what);
        is_string(refused[i].wanted, error.text, "%s: the message", refused[i].what);
        opshift_report_free(report);
        opshift_model_free(model);
    }
    free(bytes);
}

int main(void)
{
    check_names();
    check_refused();
    return done();
}
