/* Opens, writes and closes the documents of -f; a file appears complete or not at all. */
#include "documents.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "options.h"
#include "output.h"
#include "print.h"
#include "progress.h"

struct document {
    char *format;
    char *path; /* "-": standard output */
    struct opshift_lint_writer *writer;
    struct pending pending;
    bool is_seen;                 /* it is a terminal */
    bool watched;                 /* signals are watched because of its temporary file */
    struct opshift_error failure; /* why a write failed */
};

static bool write_document(void *data, const char *bytes, size_t size)
{
    struct document *document = data;
    if (option_quiet && strcmp(document->path, "-") == 0 && print_is_text(document->format))
        return true;
    if (document->is_seen)
        progress_clear();
    return pending_add(&document->pending, bytes, size, &document->failure) == OPSHIFT_OK;
}

/* The library's error of a write, or the error of the write itself. */
static enum opshift_status written(const struct document *document, enum opshift_status status,
                                   struct opshift_error *error)
{
    if (status == OPSHIFT_OK || document->failure.status == OPSHIFT_OK)
        return status;
    *error = document->failure;
    return error->status;
}

static enum opshift_status document_read(struct document *document, const char *wanted, struct opshift_error *error)
{
    size_t size = strcspn(wanted, "=");
    document->path = strdup(wanted[size] == '=' ? wanted + size + 1 : "-");
    document->format = strndup(wanted, size);
    if (document->format == NULL || document->path == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    if (*document->path == '\0')
        return fail(error, OPSHIFT_USAGE, "lint: option '--format': '%.512s' has no file name; write %.64s=FILE",
                    wanted, document->format);
    document->is_seen = strcmp(document->path, "-") == 0 && isatty(STDOUT_FILENO);
    return OPSHIFT_OK;
}

static enum opshift_status document_start(struct document *document, const struct opshift_lint *lint, bool exit_zero,
                                          struct opshift_error *error)
{
    struct opshift_lint_writer_options options = {.format = document->format, .exit_zero = exit_zero};
    options.color = strcmp(document->path, "-") == 0 && print_has_colors(stdout);
    enum opshift_status status =
        opshift_lint_writer_new(lint, &options, write_document, document, &document->writer, error);
    if (status == OPSHIFT_USAGE) {
        struct opshift_error why = *error;
        return fail(error, status, "lint: option '--format': %.900s", why.text);
    }
    return status;
}

static enum opshift_status document_open(struct document *document, struct opshift_error *error)
{
    if (!output_is_stream(document->path)) {
        interrupt_watch();
        document->watched = true;
    }
    return pending_open(&document->pending, document->path, error);
}

enum opshift_status documents_open(struct documents *documents, const struct opshift_lint *lint,
                                   const struct option_values *wanted, bool exit_zero, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    documents->count = wanted->count ? wanted->count : 1;
    documents->list = calloc(documents->count, sizeof *documents->list);
    if (documents->list == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    for (size_t i = 0; status == OPSHIFT_OK && i < documents->count; i++) {
        status = document_read(&documents->list[i], wanted->count ? wanted->items[i] : "text", error);
        if (status == OPSHIFT_OK)
            status = document_start(&documents->list[i], lint, exit_zero, error);
    }
    /* Files are created only if all documents are valid. */
    for (size_t i = 0; status == OPSHIFT_OK && i < documents->count; i++)
        status = document_open(&documents->list[i], error);
    return status;
}

enum opshift_status documents_add(struct documents *documents, const struct opshift_findings *findings,
                                  struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < documents->count; i++) {
        struct document *document = &documents->list[i];
        status = written(document, opshift_lint_writer_add(document->writer, findings, error), error);
    }
    return status;
}

bool documents_are_shown(const struct documents *documents)
{
    for (size_t i = 0; i < documents->count; i++)
        if (documents->list[i].pending.file == NULL)
            return true;
    return false;
}

enum opshift_status documents_finish(struct documents *documents, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < documents->count; i++) {
        struct document *document = &documents->list[i];
        status = written(document, opshift_lint_writer_finish(document->writer, error), error);
        if (status == OPSHIFT_OK)
            status = pending_close(&document->pending, error);
    }
    for (size_t i = 0; status == OPSHIFT_OK && i < documents->count; i++)
        status = pending_commit(&documents->list[i].pending, error);
    return status;
}

void documents_free(struct documents *documents)
{
    for (size_t i = 0; i < documents->count && documents->list; i++) {
        opshift_lint_writer_free(documents->list[i].writer);
        pending_free(&documents->list[i].pending);
        free(documents->list[i].format);
        free(documents->list[i].path);
        if (documents->list[i].watched)
            interrupt_end();
    }
    free(documents->list);
    *documents = (struct documents){0};
}
