/* The files of an export get their names all, or none: the last one's place is taken by a directory meanwhile. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opshift.h"
#include "tests/many/tree.h"
#include "tests/tap/opened.h"
#include "tests/tap/tap.h"

#define MODEL                                                                                                          \
    "<ir_version: 8, opset_import: [\"\" : 13]> g (float[4] x) => (float[2] y, float[2] z) { y, z = Split <axis = 0> " \
    "(x) }"

static unsigned entry_count(const char *directory)
{
    unsigned count = 0;
    DIR *entries = opendir(directory);
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    if (entries)
        closedir(entries);
    return count;
}

/* Exports to out/net.xml; before the files get their names, out/net.xml becomes a directory, if so wished. */
static void export_is(enum opshift_status wanted, bool taken, const char *what)
{
    struct opened opened;
    struct opshift_error error = {0};
    struct opshift_exported *exported = NULL;
    const struct opshift_export_options options = {.to = "openvino"};
    if (!text_open(MODEL, "net", &opened))
        return;
    is_int(OPSHIFT_OK, opshift_export(opened.model, "out/net.xml", &options, &exported, NULL, &error), "%s: written",
           what);
    if (taken && mkdir("out/net.xml", 0777) != 0)
        diag("no directory");
    is_int(wanted, exported ? opshift_exported_commit(exported, &error) : OPSHIFT_MEMORY, "%s", what);
    opshift_exported_free(exported);
    text_close(&opened);
}

static void content_is(const char *wanted, const char *what)
{
    char *text = tree_read("out/net.bin");
    is_string(wanted, text, "%s", what);
    free(text);
}

int main(void)
{
    tree_make();
    mkdir("out", 0777);
    export_is(OPSHIFT_IO, true, "the model's place is taken");
    is_int(1, entry_count("out"), "nothing is left but what took it");
    tree_write("out/net.bin", "earlier");
    rmdir("out/net.xml");
    export_is(OPSHIFT_IO, true, "taken, where weights are replaced");
    content_is("earlier", "the earlier weights are there again");
    is_int(2, entry_count("out"), "and nothing else");
    rmdir("out/net.xml");
    export_is(OPSHIFT_OK, false, "the place is free");
    is_int(2, entry_count("out"), "both files are there, and nothing else");
    tree_remove();
    return done();
}
