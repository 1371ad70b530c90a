/* opshift-ort: runs a model with ONNX Runtime for libopshift, which starts this program and communicates over its
 * standard input, a socket. A crash, a hang or a lack of memory ends only this process. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

#include "base/descriptor.h"
#include "config.h"
#include "helper/ort.h"

/* Sanitizers reserve much more memory than they use. */
#if defined(__SANITIZE_ADDRESS__)
#define CAN_LIMIT_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CAN_LIMIT_MEMORY 0
#endif
#endif
#ifndef CAN_LIMIT_MEMORY
#define CAN_LIMIT_MEMORY 1
#endif

/* ---- the process ---- */

/* Closes descriptors inherited from the parent, since foreign code runs here. */
static void close_others(int kept)
{
#ifdef HAVE_CLOSEFROM
    closefrom(kept + 1);
#else
    long most = sysconf(_SC_OPEN_MAX);
    for (int descriptor = kept + 1; descriptor < (most < 0 || most > 65536 ? 65536 : most); descriptor++)
        close(descriptor);
#endif
}

/* The socket becomes descriptor 3, so that the library's use of standard descriptors cannot disturb it. */
static int take_socket(void)
{
    int socket = STDERR_FILENO + 1, nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || (nowhere != socket && dup2(STDIN_FILENO, socket) != socket))
        return -1;
    if (nowhere == socket) {
        if ((nowhere = fcntl(nowhere, F_DUPFD_CLOEXEC, socket + 1)) < 0 || dup2(STDIN_FILENO, socket) != socket)
            return -1;
    }
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (dup2(nowhere, descriptor) != descriptor)
            return -1;
    close_others(socket);
    return fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 ? socket : -1;
}

/* Ends this process when its parent dies. */
static void end_with_parent(void)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static void limit(int what, uint64_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0 || (now.rlim_max != RLIM_INFINITY && most > now.rlim_max))
        return;
    now.rlim_cur = (rlim_t)most;
    setrlimit(what, &now);
}

static void set_limits(uint64_t seconds, uint64_t memory)
{
    limit(RLIMIT_CORE, 0);
    if (CAN_LIMIT_MEMORY && memory > 0)
        limit(RLIMIT_DATA, memory);
    if (seconds > 0 && seconds < UINT32_MAX)
        alarm((unsigned)seconds + 1);
}

/* ---- the request ---- */

static bool write_socket(void *data, const void *bytes, size_t size)
{
    const int *socket = data;
    return descriptor_write(*socket, bytes, size, -1) == 0;
}

static bool read_socket(void *data, void *into, size_t size)
{
    const int *socket = data;
    return descriptor_read(*socket, into, size, -1) == (ssize_t)size;
}

static void *list_new(struct arena *arena, uint64_t count, size_t size)
{
    return count > SIZE_MAX ? NULL : arena_alloc(arena, (size_t)count + 1, size);
}

static enum opshift_status read_inputs(struct message_line *line, struct arena *arena, struct ort_request *request,
                                       struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    request->input_count = message_receive_number(line);
    request->inputs = list_new(arena, request->input_count, sizeof(*request->inputs));
    request->values = list_new(arena, request->input_count, sizeof(*request->values));
    if (request->inputs == NULL || request->values == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < request->input_count && status == OPSHIFT_OK; i++) {
        status = message_receive_text(line, arena, &request->inputs[i], error);
        if (status == OPSHIFT_OK)
            status = message_receive_value(line, arena, &request->values[i], error);
    }
    return status;
}

static enum opshift_status read_outputs(struct message_line *line, struct arena *arena, struct ort_request *request,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    request->output_count = message_receive_number(line);
    request->outputs = list_new(arena, request->output_count, sizeof(*request->outputs));
    if (request->outputs == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < request->output_count && status == OPSHIFT_OK; i++)
        status = message_receive_text(line, arena, &request->outputs[i], error);
    return status;
}

static enum opshift_status answer(struct message_line *line, struct arena *arena, struct opshift_error *error)
{
    struct ort_request request = {0};
    uint64_t seconds = message_receive_number(line), memory = message_receive_number(line);
    if (line->failed)
        return OPSHIFT_CANCELLED;
    line->left = memory;
    set_limits(seconds, memory);
    enum opshift_status status = message_receive_text(line, arena, &request.library, error);
    if (status == OPSHIFT_OK)
        status = message_receive_bytes(line, &request.model, &request.model_size, error);
    if (status == OPSHIFT_OK && request.model_size == 0)
        return ort_version(&request, line, error);
    if (status == OPSHIFT_OK)
        status = message_receive_text(line, arena, &request.directory, error);
    if (status == OPSHIFT_OK)
        status = read_inputs(line, arena, &request, error);
    if (status == OPSHIFT_OK)
        status = read_outputs(line, arena, &request, error);
    return status == OPSHIFT_OK && !line->failed ? ort_run(&request, line, error) : status;
}

static int usage(void)
{
    static const char text[] = "opshift-ort: opshift and libopshift start this program; it is not for use by hand\n";
    return write(STDERR_FILENO, text, sizeof(text) - 1) < 0 ? 4 : 2;
}

int main(int count, char **arguments)
{
    struct opshift_error error = {0};
    int type = 0, socket = -1;
    socklen_t size = sizeof(type);
    if (count > 1 || getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
        return usage();
    end_with_parent();
    if ((socket = take_socket()) < 0)
        return 1;
    struct message_line line = {.send = write_socket, .receive = read_socket, .data = &socket};
    struct arena *arena = arena_new(0);
    message_send_number(&line, MESSAGE_VERSION);
    enum opshift_status status = arena == NULL ? opshift_no_memory(&error) : answer(&line, arena, &error);
    message_send_number(&line, MESSAGE_END);
    message_send_number(&line, status);
    message_send_text(&line, error.text);
    /* Skips the library's exit handlers. */
    _exit(line.failed ? 1 : 0);
}
