/* Adam. Included once for each REAL.
 *
 * size[s] = lr / (1 - b1^s), root[s] = 1 / sqrt(1 - b2^s) for every step s; constants = b1, b2, eps.
 */
INLINE void NAME(adam_step)(
    int64_t n, int64_t step, const double *size, const double *root, const double *constants, const REAL *restrict g,
    REAL *restrict p, REAL *restrict m, REAL *restrict v) {
    const REAL beta2 = constants[1], epsilon = constants[2], new1 = 1 - constants[0], new2 = 1 - constants[1];
    const REAL a = size[step], c = root[step];
    SIMD for (int64_t j = 0; j < n; j++) {
        m[j] += (g[j] - m[j]) * new1;
        v[j] = v[j] * beta2 + g[j] * g[j] * new2;
        p[j] -= a * (m[j] / (NAME(root)(v[j]) * c + epsilon));
    }
}

/* Step ``step`` for n arrays of lengths[k] numbers. */
int NAME(adam_arrays)(
    int64_t n, int64_t step, const double *size, const double *root, const double *constants, const int64_t *lengths,
    REAL **gradients, REAL **p, REAL **m, REAL **v) {
    for (int64_t k = 0; k < n; k++)
        NAME(adam_step)(lengths[k], step, size, root, constants, gradients[k], p[k], m[k], v[k]);
    return 0;
}

/* Steps from..to of a row that had no gradient in them. It still moves: m and v decay, and p goes on by
 * size m / (sqrt(v) root + eps). The moves shrink from step to step, so once a step changes no number of the row, the
 * later ones would not either: then m and v are brought up to date by powers. */
static void NAME(catch_up)(
    int64_t E, int64_t from, int64_t to, const double *size, const double *root, const double *constants,
    REAL *restrict p, REAL *restrict m, REAL *restrict v) {
    const REAL beta1 = constants[0], beta2 = constants[1], epsilon = constants[2];
    for (int64_t s = from; s <= to; s++) {
        const REAL a = size[s], c = root[s];
        int changed = 0;
        SIMD for (int64_t j = 0; j < E; j++) {
            m[j] *= beta1;
            v[j] *= beta2;
            const REAL old = p[j];
            p[j] = old - a * (m[j] / (NAME(root)(v[j]) * c + epsilon));
            changed |= p[j] != old;
        }
        if (!changed) {
            const REAL d1 = pow(constants[0], to - s), d2 = pow(constants[1], to - s);
            SIMD for (int64_t j = 0; j < E; j++) {
                m[j] *= d1;
                v[j] *= d2;
            }
            return;
        }
    }
}

/* Brings rows[0..n) of p, m, v [.., E] up to ``step``, which they take with their gradient [n,E] where it is not NULL.
 * seen[row] is the last step that a row has taken. */
int NAME(adam_rows)(
    int64_t n, int64_t E, int64_t step, const double *size, const double *root, const double *constants,
    const int64_t *rows, int64_t *seen, const REAL *gradient, REAL *p, REAL *m, REAL *v) {
    for (int64_t k = 0; k < n; k++) {
        const int64_t row = rows[k], at = row * E;
        NAME(catch_up)(E, seen[row] + 1, gradient ? step - 1 : step, size, root, constants, p + at, m + at, v + at);
        if (gradient)
            NAME(adam_step)(E, step, size, root, constants, gradient + k * E, p + at, m + at, v + at);
        seen[row] = step;
    }
    return 0;
}
