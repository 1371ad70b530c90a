/* base/new_file.c: a copy has one state of the file, or there is no copy. */
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap/tap.h"

enum { SIZE = (1 << 20) + 77 };

static struct opshift_error error;

/* Changes the file while it is copied. */
struct writer {
    int file;
    off_t size; /* the new size of the file; -1: only bytes change */
    int asked;
};

static bool write_between(void *data, double done)
{
    struct writer *writer = data;
    (void)done;
    if (writer->asked++ == 1)
        return writer->size >= 0 ? ftruncate(writer->file, writer->size) == 0 : pwrite(writer->file, "b", 1, 5) == 1;
    return true;
}

/* Data in the whole file, or at its start and far behind. */
static bool file_fill(int file, bool holes)
{
    static char data[SIZE / 4];
    memset(data, 'a', sizeof(data));
    bool good = ftruncate(file, 0) == 0 && ftruncate(file, SIZE) == 0;
    for (int i = 0; i < 4; i++)
        if (!holes || i % 3 == 0)
            good = good && pwrite(file, data, sizeof(data), (off_t)i * (SIZE / 4)) == (ssize_t)sizeof(data);
    return good;
}

static void is_refused(struct writer writer, bool holes, const char *what)
{
    /* An old time: timestamps of two quick changes may be equal. */
    static const struct timespec past[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    struct new_file_how how = {.progress = write_between, .progress_data = &writer};
    struct new_file_made made;
    ok(file_fill(writer.file, holes) && futimens(writer.file, past) == 0, "a file");
    enum opshift_status status = new_file_put(writer.file, ".", "copy", how, &made, &error);
    if (status == OPSHIFT_OK && writer.asked == 0) { /* blocks are shared at once: there is no later progress call */
        new_file_remove(".", "copy", &made);
        return;
    }
    is_int(OPSHIFT_IO, status, "%s", what);
    is_string("./copy: the original changed while it was copied; try again when no program writes to it", error.text,
              "%s, in words", what);
    ok(!made.file && access("copy", F_OK) != 0, "%s, nothing is left", what);
}

/* An existing file that cannot be read is not said to differ. */
static void unreadable_is_told(void)
{
    static const char *const words[] = {
        "./copy: cannot be compared: Bad file descriptor; write elsewhere, or keep the external data",
        "./copy: exists already and differs from the model's external data; remove it, write elsewhere, or keep the "
        "external data",
    };
    for (int i = 0; i < 2; i++) {
        struct new_file_made made;
        int file = open("from", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        int there = open("copy", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        ok(write(file, "abc", 3) == 3 && write(there, "abd", 3) == 3, "two files of one size");
        close(there);
        if (i == 0) {
            close(file);
            file = open("from", O_WRONLY | O_CLOEXEC);
        }
        is_int(i == 0 ? OPSHIFT_IO : OPSHIFT_NO,
               new_file_put(file, ".", "copy", (struct new_file_how){0}, &made, &error), "one %s",
               i == 0 ? "cannot be read" : "differs");
        is_string(words[i], error.text, "in words");
        close(file);
        unlink("from");
        unlink("copy");
    }
}

/* The path of a file that is said to have bytes, and has none; NULL: there is none here. */
static const char *emptied_file(glob_t *found)
{
    if (glob("/sys/devices/*/uevent", 0, NULL, found) != 0)
        return NULL;
    for (size_t i = 0; i < found->gl_pathc; i++) {
        struct stat about;
        char byte;
        int file = open(found->gl_pathv[i], O_RDONLY | O_CLOEXEC);
        bool is_empty = file >= 0 && fstat(file, &about) == 0 && about.st_size == 4096 && read(file, &byte, 1) == 0;
        if (file >= 0)
            close(file);
        if (is_empty)
            return found->gl_pathv[i];
    }
    return NULL;
}

/* A file that loses its bytes while it is compared differs: nothing failed. */
static void emptied_file_differs(void)
{
    glob_t found = {0};
    const char *path = emptied_file(&found);
    struct new_file_how how = {0};
    struct new_file_made made;
    char directory[256] = "", words[512];
    int empty = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    int whole = open("copy", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (empty >= 0 && ftruncate(whole, 4096) == 0 && pwrite(whole, "a", 1, 4095) == 1) {
        errno = EIO; /* of something else */
        is_int(OPSHIFT_NO, new_file_put(empty, ".", "copy", how, &made, &error), "the new one is empty now");
        is_string("./copy: exists already and differs from the model's external data; remove it, write elsewhere, or "
                  "keep the external data",
                  error.text, "and differs");
        snprintf(directory, sizeof(directory), "%.*s", (int)(strlen(path) - strlen("/uevent")), path);
        snprintf(words, sizeof(words),
                 "%s: exists already and differs from the model's external data; remove it, write elsewhere, or keep "
                 "the external data",
                 path);
        errno = EIO;
        is_int(OPSHIFT_NO, new_file_put(whole, directory, "uevent", how, &made, &error), "the old one is empty now");
        is_string(words, error.text, "and differs, too");
    } else {
        diag("no file here is empty and has a size");
    }
    if (empty >= 0)
        close(empty);
    close(whole);
    unlink("copy");
    globfree(&found);
}

int main(void)
{
    char directory[] = "/tmp/opshift-beside-XXXXXX";
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        skip_all("no temporary directory");
    struct new_file_how how = {0};
    struct new_file_made made, again;
    struct stat copy, in;
    int file = open("in", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    for (int holes = 0; holes < 2; holes++) {
        is_refused((struct writer){.file = file, .size = -1}, holes, "a file that is written to");
        is_refused((struct writer){.file = file, .size = SIZE / 2}, holes, "a file that shrinks");
        is_refused((struct writer){.file = file, .size = SIZE + 1}, holes, "a file that grows");
    }
    is_int(OPSHIFT_OK, new_file_put(file, ".", "copy", how, &made, &error), "one that nobody writes to");
    ok(made.file && stat("copy", &copy) == 0 && copy.st_size == SIZE + 1, "is copied");
    ok(stat("in", &in) == 0 && copy.st_blocks <= in.st_blocks, "as sparse as it is");
    is_int(OPSHIFT_OK, new_file_put(file, ".", "copy", how, &again, &error), "the same once more stays");
    ok(!again.file, "and is not made");
    new_file_remove(".", "copy", &made);
    ok(access("copy", F_OK) != 0, "and taken away");
    close(file);
    unlink("in");
    unreadable_is_told();
    emptied_file_differs();
    return chdir("/") == 0 && rmdir(directory) == 0 ? done() : 1;
}
