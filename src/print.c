/* Prints reports in the format of -f, and reads texts. */
#include "print.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "output.h"

const char *const print_formats[] = {"text", "json", NULL};

bool print_is_text(const char *format)
{
    return format == NULL || strcmp(format, "text") == 0;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

bool print_has_colors(FILE *out)
{
    const char *terminal = getenv("TERM"), *force = getenv("CLICOLOR_FORCE");
    if (option_color && strcmp(option_color, "auto") != 0)
        return strcmp(option_color, "always") == 0;
    if (is_set("NO_COLOR"))
        return false;
    if (force && *force && strcmp(force, "0") != 0)
        return true;
    return isatty(fileno(out)) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

#define RED    "\033[1;31m"
#define YELLOW "\033[1;33m"
#define FAINT  "\033[2m"
#define PLAIN  "\033[0m"

/* How lines of reports begin that must be looked at. No text of a model begins a line: it is escaped. */
static const struct {
    const char *start, *color;
} starts[] = {
    {"blocked: ", RED},        {"differs: ", RED},      {"invalid: ", RED},
    {"remains: error: ", RED}, {"not shown: ", YELLOW}, {"remains: warning: ", YELLOW},
    {"not known: ", YELLOW},   {"assumed: ", YELLOW},   {"NODE ", FAINT},
};

static void line_print(FILE *out, const char *line, size_t size)
{
    for (size_t i = 0; i < COUNT(starts); i++) {
        size_t start = strlen(starts[i].start) - 1;
        if (size <= start || memcmp(line, starts[i].start, start + 1) != 0)
            continue;
        fprintf(out, "%s%.*s%s", starts[i].color, (int)start, line, PLAIN);
        line += start;
        size -= start;
        break;
    }
    if (fwrite(line, 1, size, out) < size)
        output_note(out);
}

void print_tag(FILE *out, const char *tag)
{
    char line[64];
    int size = snprintf(line, sizeof line, "%s: ", tag);
    if (print_has_colors(out))
        line_print(out, line, (size_t)size);
    else
        fputs(line, out);
}

static void text_print(FILE *out, const char *text)
{
    bool colors = print_has_colors(out);
    while (*text) {
        size_t size = colors ? strcspn(text, "\n") + 1 : strlen(text);
        size = text[size - 1] == '\0' ? size - 1 : size;
        if (colors)
            line_print(out, text, size);
        else if (fwrite(text, 1, size, out) < size)
            output_note(out);
        text += size;
    }
}

enum opshift_status report_print(FILE *out, const struct opshift_report *report, const char *format,
                                 struct opshift_error *error)
{
    char *text = NULL;
    if (option_quiet && print_is_text(format))
        return OPSHIFT_OK;
    enum opshift_status status = format && strcmp(format, "json") == 0 ? opshift_report_json(report, &text, error)
                                                                       : opshift_report_text(report, &text, error);
    if (status == OPSHIFT_OK) {
        size_t size = strlen(text);
        text_print(out, text);
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

void print_prefix(void)
{
    fputs(print_has_colors(stderr) ? RED "opshift:" PLAIN " " : "opshift: ", stderr);
}

void tell(const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    int size = vasprintf(&text, format, values);
    va_end(values);
    print_prefix();
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
