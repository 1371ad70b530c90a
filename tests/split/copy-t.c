/* Split on plain buffers: every way of copying rows gives the result of an elementwise copy, and writes nothing
 * else. */
#include "split/split_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/split/random.h"
#include "tests/tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define GUARD        64
#define PARTS_MAX    40

/* One request with its buffers between guard bytes. */
struct copy_job {
    size_t element_size, count, skew; /* skew: misalignment of the buffers */
    uint64_t outer, dim, inner;
    int64_t lengths[PARTS_MAX];
    uint8_t *input, *memory[PARTS_MAX];
    void *outputs[PARTS_MAX];
};

static size_t part_size(const struct copy_job *job, size_t part)
{
    return (size_t)job->lengths[part] * job->inner * job->element_size;
}

/* The input ends at the end of its block, so that sanitizers find reads beyond it. */
static void job_fill(struct copy_job *job)
{
    size_t size = job->outer * job->dim * job->inner * job->element_size;
    job->input = malloc(size > 0 ? size : 1);
    for (size_t i = 0; i < size; i++)
        job->input[i] = (uint8_t)random_below(255);
    for (size_t i = 0; i < job->count; i++) {
        size_t whole = (job->outer * part_size(job, i) + 2 * GUARD + job->skew + 63) / 64 * 64;
        job->memory[i] = aligned_alloc(64, whole);
        memset(job->memory[i], 0xff, whole);
        job->outputs[i] = random_below(12) == 0 ? NULL : job->memory[i] + GUARD + job->skew;
    }
}

static void job_free(struct copy_job *job)
{
    free(job->input);
    for (size_t i = 0; i < job->count; i++)
        free(job->memory[i]);
}

static bool is_untouched(const uint8_t *bytes, size_t size)
{
    while (size > 0 && bytes[size - 1] == 0xff)
        size--;
    return size == 0;
}

/* Every output has its part, and all around it is unchanged; then fills it again. */
static bool job_check(const struct copy_job *job)
{
    size_t row = job->dim * job->inner * job->element_size, start = 0;
    bool good = true;
    for (size_t i = 0; i < job->count; i++) {
        size_t size = part_size(job, i), all = job->outer * size;
        uint8_t *output = job->memory[i] + GUARD + job->skew;
        for (uint64_t at = 0; at < job->outer && job->outputs[i] != NULL; at++)
            good = good && (size == 0 || memcmp(output + at * size, job->input + at * row + start, size) == 0);
        good = good && is_untouched(job->memory[i], GUARD + job->skew) && is_untouched(output + all, GUARD);
        good = good && (job->outputs[i] != NULL || is_untouched(output, all));
        memset(output, 0xff, all);
        start += size;
    }
    return good;
}

static struct copy_job random_job(void)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 3};
    struct copy_job job = {.element_size = sizes[random_below(COUNT(sizes))],
                           .count = 1 + random_below(random_below(4) == 0 ? PARTS_MAX : 9),
                           .skew = random_below(2) == 0 ? 0 : random_below(40),
                           .outer = random_below(random_below(2) == 0 ? 20 : 900),
                           .inner = random_below(4) == 0 ? random_below(40) : 1};
    bool equal = random_below(2) == 0;
    uint32_t most = random_below(8) == 0 ? 200 : 6, length = random_below(3) == 0 ? 1 + random_below(most) : 1;
    for (size_t i = 0; i < job.count; i++) {
        job.lengths[i] = equal ? length : random_below(most);
        job.dim += (uint64_t)job.lengths[i];
    }
    return job;
}

/* The request in the form for the copy functions; false: nothing to do. */
static bool job_split(const struct copy_job *job, struct split_part *parts, struct split_job *copied)
{
    size_t start = 0;
    *copied =
        (struct split_job){.from = job->input, .rows = job->outer, .parts = parts, .least = SIZE_MAX, .aligned = true};
    copied->row = job->dim * job->inner * job->element_size;
    for (size_t i = 0; i < job->count; i++) {
        size_t size = part_size(job, i);
        if (size > 0 && job->outputs[i] != NULL) {
            parts[copied->count++] = (struct split_part){job->outputs[i], start, size};
            copied->least = size < copied->least ? size : copied->least;
            copied->most = size > copied->most ? size : copied->most;
            copied->size += size * job->outer;
            copied->aligned = copied->aligned && (uintptr_t)job->outputs[i] % 64 == 0;
        }
        start += size;
    }
    return copied->count > 0;
}

static void every_way_is_right(void)
{
    unsigned seen[8] = {0}, wrong[8] = {0}, failed = 0;
    for (int round = 0; round < 1000; round++) {
        struct copy_job job = random_job();
        struct split_part parts[PARTS_MAX];
        struct split_job copied;
        job_fill(&job);
        bool some = job_split(&job, parts, &copied);
        /* As for data larger than the cache, in every second round: this selects other stores. */
        copied.past_cache = round % 2 == 1;
        for (size_t path = 0; path < split_method_count && some; path++) {
            if (!split_methods[path].can(&copied))
                continue;
            uint64_t middle = random_below((uint32_t)copied.rows + 1) / 32 * 32;
            split_methods[path].run(&copied, 0, middle);
            split_methods[path].run(&copied, middle, copied.rows);
            seen[path]++;
            wrong[path] += !job_check(&job);
        }
        failed += opshift_split(job.input, job.element_size, job.outer, job.dim, job.inner, job.lengths, job.count,
                                job.outputs, NULL, NULL) != OPSHIFT_OK ||
                  !job_check(&job);
        job_free(&job);
    }
    for (size_t path = 0; path < split_method_count; path++)
        ok(wrong[path] == 0, "'%s' gives each part its bytes and no more (%u shapes)", split_methods[path].name,
           seen[path]);
    ok(failed == 0, "so does opshift_split");
}

/* Parts of 0 to 300 bytes in few rows: overlapping copies, without a list of the parts. */
static void little_is_right(split_request *split, const char *what)
{
    unsigned failed = 0;
    for (int round = 0; round < 4000; round++) {
        struct copy_job job = random_job();
        uint32_t most = round % 3 == 0 ? 300 : 80;
        job.count = 1 + random_below(4);
        job.outer = 1 + random_below(8);
        job.inner = 1;
        job.dim = 0;
        for (size_t i = 0; i < job.count; i++)
            job.dim += (uint64_t)(job.lengths[i] = random_below(most / (uint32_t)job.element_size + 1));
        job_fill(&job);
        failed += split(job.input, job.element_size, job.outer, job.dim, job.inner, job.lengths, job.count, job.outputs,
                        NULL, NULL) != OPSHIFT_OK ||
                  !job_check(&job);
        job_free(&job);
    }
    is_int(0, failed, "few bytes are right too, %s", what);
}

/* A view has the elements of a copy. */
static void views_are_right(void)
{
    unsigned failed = 0;
    for (int round = 0; round < 200; round++) {
        struct copy_job job = random_job();
        const void *views[PARTS_MAX];
        job.outer = 1;
        job_fill(&job);
        opshift_split(job.input, job.element_size, 1, job.dim, job.inner, job.lengths, job.count, job.outputs, NULL,
                      NULL);
        failed += opshift_split_views(job.input, job.element_size, 1, job.dim, job.inner, job.lengths, job.count, views,
                                      NULL) != OPSHIFT_OK;
        for (size_t i = 0; i < job.count; i++)
            if (job.outputs[i] != NULL)
                failed += memcmp(views[i], job.outputs[i], part_size(&job, i)) != 0;
        job_free(&job);
    }
    is_int(0, failed, "views show the parts");

    const void *views[2] = {NULL, NULL};
    const char *input = "abcdef";
    struct opshift_error error = {0};
    is_int(OPSHIFT_NO, opshift_split_views(input, 1, 2, 3, 1, (int64_t[]){1, 2}, 2, views, &error),
           "parts of several rows are no runs");
    ok(views[0] == NULL && error.text[0] == '\0', "and nothing is given");
    is_int(OPSHIFT_OK, opshift_split_views(input, 1, 2, 3, 0, (int64_t[]){1, 2}, 2, views, &error),
           "of no elements they are");
    is_int(OPSHIFT_USAGE, opshift_split_views(input, 1, 1, 6, 1, (int64_t[]){1, 2}, 2, views, &error),
           "a mistake is a mistake here too");
    is_string("the lengths sum to 3, the axis has 6", error.text, "and named");
}

static const struct {
    const char *what;
    struct copy_job job;
} large[] = {
    {"a few large rows", {.element_size = 4, .count = 3, .outer = 3, .dim = 7, .inner = 100003, .lengths = {1, 4, 2}}},
    {"one row", {.element_size = 1, .count = 2, .outer = 1, .dim = 3, .inner = 1500001, .lengths = {1, 2}}},
    {"many rows", {.element_size = 8, .count = 3, .outer = 100001, .dim = 7, .inner = 1, .lengths = {3, 1, 3}}},
    {"very many rows", {.element_size = 1, .count = 3, .outer = 3000001, .dim = 3, .inner = 1, .lengths = {1, 1, 1}}},
    {"runs past the cache", {.element_size = 2, .count = 2, .outer = 1001, .dim = 4, .inner = 1000, .lengths = {3, 1}}},
};

/* Also by a team of three. */
static void threads_share_the_rows(void)
{
    static const unsigned threads[] = {0, 1, 2, 3, 1000};
    struct opshift_team *team;
    is_int(OPSHIFT_OK, opshift_team_new(3, &team, NULL), "a team");
    for (size_t i = 0; i < COUNT(large); i++) {
        struct copy_job job = large[i].job;
        bool good = true;
        job_fill(&job);
        for (size_t k = 0; k < 2 * COUNT(threads); k++) {
            struct opshift_split_options options = {.threads = threads[k / 2], .team = k % 2 == 1 ? team : NULL};
            opshift_split(job.input, job.element_size, job.outer, job.dim, job.inner, job.lengths, job.count,
                          job.outputs, &options, NULL);
            good = job_check(&job) && good;
        }
        ok(good, "%s, by any number of threads", large[i].what);
        job_free(&job);
    }
    opshift_team_free(team);
}

static const struct {
    const char *what, *wanted;
    size_t element_size;
    uint64_t outer, dim, inner;
    int64_t lengths[2];
} wrong_requests[] = {
    {"a negative length", "length 1 is -1, below 0", 1, 1, 4, 1, {3, -1}},
    {"too little", "the lengths sum to 3, the axis has 4", 1, 1, 4, 1, {1, 2}},
    {"too much", "the lengths sum to more than the axis has, which is 4", 1, 1, 4, 1, {3, 2}},
    {"lengths whose sum overflows",
     "the lengths sum to more than the axis has, which is 4",
     1,
     1,
     4,
     1,
     {INT64_MAX, INT64_MAX}},
    {"elements of no bytes", "an element has 0 bytes, must have at least 1", 0, 1, 2, 1, {1, 1}},
    {"a size that overflows",
     "4294967296 times 4294967296 times 1 elements of 4 bytes fit no memory",
     4,
     (uint64_t)1 << 32,
     (uint64_t)1 << 32,
     1,
     {(int64_t)1 << 31, (int64_t)1 << 31}},
};

static void mistakes_are_named(void)
{
    for (size_t i = 0; i < COUNT(wrong_requests); i++) {
        struct opshift_error error = {0};
        enum opshift_status status = opshift_split(
            "", wrong_requests[i].element_size, wrong_requests[i].outer, wrong_requests[i].dim, wrong_requests[i].inner,
            wrong_requests[i].lengths, 2, (void *const[]){NULL, NULL}, NULL, &error);
        ok(status == OPSHIFT_USAGE, "%s is refused", wrong_requests[i].what);
        is_string(wrong_requests[i].wanted, error.text, "and named");
    }
}

static void nothing_is_nothing(void)
{
    static const uint64_t shapes[][3] = {{0, 4, 1}, {1, 4, 0}, {0, 4, 0}, {UINT64_MAX, 4, 0}};
    for (size_t i = 0; i < COUNT(shapes); i++)
        is_int(OPSHIFT_OK,
               opshift_split(NULL, 1, shapes[i][0], shapes[i][1], shapes[i][2], (int64_t[]){1, 3}, 2,
                             (void *const[]){NULL, NULL}, NULL, NULL),
               "no elements in shape %zu", i);
    is_int(OPSHIFT_OK, opshift_split(NULL, 1, 3, 0, 1, NULL, 0, NULL, NULL, NULL), "no outputs of an empty axis");
    is_int(OPSHIFT_OK, opshift_split("ab", 1, 1, 2, 1, (int64_t[]){2}, 1, (void *const[]){NULL}, NULL, NULL),
           "no output is wanted");
}

int main(void)
{
    every_way_is_right();
    little_is_right(opshift_split, "in the way of this processor");
    little_is_right(split_portable, "in the way of any");
    views_are_right();
    threads_share_the_rows();
    mistakes_are_named();
    nothing_is_nothing();
    return done();
}
