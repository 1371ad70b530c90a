/* Reports printed as -f asks for, and texts read. */
#include "print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

const char *const print_formats[] = {"text", "json", NULL};

bool print_is_text(const char *format)
{
    return format == NULL || strcmp(format, "text") == 0;
}

enum opshift_status report_print(FILE *out, const struct opshift_report *report, const char *format,
                                 struct opshift_error *error)
{
    char *text = NULL;
    enum opshift_status status = format && strcmp(format, "json") == 0 ? opshift_report_json(report, &text, error)
                                                                       : opshift_report_text(report, &text, error);
    if (status == OPSHIFT_OK) {
        size_t size = strlen(text);
        if (fwrite(text, 1, size, out) < size)
            output_note(out);
        if (size > 0 && text[size - 1] != '\n')
            fputc('\n', out);
    }
    opshift_text_free(text);
    return status;
}

bool report_is_page(const char *path)
{
    size_t size = strlen(path);
    return size > 5 && strcmp(path + size - 5, ".html") == 0;
}

enum opshift_status text_read(const char *path, char **data, size_t *size, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "<stdin>" : path;
    size_t room = 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (file == NULL)
        return fail(error, OPSHIFT_IO, "%s: cannot be opened: %s", name, strerror(errno));
    do {
        if (*size == room) {
            room = room == 0 ? 65536 : room * 2;
            char *grown = realloc(*data, room);
            if (grown == NULL) {
                status = fail(error, OPSHIFT_MEMORY, "%s: no memory for more than %zu bytes", name, *size);
                goto out;
            }
            *data = grown;
        }
        *size += fread(*data + *size, 1, room - *size, file);
    } while (!feof(file) && !ferror(file));
    if (ferror(file))
        status = fail(error, OPSHIFT_IO, "%s: cannot be read: %s", name, strerror(errno));
out:
    if (!standard)
        fclose(file);
    return status;
}
