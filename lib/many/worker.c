/* A worker process: takes tasks on its standard input, one after another, and answers there. */
#include "many/worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"

#if defined HAVE_SYS_PRCTL_H && defined __linux__
#include <sys/prctl.h>
#endif

#include "base/descriptor.h"
#include "base/strings.h"
#include "many/outcome.h"
#include "many/worker_pool.h"
#include "model/external_set.h"

/* ---- peak memory ---- */

/* Linux counts anew from here on; elsewhere the peak is that of the process. */
static void peak_reset(void)
{
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file >= 0 && write(file, "5", 1) < 0)
        errno = 0;
    descriptor_close(file);
}

static uint64_t peak_read(void)
{
    char text[2048];
    struct rusage usage;
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, text, sizeof(text) - 1);
    descriptor_close(file);
    text[size > 0 ? size : 0] = '\0';
    const char *line = strstr(text, "VmHWM:");
    if (line)
        return strtoull(line + 6, NULL, 10) << 10;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss << 10 : 0;
}

/* ---- what was left by a process that was killed ---- */

void leftovers_remove(const char *output)
{
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
    char *directory = strndup(output, slash ? (size_t)(slash - output) + 1 : 0);
    DIR *entries = directory ? opendir(*directory ? directory : ".") : NULL;
    size_t size = strlen(name);
    for (const struct dirent *entry; size > 0 && entries && (entry = readdir(entries)) != NULL;) {
        const char *found = entry->d_name;
        if (found[0] == '.' && strncmp(found + 1, name, size) == 0 && found[size + 1] == '.' &&
            strlen(found) == size + 16 && text_ends_with(found, ".opshift"))
            unlinkat(dirfd(entries), found, 0);
    }
    if (entries)
        closedir(entries);
    free(directory);
}

/* Of the output, and of the external data beside it. */
static void task_clean(const struct opshift_worker *worker, const struct packet_task *task)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    struct external_set files = {0};
    const char *slash = strrchr(task->output, '/');
    int size = slash ? (int)(slash - task->output) + 1 : 0;
    leftovers_remove(task->output);
    if (*task->output && opshift_model_open(task->path, worker->open, &model, &error) == OPSHIFT_OK &&
        external_set_look(model, &files, &error) == OPSHIFT_OK)
        for (size_t i = 0; i < files.count; i++) {
            char *path = NULL;
            if (strstr(files.list[i].location, "..")) /* it may lead out */
                continue;
            if (asprintf(&path, "%.*s%s", size, task->output, files.list[i].location) >= 0)
                leftovers_remove(path);
            free(path);
        }
    external_set_free(&files);
    opshift_model_free(model);
}

/* ---- one task ---- */

static void result_fail(struct opshift_result *result, struct packet_facts *facts, const struct opshift_error *error)
{
    facts->status = (uint32_t)error->status;
    result->message = error->text;
}

/* The hash of the file that was written, where it is a file. */
static enum opshift_status output_look(const char *path, struct opshift_result *result, struct packet_facts *facts,
                                       struct opshift_error *error)
{
    struct stat found;
    if (*path == '\0' || stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return OPSHIFT_OK;
    return file_hash(path, result->output_hash, &facts->output_size, error);
}

/* Of the model, or of both of a pair. */
static enum opshift_status task_hash(const struct opshift_worker *worker, const struct packet_task *task,
                                     char hash[OPSHIFT_HASH_SIZE], struct opshift_error *error)
{
    char other[OPSHIFT_HASH_SIZE] = "", *path = NULL;
    struct opshift_error missing = {0};
    struct sha256 both;
    enum opshift_status status = opshift_model_hash(task->path, worker->open, hash, error);
    if (status || worker->beside == NULL)
        return status;
    if (asprintf(&path, "%s/%s", worker->beside, task->name) < 0)
        return opshift_no_memory(error);
    if (opshift_model_hash(path, worker->open, other, &missing) != OPSHIFT_OK)
        other[0] = '\0'; /* the work tells of it */
    free(path);
    sha256_start(&both);
    sha256_add(&both, hash, OPSHIFT_HASH_SIZE);
    sha256_add(&both, other, OPSHIFT_HASH_SIZE);
    sha256_end(&both, hash);
    return OPSHIFT_OK;
}

void task_do(const struct opshift_worker *worker, const struct packet_task *task, struct buffer *packet)
{
    struct packet_facts facts;
    struct opshift_result result = {.path = task->path, .name = task->name, .output = task->output};
    struct opshift_error error = {0};
    memset(&facts, 0, sizeof(facts)); /* its padding is sent, too */
    double start = seconds_now();
    enum opshift_status status = OPSHIFT_OK;
    if (task->stale)
        task_clean(worker, task);
    if (task->hashed) {
        peak_reset();
        status = task_hash(worker, task, result.hash, &error);
    }
    facts.unchanged = status == OPSHIFT_OK && *task->expected && strcmp(task->expected, result.hash) == 0;
    if (status == OPSHIFT_OK && !facts.unchanged && (*task->expected == '\0' || !task->hashed)) {
        status = worker->work(worker->data, &result, &error);
        if (status == OPSHIFT_OK && task->hashed)
            status = output_look(task->output, &result, &facts, &error);
    }
    if (status) {
        error.status = status;
        result_fail(&result, &facts, &error);
    }
    facts.seconds = seconds_now() - start;
    facts.memory = task->hashed ? peak_read() : 0;
    packet_add_result(packet, &facts, &result);
}

/* ---- the process ---- */

/* 1; 0: there is nothing more. */
static int receive(int from, uint8_t *into, size_t size)
{
    return descriptor_read(from, into, size, -1) == (ssize_t)size;
}

/* The host gets what a terminal sends and decides; if the host ends, so does the worker. */
static void set_signals(pid_t host)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
#if defined HAVE_SYS_PRCTL_H && defined __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != host)
        raise(SIGTERM);
}

static enum opshift_status limit_memory(uint64_t most, struct opshift_error *error)
{
    struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
#ifdef RLIMIT_DATA
    if (most > 0 && setrlimit(RLIMIT_DATA, &limit) != 0)
#else
    if (most > 0 && setrlimit(RLIMIT_AS, &limit) != 0)
#endif
        return opshift_fail(error, OPSHIFT_IO, "the limit of memory cannot be set: %s", strerror(errno));
    return OPSHIFT_OK;
}

/* Standard input becomes empty: no model may read the socket. */
static enum opshift_status take_socket(int *socket, struct opshift_error *error)
{
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    *socket = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    bool taken = none >= 0 && *socket >= 0 && dup2(none, STDIN_FILENO) == STDIN_FILENO;
    int why = errno;
    descriptor_close(none);
    return taken ? OPSHIFT_OK
                 : opshift_fail(error, OPSHIFT_IO, "a worker has no socket to its host: %s", strerror(why));
}

/* OK: and false where the host has no more tasks. */
static bool serve_one(const struct opshift_worker *worker, int socket, struct buffer *packet)
{
    uint64_t size;
    struct packet_task task;
    if (!receive(socket, (uint8_t *)&size, sizeof(size)) || size > PACKET_MOST)
        return false;
    uint8_t *body = malloc((size_t)size + 1);
    bool good = body && receive(socket, body, (size_t)size) && packet_read_task(body, (size_t)size, &task);
    if (good) {
        task_do(worker, &task, packet);
        good = !packet->failed && descriptor_write(socket, packet->data, packet->size, -1) == 0;
    }
    free(body);
    return good;
}

enum opshift_status opshift_worker_serve(const struct opshift_worker *worker, struct opshift_error *error)
{
    struct buffer packet = {0};
    int socket = -1;
    set_signals((pid_t)worker->host);
    enum opshift_status status = limit_memory(worker->memory, error);
    if (status == OPSHIFT_OK)
        status = take_socket(&socket, error);
    while (status == OPSHIFT_OK && serve_one(worker, socket, &packet))
        ;
    descriptor_close(socket);
    buffer_free(&packet);
    return status;
}
