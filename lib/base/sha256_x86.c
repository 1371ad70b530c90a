/* SHA-256's rounds by the instructions that some x86 processors have for them: several times as fast. */
#include "base/sha256.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "base/processor.h"

#define SHA __attribute__((target("sha,sse4.1")))

bool sha256_x86_can(void)
{
    return processor_has_sha();
}

/* Four rounds, whose words are w. The instructions want the state as two vectors, a b e f and c d g h. */
SHA static inline void rounds_do(__m128i *abef, __m128i *cdgh, __m128i w, const uint32_t *constants)
{
    __m128i added = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)constants));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, added);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_srli_si128(added, 8));
}

/* The four words that follow the sixteen of w0 to w3. */
SHA static inline __m128i words_next(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
    return _mm_sha256msg2_epu32(sum, w3);
}

/* Four words of a block, whose bytes stand the other way round. */
SHA static inline __m128i words_load(const uint8_t *bytes)
{
    __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), swap);
}

SHA static void block_compress(__m128i *abef, __m128i *cdgh, const uint8_t *block)
{
    __m128i first = *abef, second = *cdgh;
    __m128i w0 = words_load(block), w1 = words_load(block + 16);
    __m128i w2 = words_load(block + 32), w3 = words_load(block + 48);
    for (const uint32_t *k = sha256_constants;; k += 16) {
        rounds_do(abef, cdgh, w0, k);
        rounds_do(abef, cdgh, w1, k + 4);
        rounds_do(abef, cdgh, w2, k + 8);
        rounds_do(abef, cdgh, w3, k + 12);
        if (k == sha256_constants + 48)
            break;
        w0 = words_next(w0, w1, w2, w3);
        w1 = words_next(w1, w2, w3, w0);
        w2 = words_next(w2, w3, w0, w1);
        w3 = words_next(w3, w0, w1, w2);
    }
    *abef = _mm_add_epi32(*abef, first);
    *cdgh = _mm_add_epi32(*cdgh, second);
}

SHA void sha256_compress_x86(uint32_t *state, const uint8_t *blocks, size_t count)
{
    uint32_t a[4], c[4];
    __m128i abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
    __m128i cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    for (size_t i = 0; i < count; i++)
        block_compress(&abef, &cdgh, blocks + i * SHA256_BLOCK);
    _mm_storeu_si128((__m128i *)a, abef);
    _mm_storeu_si128((__m128i *)c, cdgh);
    for (unsigned i = 0; i < 2; i++) {
        state[i] = a[3 - i];
        state[2 + i] = c[3 - i];
        state[4 + i] = a[1 - i];
        state[6 + i] = c[1 - i];
    }
}

#else

bool sha256_x86_can(void)
{
    return false;
}

void sha256_compress_x86(uint32_t *state, const uint8_t *blocks, size_t count)
{
    sha256_compress_plain(state, blocks, count);
}

#endif
