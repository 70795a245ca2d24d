/* What becomes of gradients in the words' vectors. Included once for each REAL. */

/* Sums are taken over 32 bytes at a time, whatever a register has: so they are the same to the last bit. */
typedef REAL NAME(part) __attribute__((vector_size(32), aligned(sizeof(REAL))));
#define PART NAME(part)
#define PARTS (32 / (int64_t)sizeof(REAL))

INLINE REAL NAME(lanes)(const PART *sum) {
    REAL total = 0;
    for (int64_t lane = 0; lane < PARTS; lane++) total += (*sum)[lane];
    return total;
}

/* |g_n| and e_n . g_n of S gradients at each of N vectors: g [S,N,E], e [N,E] -> lengths, dots [S,N]. */
int NAME(lengths_and_dots)(int64_t S, int64_t N, int64_t E, const REAL *g, const REAL *e, REAL *lengths, REAL *dots) {
    for (int64_t row = 0; row < S * N; row++, g += E) {
        const REAL *restrict own = e + row % N * E;
        PART squares = {0}, products = {0};
        REAL square = 0, product = 0;
        int64_t j = 0;
        for (; j + PARTS <= E; j += PARTS) {
            const PART v = *(const PART *)(g + j);
            squares += v * v, products += v * *(const PART *)(own + j);
        }
        for (; j < E; j++) square += g[j] * g[j], product += g[j] * own[j];
        lengths[row] = NAME(root)(square + NAME(lanes)(&squares));
        dots[row] = product + NAME(lanes)(&products);
    }
    return 0;
}
