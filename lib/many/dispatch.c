/* Works on many models: by worker processes, or in this process; each once, those that may succeed later again, and
 * what a journal has as done not at all. Results are delivered in the order of the list. */
#include "many/outcome.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/option_struct.h"
#include "many/journal.h"
#include "many/model_list.h"
#include "many/worker_pool.h"
#include "many/worker.h"

#define JOBS_MOST 256
#define HELD_MOST ((size_t)64 << 20) /* bytes of results that wait for an earlier one */
#define GRACE     1.0                /* seconds that begun models have when the work is stopped */

/* A result until it is delivered. */
struct held_result {
    struct opshift_result result;
    uint8_t *body; /* of the packet that it points into; or: */
    json_t *root;  /* the line of the journal */
    char *reasons;
    size_t size;
    bool ready;
    unsigned again; /* how often it was tried again */
    bool begun;     /* it is known not to be as the journal has it */
};

struct many_work {
    struct opshift_many_options options;
    struct opshift_models *models;
    struct opshift_journal *journal; /* NULL: none */
    struct worker_pool *pool;        /* NULL: in this process */
    struct held_result **held;       /* by index; NULL: not begun, or delivered */
    uint32_t *queue;                 /* indexes that are to be done, in order */
    uint32_t queued, taken, room;
    size_t handed; /* delivered: all models before this one */
    size_t done;   /* delivered, or waiting for it */
    size_t held_size;
    struct buffer packet;
    double stopped; /* when; 0: it is not */
    bool dropped;   /* the workers were told to drop their models */
};

/* ---- what is to be done ---- */

static bool past_find(const struct many_work *work, const struct listed_model *model, json_t **root,
                      struct opshift_result *result)
{
    *root = NULL;
    return work->journal && journal_find(work->journal, model->name, model->output, root, result);
}

/* A model that was begun when everything ended, or whose process died, waits for the others: it may end everything
 * again. */
static bool is_suspect(const struct many_work *work, const struct listed_model *model)
{
    const struct journal_entry *entry = work->journal ? entries_find(&work->journal->entries, model->name) : NULL;
    return entry && (entry->open || (entry->line && entry->outcome == OPSHIFT_OUTCOME_KILLED));
}

static enum opshift_status queue_make(struct many_work *work, struct opshift_error *error)
{
    size_t count = work->models->count;
    work->queue = calloc(count + 1, sizeof(*work->queue));
    work->held = calloc(count + 1, sizeof(struct held_result *));
    if (work->queue == NULL || work->held == NULL || count > TABLE_MOST)
        return opshift_no_memory(error);
    for (int suspect = 0; suspect < 2; suspect++)
        for (uint32_t i = 0; i < count; i++)
            if (is_suspect(work, &work->models->items[i]) == (suspect == 1))
                work->queue[work->queued++] = i;
    return OPSHIFT_OK;
}

/* ---- output directories ---- */

static enum opshift_status directories_make(const char *path, struct opshift_error *error)
{
    char *made = strdup(path);
    enum opshift_status status = made ? OPSHIFT_OK : opshift_no_memory(error);
    for (char *slash = made ? strchr(made + 1, '/') : NULL; status == OPSHIFT_OK && slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(made, 0777) != 0 && errno != EEXIST && errno != EISDIR)
            status = opshift_fail(error, OPSHIFT_IO, "%.512s: the directory cannot be made: %s", made, strerror(errno));
        *slash = '/';
    }
    free(made);
    return status;
}

static enum opshift_status output_prepare(const char *output, struct opshift_error *error)
{
    const char *slash = output ? strrchr(output, '/') : NULL;
    char *directory = slash && slash > output ? strndup(output, (size_t)(slash - output)) : NULL;
    bool there = directory == NULL || access(directory, F_OK) == 0;
    free(directory);
    return there ? OPSHIFT_OK : directories_make(output, error);
}

/* ---- results ---- */

static void held_free(struct held_result *held)
{
    if (held) {
        free(held->body);
        free(held->reasons);
        json_decref(held->root);
    }
    free(held);
}

static void held_name(const struct many_work *work, uint32_t index)
{
    const struct listed_model *model = &work->models->items[index];
    struct opshift_result *result = &work->held[index]->result;
    result->index = index;
    result->path = model->path;
    result->name = model->name ? model->name : model->path;
    result->output = model->output ? model->output : "";
}

/* Delivers what is next, and what waits behind it. */
static enum opshift_status deliver(struct many_work *work, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    while (status == OPSHIFT_OK && work->handed < work->models->count && work->held[work->handed] &&
           work->held[work->handed]->ready) {
        struct held_result *held = work->held[work->handed];
        status = work->options.done(work->options.done_data, &held->result, error);
        work->held_size -= held->size;
        held_free(held);
        work->held[work->handed++] = NULL;
    }
    return status;
}

static void end_finish(struct many_work *work, struct held_result *held)
{
    held->ready = true;
    work->done++;
    held->size += sizeof(*held);
    work->held_size += held->size;
}

/* Is it worth another try? */
static bool may_retry(const struct many_work *work, const struct held_result *held)
{
    enum opshift_status why = held->result.status;
    bool later = held->result.outcome == OPSHIFT_OUTCOME_KILLED || why == OPSHIFT_IO || why == OPSHIFT_MEMORY;
    return later && held->again < work->options.retries && work->stopped == 0;
}

/* Queues it again at the end. */
static enum opshift_status queue_again(struct many_work *work, uint32_t index, struct opshift_error *error)
{
    uint32_t *grown = realloc(work->queue, (work->queued + 1) * sizeof(*grown));
    if (grown == NULL)
        return opshift_no_memory(error);
    work->queue = grown;
    work->queue[work->queued++] = index;
    return OPSHIFT_OK;
}

/* A result that is not one of the journal: it is written there, and tried again or kept for delivery. */
static enum opshift_status result_take(struct many_work *work, uint32_t index, struct opshift_error *error)
{
    struct held_result *held = work->held[index];
    enum opshift_status status = OPSHIFT_OK;
    held->result.attempt = held->again + 1;
    held_name(work, index);
    if (held->result.outcome == OPSHIFT_OUTCOME_KILLED)
        leftovers_remove(held->result.output);
    if (work->journal)
        status = opshift_journal_end(work->journal, &held->result, error);
    if (status == OPSHIFT_OK && may_retry(work, held)) {
        held->again++;
        free(held->body);
        held->body = NULL;
        return queue_again(work, index, error);
    }
    end_finish(work, held);
    return status;
}

/* The result of an earlier run. */
static enum opshift_status result_keep(struct many_work *work, uint32_t index, struct opshift_error *error)
{
    struct held_result *held = work->held[index];
    struct buffer reasons = {0};
    const json_t *reason;
    size_t i;
    if (!past_find(work, &work->models->items[index], &held->root, &held->result))
        return opshift_no_memory(error);
    json_array_foreach(json_object_get(held->root, "reasons"), i, reason)
    {
        buffer_add_text(&reasons, i ? "\n" : "");
        buffer_add_text(&reasons, json_is_string(reason) ? json_string_value(reason) : "");
    }
    held->reasons = buffer_take(&reasons);
    held->result.reasons = held->reasons ? held->reasons : "";
    held->result.earlier = true;
    held_name(work, index);
    end_finish(work, held);
    return OPSHIFT_OK;
}

/* Takes ownership of body. */
static enum opshift_status body_take(struct many_work *work, uint32_t index, uint8_t *body, size_t size,
                                     struct opshift_error *error)
{
    struct held_result *held = work->held[index];
    struct packet_facts facts;
    free(held->body);
    held->body = body;
    held->size = size;
    held->result = (struct opshift_result){0};
    if (!packet_read_result(body, size, &facts, &held->result)) {
        held->result = (struct opshift_result){.outcome = OPSHIFT_OUTCOME_KILLED,
                                               .status = OPSHIFT_MALFORMED,
                                               .message = "the worker process gave no sensible answer"};
        return result_take(work, index, error);
    }
    if (facts.unchanged)
        return result_keep(work, index, error);
    if (facts.status == OPSHIFT_CANCELLED) { /* it counts as not ended */
        work->stopped = work->stopped > 0 ? work->stopped : seconds_now();
        return OPSHIFT_OK;
    }
    held->result.status = (enum opshift_status)facts.status;
    held->result.outcome = outcome_of(held->result.status);
    held->result.seconds = facts.seconds;
    held->result.memory = facts.memory;
    held->result.output_size = facts.output_size;
    if (!held->begun && held->result.status == OPSHIFT_OK) { /* it changed since then: now it is begun */
        held->begun = true;
        return queue_again(work, index, error);
    }
    return result_take(work, index, error);
}

/* ---- giving ---- */

/* Makes the packet of the next task. One that the journal has as done is looked at first. */
static enum opshift_status task_make(struct many_work *work, uint32_t index, struct opshift_error *error)
{
    const struct listed_model *model = &work->models->items[index];
    json_t *root = NULL;
    struct opshift_result past = {0};
    struct held_result *held = work->held[index];
    if (held == NULL)
        held = work->held[index] = calloc(1, sizeof(*held));
    if (held == NULL)
        return opshift_no_memory(error);
    bool known = !held->begun && held->again == 0 && past_find(work, model, &root, &past);
    struct packet_task task = {.path = model->path,
                               .name = model->name ? model->name : model->path,
                               .output = model->output,
                               .expected = known ? past.hash : "",
                               .hashed = work->journal != NULL};
    enum opshift_status status = OPSHIFT_OK;
    if (!known) {
        task.stale = held->again > 0 || is_suspect(work, model);
        held->begun = true;
        status = output_prepare(model->output, error);
        if (work->journal && status == OPSHIFT_OK)
            status = opshift_journal_begin(work->journal, task.name, error);
    }
    work->packet.failed = false;
    packet_add_task(&work->packet, &task);
    json_decref(root);
    return status == OPSHIFT_OK && work->packet.failed ? opshift_no_memory(error) : status;
}

/* In this process; the packet is made all the same, so that there is one way. */
static enum opshift_status do_here(struct many_work *work, uint32_t index, struct opshift_error *error)
{
    struct packet_task task;
    struct buffer packet = {0};
    bool good = packet_read_task(work->packet.data + sizeof(uint64_t), work->packet.size - sizeof(uint64_t), &task);
    if (good)
        task_do(work->options.worker, &task, &packet);
    size_t size = packet.size - sizeof(uint64_t);
    uint8_t *body = good && !packet.failed ? malloc(size + 1) : NULL;
    if (body)
        memcpy(body, packet.data + sizeof(uint64_t), size);
    buffer_free(&packet);
    return body ? body_take(work, index, body, size, error) : opshift_no_memory(error);
}

static enum opshift_status give(struct many_work *work, struct opshift_error *error)
{
    uint32_t index = work->queue[work->taken++];
    enum opshift_status status = task_make(work, index, error);
    if (status)
        return status;
    return work->pool ? pool_give(work->pool, index, &work->packet, error) : do_here(work, index, error);
}

static bool may_give(const struct many_work *work)
{
    return work->taken < work->queued && work->stopped == 0 &&
           (work->held_size < HELD_MOST || (work->pool && pool_running(work->pool) == 0)) &&
           (work->pool == NULL || pool_has_room(work->pool));
}

/* Called all the time. After a stop, what is begun has a second to be done, then another to be dropped. */
static bool may_go_on(struct many_work *work)
{
    double now = seconds_now();
    if (work->stopped == 0 && work->options.progress &&
        !work->options.progress(work->options.progress_data, (double)work->done / (double)work->models->count))
        work->stopped = now;
    if (work->stopped == 0)
        return true;
    if (work->pool && !work->dropped && now - work->stopped >= GRACE) {
        work->dropped = true;
        pool_stop(work->pool);
    }
    return work->pool && pool_running(work->pool) > 0 && now - work->stopped < 2 * GRACE;
}

static enum opshift_status answer_take(struct many_work *work, struct opshift_error *error)
{
    struct pool_answer answer;
    if (!pool_wait(work->pool, &answer))
        return OPSHIFT_OK;
    struct held_result *held = work->held[answer.tag];
    if (answer.body)
        return body_take(work, answer.tag, answer.body, answer.size, error);
    if (!may_go_on(work) || work->stopped > 0) /* it was told to end, or got the signal that ends all */
        return OPSHIFT_OK;
    if (!held->begun) { /* it died while it hashed a model that was done */
        held->begun = true;
        return queue_again(work, answer.tag, error);
    }
    char *message = strdup(answer.death.text);
    held->result = (struct opshift_result){.outcome = OPSHIFT_OUTCOME_KILLED,
                                           .status = answer.death.status,
                                           .seconds = answer.seconds,
                                           .message = message ? message : "",
                                           .reasons = "",
                                           .counts = ""};
    free(held->body);
    held->body = (uint8_t *)message;
    return result_take(work, answer.tag, error);
}

static enum opshift_status work_all(struct many_work *work, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    while (status == OPSHIFT_OK && (may_give(work) || (work->pool && pool_running(work->pool) > 0))) {
        if (may_give(work))
            status = give(work, error);
        else
            status = answer_take(work, error);
        if (status == OPSHIFT_OK)
            status = deliver(work, error);
        if (!may_go_on(work))
            break;
    }
    if (status == OPSHIFT_OK && work->stopped > 0)
        status =
            opshift_fail(error, OPSHIFT_CANCELLED, "stopped after %zu of %zu models", work->done, work->models->count);
    return status;
}

enum opshift_status opshift_many(struct opshift_models *models, const struct opshift_many_options *options,
                                 struct opshift_error *error)
{
    struct many_work work = {.models = models};
    struct pool_options processes = {0};
    enum opshift_status status = OPTIONS_COPY(options, &work.options, error);
    if (status == OPSHIFT_OK)
        work.journal = work.options.journal;
    if (status == OPSHIFT_OK && work.journal)
        status = opshift_models_check_names(models, error);
    if (status == OPSHIFT_OK)
        status = queue_make(&work, error);
    if (status == OPSHIFT_OK && work.options.program) {
        size_t count = work.options.jobs > JOBS_MOST ? JOBS_MOST : work.options.jobs > 0 ? work.options.jobs : 1;
        processes = (struct pool_options){.program = work.options.program,
                                          .arguments = (char *const *)work.options.arguments,
                                          .count = (unsigned)(count < models->count ? count : models->count),
                                          .seconds = work.options.seconds_each};
        status = pool_new(&processes, &work.pool, error);
    }
    if (status == OPSHIFT_OK)
        status = work_all(&work, error);
    pool_free(work.pool);
    for (size_t i = 0; work.held && i < models->count; i++)
        held_free(work.held[i]);
    free(work.held);
    free(work.queue);
    buffer_free(&work.packet);
    return status;
}
