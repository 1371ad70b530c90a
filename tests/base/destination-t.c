/* Output files appear complete or not at all. */
#include "base/destination.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap/tap.h"

static struct opshift_error error;

static int entries(void)
{
    int count = 0;
    DIR *directory = opendir(".");
    while (directory && readdir(directory))
        count++;
    if (directory)
        closedir(directory);
    return count - 2;
}

static void file_is(const char *path, const char *wanted, const char *what)
{
    char *data = NULL;
    size_t size = 0;
    file_read(path, 1 << 24, &data, &size, &error);
    is_string(wanted, data, "%s", what);
    free(data);
}

static struct destination *destination_made(const char *path, const char *text)
{
    struct destination *destination = NULL;
    is_int(OPSHIFT_OK, destination_open(path, strlen(text), &destination, &error), "open %s", path);
    is_int(OPSHIFT_OK, destination_add(destination, text, strlen(text), &error), "add to %s", path);
    return destination;
}

static void text_write(const char *path, const char *text, bool sync)
{
    struct destination *destination = destination_made(path, text);
    if (sync)
        destination_sync(destination);
    is_int(OPSHIFT_OK, destination_commit(destination, &error), "commit %s", path);
    destination_free(destination);
}

static void whole_or_not(void)
{
    struct destination *destination = destination_made("out", "first");
    is_int(1, entries(), "one temporary file");
    is_int(-1, access("out", F_OK), "not yet in its place");
    is_int(OPSHIFT_OK, destination_flush(destination, &error), "flush");
    char seen[6] = {0};
    is_int(5, pread(destination_descriptor(destination), seen, 5, 0), "readable before it is in its place");
    is_string("first", seen, "what was written");
    destination_free(destination);
    is_int(0, entries(), "nothing is left when it is not committed");
    destination_free(NULL);

    text_write("out", "first", false);
    text_write("out", "second", true);
    file_is("out", "second", "the old file is replaced");
    is_int(1, entries(), "nothing else is left");
    unlink("out");
}

static void permissions(void)
{
    struct stat stat_now;
    umask(027);
    text_write("out", "a", false);
    stat("out", &stat_now);
    is_int(0640, stat_now.st_mode & 07777, "a new file obeys the umask");
    chmod("out", 0604);
    text_write("out", "b", false);
    stat("out", &stat_now);
    is_int(0604, stat_now.st_mode & 07777, "an old file's permissions stay");
    umask(022);
    is_int(0, symlink("out", "link"), "a symbolic link");
    text_write("link", "c", false);
    lstat("link", &stat_now);
    ok(S_ISLNK(stat_now.st_mode), "stays a link");
    file_is("out", "c", "and its file is replaced");
    unlink("link");
    unlink("out");
}

static void streaming(void)
{
    enum { SIZE = 3500000 };
    uint8_t *data = malloc(SIZE);
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)(i * 31 + i / 509);
    struct destination *destination = NULL;
    struct source *source = NULL;
    is_int(OPSHIFT_OK, destination_open("in", 2 * SIZE, &destination, &error), "reserve too much");
    destination_add(destination, data, SIZE, &error);
    is_int(OPSHIFT_OK, destination_commit(destination, &error), "commit");
    destination_free(destination);

    is_int(OPSHIFT_OK, source_open("in", &source, &error), "the written file");
    is_int(SIZE, (int64_t)source_size(source), "has the length that was written");
    is_int(OPSHIFT_OK, destination_open("in", SIZE + 1, &destination, &error), "the input may be the output");
    destination_add(destination, "x", 1, &error);
    is_int(OPSHIFT_OK, destination_add_range(destination, source, "in", 0, SIZE, &error), "a range");
    is_int(OPSHIFT_MALFORMED, destination_add_range(destination, source, "in", SIZE, 1, &error),
           "a range that is not there");
    is_string("in: byte 3500000: 1 bytes are wanted, but the file ends at byte 3500000; it is damaged or cut short; "
              "fetch it again",
              error.text, "is the source's fault");
    is_int(OPSHIFT_OK, destination_commit(destination, &error), "commit");
    destination_free(destination);
    source_free(source);

    uint8_t *seen = NULL;
    size_t size = 0;
    file_read("in", SIZE + 1, (char **)&seen, &size, &error);
    is_bytes(data, SIZE, seen + 1, size - 1, "the same bytes, shifted");
    free(seen);
    free(data);
    unlink("in");
}

/* Copies a file with holes to another offset: the content is equal, and holes stay. */
static void holes(void)
{
    static const int shifts[] = {0, 1, 19, 4096, 5000};
    enum { SIZE = 9 << 20 };
    uint8_t *data = calloc(1, SIZE + 8192), *seen;
    for (size_t i = 0; i < 3000; i++)
        data[i] = data[(4 << 20) + i] = (uint8_t)(i * 31 + 1);
    int file = open("in", O_RDWR | O_CREAT, 0666);
    bool made =
        pwrite(file, data, 3000, 0) == 3000 && pwrite(file, data, 3000, 4 << 20) == 3000 && ftruncate(file, SIZE) == 0;
    ok(made, "a file with two holes");
    close(file);
    for (size_t i = 0; i < COUNT(shifts); i++) {
        struct destination *destination = NULL;
        struct source *source = NULL;
        struct stat in, out;
        size_t shift = (size_t)shifts[i], size = 0;
        source_open("in", &source, &error);
        destination_open("out", 0, &destination, &error);
        destination_reserve(destination, SIZE + shift, !source->sparse, &error);
        destination_add(destination, data + 3000, shift, &error);
        is_int(OPSHIFT_OK, destination_add_range(destination, source, "in", 0, SIZE, &error), "moved by %zu", shift);
        is_int(OPSHIFT_OK, destination_commit(destination, &error), "committed");
        destination_free(destination);
        source_free(source);
        stat("in", &in);
        stat("out", &out);
        file_read("out", SIZE + 8192, (char **)&seen, &size, &error);
        is_bytes(data, SIZE, seen + shift, size - shift, "the same bytes, moved by %zu", shift);
        ok(out.st_blocks <= in.st_blocks + 32, "as many holes, moved by %zu", shift);
        free(seen);
    }
    free(data);
    unlink("in");
    unlink("out");
}

/* Source and destination at all offsets within a page. */
static void shifts(void)
{
    enum { SIZE = 600000, MOST = 4100 };
    uint8_t *data = malloc(SIZE + MOST), *seen;
    size_t wrong = 0;
    for (size_t i = 0; i < SIZE + MOST; i++)
        data[i] = (uint8_t)(i * 31 + i / 509);
    for (size_t shift = 0; shift < MOST; shift += shift < 40 || shift > 4060 ? 1 : 500) {
        struct destination *destination = NULL;
        struct source *source = NULL;
        size_t size = 0;
        source_open_memory(data, SIZE + MOST, &source, &error);
        destination_open("out", 0, &destination, &error);
        destination_add(destination, data, 40, &error);
        destination_add_range(destination, source, "in", shift, SIZE, &error);
        destination_add(destination, data, 7, &error);
        destination_commit(destination, &error);
        destination_free(destination);
        source_free(source);
        file_read("out", SIZE + MOST, (char **)&seen, &size, &error);
        wrong += size != SIZE + 47 || memcmp(seen, data, 40) != 0 || memcmp(seen + 40, data + shift, SIZE) != 0 ||
                 memcmp(seen + 40 + SIZE, data, 7) != 0;
        free(seen);
    }
    is_int(0, (int64_t)wrong, "the same bytes for every shift");
    free(data);
    unlink("out");
}

/* Long ranges between short ones, from memory or from a file, in files of all sizes; reported ranges are not
 * written. */
static void long_ranges(bool of_file)
{
    static const struct {
        uint64_t offset, size;
    } ranges[] = {{3, 100},           {200, 90000}, {19, 5 << 20}, {7, 1},         {1, 130000},
                  {4 << 20, 4 << 20}, {0, 4096},    {5, 3 << 20},  {9, 512 << 10}, {17, 600000}};
    static const uint64_t told[] = {0, 9 << 20, 50 << 20, 100 << 20, 3ull << 30};
    enum { SIZE = 9 << 20 };
    uint8_t *data = malloc(SIZE), *seen;
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)(i * 31 + i / 509);
    struct destination *made = NULL;
    destination_open("in", SIZE, &made, &error);
    destination_add(made, data, SIZE, &error);
    destination_commit(made, &error);
    destination_free(made);
    for (size_t i = 0; i < COUNT(told); i++) {
        struct destination *destination = NULL;
        struct source *source = NULL;
        struct buffer wanted = {0};
        size_t size = 0;
        if (of_file)
            source_open("in", &source, &error);
        else
            source_open_memory(data, SIZE, &source, &error);
        destination_open("out", 0, &destination, &error);
        destination_reserve(destination, told[i], false, &error);
        for (size_t k = 0; k < COUNT(ranges); k++) {
            destination_add(destination, "piece", k % 4, &error);
            buffer_add(&wanted, "piece", k % 4);
            destination_add_range(destination, source, "in", ranges[k].offset, ranges[k].size, &error);
            buffer_add(&wanted, data + ranges[k].offset, (size_t)ranges[k].size);
        }
        is_int(OPSHIFT_OK, destination_commit(destination, &error),
               "long ranges and short ones of %s in %" PRIu64 " bytes", of_file ? "a file" : "memory", told[i]);
        destination_free(destination);
        source_free(source);
        file_read("out", 2 * SIZE, (char **)&seen, &size, &error);
        is_bytes(wanted.data, wanted.size, seen, size, "follow one another");
        free(seen);
        buffer_free(&wanted);
    }
    free(data);
    unlink("in");
    unlink("out");
}

static void streams(void)
{
    int kept = dup(STDOUT_FILENO), file = open("stdout", O_RDWR | O_CREAT, 0666);
    fflush(stdout);
    struct destination *destination = NULL;
    enum opshift_status status = destination_open("-", 3, &destination, &error);
    destination_free(destination);
    status = status ? status : destination_open("-", 3, &destination, &error);
    dup2(file, STDOUT_FILENO);
    struct destination *second = NULL;
    status = status ? status : destination_open("-", 3, &second, &error);
    status = status ? status : destination_add(second, "abc", 3, &error);
    destination_sync(second);
    status = status ? status : destination_commit(second, &error);
    dup2(kept, STDOUT_FILENO);
    destination_free(destination);
    destination_free(second);
    close(file);
    close(kept);
    is_int(OPSHIFT_OK, status, "standard output");
    file_is("stdout", "abc", "gets it all at the end");
    unlink("stdout");
    text_write("/dev/null", "abc", false);
    struct stat now;
    stat("/dev/null", &now);
    ok(S_ISCHR(now.st_mode), "a device is written to, not replaced");
}

static void refusal(const char *path, const char *wanted, const char *what)
{
    struct destination *destination = NULL;
    is_int(OPSHIFT_IO, destination_open(path, 1, &destination, &error), "%s", what);
    is_string(wanted, error.text, "%s, in words", what);
    ok(destination == NULL, "%s, nothing given", what);
}

static void refusals(void)
{
    refusal(".", ".: is a directory; name a file in it", "a directory");
    refusal("none/", "none/: names no file; add its name", "no name");
    refusal("none/out", "none/out: there is no such directory; make it first", "no directory");
    is_int(0, symlink("none", "link"), "a dangling link");
    refusal("link", "link: is a dangling symbolic link; remove it, or write elsewhere", "a link to nothing");
    unlink("link");
    struct destination *destination = destination_made("out", "abc");
    mkdir("out", 0777);
    is_int(OPSHIFT_IO, destination_commit(destination, &error), "a directory took its place");
    is_string("out: cannot be put in its place: Is a directory; check the directory and its permissions, or write "
              "elsewhere",
              error.text, "in words");
    destination_free(destination);
    rmdir("out");
    struct destination *full = NULL;
    is_int(OPSHIFT_OK, destination_open("/dev/full", 1, &full, &error), "a full device");
    destination_add(full, "x", 1, &error);
    is_int(OPSHIFT_IO, destination_commit(full, &error), "takes nothing");
    is_string("/dev/full: cannot be copied: No space left on device", error.text, "in words");
    destination_free(full);
}

int main(void)
{
    char directory[] = "/tmp/opshift-destination-XXXXXX";
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        skip_all("no temporary directory");
    whole_or_not();
    permissions();
    streaming();
    holes();
    shifts();
    long_ranges(false);
    long_ranges(true);
    streams();
    refusals();
    is_int(0, entries(), "nothing is left behind");
    return chdir("/") == 0 && rmdir(directory) == 0 ? done() : 1;
}
