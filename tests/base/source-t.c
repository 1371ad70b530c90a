/* Sources: ranges of a file, a pipe or memory; failures have reasons. */
#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap/tap.h"

static char directory[] = "/tmp/opshift-source-XXXXXX";
static char path[64];

static void file_make(const char *data, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ok(descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size, "a file of %zu bytes", size);
    close(descriptor);
}

static void pattern_fill(uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)(i * 7 + i / 251);
}

static void ranges(void)
{
    enum { SIZE = 1 << 20 };
    uint8_t *data = malloc(SIZE), *seen = malloc(SIZE);
    struct opshift_error error = {0};
    struct source *source = NULL;
    pattern_fill(data, SIZE);
    file_make((const char *)data, SIZE);
    is_int(OPSHIFT_OK, source_open(path, &source, &error), "opened");
    is_int(SIZE, (int64_t)source_size(source), "its size");
    ok(source_descriptor(source) >= 0, "its descriptor");

    bool same = true;
    for (size_t at = 0; at + 20 <= SIZE; at += 13)
        same = same && memcmp(source_window(source, at, 20), data + at, 20) == 0;
    ok(same, "in a row");
    for (size_t i = 0, at = 5; i < 500; i++, at = (at * 48271) % (SIZE - 65536))
        same = same && memcmp(source_window(source, at, i * 131 % 65537), data + at, i * 131 % 65537) == 0;
    ok(same, "here and there");
    ok(source_window(source, SIZE, 0) != NULL, "nothing, at the end");
    is_int(OPSHIFT_OK, source_read(source, 1, seen, SIZE - 1, &error), "nearly all at once");
    is_bytes(data + 1, SIZE - 1, seen, SIZE - 1, "the right bytes");
    is_int(OPSHIFT_OK, source_read(source, 100, seen, 10, &error), "a few");
    is_bytes(data + 100, 10, seen, 10, "the right few");

    const uint8_t *bytes;
    is_int(OPSHIFT_MALFORMED, source_view(source, SIZE - 3, 4, &bytes, &error), "beyond the end");
    is_string("byte 1048573: 4 bytes are wanted, but the file ends at byte 1048576; it is damaged or cut short; fetch "
              "it again",
              error.text, "beyond the end, in words");
    is_int(OPSHIFT_MALFORMED, source_read(source, UINT64_MAX, seen, 1, &error), "far beyond the end");

    is_int(0, truncate(path, 1000), "the file shrinks");
    is_int(OPSHIFT_IO, source_read(source, 0, seen, SIZE, &error), "then reading fails");
    is_string(
        "the file shrank to 1000 bytes while it was read (it had 1048576); try again when no program writes to it",
        error.text, "and says why");
    ok(source_window(source, 500000, 200) == NULL, "the window fails too");
    ok(source_window(source, 900, 50) == NULL, "and does not give old bytes");
    source_free(source);
    source_free(NULL);
    free(data);
    free(seen);
}

/* How many bytes are read, per mille, for 20 at each so many of a file whose first 256 KiB are read in a row. */
static int64_t share_read(size_t step, size_t size)
{
    enum { HEAD = 256 << 10 };
    struct opshift_error error = {0};
    struct source *source = NULL;
    uint64_t sum = 0, last = UINT64_MAX;
    source_open(path, &source, &error);
    for (size_t at = 0; at + 20 <= size && source_window(source, at, 20); at += at < HEAD ? 100 : step)
        if (source->window_offset != last) {
            last = source->window_offset;
            sum += at < HEAD ? 0 : source->window_size;
        }
    source_free(source);
    return (int64_t)(sum * 1000 / (size - HEAD));
}

/* Reading the headers of long fields does not read the fields. */
static void jumps(void)
{
    enum { SIZE = 8 << 20 };
    char *data = calloc(1, SIZE);
    file_make(data, SIZE);
    int64_t all = share_read(100, SIZE);
    ok(all > 950 && all < 1010, "what is asked for in a row is read, and once");
    ok(share_read(3000, SIZE) > 900, "as when little is jumped over");
    ok(share_read(20000, SIZE) < 250, "of longer fields a part is read");
    ok(share_read(60000, SIZE) < 80, "the smaller the longer they are");
    ok(share_read(300000, SIZE) < 20, "and of long ones next to nothing");
    free(data);
}

/* Two sequential readers, 40,000 bytes apart: the number of reads of the file. */
static void followers(void)
{
    enum { SIZE = 4 << 20, BEHIND = 40000, STEP = 50 };
    struct opshift_error error = {0};
    struct source *source = NULL;
    char *data = calloc(1, SIZE);
    size_t most = 0;
    file_make(data, SIZE);
    is_int(OPSHIFT_OK, source_open(path, &source, &error), "a file that two read");
    const uint8_t *last[2] = {NULL, NULL};
    for (uint64_t at = BEHIND; at + STEP <= SIZE; at += STEP) {
        const uint8_t *seen[2] = {source_window(source, at, STEP), source_window(source, at - BEHIND, STEP)};
        for (int i = 0; i < 2; i++) {
            most += last[i] == NULL || seen[i] != last[i] + STEP; /* bytes of another read or window */
            last[i] = seen[i];
        }
    }
    ok(most < 8 * (SIZE >> 16), "neither takes the other's window");
    source_free(source);
    free(data);
}

static void memory(void)
{
    struct opshift_error error = {0};
    struct source *source = NULL;
    char seen[4] = {0};
    is_int(OPSHIFT_OK, source_open_memory("abcdef", 6, &source, &error), "memory");
    is_int(-1, source_descriptor(source), "has no descriptor");
    is_bytes("cde", 3, source_window(source, 2, 3), 3, "a range of memory");
    is_int(OPSHIFT_OK, source_read(source, 3, seen, 3, &error), "read");
    is_string("def", seen, "the right bytes");
    ok(source_window(source, 4, 3) == NULL, "beyond the end");
    source_free(source);
    is_int(OPSHIFT_MALFORMED, source_open_memory("", 0, &source, &error), "no bytes at all");
    is_string("is empty; fetch or write it again", error.text, "in words");
}

static void pipes(void)
{
    struct opshift_error error = {0};
    struct source *source = NULL;
    int ends[2], kept = dup(STDIN_FILENO);
    is_int(0, pipe(ends), "a pipe");
    ok(write(ends[1], "piped", 5) == 5, "with something in it");
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    is_int(OPSHIFT_OK, source_open("-", &source, &error), "standard input");
    is_int(5, (int64_t)source_size(source), "has a size");
    is_bytes("ped", 3, source_window(source, 2, 3), 3, "and ranges");
    source_free(source);
    is_int(OPSHIFT_MALFORMED, source_open("-", &source, &error), "read once more it is empty");

    file_make("abcdef", 6);
    int descriptor = open(path, O_RDONLY);
    lseek(descriptor, 2, SEEK_SET);
    is_int(OPSHIFT_OK, source_open_descriptor(descriptor, &source, &error), "a file of which a part was read");
    close(descriptor);
    is_bytes("cdef", 4, source_window(source, 0, 4), 4, "starts where it stands");
    source_free(source);
    dup2(kept, STDIN_FILENO);
    close(kept);
}

static void refusals(void)
{
    struct opshift_error error = {0};
    struct source *source = NULL;
    is_int(OPSHIFT_IO, source_open("/nowhere/net.onnx", &source, &error), "no such file");
    is_string("there is no such file; check its name", error.text, "in words");
    is_int(OPSHIFT_IO, source_open(directory, &source, &error), "a directory");
    is_string("is a directory; name the file in it", error.text, "in words");
    is_int(OPSHIFT_IO, source_open("/dev/zero", &source, &error), "a device");
    is_string("is a device; name a file", error.text, "in words");
    file_make("", 0);
    is_int(OPSHIFT_MALFORMED, source_open(path, &source, &error), "an empty file");
    is_string("is empty; fetch or write it again", error.text, "in words");
    ok(source == NULL, "nothing is given");
}

static void whole_files(void)
{
    struct opshift_error error = {0};
    char *data = NULL, wanted[128];
    size_t size = 0;
    file_make("op: Split\n", 10);
    is_int(OPSHIFT_OK, file_read(path, 10, &data, &size, &error), "a small file at once");
    is_string("op: Split\n", data, "all of it");
    is_int(10, (int64_t)size, "its size");
    free(data);
    is_int(OPSHIFT_UNSUPPORTED, file_read(path, 9, &data, &size, &error), "more than the limit");
    snprintf(wanted, sizeof(wanted), "%s: has 10 bytes, more than the limit of 9", path);
    is_string(wanted, error.text, "in words, with its path");
    file_make("", 0);
    is_int(OPSHIFT_OK, file_read(path, 10, &data, &size, &error), "an empty one is a text too");
    is_string("", data, "the empty one");
    free(data);
}

int main(void)
{
    if (mkdtemp(directory) == NULL)
        skip_all("no temporary directory");
    snprintf(path, sizeof(path), "%s/a", directory);
    ranges();
    jumps();
    followers();
    memory();
    pipes();
    refusals();
    whole_files();
    unlink(path);
    rmdir(directory);
    return done();
}
