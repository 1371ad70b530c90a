/* Reads bytes as a TensorProto with external data, in a directory with all kinds of files. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/external.h"
#include "tests/fuzz/fuzz.h"

/* A file, a link to it, a link to the outside, a pipe. */
static void directory_fill(const char *directory)
{
    static char bytes[4096];
    char path[512];
    snprintf(path, sizeof path, "%s/w.bin", directory);
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(bytes, sizeof bytes, 1, file);
        fclose(file);
    }
    int at = open(directory, O_RDONLY | O_DIRECTORY);
    if (at >= 0 && (symlinkat("w.bin", at, "in") != 0 || symlinkat("/etc/passwd", at, "out") != 0 ||
                    mkfifoat(at, "pipe", 0600) != 0))
        perror(directory);
    close(at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *directory;
    struct opshift_error error = {0};
    struct tensor *tensor = NULL;
    if (directory == NULL) {
        directory = fuzz_directory();
        directory_fill(directory);
    }
    struct arena *arena = arena_new((uint64_t)64 << 20);
    Onnx__TensorProto *message = onnx__tensor_proto__unpack(arena_allocator(arena), size, data);
    if (message)
        for (int policy = OPSHIFT_EXTERNAL_STRICT; policy <= OPSHIFT_EXTERNAL_NONE; policy++)
            fuzz_answer(external_read(directory, (enum opshift_external_policy)policy, message, arena, &tensor, &error),
                        &error);
    arena_free(arena);
    return 0;
}
