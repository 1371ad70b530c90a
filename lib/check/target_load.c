/* Finds the profile of a name: in a user's directories, else among the shipped ones. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/nearest.h"
#include "check/target.h"

/* "NAME@VERSION" in parts. */
struct target_wish {
    const char *name, *version; /* version NULL: the newest */
};

static enum opshift_status read_file(const char *path, const struct target_wish *wish, struct arena *arena,
                                     struct target **target, struct opshift_error *error)
{
    char *data = NULL;
    size_t size = 0;
    enum opshift_status status = file_read(path, TREE_BYTES_MAX, &data, &size, error);
    if (status == OPSHIFT_OK)
        status = target_read(data, size, path, wish->version, arena, target, error);
    free(data);
    return status;
}

static enum opshift_status read_shipped(const struct target_text *shipped, const char *version, struct arena *arena,
                                        struct target **target, struct opshift_error *error)
{
    const char *name = arena_print(arena, "targets/%s.yaml", shipped->name);
    if (name == NULL)
        return opshift_no_memory(error);
    return target_read(shipped->text, strlen(shipped->text), name, version, arena, target, error);
}

/* The shipped profile that has the name as an alias; NULL: none. */
static enum opshift_status alias_find(const char *name, struct arena *arena, const struct target_text **found,
                                      struct opshift_error *error)
{
    *found = NULL;
    for (const struct target_text *shipped = targets_shipped; shipped->name; shipped++) {
        struct target *target;
        enum opshift_status status = read_shipped(shipped, NULL, arena, &target, error);
        if (status)
            return status;
        for (const char *const *alias = target->aliases; *alias; alias++)
            if (strcmp(*alias, name) == 0)
                *found = shipped;
    }
    return OPSHIFT_OK;
}

static enum opshift_status load_shipped(const struct target_wish *wish, struct arena *arena, struct target **target,
                                        struct opshift_error *error)
{
    struct nearest nearest;
    const struct target_text *found;
    nearest_begin(&nearest, wish->name);
    for (const struct target_text *shipped = targets_shipped; shipped->name; shipped++) {
        if (strcmp(shipped->name, wish->name) == 0)
            return read_shipped(shipped, wish->version, arena, target, error);
        nearest_offer(&nearest, shipped->name);
    }
    enum opshift_status status = alias_find(wish->name, arena, &found, error);
    if (status)
        return status;
    if (found)
        return read_shipped(found, wish->version, arena, target, error);
    if (nearest.best)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "there is no target profile '%s'; did you mean '%s'? 'opshift targets' lists the shipped "
                            "ones, and --target-rules DIR adds those of a directory",
                            wish->name, nearest.best);
    return opshift_fail(error, OPSHIFT_USAGE,
                        "there is no target profile '%s'; 'opshift targets' lists the shipped ones, and "
                        "--target-rules DIR adds those of a directory",
                        wish->name);
}

enum opshift_status target_load(const char *name, const char *const *directories, size_t directory_count,
                                struct arena *arena, struct target **target, struct opshift_error *error)
{
    const char *at = strchr(name, '@');
    struct target_wish wish = {arena_copy(arena, name, at ? (size_t)(at - name) : strlen(name)), at ? at + 1 : NULL};
    if (wish.name == NULL)
        return opshift_no_memory(error);
    if (strchr(wish.name, '/') || *wish.name == '.') /* a name, not a path, as configurations may be untrusted */
        directory_count = 0;
    for (size_t i = directory_count; i-- > 0;) {
        const char *path = arena_print(arena, "%s/%s.yaml", directories[i], wish.name);
        if (path == NULL)
            return opshift_no_memory(error);
        if (access(path, F_OK) == 0)
            return read_file(path, &wish, arena, target, error);
    }
    return load_shipped(&wish, arena, target, error);
}

/* Adds a profile to the end of the list, unless it is there already. */
static enum opshift_status target_append(const char *name, const char *const *directories, size_t directory_count,
                                         struct arena *arena, struct target **targets, struct opshift_error *error)
{
    struct target *target = NULL, **end = targets;
    enum opshift_status status = target_load(name, directories, directory_count, arena, &target, error);
    if (status || target == NULL)
        return status;
    for (; *end; end = &(*end)->next)
        if (strcmp((*end)->label, target->label) == 0)
            return OPSHIFT_OK;
    *end = target;
    return OPSHIFT_OK;
}

/* Names that a list may have; each one is a file to read. */
#define NAMES_MOST 64u

static bool is_named_before(const char *const *names, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(names[i], names[at]) == 0)
            return true;
    return false;
}

enum opshift_status targets_load(const char *const *names, size_t count, const char *const *directories,
                                 size_t directory_count, struct arena *arena, struct target **targets,
                                 struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (count > NAMES_MOST)
        return opshift_fail(error, OPSHIFT_USAGE, "%zu targets are named; at most %u may be", count, NAMES_MOST);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        if (is_named_before(names, i))
            continue;
        if (strcmp(names[i], "all") != 0) {
            status = target_append(names[i], directories, directory_count, arena, targets, error);
            continue;
        }
        for (const struct target_text *shipped = targets_shipped; status == OPSHIFT_OK && shipped->name; shipped++)
            status = target_append(shipped->name, directories, directory_count, arena, targets, error);
    }
    return status;
}
