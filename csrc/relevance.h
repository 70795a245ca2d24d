/* LRP and DeepLIFT on the two recurrences (src/whichword/rules.py). Included once for each REAL.
 *
 * A gate is a weight and passes nothing back, so only the candidate's block of U takes part. What a step multiplies
 * the gradient with is made on the way forward, from the values themselves, or from their differences to the values
 * of a row of zero embeddings (mode 1 and 2): that row goes along as the first of each tile. With a the difference,
 *
 *     share(a) = a / (a + esign(a)),   a node's factor;   chord of g over its node: dg / dz * share(dz) = dg / (dz + esign)
 *
 * Arrays as in cells.h; factors [M,B,T,4H], reference [B,H] = h of the zero row after as many steps; pulled is the
 * gradient in the candidate's pre-activation alone, so sum and end are [S,B,T,H].
 * mode: 0 LRP, 1 DeepLIFT with tanh(c - c_ref), 2 DeepLIFT with tanh(c) - tanh(c_ref).
 */
INLINE REAL NAME(with_esign)(REAL a, REAL eps) { return a + (a < 0 ? -eps : eps); }

static void NAME(lstm_factors)(
    int64_t H, int64_t mode, REAL eps, const REAL *restrict gates, const REAL *restrict c, const REAL *restrict tc,
    const REAL *restrict h, const REAL *restrict z, const REAL *restrict g0, const REAL *restrict c0,
    const REAL *restrict t0, const REAL *restrict h0, const REAL *restrict z0, REAL *restrict through) {
    const REAL *restrict i = gates, *restrict f = i + H, *restrict o = f + H, *restrict g = o + H;
    REAL *restrict node = through + H, *restrict into = node + H, *restrict carry = into + H;
    if (mode == 1)
        SIMD for (int64_t j = 0; j < H; j++) through[j] = NAME(tanh)(c[j] - c0[j]);
    else
        SIMD for (int64_t j = 0; j < H; j++) through[j] = tc[j] - t0[j];
    SIMD for (int64_t j = 0; j < H; j++) {
        const REAL dc = c[j] - c0[j], dh = h[j] - h0[j], sum = NAME(with_esign)(dc, eps);
        through[j] *= dh / NAME(with_esign)(dh, eps) * o[j] / sum;
        node[j] = dc / sum;
    }
    SIMD for (int64_t j = 0; j < H; j++) into[j] = i[j] * (g[j] - g0[j]) / NAME(with_esign)(z[j] - z0[j], eps);
    memcpy(carry, f, sizeof(REAL) * H);
}

int NAME(lstm_relevance_forward)(
    int64_t M, int64_t B, int64_t T, int64_t H, int64_t mode, const REAL *P, const REAL *scales, const REAL *bias,
    const REAL *U, const int64_t *ends, const double *constants, REAL *factors, REAL *last, REAL *reference) {
    const int64_t G = 4 * H, Gp = PADDED(G), zero_row = mode > 0, tile = TILE - zero_row;
    const REAL eps = constants[0];
    REAL *packed = malloc(sizeof(REAL) * (H * Gp + TILE * (Gp + 4 * H) + H));
    if (!packed) return 1;
    REAL *z = packed + H * Gp, *c = z + TILE * Gp, *h = c + TILE * H, *tanhs = h + TILE * H, *sums = tanhs + TILE * H;
    REAL *zeros = sums + TILE * H;
    memset(zeros, 0, sizeof(REAL) * H);
    NAME(pack)(U, H, G, 1, H, packed);
    for (int64_t first = 0; first < M * B; first += tile) {
        const int64_t rows = M * B - first < tile ? M * B - first : tile, steps = NAME(longest)(ends, B, first, rows);
        memset(z, 0, sizeof(REAL) * TILE * (Gp + 2 * H));
        for (int64_t n = first; reference && n < first + rows; n++) memset(reference + n % B * H, 0, sizeof(REAL) * H);
        for (int64_t t = 0; t < steps; t++) {
            if (t) NAME(multiply)(rows + zero_row, h, H, packed, H, G, z, Gp);
            for (int64_t r = 0; r < rows + zero_row; r++) {
                const int64_t n = first + r - zero_row, b = n % B;
                const int document = r >= zero_row;
                if (document && t >= ends[b]) continue;
                const REAL scale = document ? scales[n / B] : 0;
                const REAL *restrict p = document ? P + (b * T + t) * G : bias;
                REAL *restrict i = z + r * Gp, *restrict f = i + H, *restrict o = f + H, *restrict g = o + H;
                REAL *restrict cr = c + r * H, *restrict hr = h + r * H, *restrict tc = tanhs + r * H;
                REAL *restrict zr = sums + r * H;
                SIMD for (int64_t j = 0; j < 3 * H; j++) i[j] = NAME(sigmoid)(i[j] + scale * p[j] + bias[j]);
                SIMD for (int64_t j = 0; j < H; j++) zr[j] = g[j] + scale * p[3 * H + j] + bias[3 * H + j];
                SIMD for (int64_t j = 0; j < H; j++) g[j] = NAME(tanh)(zr[j]);
                SIMD for (int64_t j = 0; j < H; j++) cr[j] = f[j] * cr[j] + i[j] * g[j];
                SIMD for (int64_t j = 0; j < H; j++) tc[j] = NAME(tanh)(cr[j]);
                SIMD for (int64_t j = 0; j < H; j++) hr[j] = o[j] * tc[j];
                if (!document) continue;
                NAME(lstm_factors)(H, mode, eps, i, cr, tc, hr, zr, mode ? z + 3 * H : zeros, mode ? c : zeros,
                    mode ? tanhs : zeros, mode ? h : zeros, mode ? sums : zeros, factors + (n * T + t) * 4 * H);
                if (mode && t == ends[b] - 1) memcpy(reference + b * H, h, sizeof(REAL) * H);
            }
        }
        memcpy(last + first * H, h + zero_row * H, sizeof(REAL) * rows * H);
    }
    free(packed);
    return 0;
}

int NAME(lstm_relevance_backward)(
    int64_t M, int64_t S, int64_t B, int64_t T, int64_t H, const REAL *U, const int64_t *ends, const REAL *factors,
    const REAL *seeds, REAL *sum, REAL *end) {
    const int64_t Hp = PADDED(H), tile = TILE / S > 0 ? TILE / S : 1;
    REAL *packed = malloc(sizeof(REAL) * (H * Hp + tile * S * (Hp + 2 * H)));
    if (!packed) return 1;
    REAL *dh = packed + H * Hp, *dc = dh + tile * S * Hp, *dz = dc + tile * S * H;
    NAME(pack)(U + 3 * H * H, H, H, H, 1, packed);
    const NAME(results) to = {M, S, B, T, H, 0, ends, sum, end, 0};
    NAME(clear_results)(&to);
    for (int64_t first = 0; first < M * B; first += tile) {
        const int64_t rows = M * B - first < tile ? M * B - first : tile;
        memset(dh, 0, sizeof(REAL) * tile * S * (Hp + 2 * H));
        for (int64_t t = NAME(longest)(ends, B, first, rows) - 1; t >= 0; t--) {
            for (int64_t q = 0; q < rows * S; q++) {
                const int64_t n = first + q / S, m = n / B, b = n % B, s = q % S;
                if (t >= ends[b]) continue;
                const REAL *restrict through = factors + (n * T + t) * 4 * H, *restrict node = through + H;
                const REAL *restrict into = node + H, *restrict carry = into + H;
                REAL *restrict h = dh + q * Hp, *restrict dm = dc + q * H, *restrict d = dz + q * H;
                if (t == ends[b] - 1) memcpy(h, seeds + ((m * S + s) * B + b) * H, sizeof(REAL) * H);
                SIMD for (int64_t j = 0; j < H; j++) {
                    const REAL total = dm[j] * node[j] + h[j] * through[j];
                    d[j] = total * into[j];
                    dm[j] = total * carry[j];
                }
                NAME(deliver)(&to, n, s, t, d);
            }
            if (!t) break;
            NAME(multiply)(rows * S, dz, H, packed, H, H, dh, Hp);
        }
    }
    free(packed);
    return 0;
}

int NAME(gru_relevance_forward)(
    int64_t M, int64_t B, int64_t T, int64_t H, int64_t mode, const REAL *P, const REAL *scales, const REAL *bias,
    const REAL *U, const int64_t *ends, const double *constants, REAL *factors, REAL *last, REAL *reference) {
    const int64_t G = 3 * H, Gp = PADDED(2 * H), Hp = PADDED(H), zero_row = mode > 0, tile = TILE - zero_row;
    const REAL eps = constants[0];
    REAL *packed = malloc(sizeof(REAL) * (H * (Gp + Hp) + TILE * (Gp + Hp + 3 * H) + H));
    if (!packed) return 1;
    REAL *packed_g = packed + H * Gp, *z = packed_g + H * Hp, *zg = z + TILE * Gp, *h = zg + TILE * Hp;
    REAL *reset = h + TILE * H, *squashed = reset + TILE * H, *zeros = squashed + TILE * H;
    memset(zeros, 0, sizeof(REAL) * H);
    NAME(pack)(U, H, 2 * H, 1, H, packed);
    NAME(pack)(U + 2 * H * H, H, H, 1, H, packed_g);
    for (int64_t first = 0; first < M * B; first += tile) {
        const int64_t rows = M * B - first < tile ? M * B - first : tile, steps = NAME(longest)(ends, B, first, rows);
        memset(z, 0, sizeof(REAL) * TILE * (Gp + Hp + 3 * H));
        for (int64_t n = first; reference && n < first + rows; n++) memset(reference + n % B * H, 0, sizeof(REAL) * H);
        for (int64_t t = 0; t < steps; t++) {
            if (t) NAME(multiply)(rows + zero_row, h, H, packed, H, 2 * H, z, Gp);
            for (int64_t r = 0; r < rows + zero_row; r++) {
                const int64_t n = first + r - zero_row, b = n % B;
                const int document = r >= zero_row;
                if (document && t >= ends[b]) continue;
                const REAL scale = document ? scales[n / B] : 0;
                const REAL *restrict p = document ? P + (b * T + t) * G : bias;
                REAL *restrict k = z + r * Gp, *restrict rh = reset + r * H, *restrict hr = h + r * H;
                SIMD for (int64_t j = 0; j < 2 * H; j++) k[j] = NAME(sigmoid)(k[j] + scale * p[j] + bias[j]);
                SIMD for (int64_t j = 0; j < H; j++) rh[j] = k[H + j] * hr[j];
            }
            if (t) NAME(multiply)(rows + zero_row, reset, H, packed_g, H, H, zg, Hp);
            for (int64_t r = 0; r < rows + zero_row; r++) {
                const int64_t n = first + r - zero_row, b = n % B;
                const int document = r >= zero_row;
                if (document && t >= ends[b]) continue;
                const REAL scale = document ? scales[n / B] : 0;
                const REAL *restrict p = document ? P + (b * T + t) * G + 2 * H : bias + 2 * H, *e = bias + 2 * H;
                REAL *restrict zr = zg + r * Hp, *restrict hr = h + r * H, *restrict g = squashed + r * H;
                const REAL *restrict k = z + r * Gp;
                SIMD for (int64_t j = 0; j < H; j++) zr[j] = zr[j] + scale * p[j] + e[j];
                SIMD for (int64_t j = 0; j < H; j++) g[j] = NAME(tanh)(zr[j]);
                SIMD for (int64_t j = 0; j < H; j++) hr[j] = k[j] * hr[j] + (1 - k[j]) * g[j];
                if (!document) continue;
                const REAL *restrict z0 = mode ? zg : zeros, *restrict g0 = mode ? squashed : zeros;
                const REAL *restrict h0 = mode ? h : zeros;
                REAL *restrict node = factors + (n * T + t) * 4 * H, *restrict into = node + H;
                REAL *restrict carry = into + H, *restrict back = carry + H;
                SIMD for (int64_t j = 0; j < H; j++) {
                    const REAL dh = hr[j] - h0[j];
                    node[j] = dh / NAME(with_esign)(dh, eps);
                    into[j] = (1 - k[j]) * (g[j] - g0[j]) / NAME(with_esign)(zr[j] - z0[j], eps);
                    carry[j] = k[j];
                    back[j] = k[H + j];
                }
                if (mode && t == ends[b] - 1) memcpy(reference + b * H, h0, sizeof(REAL) * H);
            }
        }
        memcpy(last + first * H, h + zero_row * H, sizeof(REAL) * rows * H);
    }
    free(packed);
    return 0;
}

int NAME(gru_relevance_backward)(
    int64_t M, int64_t S, int64_t B, int64_t T, int64_t H, const REAL *U, const int64_t *ends, const REAL *factors,
    const REAL *seeds, REAL *sum, REAL *end) {
    const int64_t Hp = PADDED(H), tile = TILE / S > 0 ? TILE / S : 1;
    REAL *packed = malloc(sizeof(REAL) * (H * Hp + tile * S * (2 * Hp + H)));
    if (!packed) return 1;
    REAL *dh = packed + H * Hp, *dr = dh + tile * S * Hp, *dz = dr + tile * S * Hp;
    NAME(pack)(U + 2 * H * H, H, H, H, 1, packed);
    const NAME(results) to = {M, S, B, T, H, 0, ends, sum, end, 0};
    NAME(clear_results)(&to);
    for (int64_t first = 0; first < M * B; first += tile) {
        const int64_t rows = M * B - first < tile ? M * B - first : tile;
        memset(dh, 0, sizeof(REAL) * tile * S * (2 * Hp + H));
        for (int64_t t = NAME(longest)(ends, B, first, rows) - 1; t >= 0; t--) {
            for (int64_t q = 0; q < rows * S; q++) {
                const int64_t n = first + q / S, m = n / B, b = n % B, s = q % S;
                if (t >= ends[b]) continue;
                const REAL *restrict node = factors + (n * T + t) * 4 * H, *restrict into = node + H;
                const REAL *restrict carry = into + H;
                REAL *restrict h = dh + q * Hp, *restrict d = dz + q * H;
                if (t == ends[b] - 1) memcpy(h, seeds + ((m * S + s) * B + b) * H, sizeof(REAL) * H);
                SIMD for (int64_t j = 0; j < H; j++) {
                    const REAL total = h[j] * node[j];
                    d[j] = total * into[j];
                    h[j] = total * carry[j];
                }
                NAME(deliver)(&to, n, s, t, d);
            }
            if (!t) break;
            NAME(multiply)(rows * S, dz, H, packed, H, H, dr, Hp);
            for (int64_t q = 0; q < rows * S; q++) {
                const int64_t n = first + q / S;
                if (t >= ends[n % B]) continue;
                const REAL *restrict back = factors + (n * T + t) * 4 * H + 3 * H, *restrict u = dr + q * Hp;
                REAL *restrict h = dh + q * Hp;
                SIMD for (int64_t j = 0; j < H; j++) h[j] += back[j] * u[j];
            }
        }
    }
    free(packed);
    return 0;
}
