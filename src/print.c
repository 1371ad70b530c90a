/* Prints reports in the format of -f, and reads texts. */
#include "print.h"

#include <stdarg.h>
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

char *text_shown(const char *text)
{
    size_t room = 4 * strlen(text) + 1;
    char *shown = malloc(room);
    if (shown)
        opshift_text_show(shown, room, text);
    return shown;
}

void print_shown(FILE *out, const char *text)
{
    char *shown = text_shown(text);
    if (shown)
        fputs(shown, out);
    else
        output_note(out); /* errno is ENOMEM: the output is incomplete */
    free(shown);
}

void tell(const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    int size = vasprintf(&text, format, values);
    va_end(values);
    fputs("opshift: ", stderr);
    print_shown(stderr, size < 0 ? "out of memory" : text);
    fputc('\n', stderr);
    if (size >= 0)
        free(text);
}

bool report_is_page(const char *path)
{
    size_t size = strlen(path);
    return size > 5 && strcmp(path + size - 5, ".html") == 0;
}
