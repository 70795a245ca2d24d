/* Where gradients of the pre-activations go. Included once for each REAL.
 *
 * sum [S,B,T,G] is the sum over the points m, end [S,B,T,G] that of the last point alone, lifted [S,B,T,E] the latter
 * times V [G,E]: made while it is in the cache. Each of the three may be NULL; they are zero where a row has ended.
 */
typedef struct {
    const int64_t M, S, B, T, G, E, *ends;
    REAL *sum, *end, *lifted;
} NAME(results);

INLINE void NAME(clear_rest)(REAL *array, int64_t row, int64_t T, int64_t size, int64_t from) {
    if (array) memset(array + (row * T + from) * size, 0, (T - from) * size * sizeof(REAL));
}

INLINE void NAME(clear_results)(const NAME(results) * to) {
    for (int64_t row = 0; row < to->S * to->B; row++) {
        const int64_t end = to->ends[row % to->B];
        NAME(clear_rest)(to->sum, row, to->T, to->G, to->M == 1 ? end : 0); /* one point is written, several are added */
        NAME(clear_rest)(to->end, row, to->T, to->G, end);
        NAME(clear_rest)(to->lifted, row, to->T, to->E, end);
    }
}

/* What row n's gradient d of seed s at word t adds to the results. */
INLINE void NAME(deliver)(const NAME(results) * to, int64_t n, int64_t s, int64_t t, const REAL *restrict d) {
    const int64_t at = ((s * to->B + n % to->B) * to->T + t) * to->G;
    REAL *restrict sum = to->sum ? to->sum + at : 0;
    if (sum && to->M == 1) memcpy(sum, d, sizeof(REAL) * to->G);
    else if (sum) SIMD for (int64_t j = 0; j < to->G; j++) sum[j] += d[j];
    if (to->end && n / to->B == to->M - 1) memcpy(to->end + at, d, sizeof(REAL) * to->G);
}

/* V^T d of the rows from first on at word t, dz [rows * S, G] -> lifted; space for [rows * S, PADDED(E)]. */
INLINE void NAME(lift)(
    const NAME(results) * to, int64_t first, int64_t rows, int64_t t, const REAL *dz, const REAL *packed, REAL *space) {
    const int64_t Ep = PADDED(to->E), S = to->S;
    if (!to->lifted || first + rows <= (to->M - 1) * to->B) return;
    NAME(multiply)(rows * S, dz, to->G, packed, to->G, to->E, space, Ep);
    for (int64_t q = 0; q < rows * S; q++) {
        const int64_t n = first + q / S, b = n % to->B;
        if (n / to->B < to->M - 1 || t >= to->ends[b]) continue;
        memcpy(to->lifted + ((q % S * to->B + b) * to->T + t) * to->E, space + q * Ep, sizeof(REAL) * to->E);
    }
}
