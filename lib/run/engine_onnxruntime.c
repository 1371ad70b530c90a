/* ONNX Runtime as an engine, where its library is: each run in a process of its own, whose end is a verdict. */
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "model/sidecars.h"
#include "run/ort.h"

#define WHO             "ONNX Runtime"
#define SECONDS_DEFAULT 120u
#define MEMORY_DEFAULT  (UINT64_C(16) << 30)
#define VERSION_MAX     63u

/* It tells by itself, when it loads a model, what it has no kernel for; but which files it may open is ours to say. */
static enum opshift_status check(const struct engine_run *run, struct opshift_error *error)
{
    return sidecars_check(run->model, error);
}

static struct child_limits limits_of(const struct opshift_run_options *options)
{
    return (struct child_limits){.seconds = options->seconds > 0 ? options->seconds : SECONDS_DEFAULT,
                                 .memory = options->memory > 0 ? options->memory : MEMORY_DEFAULT};
}

/* One output; what it says of itself is checked as if a stranger had sent it. */
static enum opshift_status read_output(struct source *answer, uint64_t *at, struct opshift_value **value,
                                       struct opshift_error *error)
{
    static const enum pb_kind kinds[] = {
        [VALUE_TENSOR] = PB_TENSOR, [VALUE_SEQUENCE] = PB_SEQUENCE, [VALUE_NONE] = PB_OPTIONAL};
    uint64_t head[2], size = source_size(answer);
    if (size - *at < sizeof(head))
        return opshift_fail(error, OPSHIFT_MALFORMED, WHO " gave fewer outputs than the model has");
    enum opshift_status status = source_read(answer, *at, head, sizeof(head), error);
    *at += sizeof(head);
    if (status == OPSHIFT_OK && (head[0] < VALUE_TENSOR || head[0] > VALUE_NONE || head[1] > size - *at))
        status = opshift_fail(error, OPSHIFT_MALFORMED, WHO " gave an output that does not read");
    uint8_t *data = status == OPSHIFT_OK ? malloc((size_t)head[1] + 1) : NULL;
    if (status == OPSHIFT_OK && data == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK && head[1] > 0)
        status = source_read(answer, *at, data, (size_t)head[1], error);
    if (status == OPSHIFT_OK)
        status = value_new(value, error);
    if (status == OPSHIFT_OK)
        status = pb_read(data, (size_t)head[1], kinds[head[0]], *value, error);
    *at += status == OPSHIFT_OK ? head[1] : 0;
    free(data);
    return status;
}

static enum opshift_status run_all(const struct engine_run *run, struct opshift_error *error)
{
    struct child_limits limits = limits_of(run->options);
    struct source *answer = NULL;
    uint64_t at = 0;
    enum opshift_status status = child_run(WHO, ort_work, (void *)run, &limits, &answer, &at, error);
    for (uint32_t i = 0; i < run->model->main->output_count && status == OPSHIFT_OK; i++)
        status = read_output(answer, &at, &run->outputs[i], error);
    source_free(answer);
    return status;
}

static enum opshift_status find_version(const struct opshift_run_options *options, char **version,
                                        struct opshift_error *error)
{
    struct child_limits limits = limits_of(options);
    struct source *answer = NULL;
    uint64_t at = 0;
    *version = NULL;
    enum opshift_status status = child_run(WHO, ort_work_version, (void *)options->ort, &limits, &answer, &at, error);
    if (status != OPSHIFT_OK)
        return status;
    uint64_t size = source_size(answer) - at;
    size = size < VERSION_MAX ? size : VERSION_MAX;
    *version = calloc((size_t)size + 1, 1);
    status = *version == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && size > 0)
        status = source_read(answer, at, *version, (size_t)size, error);
    source_free(answer);
    return status;
}

const struct engine engine_onnxruntime = {
    .name = "onnxruntime", .check = check, .run = run_all, .version = find_version};
