/* LSTM, GRU and the Quasi-networks' scans over whole sequences, forward and backward, for float and double.
 *
 * No headers but the C library's: the functions take pointers and sizes and are called through ctypes
 * (src/whichword/kernels.py). They compute what src/whichword/networks/gated.py defines.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Counts the changes of the declarations below; kernels.py has the same number, so that an old build is not used. */
#define VERSION 11

/* Bytes of a register. */
#ifdef WIDE
#define REGISTER 64
#else
#define REGISTER 32
#endif

/* The version, or 0 if this machine cannot run what was compiled: checked before anything else is called. */
#if defined(__x86_64__)
#define HAS __builtin_cpu_supports
int whichword_usable(void) {
    __builtin_cpu_init();
    const int wide = HAS("avx512f") && HAS("avx512dq") && HAS("avx512vl");
    return HAS("avx2") && HAS("fma") && (wide || REGISTER < 64) ? VERSION : 0;
}
#else
int whichword_usable(void) { return REGISTER < 64 ? VERSION : 0; }
#endif

#if defined(__x86_64__)
#pragma GCC target("avx2,fma")
#ifdef WIDE
#pragma GCC target("avx512f,avx512dq,avx512vl,prefer-vector-width=512")
#endif
#endif

#define INLINE static inline __attribute__((always_inline))
#define SIMD _Pragma("GCC ivdep")

/* Points that a Quasi-network goes back through side by side. */
#define POINTS 4
/* Words before their turn at which its arrays are asked for. */
#define AHEAD 8

/* For statements that may be done twice: the last ones of a length that is no multiple of LANES are done together with
 * some before them, since one at a time they would cost as much each. */
#define ALL_LANES(j, from, to, statement)                                                   \
    {                                                                                       \
        const int64_t whole = (from) + ((to) - (from)) / LANES * LANES;                     \
        SIMD for (int64_t j = (from); j < whole; j++) statement;                            \
        if (whole < (to) && whole > (from))                                                 \
            SIMD for (int64_t lane = 0, j = (to) - LANES; lane < LANES; lane++, j++) statement; \
        else                                                                                \
            for (int64_t j = whole; j < (to); j++) statement;                               \
    }

INLINE float exp_f32(float x) {
    /* 2^n exp(r), |r| <= log(2)/2; the comparisons let a NaN through */
    x = x > 88.0f ? 88.0f : x;
    x = x < -87.0f ? -87.0f : x;
    float n = x * 1.44269504f + 12582912.0f; /* adding 1.5 * 2^23 rounds to a whole number */
    union { float f; int32_t i; } bits = {n};
    n -= 12582912.0f;
    float r = x - n * 0.693359375f + n * 2.12194440e-4f;
    float q = 0.00139345446f;
    q = q * r + 0.00836377647f;
    q = q * r + 0.0416664568f;
    q = q * r + 0.166665734f;
    q = q * r + 0.5f;
    float value = q * (r * r) + r + 1.0f;
    union { int32_t i; float f; } power = {(int32_t)(((uint32_t)bits.i - 0x4B400000u + 127u) << 23)};
    return value * power.f;
}

INLINE float sigmoid_f32(float x) { return 1.0f / (1.0f + exp_f32(-x)); }

INLINE float tanh_f32(float x) {
    float z = x * x;
    float q = -0.00600180061f;
    q = q * z + 0.0209314241f;
    q = q * z - 0.0538370165f;
    q = q * z + 0.13332679f;
    q = q * z - 0.333333281f;
    float near = q * z * x + x;
    float far = 1.0f - 2.0f / (exp_f32(2.0f * x) + 1.0f);
    return z < 0.4096f ? near : far;
}

INLINE float root_f32(float x) { return sqrtf(x); }
INLINE double root_f64(double x) { return sqrt(x); }
INLINE double sigmoid_f64(double x) { return 1.0 / (1.0 + exp(-x)); }
INLINE double tanh_f64(double x) { return tanh(x); }

#define REAL double
#define NAME(x) x##_f64
#include "product.h"
#undef REAL
#undef NAME
#define REAL float
#define NAME(x) x##_f32
#include "product.h"
#include "results.h"
#include "vectors.h"
#include "cells.h"
#include "scan.h"
#include "relevance.h"
#include "runs.h"
#include "adam.h"
#undef REAL
#undef NAME
#define REAL double
#define NAME(x) x##_f64
#include "results.h"
#include "vectors.h"
#include "cells.h"
#include "scan.h"
#include "relevance.h"
#include "runs.h"
#include "adam.h"
#include "logistic.h"
#include "order.h"
