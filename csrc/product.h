/* Small matrix products, rows x packed matrix, in registers. Included once for each REAL. */

typedef REAL NAME(vector) __attribute__((vector_size(REGISTER), aligned(sizeof(REAL))));
#define VECTOR NAME(vector)
#define LANES (REGISTER / (int64_t)sizeof(REAL))
#define PANEL (2 * LANES)
#define PADDED(n) (((n) + PANEL - 1) / PANEL * PANEL)

/* w[k * row + c * column], K x C -> panels of PANEL columns, zeros at the end. */
static void NAME(pack)(const REAL *w, int64_t K, int64_t C, int64_t row, int64_t column, REAL *packed) {
    for (int64_t c = 0; c < PADDED(C); c++)
        for (int64_t k = 0; k < K; k++)
            packed[(c / PANEL * K + k) * PANEL + c % PANEL] = c < C ? w[k * row + c * column] : 0;
}

/* rows x (wide ? PANEL : LANES) of the product; the loops are unrolled for each pair of constants. */
INLINE void NAME(block)(
    const int rows, const int wide, const REAL *a, int64_t lda, const REAL *w, int64_t K, REAL *out, int64_t ldo) {
    VECTOR sum[6][2];
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++) sum[r][0] = sum[r][1] = (VECTOR){0};
    for (int64_t k = 0; k < K; k++) {
        const VECTOR first = *(const VECTOR *)(w + k * PANEL);
        const VECTOR second = wide ? *(const VECTOR *)(w + k * PANEL + LANES) : first;
#pragma GCC unroll 6
        for (int r = 0; r < rows; r++) {
            sum[r][0] += a[r * lda + k] * first;
            if (wide) sum[r][1] += a[r * lda + k] * second;
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++) {
        *(VECTOR *)(out + r * ldo) = sum[r][0];
        if (wide) *(VECTOR *)(out + r * ldo + LANES) = sum[r][1];
    }
}

INLINE void NAME(strip)(
    const int wide, int64_t R, const REAL *a, int64_t lda, const REAL *w, int64_t K, REAL *out, int64_t ldo) {
    for (; R >= 6; R -= 6, a += 6 * lda, out += 6 * ldo) NAME(block)(6, wide, a, lda, w, K, out, ldo);
    switch (R) {
        case 5: NAME(block)(5, wide, a, lda, w, K, out, ldo); break;
        case 4: NAME(block)(4, wide, a, lda, w, K, out, ldo); break;
        case 3: NAME(block)(3, wide, a, lda, w, K, out, ldo); break;
        case 2: NAME(block)(2, wide, a, lda, w, K, out, ldo); break;
        case 1: NAME(block)(1, wide, a, lda, w, K, out, ldo); break;
    }
}

/* out [R, ldo] = a [R, lda] x packed [K, C]; ldo >= PADDED(C). */
static void NAME(multiply)(
    int64_t R, const REAL *a, int64_t lda, const REAL *packed, int64_t K, int64_t C, REAL *out, int64_t ldo) {
    int64_t c = 0;
    for (; c + LANES < C; c += PANEL) NAME(strip)(1, R, a, lda, packed + c * K, K, out + c, ldo);
    if (c < C) NAME(strip)(0, R, a, lda, packed + c * K, K, out + c, ldo);
}
