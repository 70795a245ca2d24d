/* Edited copies of documents. Included once for each REAL.
 *
 * Run n reads document row[n] from word begin[n] on, words before dark[n] as zero vectors, starting from the state that
 * the document itself has after init[n] words: before [B,T,H] and, for the LSTM, memory [B,T,H], as lstm_forward keeps
 * them. A copy is what a run has read when it comes to a stop: the copies of run n are offset[n] .. offset[n+1] - 1, in
 * order of their stops. What is kept of copy k is w h in double precision, at scores[slot[k]]: its states would be many
 * times as large, and never stay in the cache. Runs come in order of falling length. Where all of them begin with the
 * zero state, before and memory may be NULL: then the first step needs no product with U.
 */
typedef struct {
    const int64_t *place, *row, *begin, *dark, *init, *offset, *stop, *slot;
} NAME(runs);

INLINE int64_t NAME(run_length)(const NAME(runs) * runs, int64_t n) {
    return runs->stop[runs->offset[n + 1] - 1] - runs->begin[n];
}

/* What reads the copies out: w [K, H] packed, and the states of a tile and their scores [TILE, Kp], in double precision.
 * Kp suits REAL, whose registers hold as many numbers as those of double at the least. */
typedef struct {
    int64_t H, K, Kp;
    double *w, *states, *s, *scores;
} NAME(reader);

static int NAME(open_reader)(NAME(reader) * reader, int64_t H, int64_t K, const double *w, double *scores) {
    const int64_t Kp = PADDED(K);
    double *space = malloc(sizeof(double) * (H * Kp + TILE * (H + Kp)));
    if (!space) return 1;
    *reader = (NAME(reader)){H, K, Kp, space, space + H * Kp, space + H * Kp + TILE * H, scores};
    pack_f64(w, H, K, 1, H, space);
    return 0;
}

/* The copies that end after t words of the runs from first on; next[r] is the first one of run r that has not ended. */
static void NAME(read_copies)(
    const NAME(runs) * runs, const NAME(reader) * reader, int64_t first, int64_t rows, int64_t t, const REAL *h, int64_t *next) {
#define ENDS(r) (next[r] < runs->offset[first + (r) + 1] && runs->stop[next[r]] == runs->begin[first + (r)] + t)
    const int64_t H = reader->H, K = reader->K, Kp = reader->Kp;
    int64_t from = 0;
    while (from < rows && !ENDS(from)) from++;
    if (from == rows) return;
    for (int64_t j = from * H; j < rows * H; j++) reader->states[j] = h[j];
    multiply_f64(rows - from, reader->states + from * H, H, reader->w, H, K, reader->s + from * Kp, Kp);
    for (int64_t r = from; r < rows; r++)
        for (; ENDS(r); next[r]++)
            memcpy(reader->scores + runs->slot[next[r]] * K, reader->s + r * Kp, sizeof(double) * K);
#undef ENDS
}

/* The word that run n reads in step t: its pre-activations, and whether they count. */
INLINE const REAL *NAME(run_word)(
    const NAME(runs) * runs, int64_t n, int64_t t, int64_t T, int64_t G, const REAL *P, const REAL *zeros, REAL *scale) {
    const int64_t read = runs->begin[n] + t;
    *scale = read >= runs->dark[n];
    return *scale ? P + runs->place[runs->row[n] * T + read] * G : zeros;
}

INLINE void NAME(run_start)(
    const NAME(runs) * runs, int64_t n, int64_t T, int64_t H, const REAL *states, int64_t back, REAL *to) {
    if (runs->init[n] == 0) memset(to, 0, sizeof(REAL) * H);
    else memcpy(to, states + (runs->row[n] * T + runs->init[n] - back) * H, sizeof(REAL) * H);
}

int NAME(lstm_runs)(
    int64_t N, int64_t T, int64_t H, int64_t K, const REAL *P, const int64_t *place, const REAL *bias,
    const REAL *U, const int64_t *row, const int64_t *begin, const int64_t *dark, const int64_t *init, const int64_t *offset, const int64_t *stop,
    const int64_t *slot, const REAL *before, const REAL *memory, const double *w, double *scores) {
    const NAME(runs) runs = {place, row, begin, dark, init, offset, stop, slot};
    NAME(reader) reader;
    int64_t next[TILE];
    const int64_t G = 4 * H, Gp = PADDED(G);
    REAL *packed = malloc(sizeof(REAL) * (H * Gp + TILE * (Gp + 2 * H) + G + H));
    if (!packed || NAME(open_reader)(&reader, H, K, w, scores)) {
        free(packed);
        return 1;
    }
    REAL *z = packed + H * Gp, *c = z + TILE * Gp, *h = c + TILE * H, *gates = h + TILE * H, *tanhs = gates + G;
    NAME(pack)(U, H, G, 1, H, packed);
    for (int64_t first = 0; first < N; first += TILE) {
        const int64_t all = N - first < TILE ? N - first : TILE;
        for (int64_t r = 0; r < all; r++) {
            NAME(run_start)(&runs, first + r, T, H, before, 0, h + r * H);
            NAME(run_start)(&runs, first + r, T, H, memory, 1, c + r * H);
            next[r] = offset[first + r];
        }
        NAME(read_copies)(&runs, &reader, first, all, 0, h, next);
        for (int64_t t = 0, rows = all;; t++) {
            while (rows && t >= NAME(run_length)(&runs, first + rows - 1)) rows--;
            if (!rows) break;
            if (t || before) NAME(multiply)(rows, h, H, packed, H, G, z, Gp);
            else memset(z, 0, sizeof(REAL) * rows * Gp);
            for (int64_t r = 0; r < rows; r++) {
                REAL scale;
                const REAL *p = NAME(run_word)(&runs, first + r, t, T, G, P, bias, &scale);
                NAME(lstm_cell)(H, scale, z + r * Gp, p, bias, gates, c + r * H, tanhs, h + r * H);
            }
            NAME(read_copies)(&runs, &reader, first, rows, t + 1, h, next);
        }
    }
    free(reader.w);
    free(packed);
    return 0;
}

int NAME(gru_runs)(
    int64_t N, int64_t T, int64_t H, int64_t K, const REAL *P, const int64_t *place, const REAL *bias,
    const REAL *U, const int64_t *row, const int64_t *begin, const int64_t *dark, const int64_t *init, const int64_t *offset, const int64_t *stop,
    const int64_t *slot, const REAL *before, const double *w, double *scores) {
    const NAME(runs) runs = {place, row, begin, dark, init, offset, stop, slot};
    NAME(reader) reader;
    int64_t next[TILE];
    const int64_t G = 3 * H, Gp = PADDED(2 * H), Hp = PADDED(H);
    REAL *packed = malloc(sizeof(REAL) * (H * (Gp + Hp) + TILE * (Gp + Hp + 2 * H + G)));
    if (!packed || NAME(open_reader)(&reader, H, K, w, scores)) {
        free(packed);
        return 1;
    }
    REAL *packed_g = packed + H * Gp, *z = packed_g + H * Hp, *zg = z + TILE * Gp, *h = zg + TILE * Hp;
    REAL *reset = h + TILE * H, *gates = reset + TILE * H;
    NAME(pack)(U, H, 2 * H, 1, H, packed);
    NAME(pack)(U + 2 * H * H, H, H, 1, H, packed_g);
    for (int64_t first = 0; first < N; first += TILE) {
        const int64_t all = N - first < TILE ? N - first : TILE;
        for (int64_t r = 0; r < all; r++) {
            NAME(run_start)(&runs, first + r, T, H, before, 0, h + r * H);
            next[r] = offset[first + r];
        }
        NAME(read_copies)(&runs, &reader, first, all, 0, h, next);
        for (int64_t t = 0, rows = all;; t++) {
            while (rows && t >= NAME(run_length)(&runs, first + rows - 1)) rows--;
            if (!rows) break;
            REAL scale;
            if (t || before) NAME(multiply)(rows, h, H, packed, H, 2 * H, z, Gp);
            else memset(z, 0, sizeof(REAL) * rows * Gp);
            for (int64_t r = 0; r < rows; r++) {
                const REAL *p = NAME(run_word)(&runs, first + r, t, T, G, P, bias, &scale);
                NAME(gru_gates)(H, scale, z + r * Gp, p, bias, h + r * H, gates + r * G, reset + r * H);
            }
            if (t || before) NAME(multiply)(rows, reset, H, packed_g, H, H, zg, Hp);
            else memset(zg, 0, sizeof(REAL) * rows * Hp);
            for (int64_t r = 0; r < rows; r++) {
                const REAL *p = NAME(run_word)(&runs, first + r, t, T, G, P, bias, &scale);
                NAME(gru_cell)(H, scale, zg + r * Hp, p, bias, gates + r * G, h + r * H);
            }
            NAME(read_copies)(&runs, &reader, first, rows, t + 1, h, next);
        }
    }
    free(reader.w);
    free(packed);
    return 0;
}
