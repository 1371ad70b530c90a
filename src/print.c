/* Prints a report as -f asks for. */
#include "print.h"

#include <string.h>

const char *const print_formats[] = {"text", "json", NULL};

enum opshift_status report_print(FILE *out, const struct opshift_report *report, const char *format,
                                 struct opshift_error *error)
{
    char *text = NULL;
    enum opshift_status status = format && strcmp(format, "json") == 0 ? opshift_report_json(report, &text, error)
                                                                       : opshift_report_text(report, &text, error);
    if (status == OPSHIFT_OK) {
        size_t size = strlen(text);
        fwrite(text, 1, size, out);
        if (size > 0 && text[size - 1] != '\n')
            fputc('\n', out);
    }
    opshift_text_free(text);
    return status;
}
