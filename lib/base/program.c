/* Finds a helper program of this library, also in a build tree or a moved installation. */
#include "base/program.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/libexec.h"

/* From the directory of a program, a library in lib, or one in lib/x86_64-linux-gnu. */
static const char *const places[] = {"", "../libexec/", "../../libexec/"};

/* DIRECTORY/PLACE/NAME, where the path's last part is replaced; NULL: it cannot be run. */
static char *find_near(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t room = strlen(path) + strlen(name) + 32;
    char *found = slash == NULL ? NULL : malloc(room);
    for (size_t i = 0; found != NULL && i < COUNT(places); i++) {
        snprintf(found, room, "%.*s/%s%s", (int)(slash - path), path, places[i], name);
        if (access(found, X_OK) == 0)
            return found;
    }
    free(found);
    return NULL;
}

static char *find_near_program(const char *name)
{
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (size <= 0)
        return NULL;
    path[size] = '\0';
    return find_near(path, name);
}

/* For the main program dli_fname is argv[0], which the caller chose: only an absolute path counts. */
static char *find_near_library(const char *name)
{
    Dl_info info;
    return dladdr(places, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/'
               ? find_near(info.dli_fname, name)
               : NULL;
}

enum opshift_status program_find(const char *name, const char *variable, char **path, struct opshift_error *error)
{
    const char *named = getenv(variable);
    char configured[PATH_MAX];
    if (named != NULL && named[0] != '\0') {
        *path = strdup(named);
        return *path == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    }
    if ((*path = find_near_program(name)) != NULL || (*path = find_near_library(name)) != NULL)
        return OPSHIFT_OK;
    snprintf(configured, sizeof(configured), "%s/%s", LIBEXEC_DIRECTORY, name);
    if (access(configured, X_OK) == 0 && (*path = strdup(configured)) != NULL)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE,
                        "the program %s is missing: it is not beside this program nor in %s; install it, or name it in "
                        "%s",
                        name, LIBEXEC_DIRECTORY, variable);
}
