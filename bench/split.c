/* The cost of splitting a tensor, compared with copying its bytes and with ONNX Runtime, alternating in one run.
 * usage: split [LIBRARY]; LIBRARY is ONNX Runtime's. RUNS: number of runs (9); SHAPE: only shapes whose names
 * contain this text; SWEEP=1: 600 other shapes instead, listing those where a copy for each output or ONNX Runtime
 * is faster. */
#include "opshift.h"
#include "helper/ort_api.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#define COUNT(array)  (sizeof(array) / sizeof(*(array)))
#define PARTS_MAX     256
#define RUNS_MAX      99
#define HUGE_PAGE     ((size_t)2 << 20)
#define READY_SECONDS 1e-3
#define WORK_LEAST    ((size_t)8 << 20) /* minimum bytes moved between two readings of the clock */

struct measured_shape {
    const char *what;
    size_t element_size;
    uint64_t outer, inner;
    int64_t count, length;      /* number of parts of the same length */
    int64_t lengths[PARTS_MAX]; /* or, if length is 0, their lengths */
};

#define TINY(size)                                                                                                     \
    {"[1048576,3] axis 1 in ones", size, 1048576, 1, 3, 1, {0}},                                                       \
        {"[1048576,4] axis 1 in ones", size, 1048576, 1, 4, 1, {0}},                                                   \
        {"[1000000,7] axis 1 in 1,4,2", size, 1000000, 1, 3, 0, {1, 4, 2}},                                            \
        {"[1000000,7] axis 1 in 3,1,3", size, 1000000, 1, 3, 0, {3, 1, 3}},                                            \
    {                                                                                                                  \
        "[1000000,7] axis 1 in ones", size, 1000000, 1, 7, 1,                                                          \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

static const struct measured_shape shapes[] = {
    {"[64,3,224,224] axis 1 in 3", 4, 64, 50176, 3, 1, {0}},
    {"[1,4096,4096] axis 2 in 2", 4, 4096, 1, 2, 2048, {0}},
    {"[8,1024,3072] axis 2 in 3", 4, 8192, 1, 3, 1024, {0}},
    {"[256,65536] axis 0 in 256", 4, 1, 65536, 256, 1, {0}},
    TINY(1),
    TINY(2),
    TINY(4),
    TINY(8),
    TINY(16),
    {"[1048576,2] axis 1 in ones", 1, 1048576, 1, 2, 1, {0}},
    {"[1048576,2] axis 1 in ones", 4, 1048576, 1, 2, 1, {0}},
    {"[65536,192] axis 1 in 64s", 1, 65536, 1, 3, 64, {0}},
    {"[65536,192] axis 1 in 64s", 4, 65536, 1, 3, 64, {0}},
    {"[1,6] axis 1 in 2,4", 4, 1, 1, 2, 0, {2, 4}},
    {"[16,3] axis 1 in ones", 4, 16, 1, 3, 1, {0}},
    {"[32,12] axis 1 in 4s", 4, 32, 1, 3, 4, {0}},
    {"[1,3,8,8] axis 1 in 3", 4, 1, 64, 3, 1, {0}},
    {"[4,3,8,8] axis 1 in 3", 4, 4, 64, 3, 1, {0}},
    {"[1,128,2] axis 1 in 32s", 4, 1, 2, 4, 32, {0}},
    {"[128,4] axis 1 in ones", 4, 128, 1, 4, 1, {0}},
    {"[1024,3] axis 1 in ones", 4, 1024, 1, 3, 1, {0}},
    {"[64,768] axis 1 in 256s", 4, 64, 1, 3, 256, {0}},
    {"[1,1536] axis 1 in 512s", 4, 1, 1, 3, 512, {0}},
    {"[16,3,64,64] axis 1 in 3", 4, 16, 4096, 3, 1, {0}},
    {"[67108864,3] axis 1 in ones", 1, 67108864, 1, 3, 1, {0}},
};

/* One shape with its memory. The outputs are adjacent; copies of the whole tensor go to the same place. */
struct measured_job {
    const struct measured_shape *shape;
    int64_t lengths[PARTS_MAX], dim;
    size_t count, size, memory_size;
    uint8_t *memory, *input, *output;
    void *outputs[PARTS_MAX];
};

static void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("split: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static size_t part_size(const struct measured_job *job, size_t part)
{
    return job->shape->element_size * job->shape->outer * job->shape->inner * (size_t)job->lengths[part];
}

/* Allocates memory as in a program that reuses its buffers: touched, and in huge pages if available. */
static void job_start(struct measured_job *job, const struct measured_shape *shape)
{
    *job = (struct measured_job){.shape = shape, .count = (size_t)shape->count};
    for (size_t i = 0; i < job->count; i++) {
        job->lengths[i] = shape->length > 0 ? shape->length : shape->lengths[i];
        job->dim += job->lengths[i];
    }
    job->size = shape->element_size * shape->outer * shape->inner * (size_t)job->dim;
    job->memory_size = (2 * job->size + (PARTS_MAX + 64) * 64 + HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE;
    job->memory = aligned_alloc(HUGE_PAGE, job->memory_size);
    if (job->memory == NULL)
        die("no memory for %zu bytes", job->memory_size);
    madvise(job->memory, job->memory_size, MADV_HUGEPAGE);
    memset(job->memory, 1, job->memory_size);
    job->input = job->memory;
    /* Not at the input's offset within a page: processors would see a conflict. */
    job->output = job->memory + (job->size + 63) / 64 * 64 + 33 * (size_t)64;
    for (size_t i = 0; i < job->size; i++)
        job->input[i] = (uint8_t)(i * 2654435761u >> 13);
    uint8_t *place = job->output;
    for (size_t i = 0; i < job->count; i++) {
        job->outputs[i] = place;
        place += (part_size(job, i) + 63) / 64 * 64;
    }
}

/* The straightforward implementation. */
static void copy_naively(const struct measured_job *job)
{
    size_t unit = job->shape->element_size * job->shape->inner, row = unit * (size_t)job->dim, start = 0;
    for (size_t i = 0; i < job->count; i++) {
        size_t size = unit * (size_t)job->lengths[i];
        for (uint64_t at = 0; at < job->shape->outer; at++)
            memcpy((uint8_t *)job->outputs[i] + at * size, job->input + at * row + start, size);
        start += size;
    }
}

static void copy_whole(const struct measured_job *job)
{
    memcpy(job->output, job->input, job->size);
}

#if defined(__x86_64__)
static void copy_past_cache(const struct measured_job *job)
{
    size_t lines = job->size / 64;
    const char *from = (const char *)job->input;
    char *to = (char *)job->output;
    for (size_t i = 0; i < lines; i++, from += 64, to += 64) {
        _mm_prefetch(from + 512, _MM_HINT_T0);
        for (int k = 0; k < 64; k += 16)
            _mm_stream_si128((__m128i *)(to + k), _mm_loadu_si128((const __m128i *)(from + k)));
    }
    _mm_sfence();
    memcpy(to, from, job->size % 64);
}

static void copy_by_string(const struct measured_job *job)
{
    void *to = job->output;
    const void *from = job->input;
    size_t size = job->size;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}
#endif

static struct opshift_team *team; /* of two */

static void split_by(const struct measured_job *job, struct opshift_split_options options)
{
    if (opshift_split(job->input, job->shape->element_size, job->shape->outer, (uint64_t)job->dim, job->shape->inner,
                      job->lengths, job->count, job->outputs, &options, NULL) != OPSHIFT_OK)
        die("%s cannot be split", job->shape->what);
}

static void split_alone(const struct measured_job *job)
{
    split_by(job, (struct opshift_split_options){0});
}

static void split_in_two(const struct measured_job *job)
{
    split_by(job, (struct opshift_split_options){.team = team});
}

/* ---- ONNX Runtime ---- */

static const struct ort_api *ort; /* NULL: not available */
static struct ort_env *ort_env;

struct measured_engine {
    struct ort_session *session;
    struct ort_value *input, *outputs[PARTS_MAX];
    char names[PARTS_MAX][8];
    const char *name_list[PARTS_MAX];
};
static struct measured_engine engines[2]; /* for one and two threads */

static void check(ort_result result)
{
    if (result != NULL)
        die("ONNX Runtime: %s", ort->get_message(result));
}

static void ort_open(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        die("%s", dlerror());
    const struct ort_api_base *(*base)(void);
    void *symbol = dlsym(library, "OrtGetApiBase");
    if (symbol == NULL)
        die("%s has no OrtGetApiBase", path);
    memcpy(&base, &symbol, sizeof(base));
    ort = base()->get_api(ORT_API_VERSION);
    check(ort->create_env(ORT_LOG_FATAL, "bench", &ort_env));
    printf("ONNX Runtime %s\n\n", base()->get_version());
}

/* Its type of that size. 16 bytes are two elements of 8: the shape gets another axis. */
static int type_of(size_t element_size)
{
    return element_size == 1   ? OPSHIFT_TYPE_UINT8
           : element_size == 2 ? OPSHIFT_TYPE_FLOAT16
           : element_size == 4 ? OPSHIFT_TYPE_FLOAT
                               : OPSHIFT_TYPE_INT64;
}

/* The model as text: one Split-11 of [outer, dim, inner] with its lengths. */
static char *model_text(const struct measured_job *job, size_t *size)
{
    static const char *const types[] = {[1] = "uint8", [2] = "float16", [4] = "float", [8] = "int64", [16] = "int64"};
    const char *type = types[job->shape->element_size];
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    if (file == NULL)
        die("no memory for a model");
    fprintf(file, "<ir_version: 6, opset_import: [\"\" : 11]>\ng (%s[a, b, c] x) => (", type);
    for (size_t i = 0; i < job->count; i++)
        fprintf(file, "%s%s[d, e%zu, f] y%zu", i > 0 ? ", " : "", type, i, i);
    fputs(") {\n", file);
    for (size_t i = 0; i < job->count; i++)
        fprintf(file, "%sy%zu", i > 0 ? ", " : "", i);
    fputs(" = Split<axis = 1, split = [", file);
    for (size_t i = 0; i < job->count; i++)
        fprintf(file, "%s%lld", i > 0 ? ", " : "", (long long)job->lengths[i]);
    fputs("]>(x)\n}\n", file);
    fclose(file);
    return text;
}

static struct ort_value *tensor_over(const struct measured_job *job, void *data, size_t size, int64_t length)
{
    struct ort_memory_info *memory;
    struct ort_value *value;
    int64_t wide = job->shape->element_size == 16 ? 2 : 1;
    int64_t dims[] = {(int64_t)job->shape->outer, length, (int64_t)job->shape->inner * wide};
    check(ort->create_memory(ORT_DEVICE_ALLOCATOR, ORT_DEFAULT_MEMORY, &memory));
    check(ort->create_tensor(memory, data, size, dims, 3, type_of(job->shape->element_size), &value));
    return value;
}

/* It uses the job's own buffers for inputs and outputs. Its memory is freed at exit. */
static void engine_start(struct measured_engine *engine, const struct measured_job *job, int threads)
{
    struct ort_session_options *options;
    struct opshift_error error = {0};
    size_t text_size, size;
    char *bytes, *text = model_text(job, &text_size);
    if (opshift_text_to_model(text, text_size, "bench", &bytes, &size, &error) != OPSHIFT_OK)
        die("%s", error.text);
    check(ort->create_options(&options));
    check(ort->set_threads(options, threads));
    check(ort->set_graph_threads(options, 1));
    check(ort->create_session_from_array(ort_env, bytes, size, options, &engine->session));
    engine->input = tensor_over(job, job->input, job->size, job->dim);
    for (size_t i = 0; i < job->count; i++) {
        engine->outputs[i] = tensor_over(job, job->outputs[i], part_size(job, i), job->lengths[i]);
        snprintf(engine->names[i], sizeof(engine->names[i]), "y%zu", i);
        engine->name_list[i] = engine->names[i];
    }
    opshift_text_free(bytes);
    free(text);
}

static void engine_run(struct measured_engine *engine, const struct measured_job *job)
{
    const struct ort_value *inputs[] = {engine->input};
    check(ort->run(engine->session, NULL, (const char *const[]){"x"}, inputs, 1, engine->name_list, job->count,
                   engine->outputs));
}

static void ort_alone(const struct measured_job *job)
{
    engine_run(&engines[0], job);
}

static void ort_in_two(const struct measured_job *job)
{
    engine_run(&engines[1], job);
}

/* ---- measuring ---- */

/* With one thread the caller's own processor time counts, which excludes other processes; with two threads the
 * wall-clock time, and the fastest run counts. */
static const struct measured_way {
    void (*run)(const struct measured_job *job);
    clockid_t clock;
    bool is_ort;
} ways[] = {
    {copy_naively, CLOCK_THREAD_CPUTIME_ID, false},
    {copy_whole, CLOCK_THREAD_CPUTIME_ID, false},
#if defined(__x86_64__)
    {copy_past_cache, CLOCK_THREAD_CPUTIME_ID, false},
    {copy_by_string, CLOCK_THREAD_CPUTIME_ID, false},
#else
    {copy_whole, CLOCK_THREAD_CPUTIME_ID, false},
    {copy_whole, CLOCK_THREAD_CPUTIME_ID, false},
#endif
    {ort_alone, CLOCK_THREAD_CPUTIME_ID, true},
    {split_alone, CLOCK_THREAD_CPUTIME_ID, false},
    {ort_in_two, CLOCK_MONOTONIC, true},
    {split_in_two, CLOCK_MONOTONIC, false},
};
enum { NAIVE, WHOLE, PAST_CACHE, BY_STRING, ORT_1, SPLIT_1, ORT_2, SPLIT_2 };

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ONNX Runtime's second thread spins for some 10 ms after a run, ours for 2: it starts the next run at once, and
 * takes a core from the next candidate. So each candidate with two threads runs once before, for longer than a
 * thread takes to wake up. */
static void make_ready(const struct measured_way *way, const struct measured_job *job)
{
    static const struct timespec until_it_sleeps = {.tv_nsec = 100000000};
    if (way->clock != CLOCK_MONOTONIC)
        return;
    if (!way->is_ort && ort != NULL)
        nanosleep(&until_it_sleeps, NULL);
    double start = seconds(CLOCK_MONOTONIC);
    do
        way->run(job);
    while (seconds(CLOCK_MONOTONIC) - start < READY_SECONDS);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Measures the chosen ways, a bit for each, in GB/s read and written; 0 for the others. */
static void measure(const struct measured_job *job, int runs, size_t work, unsigned chosen, double *speeds)
{
    static double times[COUNT(ways)][RUNS_MAX];
    size_t calls = work / job->size + 1;
    memset(times, 0, sizeof(times));
    for (int run = -1; run < runs; run++) /* the first run is not counted */
        for (size_t i = 0; i < COUNT(ways); i++) {
            if ((chosen >> i & 1) == 0 || (ways[i].is_ort && ort == NULL))
                continue;
            make_ready(&ways[i], job);
            double start = seconds(ways[i].clock);
            for (size_t call = 0; call < calls; call++)
                ways[i].run(job);
            if (run >= 0)
                times[i][run] = (seconds(ways[i].clock) - start) / (double)calls;
        }
    for (size_t i = 0; i < COUNT(ways); i++) {
        qsort(times[i], (size_t)runs, sizeof(double), compare_numbers);
        double time = times[i][ways[i].clock == CLOCK_MONOTONIC ? 0 : runs / 2];
        speeds[i] = time > 0 ? 2e-9 * (double)job->size / time : 0;
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void bench(const struct measured_shape *shape, int runs)
{
    struct measured_job job;
    double v[COUNT(ways)];
    job_start(&job, shape);
    for (int i = 0; i < 2 && ort != NULL; i++)
        engine_start(&engines[i], &job, i + 1);
    measure(&job, runs, WORK_LEAST, ~0u, v);
    double best = larger(v[WHOLE], larger(v[PAST_CACHE], v[BY_STRING]));
    printf("| %s | %zu | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %.1f | %.1f | %.2f |\n", shape->what,
           shape->element_size, v[NAIVE], v[WHOLE], v[PAST_CACHE], v[BY_STRING], v[ORT_1], v[SPLIT_1],
           ratio(v[SPLIT_1], best), ratio(v[SPLIT_1], v[ORT_1]), v[ORT_2], v[SPLIT_2], ratio(v[SPLIT_2], v[ORT_2]));
    fflush(stdout);
    free(job.memory);
}

/* ---- cases where others are faster ---- */

#define SWEEP_BYTES ((size_t)48 << 20) /* maximum size of a tensor */
#define SWEEP_WORK  ((size_t)4 << 20)
#define SWEEP_NOISE 0.95 /* smaller differences are noise */

/* Row sizes in bytes, for one to 10,000 rows, in two to eight parts. */
static const size_t sweep_runs[] = {1,    2,    3,    4,    6,    8,     12,    16,    24,    32,   48,
                                    64,   100,  128,  200,  256,  400,   512,   768,   1000,  1024, 1536,
                                    2048, 3000, 4096, 6000, 8192, 16384, 32768, 65536, 262144};
static const uint64_t sweep_rows[] = {1, 4, 10, 32, 100, 1000, 10000};
static const int64_t sweep_parts[] = {2, 3, 8};

static bool sweep_one(size_t run, uint64_t rows, int64_t parts, int runs)
{
    char what[64];
    struct measured_shape shape = {what, run % 4 == 0 ? 4 : run % 2 == 0 ? 2 : 1, rows, 1, parts, 0, {0}};
    shape.length = (int64_t)(run / shape.element_size);
    struct measured_job job;
    double v[COUNT(ways)];
    snprintf(what, sizeof(what), "%llu rows of %lld runs of %zu", (unsigned long long)rows, (long long)parts, run);
    job_start(&job, &shape);
    if (ort != NULL)
        engine_start(&engines[0], &job, 1);
    measure(&job, runs, SWEEP_WORK, 1 << NAIVE | 1 << ORT_1 | 1 << SPLIT_1, v);
    double best = larger(v[NAIVE], v[ORT_1]);
    bool is_behind = v[SPLIT_1] < SWEEP_NOISE * best;
    if (is_behind)
        printf("| %s | %.1f | %.1f | %.1f | %.2f |\n", what, v[NAIVE], v[ORT_1], v[SPLIT_1], ratio(v[SPLIT_1], best));
    fflush(stdout);
    free(job.memory);
    return is_behind;
}

static void sweep(int runs)
{
    unsigned behind = 0, all = 0;
    puts("| shape | naive | ORT | opshift | / the faster |\n| --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < COUNT(sweep_runs); i++)
        for (size_t j = 0; j < COUNT(sweep_rows); j++)
            for (size_t k = 0; k < COUNT(sweep_parts); k++) {
                if (sweep_runs[i] * sweep_rows[j] * (size_t)sweep_parts[k] > SWEEP_BYTES)
                    continue;
                behind += sweep_one(sweep_runs[i], sweep_rows[j], sweep_parts[k], runs);
                all++;
            }
    printf("\nbehind in %u of %u shapes\n", behind, all);
}

int main(int argc, char **argv)
{
    const char *text = getenv("RUNS");
    int runs = text != NULL ? atoi(text) : 9;
    if (runs < 1 || runs > RUNS_MAX)
        die("RUNS is %s, must be between 1 and %d", text, RUNS_MAX);
    if (argc > 1)
        ort_open(argv[1]);
    if (getenv("SWEEP") != NULL) {
        sweep(runs);
        return 0;
    }
    if (opshift_team_new(2, &team, NULL) != OPSHIFT_OK)
        die("no memory for a team");
    puts("| shape | bytes | naive | memcpy | past cache | rep movsb | ORT | opshift | / best copy | / ORT | ORT, 2 | "
         "opshift, 2 | / ORT, 2 |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    const char *only = getenv("SHAPE");
    for (size_t i = 0; i < COUNT(shapes); i++)
        if (only == NULL || strstr(shapes[i].what, only) != NULL)
            bench(&shapes[i], runs);
    opshift_team_free(team);
    return 0;
}
