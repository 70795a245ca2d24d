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

/* The Quasi-GRU's recurrence h_t = z h_(t-1) + (1 - z) g over given pre-activations. (The Quasi-LSTM's is lstm_forward
 * and lstm_backward with U = NULL.) Arrays as in cells.h, with G = 2 H: z, g.
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
    REAL *dh = malloc(sizeof(REAL) * (H + G)), *d = dh + H;
    if (!dh) return 1;
    memset(sum, 0, sizeof(REAL) * S * B * T * G);
    if (end) memset(end, 0, sizeof(REAL) * S * B * T * G);
    for (int64_t q = 0; q < M * S * B; q++) {
        const int64_t m = q / (S * B), s = q / B % S, b = q % B;
        memcpy(dh, seeds + q * H, sizeof(REAL) * H);
        for (int64_t t = ends[b] - 1; t >= 0; t--) {
            const int64_t at = (m * B + b) * T + t, to = ((s * B + b) * T + t) * G;
            const REAL *restrict z = gates + at * G, *restrict g = z + H, *restrict old = before + at * H;
            SIMD for (int64_t j = 0; j < H; j++) {
                d[j] = dh[j] * (old[j] - g[j]) * z[j] * (1 - z[j]);
                d[H + j] = dh[j] * (1 - z[j]) * (1 - g[j] * g[j]);
                dh[j] *= z[j];
            }
            NAME(deliver)(d, sum + to, end && m == M - 1 ? end + to : 0, G, M == 1);
        }
    }
    free(dh);
    return 0;
}
