/* Reads bytes as a journal, printed in each format; as an expression; as what a worker process answers. */
#include <stdlib.h>
#include <string.h>

#include "many/packet.h"
#include "tests/fuzz/fuzz.h"

static void try_journal(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"text", "json", "csv", "junit", "sarif", "names", "slurm"};
    const char *path = fuzz_file("run.jsonl", data, size);
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        const struct opshift_summary_options how = {.format = formats[i], .verbose = true};
        struct opshift_error error = {0};
        char *text = NULL;
        size_t text_size;
        fuzz_answer(opshift_journal_summary(&path, 1, &how, &text, &text_size, NULL, &error), &error);
        opshift_text_free(text);
    }
    struct opshift_journal *journal = NULL;
    struct opshift_error error = {0};
    const struct opshift_journal_options how = {.command = "fuzz"};
    fuzz_answer(opshift_journal_open(path, &how, &journal, &error), &error);
    opshift_journal_free(journal);
}

static void try_where(const uint8_t *data, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_where *where = NULL;
    char *text = strndup((const char *)data, size);
    if (text)
        fuzz_answer(opshift_where_new(text, &where, &error), &error);
    opshift_where_free(where);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct packet_task task;
    struct packet_facts facts;
    struct opshift_result result;
    packet_read_task(data, size, &task);
    packet_read_result(data, size, &facts, &result);
    try_where(data, size);
    try_journal(data, size);
    return 0;
}
