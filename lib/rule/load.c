/* Finds rule files in directories, and reads each according to its name. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "rule/loader.h"

static enum opshift_status read_file(struct rule_set *set, const char *path, const char *base, int64_t opset,
                                     struct opshift_error *error)
{
    struct loader loader = {.place = {.error = error}, .set = set, .opset = opset};
    struct tree *tree = NULL;
    char *data = NULL;
    size_t size = 0;
    enum opshift_status status;

    loader.place.file = arena_copy(set->arena, path, strlen(path));
    if (loader.place.file == NULL)
        return opshift_no_memory(error);
    status = file_read(path, TREE_BYTES_MAX, &data, &size, error);
    if (status == OPSHIFT_OK)
        status = tree_parse(data, size, loader.place.file, set->arena, &tree, error);
    else if (status == OPSHIFT_UNSUPPORTED)
        status =
            opshift_fail(error, OPSHIFT_USAGE, "%s: larger than a rule file may be (%zu bytes)", path, TREE_BYTES_MAX);
    if (status == OPSHIFT_OK)
        status = strcmp(base, "compatible.yaml") == 0 ? compatibles_read(&loader, tree) : rule_read(&loader, tree);
    free(data);
    return status;
}

/* The number after "opset-": at least 2, since a rule describes a change from the opset below. 0: none. */
static int64_t directory_opset(const char *name)
{
    const char *digits = name + strlen("opset-");
    char *end;
    long number;

    if (strncmp(name, "opset-", strlen("opset-")) != 0 || *digits < '1' || *digits > '9')
        return 0;
    number = strtol(digits, &end, 10);
    return *end != '\0' || number < 2 || number > INT32_MAX ? 0 : number;
}

static enum opshift_status fail_directory(const char *path, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_USAGE, "%s: expected a directory named opset-NN, NN from 2, as in opset-13",
                        path);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* For scandir: strcmp gives the same order in every locale. */
static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

typedef enum opshift_status (*entry_reader)(struct rule_set *set, const char *path, const char *name, int64_t opset,
                                            struct opshift_error *error);

/* Calls read for each visible entry, in order of names. */
static enum opshift_status each_entry(struct rule_set *set, const char *directory, int64_t opset, entry_reader read,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_visible, by_name);

    if (count < 0 && errno == ENOMEM)
        return opshift_no_memory(error);
    if (count < 0)
        return opshift_fail(error, errno == ENOENT || errno == ENOTDIR ? OPSHIFT_USAGE : OPSHIFT_IO,
                            "%s: cannot be read as a directory of rules: %s", directory, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == OPSHIFT_OK) {
            char *path = arena_print(set->arena, "%s/%s", directory, entries[i]->d_name);

            status = path == NULL ? opshift_no_memory(error) : read(set, path, entries[i]->d_name, opset, error);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

static enum opshift_status read_opset_entry(struct rule_set *set, const char *path, const char *name, int64_t opset,
                                            struct opshift_error *error)
{
    if (text_ends_with(name, ".yml"))
        return opshift_fail(error, OPSHIFT_USAGE, "%s: expected a name that ends in .yaml", path);
    return text_ends_with(name, ".yaml") ? read_file(set, path, name, opset, error) : OPSHIFT_OK;
}

/* Other names than opset-... are ignored: a README, other data. */
static enum opshift_status read_directory_entry(struct rule_set *set, const char *path, const char *name, int64_t opset,
                                                struct opshift_error *error)
{
    if (strncmp(name, "opset", strlen("opset")) != 0)
        return OPSHIFT_OK;
    opset = directory_opset(name);
    return opset == 0 ? fail_directory(path, error) : each_entry(set, path, opset, read_opset_entry, error);
}

enum opshift_status rule_set_read_directory(struct rule_set *set, const char *directory, struct opshift_error *error)
{
    enum opshift_status status = each_entry(set, directory, 0, read_directory_entry, error);

    if (status == OPSHIFT_OK && set->rule_count == 0)
        return opshift_fail(error, OPSHIFT_USAGE, "%s: no rules are here; expected opset-NN/<name>.yaml", directory);
    return status == OPSHIFT_OK ? rule_set_finish(set, error) : status;
}

enum opshift_status rule_set_read_file(struct rule_set *set, const char *path, struct opshift_error *error)
{
    char *whole = realpath(path, NULL), *base, *directory;
    enum opshift_status status;
    int64_t opset;

    if (whole == NULL)
        return opshift_fail(error, errno == ENOENT ? OPSHIFT_USAGE : OPSHIFT_IO, "%s: cannot be opened: %s", path,
                            strerror(errno));
    base = strrchr(whole, '/');
    *base++ = '\0';
    directory = strrchr(whole, '/');
    opset = directory == NULL ? 0 : directory_opset(directory + 1);
    status = opset == 0 ? opshift_fail(error, OPSHIFT_USAGE, "%s: expected a file in a directory named opset-NN", path)
                        : read_file(set, path, base, opset, error);
    free(whole);
    return status;
}
