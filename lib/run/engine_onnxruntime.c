/* ONNX Runtime as an engine, if its library is installed. Each run uses a helper program, opshift-ort; a crash of
 * the helper is reported as a failure of the run. */
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/program.h"
#include "model/external_set.h"
#include "run/engine.h"
#include "run/ort_message.h"

#define WHO             "ONNX Runtime"
#define HELPER          "opshift-ort"
#define HELPER_VARIABLE "OPSHIFT_ORT_HELPER"
#define SECONDS_DEFAULT 120u
#define MEMORY_DEFAULT  (UINT64_C(16) << 30)
#define SEND_SIZE       ((size_t)64 << 10)

/* One exchange with the helper. */
struct talk {
    struct child_options options;
    struct child *child;
    struct message_line line;
    char *path;
};

/* ONNX Runtime reports missing kernels when it loads a model; this checks only which external files may be opened. */
static enum opshift_status check(const struct engine_run *run, struct opshift_error *error)
{
    return external_set_check(run->model, error);
}

static bool send_to_child(void *data, const void *bytes, size_t size)
{
    return child_send(data, bytes, size);
}

static bool receive_from_child(void *data, void *into, size_t size)
{
    return child_receive(data, into, size);
}

static enum opshift_status start(const struct opshift_run_options *options, struct talk *talk,
                                 struct opshift_error *error)
{
    char *arguments[] = {(char *)HELPER, NULL};
    *talk = (struct talk){.options = {.who = WHO,
                                      .seconds = options->seconds > 0 ? options->seconds : SECONDS_DEFAULT,
                                      .progress = options->progress,
                                      .progress_data = options->progress_data}};
    uint64_t memory = options->memory > 0 ? options->memory : MEMORY_DEFAULT;
    enum opshift_status status = program_find(HELPER, HELPER_VARIABLE, &talk->path, error);
    if (status == OPSHIFT_OK)
        status = child_start(talk->path, arguments, &talk->options, &talk->child, error);
    if (status)
        return status;
    talk->line = (struct message_line){
        .send = send_to_child, .receive = receive_from_child, .data = talk->child, .left = memory};
    message_send_number(&talk->line, talk->options.seconds);
    message_send_number(&talk->line, memory);
    message_send_text(&talk->line, options->ort);
    return OPSHIFT_OK;
}

/* After the request: checks that the helper is opshift-ort of this version. A helper that ended early may have sent
 * the reason. */
static enum opshift_status greet(struct talk *talk, struct opshift_error *error)
{
    talk->line.failed = false;
    uint64_t version = message_receive_number(&talk->line);
    if (talk->line.failed || version == MESSAGE_VERSION)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE, "%s is of another version than this library; install both together",
                        talk->path);
}

/* Receives the last message: the status and its text. */
static enum opshift_status receive_end(struct talk *talk, struct arena *arena, struct opshift_error *error)
{
    const char *text = NULL;
    uint64_t code = message_receive_number(&talk->line);
    enum opshift_status status = message_receive_text(&talk->line, arena, &text, error);
    if (status || text == NULL || code > OPSHIFT_CANCELLED)
        return opshift_fail(error, OPSHIFT_MALFORMED, WHO " gave an answer that does not read");
    return code == OPSHIFT_OK ? OPSHIFT_OK : opshift_fail(error, (enum opshift_status)code, "%s", text);
}

/* Receives the next message, which must have this kind, or else a failure with its text. */
static enum opshift_status expect(struct talk *talk, uint64_t kind, struct arena *arena, struct opshift_error *error)
{
    uint64_t found = message_receive_number(&talk->line);
    if (found == kind && kind != MESSAGE_END)
        return OPSHIFT_OK;
    enum opshift_status status = found == MESSAGE_END
                                     ? receive_end(talk, arena, error)
                                     : opshift_fail(error, OPSHIFT_MALFORMED, WHO " gave an answer that does not read");
    return status || kind == MESSAGE_END
               ? status
               : opshift_fail(error, OPSHIFT_MALFORMED, WHO " gave fewer outputs than the model has");
}

/* Ends the helper. If the exchange was interrupted, the helper's exit status is the failure. */
static enum opshift_status finish(struct talk *talk, enum opshift_status status, struct opshift_error *error)
{
    bool broken = talk->child != NULL && talk->line.failed;
    struct opshift_error end = {0};
    enum opshift_status ended = child_end(talk->child, !broken, &end);
    free(talk->path);
    if (!broken || status == OPSHIFT_MEMORY)
        return status;
    return error_give(error, ended, &end);
}

/* ---- a run ---- */

static enum opshift_status send_model(struct talk *talk, struct opshift_model *model, struct opshift_error *error)
{
    uint64_t size = source_size(model->source);
    uint8_t *piece = malloc(SEND_SIZE);
    enum opshift_status status = piece == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    message_send_number(&talk->line, size);
    for (uint64_t at = 0; at < size && status == OPSHIFT_OK && !talk->line.failed;) {
        size_t part = size - at < SEND_SIZE ? (size_t)(size - at) : SEND_SIZE;
        status = source_read(model->source, at, piece, part, error);
        if (status == OPSHIFT_OK)
            message_send(&talk->line, piece, part);
        at += part;
    }
    free(piece);
    return status;
}

static enum opshift_status send_run(struct talk *talk, const struct engine_run *run, struct opshift_error *error)
{
    const struct opshift_model *model = run->model;
    const struct graph *graph = model->main;
    uint32_t given = 0;
    enum opshift_status status = send_model(talk, run->model, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < graph->input_count; i++)
        given += run->inputs[i].kind != VALUE_ABSENT;
    message_send_text(&talk->line, model->directory);
    message_send_number(&talk->line, given);
    for (uint32_t i = 0; i < graph->input_count; i++) {
        if (run->inputs[i].kind == VALUE_ABSENT)
            continue;
        message_send_text(&talk->line, names_text(model->names, graph->inputs[i].name));
        message_send_value(&talk->line, &run->inputs[i]);
    }
    message_send_number(&talk->line, graph->output_count);
    for (uint32_t i = 0; i < graph->output_count; i++)
        message_send_text(&talk->line, names_text(model->names, graph->outputs[i].name));
    return OPSHIFT_OK;
}

static enum opshift_status receive_output(struct talk *talk, const char *name, struct opshift_value **output,
                                          struct opshift_error *error)
{
    struct value value = {0};
    enum opshift_status status = value_new(output, error);
    if (status == OPSHIFT_OK)
        status = expect(talk, MESSAGE_VALUE, (*output)->arena, error);
    if (status == OPSHIFT_OK) {
        status = message_receive_value(&talk->line, (*output)->arena, &value, error);
        if (status == OPSHIFT_MALFORMED || (status == OPSHIFT_OK && value.kind == VALUE_ABSENT))
            status = opshift_fail(error, OPSHIFT_MALFORMED, WHO " gave an output that does not read");
        else if (status)
            opshift_within(error, status, WHO "'s output '%s'", name);
    }
    return status == OPSHIFT_OK ? value_set(*output, &value, error) : status;
}

static enum opshift_status receive_outputs(struct talk *talk, const struct engine_run *run, struct opshift_error *error)
{
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    for (uint32_t i = 0; i < run->model->main->output_count && status == OPSHIFT_OK; i++)
        status = receive_output(talk, opshift_model_output_name(run->model, i), &run->outputs[i], error);
    if (status == OPSHIFT_OK)
        status = expect(talk, MESSAGE_END, arena, error);
    arena_free(arena);
    return status;
}

static enum opshift_status run_all(const struct engine_run *run, struct opshift_error *error)
{
    struct talk talk;
    enum opshift_status status = start(run->options, &talk, error);
    if (status == OPSHIFT_OK)
        status = send_run(&talk, run, error);
    if (status == OPSHIFT_OK)
        status = greet(&talk, error);
    if (status == OPSHIFT_OK)
        status = receive_outputs(&talk, run, error);
    return finish(&talk, status, error);
}

/* ---- its version ---- */

static enum opshift_status receive_version(struct talk *talk, char **version, struct opshift_error *error)
{
    struct arena *arena = arena_new(0);
    const char *text = NULL;
    enum opshift_status status = arena == NULL ? opshift_no_memory(error) : expect(talk, MESSAGE_TEXT, arena, error);
    if (status == OPSHIFT_OK)
        status = message_receive_text(&talk->line, arena, &text, error);
    if (status == OPSHIFT_OK)
        status = expect(talk, MESSAGE_END, arena, error);
    if (status == OPSHIFT_OK && (*version = strdup(text == NULL ? "" : text)) == NULL)
        status = opshift_no_memory(error);
    arena_free(arena);
    return status;
}

static enum opshift_status find_version(const struct opshift_run_options *options, char **version,
                                        struct opshift_error *error)
{
    struct talk talk;
    *version = NULL;
    enum opshift_status status = start(options, &talk, error);
    if (status == OPSHIFT_OK) {
        message_send_number(&talk.line, 0);
        status = greet(&talk, error);
    }
    if (status == OPSHIFT_OK)
        status = receive_version(&talk, version, error);
    return finish(&talk, status, error);
}

const struct engine engine_onnxruntime = {
    .name = "onnxruntime", .check = check, .run = run_all, .version = find_version};
