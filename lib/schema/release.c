/* onnx, docs/Versioning.md, "Released Versions"; releases with the numbers of the one before are left out. */
#include "schema/release.h"

#include <stddef.h>

const struct onnx_release onnx_releases[] = {
    {"1.0", 3, 1, 1, 0},      {"1.1", 3, 5, 1, 0},      {"1.1.2", 3, 6, 1, 0},    {"1.2", 3, 7, 1, 0},
    {"1.3", 3, 8, 1, 0},      {"1.4.1", 4, 9, 1, 0},    {"1.5.0", 5, 10, 1, 0},   {"1.6.0", 6, 11, 2, 0},
    {"1.7.0", 7, 12, 2, 1},   {"1.8.0", 7, 13, 2, 1},   {"1.9.0", 7, 14, 2, 1},   {"1.10.0", 8, 15, 2, 1},
    {"1.11.0", 8, 16, 3, 1},  {"1.12.0", 8, 17, 3, 1},  {"1.13.0", 8, 18, 3, 1},  {"1.14.0", 9, 19, 3, 1},
    {"1.15.0", 9, 20, 4, 1},  {"1.16.0", 10, 21, 5, 1}, {"1.17.0", 10, 22, 5, 1}, {"1.18.0", 11, 23, 5, 1},
    {"1.19.0", 12, 24, 5, 1}, {"1.20.0", 13, 25, 5, 1}, {"1.21.0", 13, 26, 5, 1}, {"1.22.0", 13, 27, 5, 1},
    {"1.23.0", 13, 28, 5, 1}, {NULL, 0, 0, 0, 0},
};

const struct onnx_release *release_of_opset(int64_t opset)
{
    const struct onnx_release *release = onnx_releases;
    while (release->name && release->opset < opset)
        release++;
    return release->name ? release : NULL;
}
