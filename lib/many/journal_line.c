/* The lines of a journal, written and read. */
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "base/report.h"
#include "many/journal.h"

const char *const outcome_names[] = {"done", "refused", "malformed", "failed", "killed", "unfinished", "missing"};

enum opshift_outcome outcome_of(enum opshift_status status)
{
    switch (status) {
    case OPSHIFT_OK:
        return OPSHIFT_OUTCOME_DONE;
    case OPSHIFT_NO:
        return OPSHIFT_OUTCOME_REFUSED;
    case OPSHIFT_MALFORMED:
    case OPSHIFT_UNSUPPORTED:
        return OPSHIFT_OUTCOME_MALFORMED;
    case OPSHIFT_USAGE:
    case OPSHIFT_IO:
    case OPSHIFT_MEMORY:
    case OPSHIFT_CANCELLED:
        break;
    }
    return OPSHIFT_OUTCOME_FAILED;
}

void time_print(char text[32])
{
    struct timeval now;
    struct tm parts;
    gettimeofday(&now, NULL);
    gmtime_r(&now.tv_sec, &parts);
    size_t size = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + size, 32 - size, ".%03dZ", (int)(now.tv_usec / 1000));
}

/* A name that is not UTF-8 is also given byte by byte, in hexadecimal digits. */
static void name_set(json_t **line, const char *key, const char *name)
{
    size_t size = strlen(name);
    json_t *plain = json_stringn(name, size);
    char *hexadecimal = plain ? NULL : malloc(2 * size + 1);
    report_set(line, key, plain ? plain : report_string(name, size));
    if (hexadecimal) {
        hash_text((const uint8_t *)name, size, hexadecimal);
        report_set(line, "name_bytes", json_string(hexadecimal));
    }
    free(hexadecimal);
}

static unsigned digit_of(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
}

char *line_name(const json_t *line, const char *key)
{
    const json_t *plain = json_object_get(line, key);
    const char *bytes = report_text_of(line, "name_bytes");
    size_t size = strlen(bytes) / 2;
    if (!json_is_string(plain))
        return NULL;
    if (*bytes == '\0')
        return strlen(json_string_value(plain)) == json_string_length(plain) ? strdup(json_string_value(plain)) : NULL;
    char *name = bytes[strspn(bytes, "0123456789abcdef")] == '\0' ? malloc(size + 1) : NULL;
    for (size_t i = 0; name && i < size; i++)
        name[i] = (char)(digit_of(bytes[2 * i]) << 4 | digit_of(bytes[2 * i + 1]));
    if (name)
        name[size] = '\0';
    return name;
}

static char *line_make(json_t *line)
{
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(line);
    return text;
}

static json_t *line_new(const char *key, const char *run, const char *name, uint64_t attempt)
{
    char time[32];
    json_t *line = json_object();
    time_print(time);
    name_set(&line, key, name);
    report_set(&line, "run", json_string(run));
    report_set(&line, "attempt", json_integer((json_int_t)attempt));
    report_set(&line, "time", json_string(time));
    return line;
}

char *line_begin(const char *run, const char *name, uint64_t attempt)
{
    return line_make(line_new("begin", run, name, attempt));
}

static void text_set(json_t **line, const char *key, const char *text)
{
    if (text && *text)
        report_set(line, key, report_string(text, strlen(text)));
}

/* One string for each line of the text. */
static void lines_set(json_t **line, const char *key, const char *text)
{
    json_t *list = text && *text ? json_array() : NULL;
    if (list == NULL)
        return;
    for (size_t size; *text; text += size + (text[size] == '\n')) {
        size = strcspn(text, "\n");
        report_append(&list, report_string(text, size));
    }
    report_set(line, key, list);
}

char *line_end(const char *run, const struct opshift_result *result, uint64_t attempt)
{
    json_t *line = line_new("end", run, result->name, attempt);
    report_set(&line, "outcome", json_string(outcome_names[result->outcome]));
    report_set(&line, "status", json_integer(result->status));
    text_set(&line, "hash", result->hash);
    report_set(&line, "seconds", json_real(result->seconds));
    if (result->memory)
        report_set(&line, "memory", json_integer((json_int_t)result->memory));
    text_set(&line, "output", result->output);
    if (result->output_hash[0]) {
        report_set(&line, "output_hash", json_string(result->output_hash));
        report_set(&line, "output_size", json_integer((json_int_t)result->output_size));
    }
    text_set(&line, "counts", result->counts);
    text_set(&line, "message", result->message);
    lines_set(&line, "reasons", result->reasons);
    return line_make(line);
}

enum opshift_outcome outcome_read(const char *name)
{
    enum opshift_outcome outcome = OPSHIFT_OUTCOME_DONE;
    while (outcome < OPSHIFT_OUTCOME_KILLED && strcmp(name, outcome_names[outcome]) != 0)
        outcome++;
    return outcome;
}

static void hash_copy(char hash[OPSHIFT_HASH_SIZE], const char *text)
{
    snprintf(hash, OPSHIFT_HASH_SIZE, "%s", text);
}

bool line_read(const char *line, size_t size, json_t **root, struct opshift_result *result)
{
    *root = json_loadb(line, size, 0, NULL);
    *result = (struct opshift_result){.path = "", .reasons = "", .counts = ""};
    if (!json_is_object(*root) || !json_is_string(json_object_get(*root, "end")))
        return false;
    result->outcome = outcome_read(report_text_of(*root, "outcome"));
    result->status = (enum opshift_status)json_integer_value(json_object_get(*root, "status"));
    result->seconds = json_number_value(json_object_get(*root, "seconds"));
    result->memory = (uint64_t)json_integer_value(json_object_get(*root, "memory"));
    result->output = report_text_of(*root, "output");
    result->output_size = (uint64_t)json_integer_value(json_object_get(*root, "output_size"));
    result->attempt = (uint64_t)json_integer_value(json_object_get(*root, "attempt"));
    result->counts = report_text_of(*root, "counts");
    result->message = report_text_of(*root, "message");
    hash_copy(result->hash, report_text_of(*root, "hash"));
    hash_copy(result->output_hash, report_text_of(*root, "output_hash"));
    return true;
}
