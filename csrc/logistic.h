/* LIMSSE's logistic fit: src/whichword/methods/designs.py says what is computed and how substrings stand in a grid.
 *
 * Documents are fitted one after the other, so that everything stays in the cache. The Hessian is banded, and at least
 * the identity: L D L^T without pivots is safe.
 */
#define LONGEST 6 /* words of a substring */
#define NEWTON 100
#define CALM 1e-9  /* of the loss: below, its decrease drowns in rounding, and Newton's full step is taken unseen */
#define DONE 1e-14 /* of the loss: nothing left to gain after such a step */

/* A document of T words in P places, a multiple of EIGHT, so that no loop ends with single numbers. weight and label are
 * [6, P] and 0 where no substring is; slope, curve [6, P], bands [T + 5, 6], there [P + 5], all others [P] or more. */
#define EIGHT 8
typedef struct {
    int64_t T, P;
    double *v, *weight, *label, *there, *sums, *losses, *slope, *curve, *bands, *step;
} fit;

/* exp(x) for x <= 0. */
INLINE double exp_below(double x) {
    x = x < -708.0 ? -708.0 : x;
    double n = x * 1.4426950408889634 + 6755399441055744.0; /* adding 1.5 * 2^52 rounds to a whole number */
    union { double f; int64_t i; } bits = {n};
    n -= 6755399441055744.0;
    const double r = x - n * 0.693147180369123816490 - n * 1.90821492927058770002e-10;
    double q = 1.0 / 6227020800.0;
    q = q * r + 1.0 / 479001600.0;
    q = q * r + 1.0 / 39916800.0;
    q = q * r + 1.0 / 3628800.0;
    q = q * r + 1.0 / 362880.0;
    q = q * r + 1.0 / 40320.0;
    q = q * r + 1.0 / 5040.0;
    q = q * r + 1.0 / 720.0;
    q = q * r + 1.0 / 120.0;
    q = q * r + 1.0 / 24.0;
    q = q * r + 1.0 / 6.0;
    q = q * r + 0.5;
    q = q * r + 1.0;
    q = q * r + 1.0;
    union { int64_t i; double f; } power = {(int64_t)(((uint64_t)bits.i - 0x4338000000000000u + 1023u) << 52)};
    return q * power.f;
}

/* log(1 + x) for 0 <= x <= 1: 2 artanh(u), u = x / (2 + x) <= 1/3. */
INLINE double log_above(double x) {
    const double u = x / (2.0 + x), y = u * u;
    double q = 1.0 / 33.0;
    q = q * y + 1.0 / 31.0;
    q = q * y + 1.0 / 29.0;
    q = q * y + 1.0 / 27.0;
    q = q * y + 1.0 / 25.0;
    q = q * y + 1.0 / 23.0;
    q = q * y + 1.0 / 21.0;
    q = q * y + 1.0 / 19.0;
    q = q * y + 1.0 / 17.0;
    q = q * y + 1.0 / 15.0;
    q = q * y + 1.0 / 13.0;
    q = q * y + 1.0 / 11.0;
    q = q * y + 1.0 / 9.0;
    q = q * y + 1.0 / 7.0;
    q = q * y + 1.0 / 5.0;
    q = q * y + 1.0 / 3.0;
    q = q * y + 1.0;
    return 2.0 * u * q;
}

/* Eight substrings, each a word longer than before. */
INLINE void terms(
    const double *restrict v, const double *restrict w, const double *restrict y, double *restrict sums,
    double *restrict losses, double *restrict slope, double *restrict curve) {
    SIMD for (int t = 0; t < EIGHT; t++) {
        const double z = sums[t] + v[t], small = exp_below(-fabs(z)), sigma = (z < 0 ? small : 1.0) / (1.0 + small);
        sums[t] = z;
        losses[t] += w[t] * (log_above(small) + (z > 0 ? z : 0.0) - y[t] * z);
        slope[t] = w[t] * (sigma - y[t]);
        curve[t] = w[t] * sigma * (1.0 - sigma);
    }
}

/* The penalised loss at f->there, with the first and second derivatives of all terms in slope and curve. */
static double loss_there(const fit *f) {
    const int64_t T = f->T, P = f->P, sizes = T < LONGEST ? T : LONGEST;
    const double *restrict v = f->there;
    double *restrict sums = f->sums, *restrict losses = f->losses;
    for (int64_t t = 0; t < P; t++) sums[t] = 0, losses[t] = 0.5 * v[t] * v[t];
    for (int64_t s = 0; s < sizes; s++)
        for (int64_t t = 0; t < P; t += EIGHT)
            terms(v + s + t, f->weight + s * P + t, f->label + s * P + t, sums + t, losses + t, f->slope + s * P + t, f->curve + s * P + t);
    double total = 0;
    for (int64_t t = 0; t < T; t++) total += losses[t];
    return total;
}

/* From the terms to the gradient (in step) and the Hessian's bands: words t and t + k lie in the substrings that start
 * i words before t and have more than i + k words. */
static void collect(const fit *f) {
    const int64_t T = f->T, P = f->P, sizes = T < LONGEST ? T : LONGEST;
    for (int64_t i = (sizes - 1) * P - 1; i >= 0; i -= EIGHT)
        SIMD for (int64_t j = i - EIGHT + 1; j <= i; j++) {
            f->slope[j] += f->slope[P + j];
            f->curve[j] += f->curve[P + j];
        }
    memcpy(f->step, f->v, sizeof(double) * T);
    memset(f->bands, 0, sizeof(double) * (T + LONGEST - 1) * LONGEST);
    for (int64_t i = 0; i < sizes; i++) {
        for (int64_t t = 0; t < T - i; t++) f->step[t + i] += f->slope[i * P + t];
        for (int64_t k = 0; k < sizes - i; k++)
            for (int64_t t = 0; t < T - i - k; t++) f->bands[(t + i) * LONGEST + k] += f->curve[(i + k) * P + t];
    }
    for (int64_t t = 0; t < T; t++) f->bands[t * LONGEST] += 1.0;
}

/* f->step from the gradient to Newton's step; gradient . step comes back. */
static double solve(const fit *f) {
    const int64_t T = f->T;
    double *restrict x = f->step, gain = 0;
    for (int64_t j = 0; j < T; j++) {
        double *restrict b = f->bands + j * LONGEST, share[LONGEST];
        const double inverse = 1.0 / b[0], own = x[j];
        for (int i = 1; i < LONGEST; i++) share[i] = b[i] * inverse;
        for (int i = 1; i < LONGEST; i++)
            for (int k = i; k < LONGEST; k++) b[i * LONGEST + k - i] -= share[i] * b[k];
        for (int i = 1; i < LONGEST; i++) b[i] = share[i];
        for (int i = 1; i < LONGEST && j + i < T; i++) x[j + i] -= share[i] * own;
        x[j] = own * inverse;
        gain += own * x[j]; /* g . H^-1 g = sum of (L^-1 g)^2 / D */
    }
    for (int64_t j = T - 2; j >= 0; j--)
        for (int i = 1; i < LONGEST && j + i < T; i++) x[j] -= f->bands[j * LONGEST + i] * x[j + i];
    return gain;
}

/* Newton's method; a step is halved until the loss is not above what it was. */
static void descend(const fit *f) {
    memset(f->v, 0, sizeof(double) * f->T);
    memset(f->there, 0, sizeof(double) * (f->P + LONGEST));
    double loss = loss_there(f);
    for (int round = 0; round < NEWTON; round++) {
        collect(f);
        const double gain = solve(f), bound = gain > CALM * loss ? loss : HUGE_VAL;
        if (gain <= DONE * loss) { /* the last step: nobody asks for the loss after it */
            for (int64_t t = 0; t < f->T; t++) f->v[t] -= f->step[t];
            break;
        }
        for (double size = 1.0;; size /= 2.0) {
            for (int64_t t = 0; t < f->T; t++) f->there[t] = f->v[t] - size * f->step[t];
            loss = loss_there(f);
            if (!(loss > bound)) break;
        }
        memcpy(f->v, f->there, sizeof(double) * f->T);
    }
}

/* The document of T words that begins at a place of [6, N] arrays; space for all that a fit needs. */
INLINE fit fit_of(int64_t T, int64_t N, const double *weight, const double *label, double *v, double *space) {
    const int64_t P = (T + EIGHT - 1) / EIGHT * EIGHT;
    fit f = {T, P, v, space};
    f.label = f.weight + LONGEST * P, f.slope = f.label + LONGEST * P, f.curve = f.slope + LONGEST * P;
    f.sums = f.curve + LONGEST * P, f.losses = f.sums + P, f.step = f.losses + P;
    f.there = f.step + P, f.bands = f.there + P + LONGEST;
    memset(f.weight, 0, sizeof(double) * 2 * LONGEST * P);
    for (int64_t s = 0; s < LONGEST && s < T; s++) {
        memcpy(f.weight + s * P, weight + s * N, sizeof(double) * (T - s));
        memcpy(f.label + s * P, label + s * N, sizeof(double) * (T - s));
    }
    return f;
}

/* D documents at offset[0..D] of a row of N words: weight, label [6, N] -> v [N]. */
int logistic_f64(
    int64_t D, int64_t N, const int64_t *offset, const double *weight, const double *label, double *v) {
    int64_t most = 0;
    for (int64_t d = 0; d < D; d++) most = offset[d + 1] - offset[d] > most ? offset[d + 1] - offset[d] : most;
    double *space = malloc(sizeof(double) * ((most + EIGHT) * (4 + 5 * LONGEST) + LONGEST * (LONGEST + 1)));
    if (!space) return 1;
    for (int64_t d = 0; d < D; d++) {
        const int64_t at = offset[d];
        const fit f = fit_of(offset[d + 1] - at, N, weight + at, label + at, v + at, space);
        descend(&f);
    }
    free(space);
    return 0;
}
