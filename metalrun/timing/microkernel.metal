#include <metal_stdlib>
using namespace metal;

// Kernels that repeat one kind of instruction: eight chains of each thread, which do not wait for one another,
// take eight steps a turn. What they come to is written, so that every step counts. Starts and operands are
// arguments, which a compiler does not know.

#define EIGHT(S) S(x0) S(x1) S(x2) S(x3) S(x4) S(x5) S(x6) S(x7)

#define RATE(NAME, T, STEP)                                                                                    \
  kernel void rate_##NAME(device T *out [[buffer(0)]], constant T *c [[buffer(1)]], constant uint &n [[buffer(2)]], \
                          uint i [[thread_position_in_grid]]) {                                                \
    T a = c[0], b = c[1], t = T(i & 7);                                                                        \
    uint s = (i * 5 + 3) & 31;                                                                                 \
    T x0 = c[2] + t, x1 = c[3] + t, x2 = c[4] + t, x3 = c[5] + t,                                                   \
      x4 = c[6] + t, x5 = c[7] + t, x6 = c[8] + t, x7 = c[9] + t;                                              \
    for (uint k = 0; k < n; k++) {                                                                             \
      EIGHT(STEP) EIGHT(STEP) EIGHT(STEP) EIGHT(STEP) EIGHT(STEP) EIGHT(STEP) EIGHT(STEP) EIGHT(STEP)          \
    }                                                                                                          \
    out[i] = ((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7));                                                \
  }

#define ADD(X) X = X + a;
#define MULTIPLY(X) X = X * b;
#define FUSED(X) X = fma(X, b, a);
#define OTHER(X) X = max(min(X, b), t);
#define CONVERSION(X) X = float(int(X) ^ 1);
#define INTEGER(X) X = (X + a) ^ b;
#define PRODUCT(X) X = (X * a) ^ b;
#define QUOTIENT(X) X = b / (X | a);
#define DIVISION(X) X = fast::divide(a, X);
#define ROOT(X) X = fast::sqrt(X);
#define EXPONENTIAL(X) X = fast::exp2(b * X);
#define CIRCULAR(X) X = fast::cos(X);
#define FUNCTION(X) X = fast::atan(X);
#define SHUFFLE(X) X = simd_shuffle_xor(X, 1);
#define PERMUTATION(X) X = simd_shuffle(X, ushort(s));
#define REDUCTION(X) X = simd_sum(X) * b;

RATE(add, float, ADD)
RATE(multiply, float, MULTIPLY)
RATE(fused, float, FUSED)
RATE(other, float, OTHER)
RATE(half, half, ADD)
RATE(conversion, float, CONVERSION)
RATE(integer, uint, INTEGER)
RATE(product, uint, PRODUCT)
RATE(integer64, ulong, INTEGER)
RATE(quotient, uint, QUOTIENT)
RATE(division, float, DIVISION)
RATE(root, float, ROOT)
RATE(exponential, float, EXPONENTIAL)
RATE(circular, float, CIRCULAR)
RATE(function, float, FUNCTION)
RATE(shuffle, float, SHUFFLE)
RATE(permutation, float, PERMUTATION)
RATE(reduction, float, REDUCTION)

// Four chains of products of 8×8 matrices.
kernel void rate_matrix(device float *out [[buffer(0)]], constant float *c [[buffer(1)]],
                        constant uint &n [[buffer(2)]], uint group [[threadgroup_position_in_grid]],
                        uint simdgroup [[simdgroup_index_in_threadgroup]],
                        uint simdgroups [[simdgroups_per_threadgroup]]) {
  simdgroup_float8x8 a = make_filled_simdgroup_matrix<float, 8, 8>(c[0]),
                     b = make_filled_simdgroup_matrix<float, 8, 8>(c[1]);
  simdgroup_float8x8 x0 = make_filled_simdgroup_matrix<float, 8, 8>(c[2]),
                     x1 = make_filled_simdgroup_matrix<float, 8, 8>(c[3]),
                     x2 = make_filled_simdgroup_matrix<float, 8, 8>(c[4]),
                     x3 = make_filled_simdgroup_matrix<float, 8, 8>(c[5]);
  for (uint k = 0; k < n; k++) {
    simdgroup_multiply_accumulate(x0, a, b, x0);
    simdgroup_multiply_accumulate(x1, a, b, x1);
    simdgroup_multiply_accumulate(x2, a, b, x2);
    simdgroup_multiply_accumulate(x3, a, b, x3);
  }
  simdgroup_multiply_accumulate(x0, x1, x2, x0);
  simdgroup_multiply_accumulate(x0, x3, b, x0);
  if (simdgroup == 0) {
    simdgroup_store(x0, out + 64 * group, 8);
  }
}

// Kernels in which everything waits for what came before.

#define FOUR(S) S S S S

kernel void wait_arithmetic(device float *out [[buffer(0)]], constant float *c [[buffer(1)]],
                            constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float a = c[0], b = c[1], x = c[2] + float(i & 7);
  for (uint k = 0; k < n; k++) {
    FOUR(FOUR(FUSED(x)))
  }
  out[i] = x;
}

// A load says where the next one is.
kernel void wait_device(device uint *out [[buffer(0)]], device const uint *next [[buffer(1)]],
                        constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  uint x = i & 31;
  for (uint k = 0; k < n; k++) {
    FOUR(FOUR(x = next[x];))
  }
  out[i] = x;
}

kernel void wait_shared(device uint *out [[buffer(0)]], device const uint *next [[buffer(1)]],
                        constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]],
                        uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint s[1024];
  for (uint k = t; k < 1024; k += 32) {
    s[k] = next[k];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint x = t & 31;
  for (uint k = 0; k < n; k++) {
    FOUR(FOUR(x = s[x];))
  }
  out[i] = x;
}

kernel void wait_barrier(device uint *out [[buffer(0)]], constant uint *c [[buffer(1)]], constant uint &n [[buffer(2)]],
                         uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint s[256];
  uint x = c[2] + i;
  for (uint k = 0; k < n; k++) {
    FOUR(s[t] = x; threadgroup_barrier(mem_flags::mem_threadgroup);
         x = s[t ^ 33] + 1; threadgroup_barrier(mem_flags::mem_threadgroup);)
  }
  out[i] = x;
}

// Every thread adds to one place.
kernel void rate_atomic(device atomic_uint *out [[buffer(0)]], constant uint *c [[buffer(1)]],
                        constant uint &n [[buffer(2)]]) {
  for (uint k = 0; k < n; k++) {
    FOUR(atomic_fetch_add_explicit(out, c[2], memory_order_relaxed);)
  }
}

// Every thread adds to a place of its own.
kernel void rate_local(device uint *out [[buffer(0)]], constant uint *c [[buffer(1)]], constant uint &n [[buffer(2)]],
                       uint i [[thread_position_in_grid]], uint l [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint t[256];
  atomic_store_explicit(t + l, c[2], memory_order_relaxed);
  for (uint k = 0; k < n; k++) {
    FOUR(atomic_fetch_add_explicit(t + l, c[2], memory_order_relaxed);)
  }
  out[i] = atomic_load_explicit(t + l, memory_order_relaxed);
}
