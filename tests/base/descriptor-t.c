/* Descriptors: copies start at the current offsets of both descriptors. */
#include "base/descriptor.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/pump.h"
#include "tests/tap/tap.h"

enum { SIZE = 3 * PUMP_PIECE + 77, ROOM = SIZE + 100 };

static struct opshift_error error;
static uint8_t *data, *seen;

/* A file at this offset. */
static int file_at(const char *path, int flags, off_t place)
{
    int file = open(path, flags | O_CREAT | O_CLOEXEC, 0666);
    return file >= 0 && lseek(file, place, SEEK_SET) == place ? file : -1;
}

static void is_copied(size_t size, size_t start, size_t place, int flags, const char *what)
{
    int from = file_at("in", O_RDWR, (off_t)start), to = file_at("out", O_RDWR | flags, 0);
    bool made = ftruncate(from, (off_t)size) == 0 && pwrite(from, data, size, 0) == (ssize_t)size &&
                ftruncate(to, 0) == 0 && write(to, data, place) == (ssize_t)place;
    enum opshift_status status = descriptor_copy(from, to, NULL, NULL, &error);
    ssize_t all = pread(to, seen, ROOM, 0), count = (ssize_t)(size - start);
    ok(made && status == OPSHIFT_OK && all == (ssize_t)place + count && memcmp(seen, data, place) == 0 &&
           memcmp(seen + place, data + start, (size_t)count) == 0,
       "%zu bytes from %zu to %zu of %s", size, start, place, what);
    ok(lseek(from, 0, SEEK_CUR) == (off_t)size && lseek(to, 0, SEEK_CUR) == all, "both stand behind them");
    close(from);
    close(to);
}

static void files(void)
{
    static const size_t sizes[] = {0, 1, PUMP_PIECE - 1, PUMP_PIECE, PUMP_PIECE + 5, SIZE};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        is_copied(sizes[i], 0, 0, 0, "a file");
        is_copied(sizes[i], sizes[i] ? 1 : 0, 10, 0, "a file");
        is_copied(sizes[i], sizes[i] / 2, 7, O_APPEND, "a file that is only added to");
    }
}

static void streams(void)
{
    int ends[2], from = file_at("in", O_RDWR, 3), to = file_at("out", O_RDWR | O_TRUNC, 0);
    ok(pipe2(ends, O_CLOEXEC) == 0 && ftruncate(from, 0) == 0 && pwrite(from, data, 1003, 0) == 1003, "a pipe");
    is_int(OPSHIFT_OK, descriptor_copy(from, ends[1], NULL, NULL, &error), "a file to a pipe");
    close(ends[1]);
    is_int(OPSHIFT_OK, descriptor_copy(ends[0], to, NULL, NULL, &error), "and on to a file");
    is_int(1000, pread(to, seen, ROOM, 0), "as many bytes");
    is_bytes(data + 3, 1000, seen, 1000, "the same ones");
    close(ends[0]);
    close(from);
    close(to);
}

static bool twice(void *count, double done)
{
    (void)done;
    return ++*(int *)count <= 2;
}

static void refusals(void)
{
    int count = 0, from = file_at("in", O_RDWR | O_TRUNC, 0), to = file_at("out", O_RDWR | O_TRUNC, 0);
    is_int(SIZE, pwrite(from, data, SIZE, 0), "a file of some pieces");
    is_int(OPSHIFT_CANCELLED, descriptor_copy(from, to, twice, &count, &error), "it is asked before each");
    is_int(3, count, "and not any more");
    close(to);
    to = open("out", O_RDONLY | O_CLOEXEC);
    is_int(OPSHIFT_IO, descriptor_copy(from, to, NULL, NULL, &error), "a file that may not be written");
    is_string("cannot be copied: Bad file descriptor", error.text, "in words");
    close(from);
    close(to);
}

/* A change of a file shows in its size or its time, to the nanosecond. */
static void changes(void)
{
    int file = file_at("in", O_RDWR | O_TRUNC, 0);
    struct timespec times[2] = {{.tv_sec = 1000, .tv_nsec = 500}, {.tv_sec = 1000, .tv_nsec = 500}};
    const struct timespec written = times[1];
    ok(ftruncate(file, 10) == 0 && futimens(file, times) == 0, "a file of 10 bytes");
    is_int(1, descriptor_is_as(file, 10, written), "it is as it was");
    is_int(0, descriptor_is_as(file, 11, written), "another size");
    times[1].tv_nsec = 501;
    ok(futimens(file, times) == 0 && descriptor_is_as(file, 10, written) == 0, "written a nanosecond later");
    times[1] = (struct timespec){.tv_sec = 1001, .tv_nsec = 500};
    ok(futimens(file, times) == 0 && descriptor_is_as(file, 10, written) == 0, "written a second later");
    close(file);
    is_int(-1, descriptor_is_as(file, 10, written), "a descriptor that is closed");
}

int main(void)
{
    char directory[] = "/tmp/opshift-descriptor-XXXXXX";
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        skip_all("no temporary directory");
    data = malloc(SIZE);
    seen = malloc(ROOM);
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)(i * 31 + i / 509);
    files();
    streams();
    refusals();
    changes();
    free(data);
    free(seen);
    unlink("in");
    unlink("out");
    return chdir("/") == 0 && rmdir(directory) == 0 ? done() : 1;
}
