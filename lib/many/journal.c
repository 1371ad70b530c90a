/* Reads and appends a journal: one JSON line when a model is begun and one when it is done, so that a torn line loses
 * that line alone. */
#include "many/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/list.h"
#include "base/option_struct.h"
#include "base/report.h"
#include "many/model_list.h"

/* ---- reading ---- */

struct journal_entry *entries_find(const struct journal_entries *entries, const char *name)
{
    uint64_t hash = table_hash(&entries->names, name, strlen(name));
    for (uint32_t at = 0, item; (item = table_next(&entries->names, hash, &at)) != TABLE_NONE;)
        if (strcmp(entries->list[item].name, name) == 0)
            return &entries->list[item];
    return NULL;
}

struct journal_entry *entries_add(struct journal_entries *entries, const char *name)
{
    char *copy = strdup(name);
    if (copy == NULL || !table_reserve(&entries->names, 1) ||
        !list_grow(&entries->list, entries->count, &entries->room, sizeof(*entries->list))) {
        free(copy);
        return NULL;
    }
    table_put(&entries->names, table_hash(&entries->names, copy, strlen(copy)), entries->count);
    entries->list[entries->count] = (struct journal_entry){.name = copy};
    return &entries->list[entries->count++];
}

/* "3/8" */
static void header_read(struct journal_entries *entries, const json_t *line)
{
    struct opshift_shard shard;
    const char *array = report_text_of(line, "array"), *command = report_text_of(line, "command");
    if (sscanf(report_text_of(line, "shard"), "%9u/%9u", &shard.index, &shard.count) == 2 && shard.count > 0 &&
        shard.count <= SHARDS_MOST)
        entries->shard = shard;
    if (*array && entries->array == NULL)
        entries->array = strdup(array);
    if (*command && entries->command == NULL)
        entries->command = strdup(command);
}

/* Of several journals the later end counts. The texts of times are in the order of the times. */
static enum opshift_status end_take(struct journal_entry *entry, const json_t *line, const char *text, size_t size,
                                    struct opshift_error *error)
{
    json_t *old = NULL;
    struct opshift_result result;
    bool later = entry->line == NULL || !line_read(entry->line, entry->line_size, &old, &result) ||
                 strcmp(report_text_of(old, "time"), report_text_of(line, "time")) <= 0;
    json_decref(old);
    if (!later)
        return OPSHIFT_OK;
    char *copy = strndup(text, size);
    if (copy == NULL)
        return opshift_no_memory(error);
    free(entry->line);
    entry->line = copy;
    entry->line_size = size;
    entry->outcome = outcome_read(report_text_of(line, "outcome"));
    entry->open = false;
    return OPSHIFT_OK;
}

static enum opshift_status line_take(struct journal_entries *entries, const char *text, size_t size,
                                     struct opshift_error *error)
{
    json_t *line = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    enum opshift_status status = OPSHIFT_OK;
    bool begins = json_object_get(line, "begin") != NULL;
    char *name = line_name(line, begins ? "begin" : "end");
    if (name == NULL && json_object_get(line, "journal") == NULL) {
        entries->torn += size > 0;
    } else if (name == NULL) {
        header_read(entries, line);
    } else {
        struct journal_entry *entry = entries_find(entries, name);
        entry = entry ? entry : entries_add(entries, name);
        if (entry == NULL) {
            status = opshift_no_memory(error);
        } else if (begins) {
            entry->attempts++;
            entry->open = true;
        } else {
            status = end_take(entry, line, text, size, error);
        }
    }
    free(name);
    json_decref(line);
    return status;
}

enum opshift_status entries_read(struct journal_entries *entries, const char *text, size_t size,
                                 struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t at = 0; status == OPSHIFT_OK && at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        status = line_take(entries, text + at, length, error);
        at += length + 1;
    }
    return status;
}

void entries_free(struct journal_entries *entries)
{
    for (uint32_t i = 0; i < entries->count; i++) {
        free(entries->list[i].name);
        free(entries->list[i].line);
    }
    free(entries->list);
    free(entries->array);
    free(entries->command);
    table_free(&entries->names);
}

/* ---- writing ---- */

static enum opshift_status journal_fail(const struct opshift_journal *journal, const char *what,
                                        struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_IO, "%.512s: the journal cannot be %s: %s", journal->path, what,
                        strerror(errno));
}

/* A line that was written in part is cut off again; where that fails, too, the next reader leaves it out. */
static enum opshift_status line_append(struct opshift_journal *journal, char *line, struct opshift_error *error)
{
    struct stat before;
    size_t size = line ? strlen(line) : 0;
    if (line == NULL)
        return opshift_no_memory(error);
    line[size] = '\n';
    bool known = fstat(journal->descriptor, &before) == 0;
    bool written = descriptor_write(journal->descriptor, line, size + 1, -1) == 0 &&
                   (!journal->sync || descriptor_flush(journal->descriptor) == 0);
    int why = errno;
    if (!written && known)
        (void)!ftruncate(journal->descriptor, before.st_size);
    errno = why;
    free(line);
    return written ? OPSHIFT_OK : journal_fail(journal, "written", error);
}

/* A POSIX lock, which NFS has, too. It ends with the process, or when the process closes the file. */
static enum opshift_status lock_take(const struct opshift_journal *journal, struct opshift_error *error)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(journal->descriptor, F_SETLK, &lock) == 0)
        return OPSHIFT_OK;
    if (errno != EAGAIN && errno != EACCES)
        return journal_fail(journal, "locked", error);
    char who[48] = "another process";
    if (fcntl(journal->descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid > 0)
        snprintf(who, sizeof(who), "another process, %ld,", (long)lock.l_pid);
    return opshift_fail(error, OPSHIFT_USAGE,
                        "%.512s: %s is writing this journal; wait for it, or give each run a journal of its own",
                        journal->path, who);
}

/* Reads what is there. A last line without an end gets one. */
static enum opshift_status past_read(struct opshift_journal *journal, struct opshift_error *error)
{
    struct stat about;
    if (fstat(journal->descriptor, &about) != 0)
        return journal_fail(journal, "read", error);
    if (!S_ISREG(about.st_mode))
        return opshift_fail(error, OPSHIFT_USAGE, "%.512s: is no file, and a journal must be one", journal->path);
    char *text = malloc((size_t)about.st_size + 1);
    ssize_t size = text ? descriptor_read(journal->descriptor, text, (size_t)about.st_size, 0) : 0;
    enum opshift_status status = text ? OPSHIFT_OK : opshift_no_memory(error);
    if (size < 0)
        status = journal_fail(journal, "read", error);
    if (status == OPSHIFT_OK)
        status = entries_read(&journal->entries, text, (size_t)size, error);
    if (status == OPSHIFT_OK && journal->entries.torn > 0 && journal->entries.count == 0 &&
        journal->entries.command == NULL && memchr(text, '\n', (size_t)size))
        status = opshift_fail(error, OPSHIFT_USAGE, "%.512s: is not a journal; name another file", journal->path);
    if (status == OPSHIFT_OK && size > 0 && text[size - 1] != '\n' &&
        descriptor_write(journal->descriptor, "\n", 1, -1) != 0)
        status = journal_fail(journal, "written", error);
    free(text);
    return status;
}

/* Tasks of an array that are run again without OPSHIFT_ARRAY would take other shares. */
static enum opshift_status shard_check(const struct opshift_journal *journal, const struct opshift_shard *shard,
                                       struct opshift_error *error)
{
    const struct opshift_shard *before = &journal->entries.shard;
    struct opshift_shard now = shard ? *shard : (struct opshift_shard){1, 1};
    if (before->count == 0 || (before->index == now.index && before->count == now.count))
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE,
                        "%.512s: is the journal of shard %u/%u, and this is shard %u/%u; give the same --shard, or "
                        "another journal",
                        journal->path, before->index, before->count, now.index, now.count);
}

/* What decides whether a model that is done is done. */
static void run_digest(struct opshift_journal *journal, const struct opshift_journal_options *options)
{
    char text[SHA256_TEXT_SIZE];
    struct sha256 hash;
    const char *fixed[] = {options->command, opshift_version(), options->versions ? options->versions : ""};
    sha256_start(&hash);
    for (size_t i = 0; i < COUNT(fixed); i++)
        sha256_add(&hash, fixed[i], strlen(fixed[i]) + 1);
    for (size_t i = 0; i < options->option_count; i++)
        sha256_add(&hash, options->options[i], strlen(options->options[i]) + 1);
    sha256_end(&hash, text);
    memcpy(journal->run, text, sizeof(journal->run) - 1);
}

/* The array of a job of Slurm, for those who run some of its tasks again. */
static void array_set(json_t **line)
{
    const char *given = getenv("OPSHIFT_ARRAY"), *least = getenv("SLURM_ARRAY_TASK_MIN");
    const char *most = getenv("SLURM_ARRAY_TASK_MAX"), *step = getenv("SLURM_ARRAY_TASK_STEP");
    char text[80];
    if (given == NULL && (least == NULL || most == NULL))
        return;
    snprintf(text, sizeof(text), "%.20s-%.20s:%.20s", least ? least : "", most ? most : "", step ? step : "1");
    given = given ? given : text;
    report_set(line, "array", report_string(given, strlen(given)));
}

static enum opshift_status header_write(struct opshift_journal *journal, const struct opshift_journal_options *options,
                                        struct opshift_error *error)
{
    char time[32], host[256] = "", shard[32];
    json_t *line = json_object(), *given = json_array();
    time_print(time);
    gethostname(host, sizeof(host) - 1);
    report_set(&line, "journal", json_integer(1));
    report_set(&line, "run", json_string(journal->run));
    report_set(&line, "command", json_string(options->command));
    for (size_t i = 0; i < options->option_count; i++)
        report_append(&given, report_string(options->options[i], strlen(options->options[i])));
    report_set(&line, "options", given);
    report_set(&line, "opshift", json_string(opshift_version()));
    if (options->versions)
        report_set(&line, "versions", json_string(options->versions));
    snprintf(shard, sizeof(shard), "%u/%u", options->shard ? options->shard->index : 1,
             options->shard ? options->shard->count : 1);
    report_set(&line, "shard", json_string(shard));
    if (options->shard)
        array_set(&line);
    report_set(&line, "host", report_string(host, strlen(host)));
    report_set(&line, "process", json_integer(getpid()));
    report_set(&line, "time", json_string(time));
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    json_decref(line);
    return line_append(journal, text, error);
}

enum opshift_status opshift_journal_open(const char *path, const struct opshift_journal_options *options,
                                         struct opshift_journal **journal, struct opshift_error *error)
{
    struct opshift_journal_options how;
    struct opshift_journal *made = calloc(1, sizeof(*made));
    *journal = NULL;
    enum opshift_status status = made ? OPTIONS_COPY(options, &how, error) : opshift_no_memory(error);
    if (made == NULL)
        return status;
    made->path = strdup(path);
    made->sync = status == OPSHIFT_OK && how.sync;
    made->descriptor = -1;
    if (status == OPSHIFT_OK && made->path == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK) {
        made->descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
        if (made->descriptor < 0)
            status = journal_fail(made, "opened", error);
    }
    if (status == OPSHIFT_OK)
        status = lock_take(made, error);
    if (status == OPSHIFT_OK)
        status = past_read(made, error);
    if (status == OPSHIFT_OK)
        status = shard_check(made, how.shard, error);
    if (status == OPSHIFT_OK) {
        run_digest(made, &how);
        status = header_write(made, &how, error);
    }
    if (status == OPSHIFT_OK)
        *journal = made;
    else
        opshift_journal_free(made);
    return status;
}

enum opshift_status opshift_journal_begin(struct opshift_journal *journal, const char *name,
                                          struct opshift_error *error)
{
    struct journal_entry *entry = entries_find(&journal->entries, name);
    entry = entry ? entry : entries_add(&journal->entries, name);
    if (entry == NULL)
        return opshift_no_memory(error);
    entry->attempts++;
    return line_append(journal, line_begin(journal->run, name, entry->attempts), error);
}

enum opshift_status opshift_journal_end(struct opshift_journal *journal, const struct opshift_result *result,
                                        struct opshift_error *error)
{
    const struct journal_entry *entry = entries_find(&journal->entries, result->name);
    return line_append(journal, line_end(journal->run, result, entry ? entry->attempts : 1), error);
}

bool journal_find(const struct opshift_journal *journal, const char *name, const char *output, json_t **root,
                  struct opshift_result *result)
{
    struct stat found;
    const struct journal_entry *entry = entries_find(&journal->entries, name);
    *root = NULL;
    if (entry == NULL || entry->line == NULL || entry->open || !line_read(entry->line, entry->line_size, root, result))
        return false;
    if (strcmp(report_text_of(*root, "run"), journal->run) != 0 || result->outcome >= OPSHIFT_OUTCOME_FAILED ||
        result->hash[0] == '\0')
        return false;
    if (result->outcome != OPSHIFT_OUTCOME_DONE || output == NULL)
        return true;
    return stat(output, &found) == 0 &&
           (result->output_hash[0] == '\0' || (uint64_t)found.st_size == result->output_size);
}

bool opshift_journal_is_done(const struct opshift_journal *journal, const char *name, const char *hash,
                             const char *output)
{
    json_t *root = NULL;
    struct opshift_result result;
    bool done = journal_find(journal, name, output, &root, &result) && strcmp(result.hash, hash) == 0;
    json_decref(root);
    return done;
}

void opshift_journal_free(struct opshift_journal *journal)
{
    if (journal) {
        descriptor_close(journal->descriptor);
        entries_free(&journal->entries);
        free(journal->path);
    }
    free(journal);
}
