/* m_t = carry_t m_(t-1) + gain_t from m_0 = 0, all [B, T, H]. Included once for each REAL. */
int NAME(scan)(int64_t B, int64_t T, int64_t H, const REAL *carry, const REAL *gain, REAL *memory) {
    for (int64_t n = 0; n < B * T; n++) {
        const REAL *restrict a = carry + n * H, *restrict b = gain + n * H;
        REAL *restrict m = memory + n * H;
        if (n % T == 0) {
            memcpy(m, b, sizeof(REAL) * H);
            continue;
        }
        SIMD for (int64_t j = 0; j < H; j++) m[j] = a[j] * m[j - H] + b[j];
    }
    return 0;
}

/* The Quasi-LSTM's recurrence c_t = f c_(t-1) + i g over given pre-activations. Arrays as in cells.h, G = 4 H: i, f, o, g.
 * h_T = o_T tanh(c_T) is read out at a row's end alone, so o is computed, kept and sent back there and nowhere else.
 */
int NAME(qlstm_forward)(
    int64_t M, int64_t B, int64_t T, int64_t H, const REAL *P, const REAL *scales, const REAL *bias,
    const int64_t *ends, REAL *gates, REAL *memory, REAL *last) {
    const int64_t G = 4 * H;
    REAL *spare = malloc(sizeof(REAL) * (G + H));
    if (!spare) return 1;
    memset(last, 0, sizeof(REAL) * M * B * H);
    for (int64_t n = 0; n < M * B; n++) {
        const REAL scale = scales[n / B];
        REAL *h = last + n * H, *k = spare, *c = spare + G;
        for (int64_t t = 0; t < ends[n % B]; t++) {
            const REAL *restrict p = P + (n % B * T + t) * G, *old = c;
            if (gates) k = gates + (n * T + t) * G;
            if (memory) c = memory + (n * T + t) * H;
            SIMD for (int64_t j = 0; j < 2 * H; j++) k[j] = NAME(sigmoid)(scale * p[j] + bias[j]);
            SIMD for (int64_t j = 3 * H; j < G; j++) k[j] = NAME(tanh)(scale * p[j] + bias[j]);
            if (t) SIMD for (int64_t j = 0; j < H; j++) c[j] = k[H + j] * old[j] + k[j] * k[3 * H + j];
            else SIMD for (int64_t j = 0; j < H; j++) c[j] = k[j] * k[3 * H + j];
            if (t < ends[n % B] - 1) continue;
            SIMD for (int64_t j = 2 * H; j < 3 * H; j++) k[j] = NAME(sigmoid)(scale * p[j] + bias[j]);
            SIMD for (int64_t j = 0; j < H; j++) h[j] = k[2 * H + j] * NAME(tanh)(c[j]);
        }
    }
    free(spare);
    return 0;
}

/* One step back: from the gradient d of c_t to that of i, f and g, added to sum and put to end; d becomes that of c_(t-1). */
INLINE void NAME(qlstm_back)(
    int64_t H, const REAL *restrict k, const REAL *restrict old, REAL *restrict d, REAL *restrict sum,
    REAL *restrict end) {
    const REAL *restrict f = k + H, *restrict g = k + 3 * H;
    SIMD for (int64_t j = 0; j < H; j++) {
        const REAL di = d[j] * g[j] * k[j] * (1 - k[j]), df = old ? d[j] * old[j] * f[j] * (1 - f[j]) : 0;
        const REAL dg = d[j] * k[j] * (1 - g[j] * g[j]);
        sum[j] += di, sum[H + j] += df, sum[3 * H + j] += dg;
        if (end) end[j] = di, end[H + j] = df, end[3 * H + j] = dg;
        d[j] *= f[j];
    }
}

/* From the gradient of h_T = o tanh(c_T) to that of o, added to sum and put to end, and to the gradient d of c_T. */
INLINE void NAME(qlstm_out)(
    int64_t H, const REAL *restrict k, const REAL *restrict c, const REAL *restrict seed, REAL *restrict d,
    REAL *restrict sum, REAL *restrict end) {
    const REAL *restrict o = k + 2 * H;
    for (int64_t j = 0; j < H; j++) {
        const REAL tc = NAME(tanh)(c[j]), od = seed[j] * tc * o[j] * (1 - o[j]);
        d[j] = seed[j] * o[j] * (1 - tc * tc);
        sum[2 * H + j] += od;
        if (end) end[2 * H + j] = od;
    }
}

/* Rows are read from the last to the first, many arrays at a time: more than a processor foresees. */
INLINE void NAME(fetch)(const REAL *row, int64_t size) {
    for (int64_t j = 0; j < size; j += 64 / sizeof(REAL)) __builtin_prefetch(row + j);
}

/* Some points and all seeds go back side by side: a word's gradients are added up while they are in the cache, and what
 * the points have kept is read once and asked for ahead. With 20,000 words that takes a third of the time. */
int NAME(qlstm_backward)(
    int64_t M, int64_t S, int64_t B, int64_t T, int64_t H, const int64_t *ends, const REAL *gates,
    const REAL *memory, const REAL *seeds, REAL *sum, REAL *end) {
    const int64_t G = 4 * H;
    REAL *dc = malloc(sizeof(REAL) * POINTS * S * H);
    if (!dc) return 1;
    memset(sum, 0, sizeof(REAL) * S * B * T * G);
    if (end) memset(end, 0, sizeof(REAL) * S * B * T * G);
    for (int64_t part = 0; part < (M + POINTS - 1) / POINTS * B; part++) {
        const int64_t first = part / B * POINTS, b = part % B, rows = S * (M - first < POINTS ? M - first : POINTS);
        for (int64_t t = ends[b] - 1; t >= 0; t--)
            for (int64_t q = 0; q < rows; q++) {
                const int64_t m = first + q / S, from = (m * B + b) * T + t, to = ((q % S * B + b) * T + t) * G;
                REAL *only = end && m == M - 1 ? end + to : 0, *d = dc + q * H;
                if (t >= AHEAD && q % S == 0) {
                    NAME(fetch)(gates + (from - AHEAD) * G, G);
                    NAME(fetch)(memory + (from - AHEAD) * H, H);
                }
                if (t >= AHEAD && q < S) NAME(fetch)(sum + to - AHEAD * G, G);
                if (t == ends[b] - 1)
                    NAME(qlstm_out)(
                        H, gates + from * G, memory + from * H, seeds + ((m * S + q % S) * B + b) * H, d, sum + to, only);
                NAME(qlstm_back)(H, gates + from * G, t ? memory + (from - 1) * H : 0, d, sum + to, only);
            }
    }
    free(dc);
    return 0;
}

/* The Quasi-GRU's recurrence h_t = z h_(t-1) + (1 - z) g over given pre-activations. Arrays as in cells.h, with
 * G = 2 H: z, g.
 */
int NAME(qgru_forward)(
    int64_t M, int64_t B, int64_t T, int64_t H, const REAL *P, const REAL *scales, const REAL *bias,
    const int64_t *ends, REAL *gates, REAL *before, REAL *last) {
    const int64_t G = 2 * H;
    REAL *spare = malloc(sizeof(REAL) * G);
    if (!spare) return 1;
    memset(last, 0, sizeof(REAL) * M * B * H);
    for (int64_t n = 0; n < M * B; n++) {
        const REAL scale = scales[n / B];
        REAL *restrict h = last + n * H;
        for (int64_t t = 0; t < ends[n % B]; t++) {
            const REAL *restrict p = P + (n % B * T + t) * G;
            REAL *restrict z = gates ? gates + (n * T + t) * G : spare, *restrict g = z + H;
            if (before) memcpy(before + (n * T + t) * H, h, sizeof(REAL) * H);
            SIMD for (int64_t j = 0; j < H; j++) z[j] = NAME(sigmoid)(scale * p[j] + bias[j]);
            SIMD for (int64_t j = 0; j < H; j++) g[j] = NAME(tanh)(scale * p[H + j] + bias[H + j]);
            SIMD for (int64_t j = 0; j < H; j++) h[j] = z[j] * h[j] + (1 - z[j]) * g[j];
        }
    }
    free(spare);
    return 0;
}

int NAME(qgru_backward)(
    int64_t M, int64_t S, int64_t B, int64_t T, int64_t H, const int64_t *ends, const REAL *gates,
    const REAL *before, const REAL *seeds, REAL *sum, REAL *end) {
    const int64_t G = 2 * H;
    REAL *all = malloc(sizeof(REAL) * (POINTS * S * H + G)), *d = all + POINTS * S * H;
    if (!all) return 1;
    const NAME(results) to = {M, S, B, T, G, 0, ends, sum, end, 0};
    NAME(clear_results)(&to);
    for (int64_t part = 0; part < (M + POINTS - 1) / POINTS * B; part++) {
        const int64_t first = part / B * POINTS, b = part % B, rows = S * (M - first < POINTS ? M - first : POINTS);
        for (int64_t q = 0; q < rows; q++) memcpy(all + q * H, seeds + ((first * S + q) * B + b) * H, sizeof(REAL) * H);
        for (int64_t t = ends[b] - 1; t >= 0; t--)
            for (int64_t q = 0; q < rows; q++) {
                const int64_t n = (first + q / S) * B + b, at = n * T + t;
                const REAL *restrict z = gates + at * G, *restrict g = z + H, *restrict old = before + at * H;
                REAL *restrict dh = all + q * H;
                if (t >= AHEAD && q % S == 0) {
                    NAME(fetch)(z - AHEAD * G, G);
                    NAME(fetch)(old - AHEAD * H, H);
                }
                if (t >= AHEAD && q < S) NAME(fetch)(sum + ((q * B + b) * T + t - AHEAD) * G, G);
                SIMD for (int64_t j = 0; j < H; j++) {
                    d[j] = dh[j] * (old[j] - g[j]) * z[j] * (1 - z[j]);
                    d[H + j] = dh[j] * (1 - z[j]) * (1 - g[j] * g[j]);
                    dh[j] *= z[j];
                }
                NAME(deliver)(&to, n, q % S, t, d);
            }
    }
    free(all);
    return 0;
}
