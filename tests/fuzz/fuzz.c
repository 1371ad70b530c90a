/* Functions of all fuzz targets: a working directory, and a check of each error. */
#include "tests/fuzz/fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[256], file[512];
static pid_t owner; /* a fuzzer forks: only the process that made the directory removes it */

static int entry_remove(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    return remove(path);
}

static void directory_remove(void)
{
    if (getpid() == owner)
        nftw(directory, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_directory(void)
{
    if (directory[0])
        return directory;
    const char *around = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%.200s/opshift-fuzz.XXXXXX", around && *around ? around : "/tmp");
    if (mkdtemp(directory) == NULL) {
        perror(directory);
        exit(2);
    }
    owner = getpid();
    atexit(directory_remove);
    return directory;
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    snprintf(file, sizeof file, "%s/%s", fuzz_directory(), name);
    FILE *out = fopen(file, "wb");
    if (out == NULL || (size > 0 && fwrite(data, size, 1, out) != 1) || fclose(out) != 0) {
        perror(file);
        exit(2);
    }
    return file;
}

void fuzz_answer(enum opshift_status status, const struct opshift_error *error)
{
    size_t size = strnlen(error->text, sizeof error->text);
    if (status == OPSHIFT_OK || status == OPSHIFT_NO)
        return;
    if (size == 0 || size == sizeof error->text || memchr(error->text, '\n', size) || status > OPSHIFT_CANCELLED ||
        error->status != status) {
        fprintf(stderr, "status %d, error's status %d, text '%s'\n", (int)status, (int)error->status, error->text);
        abort();
    }
}

struct opshift_open_options fuzz_options(void)
{
    static const struct opshift_limits limits = {.memory = (uint64_t)64 << 20};
    return (struct opshift_open_options){.limits = &limits, .name = "fuzz"};
}

struct opshift_model *fuzz_model(const uint8_t *data, size_t size)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    struct opshift_open_options options = fuzz_options();
    fuzz_answer(opshift_model_open_memory(data, size, &options, &model, &error), &error);
    return model;
}
