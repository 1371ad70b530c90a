/* Collects what a command prints, in files without names. */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output.h"

/* One of the two streams. */
struct captured_stream {
    int number; /* of its descriptor */
    int kept;   /* a copy of the descriptor as it was */
    int file;
    char *text;
};

static struct captured_stream streams[] = {{.number = STDOUT_FILENO}, {.number = STDERR_FILENO}};

static int file_open(void)
{
#if defined MFD_CLOEXEC && defined __linux__
    int file = memfd_create("opshift", MFD_CLOEXEC);
    if (file >= 0)
        return file;
#endif
    FILE *stream = tmpfile();
    int copy = stream ? fcntl(fileno(stream), F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (stream)
        fclose(stream);
    return copy;
}

/* False: errno. */
static bool stream_start(struct captured_stream *stream)
{
    if (stream->file == 0)
        stream->file = file_open();
    if (stream->file <= 0 || ftruncate(stream->file, 0) != 0 || lseek(stream->file, 0, SEEK_SET) != 0) {
        stream->file = 0;
        return false;
    }
    stream->kept = fcntl(stream->number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return stream->kept >= 0 && dup2(stream->file, stream->number) == stream->number;
}

enum opshift_status capture_start(struct opshift_error *error)
{
    enum opshift_status status = output_finish(error);
    fflush(stderr);
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(streams); i++)
        if (!stream_start(&streams[i]))
            status = fail(error, OPSHIFT_IO, "no file for what is printed: %s", strerror(errno));
    return status;
}

/* False: errno. */
static bool stream_end(struct captured_stream *stream, const char **text, size_t *size)
{
    off_t end = lseek(stream->file, 0, SEEK_END);
    char *read = end < 0 ? NULL : realloc(stream->text, (size_t)end + 1);
    bool good = read && pread(stream->file, read, (size_t)end, 0) == (ssize_t)end;
    if (read)
        stream->text = read;
    *text = good ? read : "";
    *size = good ? (size_t)end : 0;
    if (dup2(stream->kept, stream->number) != stream->number)
        good = false;
    close(stream->kept);
    return good;
}

enum opshift_status capture_end(struct opshift_result *result, struct opshift_error *error)
{
    enum opshift_status status = output_finish(error);
    fflush(stderr);
    bool out = stream_end(&streams[0], &result->out, &result->out_size);
    bool err = stream_end(&streams[1], &result->err, &result->err_size);
    if (status == OPSHIFT_OK && (!out || !err))
        status = fail(error, OPSHIFT_IO, "what is printed cannot be read: %s", strerror(errno));
    return status;
}
