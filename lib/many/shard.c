/* The share of one job among several: given as I/N, or by the variables of the engine that started the job. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/strings.h"
#include "many/model_list.h"

/* Independent of all other models, and the same on every machine. */
uint32_t opshift_shard_of(const char *name, uint32_t count)
{
    char text[SHA256_TEXT_SIZE];
    struct sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, name, strlen(name));
    sha256_end(&hash, text);
    text[16] = '\0';
    return (uint32_t)(strtoull(text, NULL, 16) % count) + 1;
}

/* What is read: the index counts from 0, the count is 0 where it is not known. */
struct share {
    int64_t index, count;
    const char *engine;
    struct opshift_error *error;
};

/* A variable's number; false: it is not set, or no number (share->error tells). */
static bool variable_read(struct share *share, const char *name, int64_t least, int64_t *value)
{
    const char *text = getenv(name);
    if (text == NULL)
        return false;
    if (text_to_int64(text, strlen(text), value) && *value >= least && *value <= INT32_MAX)
        return true;
    opshift_fail(share->error, OPSHIFT_USAGE, "option '--shard': the variable %s is '%.64s', not a number from %d on",
                 name, text, (int)least);
    return false;
}

static enum opshift_status variable_missing(const struct share *share, const char *name, const char *why)
{
    if (share->error && share->error->status)
        return share->error->status; /* it is no number */
    return opshift_fail(share->error, OPSHIFT_USAGE, "option '--shard': %s; set %s, or write --shard auto/N", why,
                        name);
}

/* "0-7" or "0-14:2" */
static bool array_read(const char *text, int64_t *least, int64_t *most, int64_t *step)
{
    int used = 0;
    long long a = 0, b = 0, c = 1;
    bool good = sscanf(text, "%9lld-%9lld%n:%9lld%n", &a, &b, &used, &c, &used) >= 2 && text[used] == '\0';
    *least = a;
    *most = b;
    *step = c;
    return good && a >= 0 && b >= a && c >= 1;
}

/* A job that runs some tasks of an array again has the array of all of them in OPSHIFT_ARRAY. */
static enum opshift_status read_slurm(struct share *share)
{
    int64_t id, least, most, step, count = 0;
    const char *array = getenv("OPSHIFT_ARRAY");
    if (!variable_read(share, "SLURM_ARRAY_TASK_ID", 0, &id))
        return share->error->status;
    if (array) {
        if (!array_read(array, &least, &most, &step))
            return opshift_fail(share->error, OPSHIFT_USAGE,
                                "option '--shard': the variable OPSHIFT_ARRAY is '%.64s'; write it as MIN-MAX or "
                                "MIN-MAX:STEP",
                                array);
        count = (most - least) / step + 1;
    } else if (!variable_read(share, "SLURM_ARRAY_TASK_MIN", 0, &least) ||
               !variable_read(share, "SLURM_ARRAY_TASK_MAX", 0, &most) ||
               !variable_read(share, "SLURM_ARRAY_TASK_COUNT", 1, &count) ||
               !variable_read(share, "SLURM_ARRAY_TASK_STEP", 1, &step)) {
        return variable_missing(share, "OPSHIFT_ARRAY=MIN-MAX",
                                "SLURM_ARRAY_TASK_MIN, _MAX, _COUNT and _STEP are not all set");
    }
    if (most < least || (most - least) / step + 1 != count || id < least || id > most || (id - least) % step != 0)
        return opshift_fail(share->error, OPSHIFT_USAGE,
                            "option '--shard': the array is not regular: task %lld, from %lld to %lld by %lld, %lld "
                            "tasks; set OPSHIFT_ARRAY=MIN-MAX:STEP to the array of all tasks",
                            (long long)id, (long long)least, (long long)most, (long long)step, (long long)count);
    share->index = (id - least) / step;
    share->count = count;
    return OPSHIFT_OK;
}

static enum opshift_status read_kubernetes(struct share *share)
{
    if (!variable_read(share, "JOB_COMPLETION_INDEX", 0, &share->index))
        return share->error->status;
    if (share->count == 0 && !variable_read(share, "JOB_COMPLETIONS", 1, &share->count))
        return variable_missing(share, "JOB_COMPLETIONS to .spec.completions",
                                "JOB_COMPLETION_INDEX is set, but Kubernetes does not give the number of indexes");
    return OPSHIFT_OK;
}

/* Bazel takes the touched file for the sign that the test knows of its shards. */
static enum opshift_status read_bazel(struct share *share)
{
    const char *file = getenv("TEST_SHARD_STATUS_FILE");
    if (!variable_read(share, "TEST_SHARD_INDEX", 0, &share->index))
        return share->error->status;
    if (!variable_read(share, "TEST_TOTAL_SHARDS", 1, &share->count))
        return variable_missing(share, "TEST_TOTAL_SHARDS", "TEST_SHARD_INDEX is set, but TEST_TOTAL_SHARDS is not");
    int touched = file ? open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666) : -1;
    if (file && touched < 0)
        return opshift_fail(share->error, OPSHIFT_IO, "%.512s: the file of TEST_SHARD_STATUS_FILE cannot be made: %s",
                            file, strerror(errno));
    if (touched >= 0)
        close(touched);
    return OPSHIFT_OK;
}

static enum opshift_status read_gitlab(struct share *share)
{
    if (!variable_read(share, "CI_NODE_INDEX", 1, &share->index))
        return share->error->status;
    if (!variable_read(share, "CI_NODE_TOTAL", 1, &share->count))
        return variable_missing(share, "CI_NODE_TOTAL", "CI_NODE_INDEX is set, but CI_NODE_TOTAL is not");
    share->index--;
    return OPSHIFT_OK;
}

static enum opshift_status read_batch(struct share *share)
{
    if (!variable_read(share, "AWS_BATCH_JOB_ARRAY_INDEX", 0, &share->index))
        return share->error->status;
    if (share->count == 0 && !variable_read(share, "AWS_BATCH_JOB_ARRAY_SIZE", 1, &share->count))
        return variable_missing(share, "AWS_BATCH_JOB_ARRAY_SIZE",
                                "AWS_BATCH_JOB_ARRAY_INDEX is set, but AWS Batch does not give the size of the array");
    return OPSHIFT_OK;
}

static enum opshift_status read_parallel(struct share *share)
{
    return opshift_fail(share->error, OPSHIFT_USAGE,
                        "option '--shard': PARALLEL_SEQ numbers the jobs of GNU parallel, whose number nobody knows "
                        "yet; let parallel give the shards: seq 8 | parallel opshift ... --shard {}/8");
}

static const struct {
    const char *variable, *engine;
    enum opshift_status (*read)(struct share *share);
} engines[] = {
    {"SLURM_ARRAY_TASK_ID", "Slurm", read_slurm},
    {"JOB_COMPLETION_INDEX", "Kubernetes", read_kubernetes},
    {"TEST_SHARD_INDEX", "Bazel", read_bazel},
    {"CI_NODE_INDEX", "GitLab", read_gitlab},
    {"AWS_BATCH_JOB_ARRAY_INDEX", "AWS Batch", read_batch},
    {"PARALLEL_SEQ", "GNU parallel", read_parallel},
};

/* GNU parallel may start a job within the job of another engine, and is not asked then. */
static enum opshift_status read_variables(struct share *share)
{
    size_t found = COUNT(engines);
    for (size_t i = 0; i < COUNT(engines); i++) {
        if (getenv(engines[i].variable) == NULL || (found < i && engines[i].read == read_parallel))
            continue;
        if (found < i)
            return opshift_fail(share->error, OPSHIFT_USAGE,
                                "option '--shard': both %s and %s are set; write --shard I/N", engines[found].variable,
                                engines[i].variable);
        found = i;
    }
    if (found == COUNT(engines))
        return opshift_fail(share->error, OPSHIFT_USAGE,
                            "option '--shard': 'auto' finds no variable of an array: SLURM_ARRAY_TASK_ID, "
                            "JOB_COMPLETION_INDEX, TEST_SHARD_INDEX, CI_NODE_INDEX, AWS_BATCH_JOB_ARRAY_INDEX; write "
                            "--shard I/N");
    share->engine = engines[found].engine;
    return engines[found].read(share);
}

static bool number_read(const char *text, size_t size, int64_t *value)
{
    return size > 0 && text[0] >= '0' && text[0] <= '9' && text_to_int64(text, size, value) && *value >= 1 &&
           *value <= SHARDS_MOST;
}

enum opshift_status opshift_shard_read(const char *text, struct opshift_shard *shard, struct opshift_error *error)
{
    struct opshift_error own = {0};
    struct share share = {.error = error ? error : &own};
    size_t size = strcspn(text, "/");
    bool automatic = size == 4 && memcmp(text, "auto", 4) == 0;
    int64_t count = 0;
    bool counted = text[size] == '/' && number_read(text + size + 1, strlen(text + size + 1), &count);
    if (automatic ? text[size] != '\0' && !counted : !counted || !number_read(text, size, &share.index))
        return opshift_fail(error, OPSHIFT_USAGE,
                            "option '--shard': '%.64s' is neither I/N, with I from 1 to N, nor auto nor auto/N", text);
    share.count = count;
    enum opshift_status status = OPSHIFT_OK;
    if (automatic)
        status = read_variables(&share);
    else
        share.index--;
    if (status == OPSHIFT_OK && counted && share.count != count)
        status = opshift_fail(error, OPSHIFT_USAGE, "option '--shard': '%.64s' contradicts %s, which has %lld shards",
                              text, share.engine, (long long)share.count);
    if (status == OPSHIFT_OK && share.index >= share.count)
        status = opshift_fail(error, OPSHIFT_USAGE, "option '--shard': %lld of %lld: there are only %lld shards",
                              (long long)share.index + 1, (long long)share.count, (long long)share.count);
    if (status == OPSHIFT_OK)
        *shard = (struct opshift_shard){.index = (uint32_t)share.index + 1, .count = (uint32_t)share.count};
    return status;
}
