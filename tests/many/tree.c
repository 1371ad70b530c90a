#include "tests/many/tree.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opshift.h"
#include "tests/tap/tap.h"

static char directory[] = "/tmp/opshift-many.XXXXXX";

void tree_make(void)
{
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        skip_all("no directory for temporary files");
}

void tree_write(const char *path, const char *text)
{
    char *above = strdup(path);
    for (char *slash = above ? strchr(above, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(above, 0777);
        *slash = '/';
    }
    free(above);
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0)
        diag("%s cannot be written", path);
    if (file)
        fclose(file);
}

char *tree_read(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    return opshift_file_read(path, &text, &size, NULL) == OPSHIFT_OK ? text : NULL;
}

static int entry_remove(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

void tree_remove(void)
{
    if (chdir("/") != 0 || nftw(directory, entry_remove, 16, FTW_DEPTH | FTW_PHYS) != 0)
        diag("%s cannot be removed", directory);
}
