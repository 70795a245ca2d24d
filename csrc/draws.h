/* LIMSSE's draws: how often each substring is drawn, as numpy's Generator(Philox(key)).multinomial counts them.
 *
 * A multinomial is a chain of binomials, each of what the ones before have left. numpy compares uniform numbers with
 * probabilities that it computes one after the other, a division each. Counts are whole numbers: other roundings give
 * the same ones, unless a comparison is close. So here nothing is divided and documents go side by side in registers,
 * and a document with a close comparison is marked, for the caller to let numpy draw it.
 */
#define FEW 30.0      /* n p: up to it by inversion, above by rejection */
#define STEPS 96      /* inversion ends before np + 10 sqrt(np + 1), np <= FEW */
#define CLOSE 1e-9    /* of up to 100,000 draws, rounding stays far below it */
#define LANES_f64 (REGISTER / (int64_t)sizeof(double))
#define SIDE (2 * LANES_f64) /* documents side by side, so that one register's latency hides in the other's work */

/* A document's uniform numbers: Philox 4x64 with ten rounds (Salmon et al. 2011), four numbers at a time. */
typedef struct {
    uint64_t key[2], blocks;
    int64_t used;
    double u[4];
} stream;

static void next_block(stream *s) {
    const uint64_t M = 0xD2E7470EE14C6C93u, N = 0xCA5A826395121157u;
    uint64_t a = ++s->blocks, b = 0, c = 0, d = 0, k = s->key[0], l = s->key[1];
    for (int round = 0; round < 10; round++, k += 0x9E3779B97F4A7C15u, l += 0xBB67AE8584CAA73Bu) {
        const unsigned __int128 first = (unsigned __int128)M * a, second = (unsigned __int128)N * c;
        a = (uint64_t)(second >> 64) ^ b ^ k, b = (uint64_t)second;
        c = (uint64_t)(first >> 64) ^ d ^ l, d = (uint64_t)first;
    }
    const uint64_t words[4] = {a, b, c, d};
    for (int i = 0; i < 4; i++) s->u[i] = (double)(int64_t)(words[i] >> 11) * 0x1p-53;
    s->used = 0;
}

INLINE double uniform(stream *s) {
    if (s->used == 4) next_block(s);
    return s->u[s->used++];
}

/* ---------------------------------------------------------------------------------------------------------------- */
/* Rejection: BTPE of Kachitvichyanukul and Schmeiser (1988) for n r > FEW, r <= 1/2. Every comparison says if it is close. */

INLINE int above(double a, double b, int *close) {
    *close |= !(fabs(a - b) > CLOSE * (1.0 + fabs(a)));
    return a > b;
}

INLINE double below(double x, int *close) {
    *close |= !(fabs(x - nearbyint(x)) > CLOSE);
    return floor(x);
}

/* What log(x!) is above Stirling's first terms, as numpy rounds it off. */
INLINE double stirling(double x) {
    const double y = 1.0 / (x * x);
    return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 * y) * y) * y) * y) / x / 166320.0;
}

/* Whether v is above f(y) / f(m), f the binomial's probabilities. */
static int outside(double n, double r, double m, double y, double v, int *close) {
    const double q = 1.0 - r, variance = n * r * q, k = fabs(y - m);
    if (k <= 20 || !above(variance / 2.0 - 1.0, k, close)) {
        const double odds = r / q, a = odds * (n + 1.0), from = m < y ? m : y, to = m < y ? y : m;
        double product = 1.0;
        for (double i = from + 1.0; i <= to; i++) product *= a / i - odds;
        return m < y ? above(v, product, close) : above(v * product, 1.0, close);
    }
    const double rho = k / variance * ((k * (k / 3.0 + 0.625) + 1.0 / 6.0) / variance + 0.5), t = -k * k / (2.0 * variance);
    const double log_v = log(v);
    if (above(t - rho, log_v, close)) return 0;
    if (above(log_v, t + rho, close)) return 1;
    const double x = y + 1.0, f = m + 1.0, z = n + 1.0 - m, w = n - y + 1.0;
    const double bound = (m + 0.5) * log(f / x) + (n - m + 0.5) * log(z / w) + (y - m) * log(w * r / (x * q));
    return above(log_v, bound + stirling(f) + stirling(z) + stirling(x) + stirling(w), close);
}

static double rejection(stream *s, double n, double r, int *close) {
    const double q = 1.0 - r;
    volatile double mean = n * r; /* rounded before r is added: (n + 1) r is often a whole number */
    const double fm = mean + r, m = floor(fm);
    const double p1 = below(2.195 * sqrt(n * r * q) - 4.6 * q, close) + 0.5, xm = m + 0.5, xl = xm - p1, xr = xm + p1;
    const double c = 0.134 + 20.5 / (15.3 + m), left = (fm - xl) / (fm - xl * r), right = (xr - fm) / (xr * q);
    const double laml = left * (1.0 + left / 2.0), lamr = right * (1.0 + right / 2.0);
    const double p2 = p1 * (1.0 + 2.0 * c), p3 = p2 + c / laml, p4 = p3 + c / lamr;
    for (;;) {
        const double u = uniform(s) * p4;
        double v = uniform(s), y;
        if (!above(u, p1, close)) return below(xm - p1 * v + u, close); /* the triangle: nothing is rejected */
        if (!above(u, p2, close)) {
            const double x = xl + (u - p1) / c;
            v = v * c + 1.0 - fabs(m - x + 0.5) / p1;
            if (above(v, 1.0, close)) continue;
            y = below(x, close);
        } else if (!above(u, p3, close)) {
            y = below(xl + log(v) / laml, close);
            if (y < 0 || v == 0) continue;
            v *= (u - p2) * laml;
        } else {
            y = below(xr - log(v) / lamr, close);
            if (y > n || v == 0) continue;
            v *= (u - p3) * lamr;
        }
        if (!outside(n, r, m, y, v, close)) return y;
    }
}

/* ---------------------------------------------------------------------------------------------------------------- */
/* Inversion, SIDE documents at once: x is the first number with u <= P(0) + .. + P(x), P(i) = P(i-1) ((n+1)/i - 1) r/q. */

typedef int64_t flags __attribute__((vector_size(REGISTER), aligned(sizeof(int64_t))));
typedef struct {
    double u[SIDE], n[SIDE], r[SIDE], log_q[SIDE], p[SIDE], least[SIDE], most[SIDE];
} inversions;

INLINE int any(flags f) {
    int64_t found = 0;
    for (int i = 0; i < LANES_f64; i++) found |= f[i];
    return found != 0;
}

/* x is at least ``least`` and at most ``most``; they differ where u is close to one of the sums. */
static void invert(inversions *s, const double *inverse) {
    vector_f64 p[2], u[2], odds[2], a[2], least[2], most[2];
    const flags one = (flags)((vector_f64){0} + 1.0);
    SIMD for (int i = 0; i < SIDE; i++) s->p[i] = exp_below(s->n[i] * s->log_q[i]);
#define LOAD(name) *(const vector_f64 *)(s->name + k * LANES_f64)
#pragma GCC unroll 2
    for (int k = 0; k < 2; k++) {
        p[k] = LOAD(p), u[k] = LOAD(u), odds[k] = LOAD(r) / (1.0 - LOAD(r)), a[k] = odds[k] * (LOAD(n) + 1.0);
        least[k] = most[k] = (vector_f64){0};
    }
    for (int i = 1; i <= STEPS; i++) {
        flags open = {0};
#pragma GCC unroll 2
        for (int k = 0; k < 2; k++) {
            u[k] -= p[k];
            const flags perhaps = u[k] > -CLOSE, surely = u[k] > CLOSE;
            most[k] += (vector_f64)(perhaps & one), least[k] += (vector_f64)(surely & one);
            p[k] *= a[k] * inverse[i] - odds[k];
            open |= perhaps;
        }
        if (i % 4 == 0 && !any(open)) break;
    }
#pragma GCC unroll 2
    for (int k = 0; k < 2; k++) {
        *(vector_f64 *)(s->least + k * LANES_f64) = least[k];
        *(vector_f64 *)(s->most + k * LANES_f64) = most[k];
    }
#undef LOAD
}

/* ---------------------------------------------------------------------------------------------------------------- */

/* A document that is being drawn: what is left of its draws, its substrings from here on, and whether it is marked. */
typedef struct {
    stream uniforms;
    const double *chance, *log_rest;
    int64_t *times, size;
    double left;
    int close;
} drawing;

/* Substring j of one document: drawn at once by rejection, or put in its lane of ``s``; a lane without one draws 0. */
INLINE void begin(drawing *d, int64_t j, inversions *s, int lane) {
    s->u[lane] = s->n[lane] = s->r[lane] = s->log_q[lane] = 0;
    if (j >= d->size || d->left == 0) return;
    if (j == d->size - 1) {
        d->times[j] = (int64_t)d->left, d->left = 0;
        return;
    }
    const double chance = d->chance[j], r = chance > 0.5 ? 1.0 - chance : chance;
    if (r * d->left > FEW) {
        const double x = rejection(&d->uniforms, d->left, r, &d->close), times = chance > 0.5 ? d->left - x : x;
        d->times[j] = (int64_t)times, d->left -= times;
        return;
    }
    s->u[lane] = uniform(&d->uniforms), s->n[lane] = d->left, s->r[lane] = r, s->log_q[lane] = d->log_rest[j];
}

INLINE void end(drawing *d, int64_t j, const inversions *s, int lane) {
    if (s->n[lane] == 0) return;
    const double x = s->most[lane], times = d->chance[j] > 0.5 ? d->left - x : x;
    d->close |= x != s->least[lane] || x == STEPS || x > d->left;
    d->times[j] = (int64_t)times, d->left -= d->close ? d->left : times; /* a marked one is given up */
}

/* n draws for each of D documents, whose substrings are offset[d] .. offset[d+1] - 1 of N: chance is that of a substring
 * among those that follow in its document and itself, log_rest the logarithm of 1 - min(chance, 1 - chance). */
int multinomials_f64(
    int64_t D, int64_t N, int64_t n, const int64_t *key, const int64_t *offset, const double *chance,
    const double *log_rest, int64_t *times, int64_t *close) {
    drawing side[SIDE];
    inversions s;
    double inverse[STEPS + 1];
    for (int i = 1; i <= STEPS; i++) inverse[i] = 1.0 / i;
    memset(times, 0, sizeof(int64_t) * N);
    for (int64_t first = 0; first < D; first += SIDE) {
        int64_t longest = 0;
        for (int i = 0; i < SIDE; i++) {
            const int64_t d = first + i, at = d < D ? offset[d] : 0, size = d < D ? offset[d + 1] - at : 0;
            side[i] = (drawing){{{0}}, chance + at, log_rest + at, times + at, size, n, 0};
            side[i].uniforms.used = 4;
            if (d < D) memcpy(side[i].uniforms.key, key + 2 * d, sizeof(side[i].uniforms.key));
            longest = size > longest ? size : longest;
        }
        for (int64_t j = 0; j < longest; j++) {
            for (int i = 0; i < SIDE; i++) begin(side + i, j, &s, i);
            invert(&s, inverse);
            for (int i = 0; i < SIDE; i++) end(side + i, j, &s, i);
        }
        for (int i = 0; i < SIDE && first + i < D; i++) close[first + i] = side[i].close;
    }
    return 0;
}
