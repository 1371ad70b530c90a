/* Runs a fuzz target on files and directories, without a fuzzer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static int replay(const char *path);

static int replay_directory(const char *path, DIR *entries)
{
    int count = 0;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            count += replay(inside);
    }
    closedir(entries);
    return count;
}

static int replay(const char *path)
{
    DIR *entries = opendir(path);
    if (entries)
        return replay_directory(path, entries);
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    long size = ftell(file);
    rewind(file);
    data = malloc(size > 0 ? (size_t)size : 1);
    if (size < 0 || data == NULL || (size > 0 && fread(data, (size_t)size, 1, file) != 1)) {
        perror(path);
        exit(2);
    }
    fclose(file);
    if (getenv("FUZZ_NAMES"))
        fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return 1;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++)
        count += replay(argv[i]);
    printf("%d files\n", count);
    return count == 0;
}
