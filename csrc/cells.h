/* The two recurrences. Included once for each REAL.
 *
 * Rows are (m, b), m the slower: document b at scale m; pre-activations scales[m] * P[place[b,t]] + bias + U h. A few
 * rows go through all their steps before the next ones start, so that everything they need stays in the cache. Rows stop at
 * their own end; what is kept of them after it is zero.
 *
 * P [*,G], of which word t of document b is row place[b,t], place [B,T], bias [G], U [G,H], mask [B,H] or NULL (on h on
 * its way into U), ends [B],
 * gates [M,B,T,G], before [M,B,T,H] = h_(t-1), memory [M,B,T,H] = c_t, squashed [M,B,T,H] = tanh(c_t), last [M,B,H].
 * gates and what follows it up to last may be NULL where no gradient is wanted.
 * seeds [M,S,B,H] are gradients of last; sum [S,B,T,G] is the gradient of the pre-activations summed over m, end
 * [S,B,T,G] that of the last m alone, lifted [S,B,T,E] the latter times V [G,E], so that it never leaves the cache. Each
 * of the three may be NULL.
 */

#define TILE 24

INLINE int64_t NAME(longest)(const int64_t *ends, int64_t B, int64_t first, int64_t rows) {
    int64_t most = 0;
    for (int64_t n = first; n < first + rows; n++) most = ends[n % B] > most ? ends[n % B] : most;
    return most;
}

INLINE void NAME(masked)(REAL *to, const REAL *h, const REAL *mask, int64_t H) {
    SIMD for (int64_t j = 0; j < H; j++) to[j] = mask ? h[j] * mask[j] : h[j];
}

/* One LSTM step of one row: z = U h comes in, the gates i, f, o, g go to k; c, tanh(c) and h become the next. */
INLINE void NAME(lstm_cell)(
    int64_t H, REAL scale, const REAL *restrict z, const REAL *restrict p, const REAL *restrict bias, REAL *restrict k,
    REAL *restrict c, REAL *restrict tc, REAL *restrict h) {
    ALL_LANES(j, 0, 3 * H, k[j] = NAME(sigmoid)(z[j] + scale * p[j] + bias[j]))
    ALL_LANES(j, 3 * H, 4 * H, k[j] = NAME(tanh)(z[j] + scale * p[j] + bias[j]))
    SIMD for (int64_t j = 0; j < H; j++) c[j] = k[H + j] * c[j] + k[j] * k[3 * H + j];
    ALL_LANES(j, 0, H, tc[j] = NAME(tanh)(c[j]))
    SIMD for (int64_t j = 0; j < H; j++) h[j] = k[2 * H + j] * tc[j];
}

int NAME(lstm_forward)(
    int64_t M, int64_t B, int64_t T, int64_t H, const REAL *P, const int64_t *place, const REAL *scales,
    const REAL *bias, const REAL *U, const REAL *mask, const int64_t *ends, REAL *gates, REAL *before, REAL *memory, REAL *squashed, REAL *last) {
    const int64_t G = 4 * H, Gp = PADDED(G);
    REAL *packed = malloc(sizeof(REAL) * (H * Gp + TILE * (Gp + 4 * H) + G));
    if (!packed) return 1;
    REAL *z = packed + H * Gp, *c = z + TILE * Gp, *h = c + TILE * H, *seen = h + TILE * H, *tanhs = seen + TILE * H;
    REAL *spare = tanhs + TILE * H;
    NAME(pack)(U, H, G, 1, H, packed);
    for (int64_t first = 0; first < M * B; first += TILE) {
        const int64_t rows = M * B - first < TILE ? M * B - first : TILE, steps = NAME(longest)(ends, B, first, rows);
        memset(c, 0, sizeof(REAL) * 2 * TILE * H);
        memset(z, 0, sizeof(REAL) * TILE * Gp);
        for (int64_t t = 0; t < steps; t++) {
            if (t) {
                for (int64_t r = 0; r < rows; r++)
                    NAME(masked)(seen + r * H, h + r * H, mask ? mask + (first + r) % B * H : 0, H);
                NAME(multiply)(rows, seen, H, packed, H, G, z, Gp);
            }
            for (int64_t r = 0; r < rows; r++) {
                const int64_t n = first + r, b = n % B, at = n * T + t;
                if (t >= ends[b]) continue;
                REAL *k = gates ? gates + at * G : spare, *tc = squashed ? squashed + at * H : tanhs;
                if (before) memcpy(before + at * H, h + r * H, sizeof(REAL) * H);
                NAME(lstm_cell)(H, scales[n / B], z + r * Gp, P + place[b * T + t] * G, bias, k, c + r * H, tc, h + r * H);
                if (memory) memcpy(memory + at * H, c + r * H, sizeof(REAL) * H);
            }
        }
        memcpy(last + first * H, h, sizeof(REAL) * rows * H);
        for (int64_t n = first; n < first + rows; n++) {
            NAME(clear_rest)(gates, n, T, G, ends[n % B]);
            NAME(clear_rest)(before, n, T, H, ends[n % B]);
        }
    }
    free(packed);
    return 0;
}

int NAME(lstm_backward)(
    int64_t M, int64_t S, int64_t B, int64_t T, int64_t H, int64_t E, const REAL *U, const REAL *V, const REAL *mask,
    const int64_t *ends, const REAL *gates, const REAL *memory, const REAL *squashed, const REAL *seeds, REAL *sum,
    REAL *end, REAL *lifted) {
    const int64_t G = 4 * H, Hp = PADDED(H), Ep = PADDED(E), tile = TILE / S > 0 ? TILE / S : 1;
    const NAME(results) to = {M, S, B, T, G, E, ends, sum, end, lifted};
    REAL *packed = malloc(sizeof(REAL) * (G * (Hp + Ep) + tile * S * (Hp + H + G + Ep)));
    if (!packed || (lifted && !V)) return free(packed), 1;
    REAL *packed_V = packed + G * Hp, *dh = packed_V + G * Ep, *dc = dh + tile * S * Hp, *dz = dc + tile * S * H;
    REAL *space = dz + tile * S * G;
    NAME(pack)(U, G, H, H, 1, packed);
    if (lifted) NAME(pack)(V, G, E, E, 1, packed_V);
    NAME(clear_results)(&to);
    for (int64_t first = 0; first < M * B; first += tile) {
        const int64_t rows = M * B - first < tile ? M * B - first : tile;
        memset(dh, 0, sizeof(REAL) * tile * S * (Hp + H + G));
        for (int64_t t = NAME(longest)(ends, B, first, rows) - 1; t >= 0; t--) {
            for (int64_t r = 0; r < rows; r++) {
                const int64_t n = first + r, m = n / B, b = n % B, at = n * T + t;
                if (t >= ends[b]) continue;
                const REAL *restrict i = gates + at * G, *restrict tc = squashed + at * H;
                const REAL *restrict f = i + H, *restrict o = f + H, *restrict g = o + H;
                const REAL *restrict c = t ? memory + (at - 1) * H : 0;
                for (int64_t s = 0; s < S; s++) {
                    REAL *restrict h = dh + (r * S + s) * Hp, *restrict dm = dc + (r * S + s) * H;
                    REAL *restrict d = dz + (r * S + s) * G;
                    const REAL *restrict seed = seeds + ((m * S + s) * B + b) * H;
                    if (t == ends[b] - 1) memcpy(h, seed, sizeof(REAL) * H);
                    SIMD for (int64_t j = 0; j < H; j++) {
                        const REAL total = dm[j] + h[j] * o[j] * (1 - tc[j] * tc[j]);
                        d[j] = total * g[j] * i[j] * (1 - i[j]);
                        d[H + j] = c ? total * c[j] * f[j] * (1 - f[j]) : 0;
                        d[2 * H + j] = h[j] * tc[j] * o[j] * (1 - o[j]);
                        d[3 * H + j] = total * i[j] * (1 - g[j] * g[j]);
                        dm[j] = total * f[j];
                    }
                    NAME(deliver)(&to, n, s, t, d);
                }
            }
            NAME(lift)(&to, first, rows, t, dz, packed_V, space);
            if (!t) break;
            NAME(multiply)(rows * S, dz, G, packed, G, H, dh, Hp);
            for (int64_t q = 0; mask && q < rows * S; q++)
                NAME(masked)(dh + q * Hp, dh + q * Hp, mask + (first + q / S) % B * H, H);
        }
    }
    free(packed);
    return 0;
}

/* One GRU step of one row in two parts: z and r to k and r * (seen h) to rh; then g to k, and h becomes the next. */
INLINE void NAME(gru_gates)(
    int64_t H, REAL scale, const REAL *restrict z, const REAL *restrict p, const REAL *restrict bias,
    const REAL *restrict seen, REAL *restrict k, REAL *restrict rh) {
    ALL_LANES(j, 0, 2 * H, k[j] = NAME(sigmoid)(z[j] + scale * p[j] + bias[j]))
    SIMD for (int64_t j = 0; j < H; j++) rh[j] = k[H + j] * seen[j];
}

INLINE void NAME(gru_cell)(
    int64_t H, REAL scale, const REAL *restrict z, const REAL *restrict p, const REAL *restrict bias, REAL *restrict k,
    REAL *restrict h) {
    REAL *restrict g = k + 2 * H;
    ALL_LANES(j, 0, H, g[j] = NAME(tanh)(z[j] + scale * p[2 * H + j] + bias[2 * H + j]))
    SIMD for (int64_t j = 0; j < H; j++) h[j] = k[j] * h[j] + (1 - k[j]) * g[j];
}

int NAME(gru_forward)(
    int64_t M, int64_t B, int64_t T, int64_t H, const REAL *P, const int64_t *place, const REAL *scales,
    const REAL *bias, const REAL *U, const REAL *mask, const int64_t *ends, REAL *gates, REAL *before, REAL *last) {
    const int64_t G = 3 * H, Gp = PADDED(2 * H), Hp = PADDED(H);
    REAL *packed = malloc(sizeof(REAL) * (H * (Gp + Hp) + TILE * (Gp + Hp + 3 * H + G)));
    if (!packed) return 1;
    REAL *packed_g = packed + H * Gp, *z = packed_g + H * Hp, *zg = z + TILE * Gp, *h = zg + TILE * Hp;
    REAL *seen = h + TILE * H, *reset = seen + TILE * H, *spare = reset + TILE * H;
    NAME(pack)(U, H, 2 * H, 1, H, packed);
    NAME(pack)(U + 2 * H * H, H, H, 1, H, packed_g);
    for (int64_t first = 0; first < M * B; first += TILE) {
        const int64_t rows = M * B - first < TILE ? M * B - first : TILE, steps = NAME(longest)(ends, B, first, rows);
        memset(z, 0, sizeof(REAL) * TILE * (Gp + Hp + 3 * H));
        for (int64_t t = 0; t < steps; t++) {
            if (t) {
                for (int64_t r = 0; r < rows; r++)
                    NAME(masked)(seen + r * H, h + r * H, mask ? mask + (first + r) % B * H : 0, H);
                NAME(multiply)(rows, seen, H, packed, H, 2 * H, z, Gp);
            }
            for (int64_t r = 0; r < rows; r++) {
                const int64_t n = first + r, b = n % B;
                if (t >= ends[b]) continue;
                REAL *k = gates ? gates + (n * T + t) * G : spare + r * G;
                NAME(gru_gates)(
                    H, scales[n / B], z + r * Gp, P + place[b * T + t] * G, bias, seen + r * H, k, reset + r * H);
            }
            if (t) NAME(multiply)(rows, reset, H, packed_g, H, H, zg, Hp);
            for (int64_t r = 0; r < rows; r++) {
                const int64_t n = first + r, b = n % B, at = n * T + t;
                if (t >= ends[b]) continue;
                REAL *k = gates ? gates + at * G : spare + r * G;
                if (before) memcpy(before + at * H, h + r * H, sizeof(REAL) * H);
                NAME(gru_cell)(H, scales[n / B], zg + r * Hp, P + place[b * T + t] * G, bias, k, h + r * H);
            }
        }
        memcpy(last + first * H, h, sizeof(REAL) * rows * H);
        for (int64_t n = first; n < first + rows; n++) {
            NAME(clear_rest)(gates, n, T, G, ends[n % B]);
            NAME(clear_rest)(before, n, T, H, ends[n % B]);
        }
    }
    free(packed);
    return 0;
}

int NAME(gru_backward)(
    int64_t M, int64_t S, int64_t B, int64_t T, int64_t H, int64_t E, const REAL *U, const REAL *V, const REAL *mask,
    const int64_t *ends, const REAL *gates, const REAL *before, const REAL *seeds, REAL *sum, REAL *end, REAL *lifted) {
    const int64_t G = 3 * H, Hp = PADDED(H), Ep = PADDED(E), tile = TILE / S > 0 ? TILE / S : 1;
    const NAME(results) to = {M, S, B, T, G, E, ends, sum, end, lifted};
    REAL *packed = malloc(sizeof(REAL) * (G * (Hp + Ep) + tile * S * (3 * Hp + G + Ep)));
    if (!packed || (lifted && !V)) return free(packed), 1;
    REAL *packed_g = packed + 2 * H * Hp, *packed_V = packed_g + H * Hp, *dh = packed_V + G * Ep;
    REAL *dr = dh + tile * S * Hp, *ds = dr + tile * S * Hp, *dz = ds + tile * S * Hp, *space = dz + tile * S * G;
    NAME(pack)(U, 2 * H, H, H, 1, packed);
    NAME(pack)(U + 2 * H * H, H, H, H, 1, packed_g);
    if (lifted) NAME(pack)(V, G, E, E, 1, packed_V);
    NAME(clear_results)(&to);
    for (int64_t first = 0; first < M * B; first += tile) {
        const int64_t rows = M * B - first < tile ? M * B - first : tile;
        memset(dh, 0, sizeof(REAL) * tile * S * (3 * Hp + G));
        for (int64_t t = NAME(longest)(ends, B, first, rows) - 1; t >= 0; t--) {
            for (int64_t q = 0; q < rows * S; q++) {
                const int64_t n = first + q / S, m = n / B, b = n % B, at = n * T + t, s = q % S;
                if (t >= ends[b]) continue;
                const REAL *restrict z = gates + at * G, *restrict g = z + 2 * H, *restrict old = before + at * H;
                REAL *restrict h = dh + q * Hp, *restrict d = dz + q * G;
                if (t == ends[b] - 1) memcpy(h, seeds + ((m * S + s) * B + b) * H, sizeof(REAL) * H);
                SIMD for (int64_t j = 0; j < H; j++) {
                    d[j] = h[j] * (old[j] - g[j]) * z[j] * (1 - z[j]);
                    d[2 * H + j] = h[j] * (1 - z[j]) * (1 - g[j] * g[j]);
                }
            }
            NAME(multiply)(rows * S, dz + 2 * H, G, packed_g, H, H, dr, Hp);
            for (int64_t q = 0; q < rows * S; q++) {
                const int64_t n = first + q / S, b = n % B, at = n * T + t;
                if (t >= ends[b]) continue;
                const REAL *restrict r = gates + at * G + H, *restrict old = before + at * H;
                const REAL *restrict keep = mask ? mask + b * H : 0, *restrict drh = dr + q * Hp;
                REAL *restrict d = dz + q * G;
                SIMD for (int64_t j = 0; j < H; j++)
                    d[H + j] = drh[j] * (keep ? old[j] * keep[j] : old[j]) * r[j] * (1 - r[j]);
                NAME(deliver)(&to, n, q % S, t, d);
            }
            NAME(lift)(&to, first, rows, t, dz, packed_V, space);
            if (!t) break;
            NAME(multiply)(rows * S, dz, G, packed, 2 * H, H, ds, Hp);
            for (int64_t q = 0; q < rows * S; q++) {
                const int64_t n = first + q / S, b = n % B, at = n * T + t;
                if (t >= ends[b]) continue;
                const REAL *restrict z = gates + at * G, *restrict r = z + H, *restrict drh = dr + q * Hp;
                const REAL *restrict keep = mask ? mask + b * H : 0, *restrict dsq = ds + q * Hp;
                REAL *restrict h = dh + q * Hp;
                SIMD for (int64_t j = 0; j < H; j++) {
                    const REAL source = dsq[j] + drh[j] * r[j];
                    h[j] = h[j] * z[j] + (keep ? source * keep[j] : source);
                }
            }
        }
    }
    free(packed);
    return 0;
}
