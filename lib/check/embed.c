/* Writes data of the tree as C: embed targets DIRECTORY > targets_shipped.c, the profiles; embed checks FILE >
 * check_text.h, what users read of each check. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

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

/* A byte of a C string literal. ? is escaped because of trigraphs. */
static void print_byte(int byte)
{
    if (byte == '\n')
        fputs("\\n", stdout);
    else if (strchr("\"\\?", byte))
        printf("\\%c", byte);
    else if (byte >= ' ' && byte <= '~')
        putchar(byte);
    else
        printf("\\%03o", (unsigned)byte);
}

/* ---- profiles ---- */

/* One C string literal per line, so that no literal gets too long. */
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
        print_byte(byte);
        first = byte == '\n';
        if (first)
            putchar('"');
    }
    puts(first ? "}," : "\"},");
    return fclose(file) == 0;
}

static int print_profiles(const char *directory)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, is_profile, by_name), good = count >= 0;
    if (count < 0)
        perror(directory);
    puts("/* The shipped target profiles; made by lib/check/embed from rules/targets. */\n#include "
         "\"check/target.h\"\n");
    puts("const struct target_text targets_shipped[] = {");
    for (int i = 0; i < count; i++) {
        good = good && print_file(directory, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    puts("    {NULL, NULL},\n};");
    return good;
}

/* ---- checks ---- */

static const char *scalar(yaml_document_t *document, int number)
{
    const yaml_node_t *node = yaml_document_get_node(document, number);
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

/* A member of struct opshift_check, as its key is named. */
static void print_member(const char *key, const char *text)
{
    printf(", .about.%s = ", key);
    if (strcmp(key, "severity") == 0) {
        fputs("OPSHIFT_SEVERITY_", stdout);
        for (; *text; text++)
            putchar(toupper((unsigned char)*text));
        return;
    }
    putchar('"');
    for (; *text; text++)
        print_byte((unsigned char)*text);
    putchar('"');
}

/* The document: a map of ids to maps of texts. */
static void print_document(yaml_document_t *document)
{
    const yaml_node_t *root = yaml_document_get_root_node(document);
    puts("/* What users read of each check; made by lib/check/embed from lib/check/checks.yaml. */");
    for (yaml_node_pair_t *check = root->data.mapping.pairs.start; check < root->data.mapping.pairs.top; check++) {
        const yaml_node_t *texts = yaml_document_get_node(document, check->value);
        const char *id = scalar(document, check->key);
        printf("#define TEXT_%s .id = %s, .about.id = \"%s\"", id, id, id);
        for (yaml_node_pair_t *text = texts->data.mapping.pairs.start; text < texts->data.mapping.pairs.top; text++)
            print_member(scalar(document, text->key), scalar(document, text->value));
        putchar('\n');
    }
}

static int parse_checks(yaml_parser_t *parser, FILE *file, const char *path)
{
    yaml_document_t document;
    yaml_parser_set_input_file(parser, file);
    if (!yaml_parser_load(parser, &document)) {
        fprintf(stderr, "%s:%u: %s\n", path, (unsigned)parser->problem_mark.line + 1, parser->problem);
        return 0;
    }
    print_document(&document);
    yaml_document_delete(&document);
    return 1;
}

static int print_checks(const char *path)
{
    yaml_parser_t parser;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 0;
    }
    int good = yaml_parser_initialize(&parser);
    if (good) {
        good = parse_checks(&parser, file, path);
        yaml_parser_delete(&parser);
    }
    return fclose(file) == 0 && good;
}

int main(int argc, char **argv)
{
    int good = 0;
    if (argc == 3 && strcmp(argv[1], "targets") == 0)
        good = print_profiles(argv[2]);
    else if (argc == 3 && strcmp(argv[1], "checks") == 0)
        good = print_checks(argv[2]);
    else
        fputs("usage: embed targets DIRECTORY | checks FILE\n", stderr);
    return good && fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
