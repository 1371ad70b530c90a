/* Writes the shipped target profiles as C strings: embed DIRECTORY > targets_shipped.c. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_profile(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);
    return size > 5 && entry->d_name[0] != '.' && strcmp(entry->d_name + size - 5, ".yaml") == 0;
}

/* Comparison by strcmp gives the same order in every locale. */
static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

/* One C string literal per line, so that no literal gets too long. ? is escaped because of trigraphs. */
static int print_file(const char *directory, const char *name)
{
    char path[4096];
    int byte, first = 1;
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 0;
    }
    printf("    {\"%.*s\",", (int)strlen(name) - 5, name);
    while ((byte = getc(file)) != EOF) {
        if (first)
            fputs("\n     \"", stdout);
        first = byte == '\n';
        if (first)
            fputs("\\n\"", stdout);
        else if (strchr("\"\\?", byte))
            printf("\\%c", byte);
        else if (byte >= ' ' && byte <= '~')
            putchar(byte);
        else
            printf("\\%03o", (unsigned)byte);
    }
    puts(first ? "}," : "\"},");
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    struct dirent **entries;
    if (argc != 2) {
        fputs("usage: embed DIRECTORY\n", stderr);
        return EXIT_FAILURE;
    }
    int count = scandir(argv[1], &entries, is_profile, by_name), good = count >= 0;
    if (count < 0)
        perror(argv[1]);
    puts("/* The shipped target profiles; made by lib/check/embed from rules/targets. */\n#include "
         "\"check/target.h\"\n");
    puts("const struct target_text targets_shipped[] = {");
    for (int i = 0; i < count; i++) {
        good = good && print_file(argv[1], entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    puts("    {NULL, NULL},\n};");
    return good && fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
