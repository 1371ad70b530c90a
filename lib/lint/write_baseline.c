/* baseline: the findings of a run, which later runs accept. Files that were not checked keep their entries. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lint/written.h"

static void baseline_begin(struct opshift_lint_writer *writer)
{
    buffer_add_text(&writer->out, "{\"version\": 1, \"tool\": \"opshift lint\", \"findings\": [");
}

static void entry_add(struct opshift_lint_writer *writer, json_t *entry)
{
    buffer_add_text(&writer->out, writer->continued ? ",\n" : "\n");
    writer->continued = true;
    written_add(&writer->out, entry);
}

static void file_seen(struct opshift_lint_writer *writer, const char *file)
{
    char *copy = strdup(file);
    char **grown = realloc(writer->seen, (writer->seen_count + 1) * sizeof(*grown));
    if (grown)
        writer->seen = grown;
    if (copy == NULL || grown == NULL) {
        free(copy);
        writer->out.failed = true;
        return;
    }
    grown[writer->seen_count++] = copy;
}

/* Findings about the baseline itself are not written into it. */
static bool belongs_into_baseline(const struct opshift_finding *finding)
{
    return finding->suppressed == NULL && strcmp(finding->check->id, "CFG004") != 0;
}

static void baseline_file(struct opshift_lint_writer *writer, const struct opshift_findings *findings)
{
    if (findings->status == OPSHIFT_IO || findings->status == OPSHIFT_MEMORY)
        return; /* unreadable this time: its entries are kept */
    file_seen(writer, findings->shown);
    for (size_t i = 0; i < findings->count; i++) {
        const struct opshift_finding *finding = &findings->list[i];
        if (belongs_into_baseline(finding))
            entry_add(writer, json_pack("{s:o, s:s, s:o, s:o, s:s}", "file", written_text(findings->shown), "id",
                                        finding->check->id, "location", written_text(finding->location), "message",
                                        written_text(finding->message), "fingerprint", finding->fingerprint));
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int digit_of(char letter)
{
    const char *digits = "0123456789abcdef", *at = letter ? strchr(digits, letter) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Reverses text_show in place. */
static void name_restore(char *name)
{
    char *to = name;
    for (const char *from = name; *from; to++) {
        bool coded = from[0] == '\\' && from[1] == 'x' && digit_of(from[2]) >= 0 && digit_of(from[3]) >= 0;
        *to = coded ? (char)(digit_of(from[2]) * 16 + digit_of(from[3])) : *from;
        from += coded ? 4 : 1;
    }
    *to = '\0';
}

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* Is it an entry of a file that still exists and was not checked in this run? */
static bool is_to_be_kept(const struct opshift_lint_writer *writer, const struct baseline_entry *entry)
{
    struct buffer path = {0};
    if (bsearch(&entry->file, writer->seen, writer->seen_count, sizeof(*writer->seen), by_text))
        return false;
    buffer_print(&path, "%s/%s", *entry->file == '/' ? "" : writer->lint->config.root, entry->file);
    char *text = buffer_take(&path);
    bool there = text == NULL || is_there(text);
    if (!there) {
        name_restore(text);
        there = is_there(text);
    }
    free(text);
    return there;
}

static void baseline_end(struct opshift_lint_writer *writer)
{
    const struct baseline *old = &writer->lint->baseline;
    if (writer->seen_count)
        qsort(writer->seen, writer->seen_count, sizeof(*writer->seen), by_text);
    for (size_t i = 0; i < old->count; i++) {
        const struct baseline_entry *entry = &old->entries[i];
        if (writer->seen_count == 0 || is_to_be_kept(writer, entry))
            entry_add(writer, json_pack("{s:s, s:s, s:s, s:s, s:s}", "file", entry->file, "id", entry->id, "location",
                                        entry->location, "message", entry->message, "fingerprint", entry->fingerprint));
    }
    buffer_add_text(&writer->out, writer->continued ? "\n]}\n" : "]}\n");
}

const struct lint_format lint_format_baseline = {"baseline", baseline_begin, baseline_file, baseline_end};
