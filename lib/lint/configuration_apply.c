/* Applies the configuration of a lint: ids, severities, files. */
#include "lint/configuration.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/beneath.h"
#include "base/descriptor.h"
#include "base/nearest.h"
#include "lint/lint.h"

#define CONFIG_NAME ".opshift.yaml"
#define ID_MAX      16

/* ---- ids ---- */

const char selector_no_memory[] = "";

static bool begins_an_id(const char *text)
{
    for (size_t i = 0; i < opshift_check_count(); i++)
        if (strncmp(opshift_check_at(i)->id, text, strlen(text)) == 0)
            return true;
    return false;
}

const char *selector_find(struct arena *arena, const char *word)
{
    char id[ID_MAX] = "";
    const struct check *check = check_find(word);
    if (check)
        return check->about.id;
    if (*word == '\0' || strlen(word) >= sizeof(id))
        return NULL;
    for (size_t i = 0; word[i]; i++)
        id[i] = ascii_upper(word[i]);
    if (!begins_an_id(id))
        return NULL;
    const char *copy = arena_copy(arena, id, strlen(id));
    return copy ? copy : SELECTOR_NO_MEMORY;
}

const char *selector_nearest(const char *word)
{
    struct nearest nearest;
    nearest_begin(&nearest, word);
    for (size_t i = 0; i < opshift_family_count(); i++)
        nearest_offer(&nearest, opshift_family_at(i)->prefix);
    for (size_t i = 0; i < opshift_check_count(); i++) {
        nearest_offer(&nearest, opshift_check_at(i)->id);
        nearest_offer(&nearest, opshift_check_at(i)->slug);
    }
    return nearest.best;
}

static bool selectors_have(const struct selectors *selectors, const char *id)
{
    for (size_t i = 0; i < selectors->count; i++)
        if (strncmp(selectors->items[i], id, strlen(selectors->items[i])) == 0)
            return true;
    return false;
}

bool config_wants(const struct opshift_lint *lint, const char *relative, const struct opshift_check *check)
{
    const struct lint_config *config = &lint->config;
    const char *slash = strrchr(relative, '/');
    if (selectors_have(&config->ignore, check->id))
        return false;
    for (size_t i = 0; i < config->file_count; i++) {
        const struct file_ignores *file = &config->files[i];
        /* As in .gitignore, a pattern without a slash matches the base name. */
        const char *name = slash && strchr(file->glob, '/') == NULL ? slash + 1 : relative;
        if (selectors_have(&file->ids, check->id) && fnmatch(file->glob, name, 0) == 0)
            return false;
    }
    return config->select.count == 0 || selectors_have(&config->select, check->id);
}

enum opshift_severity config_severity(const struct opshift_lint *lint, const struct opshift_check *check)
{
    const struct lint_config *config = &lint->config;
    for (size_t i = config->severity_count; i > 0; i--)
        if (strncmp(config->severities[i - 1].id, check->id, strlen(config->severities[i - 1].id)) == 0)
            return config->severities[i - 1].severity;
    return check->severity;
}

/* ---- files ---- */

/* Removes empty parts, "." and, where possible, "..", in place. */
static void path_simplify(char *path)
{
    bool absolute = *path == '/';
    char *start = path + absolute, *to = start, *end = path + strlen(path);
    for (char *from = start; from < end;) { /* the last '/' replaces the NUL */
        size_t size = strcspn(from, "/");
        char *next = from + size + (from[size] == '/');
        bool up = size == 2 && memcmp(from, "..", 2) == 0;
        char *last = to;
        while (last > start && (last == to || last[-1] != '/'))
            last--;
        bool can_go_up = to > start && !(to - last == 3 && memcmp(last, "..", 2) == 0);
        if (up && can_go_up) {
            to = last;
        } else if (size > 0 && !(size == 1 && *from == '.') && !(up && absolute)) {
            memmove(to, from, size);
            to += size;
            *to++ = '/';
        }
        from = next;
    }
    if (to > start)
        to--;
    *to = '\0';
}

const char *config_relative(const struct opshift_lint *lint, struct arena *arena, const char *path)
{
    const char *root = lint->config.root;
    char *simple = arena_copy(arena, path, strlen(path));
    char *whole =
        *path == '/' ? arena_copy(arena, path, strlen(path)) : arena_print(arena, "%s/%s", lint->config.current, path);
    if (simple == NULL || whole == NULL)
        return NULL;
    path_simplify(simple);
    path_simplify(whole);
    size_t size = strlen(root);
    if (*path != '<' && strncmp(whole, root, size) == 0 && (whole[size] == '/' || size == 1))
        return whole + size + (whole[size] == '/');
    return simple;
}

/* *found: the directory has a configuration. A link must lead to a place inside the directory. */
static enum opshift_status config_look(const char *directory, const char *path, bool *found,
                                       struct opshift_error *error)
{
    struct stat about;
    bool there = lstat(path, &about) == 0;
    *found = there && S_ISREG(about.st_mode);
    if (!there && errno != ENOENT && errno != ENOTDIR && errno != EACCES)
        return opshift_fail(error, OPSHIFT_IO, "%.512s: cannot stat: %s", path, strerror(errno));
    if (!there || !S_ISLNK(about.st_mode))
        return OPSHIFT_OK;
    int descriptor = open_beneath(directory, CONFIG_NAME, OPSHIFT_EXTERNAL_INSIDE);
    *found = descriptor >= 0;
    if (descriptor < 0 && (errno == ELOOP || errno == EXDEV))
        return opshift_fail(
            error, OPSHIFT_USAGE,
            "%.512s: is a link that leads out of its directory, which is not followed; name the file with "
            "--config, or give --no-config",
            path);
    descriptor_close(descriptor);
    return OPSHIFT_OK;
}

/* Cuts the path to the parent directory; false: it is the root of the file system or of a repository. */
static bool go_up(char *directory)
{
    size_t size = strlen(directory);
    char *git = malloc(size + sizeof("/.git"));
    if (git == NULL)
        return false;
    memcpy(git, directory, size);
    memcpy(git + size, "/.git", sizeof("/.git"));
    bool top = size <= 1 || access(git, F_OK) == 0;
    free(git);
    if (top)
        return false;
    char *slash = strrchr(directory, '/');
    slash[slash == directory] = '\0';
    return true;
}

enum opshift_status opshift_lint_config_find(const char *directory, char **path, struct opshift_error *error)
{
    char *at = realpath(directory, NULL);
    *path = NULL;
    if (at == NULL)
        return opshift_fail(error, OPSHIFT_IO, "%.512s: %s", directory, strerror(errno));
    enum opshift_status status = OPSHIFT_OK;
    do {
        size_t size = strlen(at) + sizeof("/" CONFIG_NAME);
        char *candidate = malloc(size);
        if (candidate == NULL) {
            status = opshift_no_memory(error);
            break;
        }
        snprintf(candidate, size, "%s/" CONFIG_NAME, strcmp(at, "/") == 0 ? "" : at);
        bool found = false;
        status = config_look(at, candidate, &found, error);
        if (found)
            *path = candidate;
        else
            free(candidate);
    } while (status == OPSHIFT_OK && *path == NULL && go_up(at));
    free(at);
    return status;
}
