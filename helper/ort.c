/* Loads ONNX Runtime, runs a model without optimizations, sends the outputs. */
#include "helper/ort.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "helper/ort_api.h"

/* State of one run. The process ends after it, so nothing is freed. */
struct ort {
    const struct ort_api *api;
    const struct ort_request *request;
    struct ort_memory_info *memory;
    struct ort_allocator *allocator;
    struct ort_session *session;
    struct message_line *line;
    struct opshift_error *error;
};

/* ---- the library ---- */

static enum opshift_status load(const char *path, const struct ort_api_base **base, struct opshift_error *error)
{
    static const char *const names[] = {"libonnxruntime.so.1", "libonnxruntime.so", "libonnxruntime.1.dylib",
                                        "libonnxruntime.dylib"};
    void *library = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (path != NULL && library == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "ONNX Runtime cannot be loaded: %s", dlerror());
    for (size_t i = 0; library == NULL && i < COUNT(names); i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "ONNX Runtime is not here: there is no libonnxruntime.so where libraries are; name the "
                            "file with --ort FILE or in OPSHIFT_ORT");
    void *symbol = dlsym(library, "OrtGetApiBase");
    const struct ort_api_base *(*get_base)(void);
    memcpy(&get_base, &symbol, sizeof(get_base));
    if (symbol == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "%s is a library, but not ONNX Runtime's: it has no OrtGetApiBase",
                            path == NULL ? "libonnxruntime.so" : path);
    *base = get_base();
    if (*base == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "%s is a library that gives no interface; name ONNX Runtime's",
                            path == NULL ? "libonnxruntime.so" : path);
    return OPSHIFT_OK;
}

static enum opshift_status load_api(const char *path, const struct ort_api **api, struct opshift_error *error)
{
    const struct ort_api_base *base = NULL;
    enum opshift_status status = load(path, &base, error);
    if (status != OPSHIFT_OK)
        return status;
    *api = base->get_api(ORT_API_VERSION);
    if (*api == NULL)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "ONNX Runtime %s does not have version %u of its interface; 1.5 or newer is needed",
                            base->get_version(), ORT_API_VERSION);
    return OPSHIFT_OK;
}

/* Does the message mean that this build lacks the operator or the opset? The error code is the one for all failures. */
static bool is_beyond(const char *message)
{
    static const char *const signs[] = {"ValidateOpsetForDomain", "is not a registered function/op",
                                        "Could not find an implementation", "No Op registered for"};
    for (size_t i = 0; i < COUNT(signs); i++)
        if (strstr(message, signs[i]) != NULL)
            return true;
    return false;
}

/* Passes on the first line of an error. */
static enum opshift_status told(const struct ort *ort, const char *doing, ort_result result)
{
    if (result == NULL)
        return OPSHIFT_OK;
    const char *message = ort->api->get_message(result);
    bool beyond = ort->api->get_code(result) == ORT_NOT_IMPLEMENTED || is_beyond(message);
    return opshift_fail(ort->error, beyond ? OPSHIFT_UNSUPPORTED : OPSHIFT_MALFORMED, "ONNX Runtime %s: %.*s", doing,
                        (int)strcspn(message, "\n"), message);
}

/* ---- the model ---- */

/* Disables optimizations: the model is run as it is. */
static ort_result set_options(const struct ort *ort, struct ort_session_options *options)
{
    const struct ort_api *api = ort->api;
    const char *directory = ort->request->directory;
    ort_result result = api->set_optimization(options, ORT_NO_OPTIMIZATION);
    if (result == NULL)
        result = api->set_log_level(options, ORT_LOG_FATAL);
    if (result == NULL)
        result = api->set_threads(options, 1);
    if (result == NULL)
        result = api->set_graph_threads(options, 1);
    if (result == NULL)
        result = api->disable_memory_pattern(options);
    if (result == NULL)
        result = api->disable_arena(options);
    if (result == NULL && directory != NULL)
        result = api->set_option(options, "session.model_external_initializers_file_folder_path", directory);
    return result;
}

static enum opshift_status open_session(struct ort *ort)
{
    struct ort_env *env = NULL;
    struct ort_session_options *options = NULL;
    enum opshift_status status = told(ort, "does not start", ort->api->create_env(ORT_LOG_FATAL, "opshift", &env));
    if (status == OPSHIFT_OK)
        status = told(ort, "does not start", ort->api->create_options(&options));
    if (status == OPSHIFT_OK)
        status = told(ort, "does not take an option", set_options(ort, options));
    if (status == OPSHIFT_OK)
        status = told(ort, "does not load it",
                      ort->api->create_session_from_array(env, ort->request->model, (size_t)ort->request->model_size,
                                                          options, &ort->session));
    free(ort->request->model);
    return status;
}

/* ---- values in ---- */

static enum opshift_status give_texts(struct ort *ort, const struct tensor *tensor, struct ort_value *value)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint64_t i = 0; i < tensor->count && status == OPSHIFT_OK; i++) {
        char *text = strndup((const char *)tensor->strings[i].data, tensor->strings[i].size);
        if (text == NULL)
            return opshift_no_memory(ort->error);
        if (strlen(text) != tensor->strings[i].size)
            status = opshift_fail(ort->error, OPSHIFT_UNSUPPORTED,
                                  "a text with a NUL in it cannot be given to ONNX Runtime");
        else
            status = told(ort, "does not take a text", ort->api->set_text(value, text, (size_t)i));
        free(text);
    }
    return status;
}

static enum opshift_status give_tensor(struct ort *ort, const struct tensor *tensor, struct ort_value **value)
{
    static const uint8_t nothing[16]; /* data of a tensor without elements: never read, never written */
    if (tensor->type == OPSHIFT_TYPE_STRING) {
        enum opshift_status status =
            told(ort, "does not take a tensor",
                 ort->api->create_owned(ort->allocator, tensor->dims, tensor->rank, (int)tensor->type, value));
        return status == OPSHIFT_OK ? give_texts(ort, tensor, *value) : status;
    }
    void *data = tensor->data == NULL ? (void *)nothing : tensor->data;
    return told(ort, "does not take a tensor",
                ort->api->create_tensor(ort->memory, data, (size_t)type_size(tensor->type, tensor->count), tensor->dims,
                                        tensor->rank, (int)tensor->type, value));
}

static enum opshift_status give(struct ort *ort, const struct value *from, struct ort_value **value)
{
    if (from->kind == VALUE_TENSOR)
        return give_tensor(ort, from->tensor, value);
    if (from->kind != VALUE_SEQUENCE || from->sequence->count == 0)
        return opshift_fail(ort->error, OPSHIFT_UNSUPPORTED, "%s cannot be given to ONNX Runtime",
                            from->kind == VALUE_SEQUENCE ? "an empty sequence" : "an optional that holds nothing");
    size_t count = from->sequence->count;
    struct ort_value **items = calloc(count, sizeof(struct ort_value *));
    enum opshift_status status = items == NULL ? opshift_no_memory(ort->error) : OPSHIFT_OK;
    for (size_t i = 0; i < count && status == OPSHIFT_OK; i++)
        status = give(ort, &from->sequence->items[i], &items[i]);
    if (status == OPSHIFT_OK)
        status =
            told(ort, "does not take a sequence",
                 ort->api->create_sequence((const struct ort_value *const *)items, count, ORT_KIND_SEQUENCE, value));
    free(items);
    return status;
}

/* ---- values out ---- */

static enum opshift_status take_texts(struct ort *ort, const struct ort_value *from, struct arena *arena,
                                      struct tensor *tensor)
{
    size_t size = 0;
    enum opshift_status status = told(ort, "does not give a text", ort->api->get_texts_size(from, &size));
    char *texts = arena_alloc(arena, size + 1, 1);
    size_t *starts = arena_alloc(arena, tensor->count + 1, sizeof(*starts));
    if (texts == NULL || starts == NULL)
        return opshift_no_memory(ort->error);
    if (status == OPSHIFT_OK && tensor->count > 0)
        status =
            told(ort, "does not give a text", ort->api->get_texts(from, texts, size, starts, (size_t)tensor->count));
    starts[tensor->count] = size;
    for (uint64_t i = 0; i < tensor->count && status == OPSHIFT_OK; i++)
        tensor->strings[i] = (struct bytes){(const uint8_t *)texts + starts[i], starts[i + 1] - starts[i]};
    return status;
}

static enum opshift_status take_data(struct ort *ort, struct ort_value *from, struct arena *arena,
                                     struct tensor *tensor)
{
    void *data = NULL;
    if (tensor->type == OPSHIFT_TYPE_STRING)
        return take_texts(ort, from, arena, tensor);
    enum opshift_status status = told(ort, "does not give its data", ort->api->get_data(from, &data));
    if (status == OPSHIFT_OK && tensor->count > 0)
        memcpy(tensor->data, data, (size_t)type_size(tensor->type, tensor->count));
    return status;
}

static enum opshift_status take_tensor(struct ort *ort, struct ort_value *from, struct arena *arena,
                                       struct tensor **tensor)
{
    struct ort_tensor_info *info = NULL;
    int64_t dims[TENSOR_RANK_MAX];
    size_t rank = 0;
    int type = 0;
    enum opshift_status status = told(ort, "does not say a shape", ort->api->get_tensor_info(from, &info));
    if (status == OPSHIFT_OK)
        status = told(ort, "does not say a type", ort->api->get_type(info, &type));
    if (status == OPSHIFT_OK)
        status = told(ort, "does not say a shape", ort->api->get_rank(info, &rank));
    if (status == OPSHIFT_OK && (rank > TENSOR_RANK_MAX || type_name((enum opshift_type)type) == NULL))
        status = opshift_fail(ort->error, OPSHIFT_UNSUPPORTED, "an output of element type %d and rank %zu", type, rank);
    if (status == OPSHIFT_OK)
        status = told(ort, "does not say a shape", ort->api->get_dims(info, dims, rank));
    if (status == OPSHIFT_OK)
        status = tensor_new(arena, (enum opshift_type)type, (uint32_t)rank, dims, tensor, ort->error);
    return status == OPSHIFT_OK ? take_data(ort, from, arena, *tensor) : status;
}

static enum opshift_status take_sequence(struct ort *ort, const struct ort_value *from, struct arena *arena,
                                         struct sequence *sequence)
{
    enum opshift_status status =
        told(ort, "does not say how long a sequence is", ort->api->get_item_count(from, &sequence->count));
    struct value *items = status == OPSHIFT_OK ? arena_alloc(arena, sequence->count + 1, sizeof(struct value)) : NULL;
    if (status == OPSHIFT_OK && items == NULL)
        return opshift_no_memory(ort->error);
    for (size_t i = 0; status == OPSHIFT_OK && i < sequence->count; i++) {
        struct ort_value *item = NULL;
        struct tensor *tensor = NULL;
        status = told(ort, "does not give an item", ort->api->get_item(from, (int)i, ort->allocator, &item));
        if (status == OPSHIFT_OK)
            status = take_tensor(ort, item, arena, &tensor);
        items[i] = value_of(tensor);
    }
    sequence->items = items;
    return status;
}

static enum opshift_status take(struct ort *ort, struct ort_value *from, struct arena *arena, struct value *value)
{
    struct tensor *tensor = NULL;
    int kind = 0;
    if (from == NULL) {
        value->kind = VALUE_NONE;
        return OPSHIFT_OK;
    }
    enum opshift_status status = told(ort, "does not say what an output is", ort->api->get_kind(from, &kind));
    if (status == OPSHIFT_OK && kind == ORT_KIND_TENSOR) {
        status = take_tensor(ort, from, arena, &tensor);
        *value = value_of(tensor);
        return status;
    }
    if (status == OPSHIFT_OK && kind != ORT_KIND_SEQUENCE)
        return opshift_fail(ort->error, OPSHIFT_UNSUPPORTED, "it is neither a tensor nor a sequence of tensors");
    struct sequence *sequence = arena_alloc(arena, 1, sizeof(*sequence));
    if (sequence == NULL)
        return opshift_no_memory(ort->error);
    *value = (struct value){.kind = VALUE_SEQUENCE, .sequence = sequence};
    return status == OPSHIFT_OK ? take_sequence(ort, from, arena, sequence) : status;
}

static enum opshift_status send_output(struct ort *ort, const char *name, struct ort_value *from)
{
    struct arena *arena = arena_new(0);
    struct value value = {0};
    enum opshift_status status = arena == NULL ? opshift_no_memory(ort->error) : take(ort, from, arena, &value);
    if (status != OPSHIFT_OK)
        return opshift_within(ort->error, status, "output '%s'", name);
    message_send_number(ort->line, MESSAGE_VALUE);
    message_send_value(ort->line, &value);
    arena_free(arena);
    return status;
}

/* ---- the run ---- */

static enum opshift_status run_session(struct ort *ort)
{
    const struct ort_request *request = ort->request;
    size_t inputs_count = (size_t)request->input_count, outputs_count = (size_t)request->output_count;
    struct ort_value **inputs = calloc(inputs_count + 1, sizeof(*inputs));
    struct ort_value **outputs = calloc(outputs_count + 1, sizeof(*outputs));
    enum opshift_status status = OPSHIFT_OK;
    if (inputs == NULL || outputs == NULL)
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the process ends after the run. */
        return opshift_no_memory(ort->error);
    for (size_t i = 0; i < inputs_count; i++) {
        status = give(ort, &request->values[i], &inputs[i]);
        if (status != OPSHIFT_OK)
            return opshift_within(ort->error, status, "input '%s'", request->inputs[i]);
    }
    status = told(ort, "does not run it",
                  ort->api->run(ort->session, NULL, request->inputs, (const struct ort_value *const *)inputs,
                                inputs_count, request->outputs, outputs_count, outputs));
    for (size_t i = 0; i < outputs_count && status == OPSHIFT_OK; i++)
        status = send_output(ort, request->outputs[i], outputs[i]);
    return status;
}

enum opshift_status ort_run(const struct ort_request *request, struct message_line *line, struct opshift_error *error)
{
    struct ort ort = {.request = request, .line = line, .error = error};
    enum opshift_status status = load_api(request->library, &ort.api, error);
    if (status == OPSHIFT_OK)
        status =
            told(&ort, "has no memory", ort.api->create_memory(ORT_DEVICE_ALLOCATOR, ORT_DEFAULT_MEMORY, &ort.memory));
    if (status == OPSHIFT_OK)
        status = told(&ort, "has no memory", ort.api->get_allocator(&ort.allocator));
    if (status == OPSHIFT_OK)
        status = open_session(&ort);
    return status == OPSHIFT_OK ? run_session(&ort) : status;
}

enum opshift_status ort_version(const struct ort_request *request, struct message_line *line,
                                struct opshift_error *error)
{
    const struct ort_api_base *base = NULL;
    enum opshift_status status = load(request->library, &base, error);
    if (status != OPSHIFT_OK)
        return status;
    message_send_number(line, MESSAGE_TEXT);
    message_send_text(line, base->get_version());
    return OPSHIFT_OK;
}
