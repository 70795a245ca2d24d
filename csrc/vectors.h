/* What becomes of gradients in the words' vectors. Included once for each REAL. */

INLINE REAL NAME(lanes)(VECTOR sum) {
    REAL total = 0;
    for (int64_t lane = 0; lane < LANES; lane++) total += sum[lane];
    return total;
}

/* |g_n| and e_n . g_n of S gradients at each of N vectors: g [S,N,E], e [N,E] -> lengths, dots [S,N]. */
int NAME(lengths_and_dots)(int64_t S, int64_t N, int64_t E, const REAL *g, const REAL *e, REAL *lengths, REAL *dots) {
    for (int64_t row = 0; row < S * N; row++, g += E) {
        const REAL *restrict own = e + row % N * E;
        VECTOR squares = {0}, products = {0};
        REAL square = 0, product = 0;
        int64_t j = 0;
        for (; j + LANES <= E; j += LANES) {
            const VECTOR v = *(const VECTOR *)(g + j);
            squares += v * v, products += v * *(const VECTOR *)(own + j);
        }
        for (; j < E; j++) square += g[j] * g[j], product += g[j] * own[j];
        lengths[row] = NAME(root)(square + NAME(lanes)(squares));
        dots[row] = product + NAME(lanes)(products);
    }
    return 0;
}
