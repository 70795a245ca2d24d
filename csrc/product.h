/* Small matrix products, rows x packed matrix, in registers. Included once for each REAL. */

typedef REAL NAME(vector) __attribute__((vector_size(32), aligned(sizeof(REAL))));
#define VECTOR NAME(vector)
#define LANES (32 / (int64_t)sizeof(REAL))
#define PANEL (2 * LANES)
#define PADDED(n) (((n) + PANEL - 1) / PANEL * PANEL)

/* w[k * row + c * column], K x C -> panels of PANEL columns, zeros at the end. */
static void NAME(pack)(const REAL *w, int64_t K, int64_t C, int64_t row, int64_t column, REAL *packed) {
    for (int64_t c = 0; c < PADDED(C); c++)
        for (int64_t k = 0; k < K; k++)
            packed[(c / PANEL * K + k) * PANEL + c % PANEL] = c < C ? w[k * row + c * column] : 0;
}

INLINE void NAME(block)(const int rows, const REAL *a, int64_t lda, const REAL *w, int64_t K, REAL *out, int64_t ldo) {
    VECTOR sum[6][2];
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++) sum[r][0] = sum[r][1] = (VECTOR){0};
    for (int64_t k = 0; k < K; k++) {
        VECTOR first = *(const VECTOR *)(w + k * PANEL), second = *(const VECTOR *)(w + k * PANEL + LANES);
#pragma GCC unroll 6
        for (int r = 0; r < rows; r++) {
            sum[r][0] += a[r * lda + k] * first;
            sum[r][1] += a[r * lda + k] * second;
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++) {
        *(VECTOR *)(out + r * ldo) = sum[r][0];
        *(VECTOR *)(out + r * ldo + LANES) = sum[r][1];
    }
}

/* out [R, ldo] = a [R, lda] x packed [K, C]; ldo >= PADDED(C). */
static void NAME(multiply)(
    int64_t R, const REAL *a, int64_t lda, const REAL *packed, int64_t K, int64_t C, REAL *out, int64_t ldo) {
    for (int64_t c = 0; c < C; c += PANEL) {
        const REAL *w = packed + c * K;
        int64_t r = 0;
        for (; r + 6 <= R; r += 6) NAME(block)(6, a + r * lda, lda, w, K, out + r * ldo + c, ldo);
        const REAL *rest = a + r * lda;
        REAL *to = out + r * ldo + c;
        switch (R - r) {
            case 5: NAME(block)(5, rest, lda, w, K, to, ldo); break;
            case 4: NAME(block)(4, rest, lda, w, K, to, ldo); break;
            case 3: NAME(block)(3, rest, lda, w, K, to, ldo); break;
            case 2: NAME(block)(2, rest, lda, w, K, to, ldo); break;
            case 1: NAME(block)(1, rest, lda, w, K, to, ldo); break;
        }
    }
}
