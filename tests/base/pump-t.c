/* Pumps: they copy the right bytes at any offset, and report when they cannot. */
#include "base/pump.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "tests/tap/tap.h"

enum { SIZE = (1 << 20) + 77, ROOM = 2 << 20 };

static uint8_t *data, *seen;
static int from, to;

/* The bytes from offset on are copied to another offset, and nothing else changes. */
static void is_moved(struct pump *pump, uint64_t offset, uint64_t place, size_t size, size_t wanted)
{
    bool emptied = ftruncate(to, 0) == 0;
    size_t moved = pump_move(pump, from, offset, to, place, size);
    ssize_t got = pread(to, seen, ROOM, 0);
    bool same = emptied && moved == wanted && got == (ssize_t)(wanted > 0 ? place + wanted : 0) &&
                memcmp(seen + place, data + offset, wanted) == 0;
    ok(same, "%zu bytes from %zu to %zu: %zu moved", size, (size_t)offset, (size_t)place, moved);
}

static void all_places(void)
{
    static const size_t places[] = {0, 1, 31, 4095, 4096, 70000, 1 << 20};
    static const size_t sizes[] = {1, 4096, 4097, PUMP_PIECE - 1, PUMP_PIECE};
    struct pump pump = PUMP_NEW;
    for (size_t i = 0; i < COUNT(places); i++)
        for (size_t k = 0; k < COUNT(places); k++)
            for (size_t n = 0; n < COUNT(sizes); n++)
                if (places[i] + sizes[n] <= SIZE)
                    is_moved(&pump, places[i], places[k], sizes[n], sizes[n]);
    is_moved(&pump, SIZE - 10, 5, 11, 10);
    ok(pump.refused && pump.in < 0, "where the file ends it stops");
    is_moved(&pump, 0, 0, 1, 0);
    pump_close(&pump);
}

/* A pipe that is not read, or a destination opened for reading, cannot be used; the fallback gets the reason. */
static void what_cannot_be_moved(void)
{
    struct pump pump = PUMP_NEW;
    int ends[2], reading = open("in", O_RDONLY | O_CLOEXEC);
    is_int(0, pipe2(ends, O_CLOEXEC), "a pipe");
    is_int(0, (int64_t)pump_move(&pump, ends[0], 0, to, 0, 10), "a pipe has no places to read from");
    ok(pump.refused, "it is not asked again");
    pump = PUMP_NEW;
    is_int(0, (int64_t)pump_move(&pump, from, 0, reading, 0, 10), "a file that may not be written");
    ok(pump.refused && pump.in < 0 && pump.out < 0, "what the pipe held is gone");
    close(ends[0]);
    close(ends[1]);
    close(reading);
}

static void no_descriptors(void)
{
    struct pump pump = PUMP_NEW;
    struct rlimit old, few;
    is_int(0, getrlimit(RLIMIT_NOFILE, &old), "a limit");
    few = (struct rlimit){.rlim_cur = (rlim_t)to + 1, .rlim_max = old.rlim_max};
    is_int(0, setrlimit(RLIMIT_NOFILE, &few), "no descriptor is left");
    is_moved(&pump, 0, 0, 10, 0);
    is_int(0, setrlimit(RLIMIT_NOFILE, &old), "they are there again");
    is_moved(&pump, 0, 0, 10, 0);
}

int main(void)
{
    char directory[] = "/tmp/opshift-pump-XXXXXX";
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        skip_all("no temporary directory");
    data = malloc(SIZE);
    seen = malloc(ROOM);
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)(i * 31 + i / 509);
    from = open("in", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    to = open("out", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    is_int(SIZE, write(from, data, SIZE), "a file");
    all_places();
    what_cannot_be_moved();
    no_descriptors();
    close(from);
    close(to);
    free(data);
    free(seen);
    unlink("in");
    unlink("out");
    return chdir("/") == 0 && rmdir(directory) == 0 ? done() : 1;
}
