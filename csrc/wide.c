/* The same kernels for processors with registers of 64 bytes: the same sums in the same order, so the same bits. */
#define WIDE
#include "kernels.c"
