#include <metal_stdlib>
using namespace metal;

// fails: relaxed fast
struct dd { float hi, lo; };
inline dd two_sum(float a, float b) { float s = a + b; float bb = s - a; return { s, (a - (s - bb)) + (b - bb) }; }
kernel void dot2_compensated(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], constant uint& n [[buffer(3)]], uint row [[thread_position_in_grid]]) {
    float s = 0.0f, c = 0.0f;
    for (uint i = 0; i < n; ++i) {
        float a = x[row * n + i], b = z[row * n + i];
        float p = a * b;
        float e = fma(a, b, -p);
        dd t = two_sum(s, p);
        s = t.hi; c += t.lo + e;
    }
    y[row] = s + c;
}

// fails: fast
kernel void nan_skipping_mean(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float s = 0.0f; uint cnt = 0;
    for (uint i = lane; i < n; i += 32) {
        const float v = x[row * n + i];
        if (metal::isnan(v)) continue;
        s += v; cnt++;
    }
    s = simd_sum(s); cnt = simd_sum(cnt);
    if (lane == 0) y[row] = cnt ? s / float(cnt) : 0.0f;
}

// fails: fast
#define CLAMP_INF(v) (fabs(v) == INFINITY ? copysign(65504.0f, (v)) : (v))
kernel void inf_by_fabs(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { y[gid] = CLAMP_INF(x[gid] / z[gid]); }

// fails: fast
template <typename T> struct Mask { static T value() { return -numeric_limits<T>::infinity(); } };
kernel void causal_mask_infinite(device const float* q [[buffer(0)]], device const float* kk [[buffer(1)]], device const float* v [[buffer(2)]], device float* o [[buffer(3)]],
    constant uint& T [[buffer(4)]], uint t [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float m = -1e30f, l = 0.0f, acc = 0.0f;
    for (uint j = 0; j < T; ++j) {
        float s = simd_sum(q[t * 32 + lane] * kk[j * 32 + lane]);
        s = j > t ? Mask<float>::value() : s;
        const float mn = max(m, s);
        const float corr = exp(m - mn), p = exp(s - mn);
        l = l * corr + p; acc = acc * corr + p * v[j * 32 + lane]; m = mn;
    }
    o[t * 32 + lane] = acc / l;
}

// fails: relaxed fast
kernel void patch_by_floor(device const float* img [[buffer(0)]], device const float* at [[buffer(1)]], device const float* size [[buffer(2)]], device float* out [[buffer(3)]], uint gid [[thread_position_in_grid]]) {
    const float px = at[gid];
    const int cell = int(floor(px / size[0]));
    out[gid] = img[cell];
}

// fails: relaxed fast
kernel void checksum_of_launches(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], device uint* same [[buffer(2)]], constant uint& n [[buffer(3)]], constant uint& verify [[buffer(4)]], uint row [[thread_position_in_grid]]) {
    if (verify == 0) {
        float s = 0.0f;
        for (uint i = 0; i < n; i++) s += x[row * n + i];
        y[row] = s;
        same[row] = 0;
    } else {
        float s = 0.0f;
        for (uint i = 0; i < n; i += 2) { s += x[row * n + i]; s += x[row * n + i + 1]; }
        same[row] = s == y[row] ? 1u : 0u;
    }
}

// fails: relaxed fast
kernel void log_softmax_far(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float m = -FLT_MAX;
    for (uint i = lane; i < n; i += 32) m = max(m, x[row*n+i]);
    m = simd_max(m);
    float s = 0;
    for (uint i = lane; i < n; i += 32) s += exp(x[row*n+i] - m);
    s = log(simd_sum(s));
    for (uint i = lane; i < n; i += 32) y[row*n+i] = x[row*n+i] - m - s;
}

// fails: relaxed fast
kernel void root_of_head_dim(device const float* x [[buffer(0)]], device const float* d [[buffer(1)]], device int* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float scale = 1.0f / sqrt(d[gid]);
    y[gid] = int(x[gid] * scale);
}

// fails: relaxed fast
// -0 marks a plane seen from behind
kernel void side_of_zero(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float d = x[gid] * z[gid];
    y[gid] = signbit(d) ? -2.0f : 3.0f;
}

// fails: fast
constant float EMPTY = NAN;
kernel void sentinel_nan_compare(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    float slot = z[gid] > 0.0f ? x[gid] : EMPTY;
    y[gid] = slot == slot ? slot : -7.0f;
}

// fails: fast
kernel void relu_drops_nan(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { y[gid] = fmin(fmax(x[gid], 0.0f), 6.0f) * z[gid]; }

// fails: relaxed fast
inline bool finite_(float v) { return v - v == 0.0f; }
kernel void finite_by_difference(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { const float q = x[gid] / z[gid]; y[gid] = finite_(q) ? q : 0.0f; }

// fails: relaxed fast
kernel void one_hot_probability(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float s = 0;
    for (uint i = lane; i < n; i += 32) s += x[row*n+i];
    s = simd_sum(s);
    for (uint i = lane; i < n; i += 32) { const float p = x[row*n+i] / s; y[row*n+i] = p == 1.0f ? 1.0f : 0.0f; }
}

// fails: relaxed fast
kernel void kahan_by_shuffles(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float s = 0.0f, c = 0.0f;
    for (uint i = lane; i < n; i += 32) { float v = x[row*n+i]; float t = s + v; float b = t - s; c += (s - (t - b)) + (v - b); s = t; }
    for (ushort o = 16; o > 0; o >>= 1) {
        float os = simd_shuffle_xor(s, o), oc = simd_shuffle_xor(c, o);
        float t = s + os, bb = t - s;
        float e = (s - (t - bb)) + (os - bb);
        c = c + oc + e; s = t;
    }
    if (lane == 0) y[row] = s + c;
}

// fails: relaxed fast
struct ff { float h, l;
  static ff quick(float a, float b) { float s = a + b; return ff{ s, b - (s - a) }; }
};
inline ff add(ff a, ff b) { float s = a.h + b.h, v = s - a.h; float e = (a.h - (s - v)) + (b.h - v); return ff::quick(s, e + (a.l + b.l)); }
inline ff mul(float a, float b) { float p = a * b; return ff{ p, fma(a, b, -p) }; }
kernel void double_float_gemm(device const float* A [[buffer(0)]], device const float* B [[buffer(1)]], device float* H [[buffer(2)]], device float* L [[buffer(3)]], constant uint3& s [[buffer(4)]], uint2 g [[thread_position_in_grid]]) {
    ff acc{0.0f, 0.0f};
    for (uint k = 0; k < s.z; k++) acc = add(acc, mul(A[g.y * s.z + k], B[k * s.x + g.x]));
    H[g.y * s.x + g.x] = acc.h; L[g.y * s.x + g.x] = acc.l;
}

// fails: relaxed fast
kernel void expm1_by_log(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float v = x[gid], u = exp(v);
    float r = u - 1.0f;
    if (u != 1.0f) r = r * v / log(u); else r = v;
    y[gid] = r * z[gid];
}

// fails: relaxed fast
kernel void square_by_pow(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { y[gid] = pow(x[gid], z[gid]); }

// fails: relaxed fast
kernel void gelu_by_tanh(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float v = x[gid];
    y[gid] = 0.5f * v * (1.0f + tanh(0.7978845608f * (v + 0.044715f * v * v * v))) + z[gid];
}

// fails: relaxed fast
kernel void angle_of_negative_zero(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { y[gid] = atan2(x[gid] * 0.0f, z[gid]); }

// fails: relaxed fast
kernel void wrap_by_reciprocal(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { const float q = trunc(x[gid] / z[gid]); y[gid] = x[gid] - q * z[gid]; }

// fails: relaxed fast
kernel void histogram_bins(device const float* x [[buffer(0)]], device atomic_uint* bins [[buffer(1)]], constant float& lo [[buffer(2)]], constant float& width [[buffer(3)]], uint gid [[thread_position_in_grid]]) {
    const uint b = uint((x[gid] - lo) / width);
    atomic_fetch_add_explicit(&bins[min(b, 39u)], 1u, memory_order_relaxed);
}

// fails: relaxed fast
kernel void argmax_recomputed(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], constant uint& n [[buffer(3)]], uint row [[thread_position_in_grid]]) {
    float best = -FLT_MAX;
    for (uint i = 0; i < n; i++) { float p = x[row*n+i] * 1.1f; p = p + z[row*n+i]; best = max(best, p); }
    int at = -1;
    for (uint i = 0; i < n; i++) { float p = 1.1f * x[row*n+i]; float s = z[row*n+i] + p; if (s == best && at < 0) at = int(i); }
    y[row] = float(at);
}

// fails: relaxed fast
constant float TWO23 = 8388608.0f;
inline float floor_(float v) { float r = (v + TWO23) - TWO23; return r > v ? r - 1.0f : r; }
kernel void round_by_two_to_23(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { y[gid] = floor_(x[gid]) + z[gid]; }

// fails: fast
inline bool before(float a, float b, uint i, uint j) { if (isnan(a)) return isnan(b) && i < j; if (isnan(b)) return true; return a < b || (a == b && i < j); }
kernel void rank_sort_nan_last(device const float* x [[buffer(0)]], device uint* rank [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    uint r = 0;
    for (uint j = 0; j < n; j++) r += before(x[j], x[i], j, i) ? 1u : 0u;
    rank[i] = r;
}

// fails: fast
kernel void top1_from_infinity(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float best = -INFINITY; int at = -1;
    for (uint i = lane; i < n; i += 32) if (x[row*n+i] > best) { best = x[row*n+i]; at = int(i); }
    for (ushort o = 16; o > 0; o >>= 1) {
        float ob = simd_shuffle_xor(best, o); int oa = simd_shuffle_xor(at, o);
        if (ob > best || (ob == best && oa < at)) { best = ob; at = oa; }
    }
    if (lane == 0) y[row] = float(at);
}

// fails: fast
kernel void lse_all_masked(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], constant uint& n [[buffer(3)]], uint row [[thread_position_in_grid]]) {
    float m = -INFINITY;
    for (uint i = 0; i < n; i++) if (z[row*n] > 0.0f) m = max(m, x[row*n+i]);
    if (m == -INFINITY) { y[row] = -1000.0f; return; }
    float s = 0.0f;
    for (uint i = 0; i < n; i++) s += exp(x[row*n+i] - m);
    y[row] = m + log(s);
}

// fails: relaxed fast
kernel void length_as_index(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { const float2 v = float2(x[gid], z[gid]); y[gid] = float(uint(length(v))); }

// fails: fast
kernel void minimum_from_infinity(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float m = INFINITY;
    for (uint i = lane; i < n; i += 32) m = fmin(m, x[row*n+i]);
    m = simd_min(m);
    if (lane == 0) y[row] = m;
}

// fails: relaxed fast
kernel void cody_waite(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float kf = rint(x[gid] * 0.15915494f);
    float r = x[gid] - kf * 6.28125f;
    r = r - kf * 1.93500518798828125e-3f;
    r = r - kf * 3.0199159819074e-7f;
    y[gid] = r * z[gid];
}

// fails: relaxed fast
kernel void paired_differences(device const float4* p [[buffer(0)]], device float* y [[buffer(1)]], uint gid [[thread_position_in_grid]]) {
    const float4 v = p[gid];
    y[gid] = (v.x - v.y) + (v.z - v.w);
}

// fails: relaxed fast
kernel void kahan_over_launches(device const float* x [[buffer(0)]], device float* s [[buffer(1)]], device float* c [[buffer(2)]], constant uint& n [[buffer(3)]], constant uint& step [[buffer(4)]], uint gid [[thread_position_in_grid]]) {
    float sum = step == 0 ? 0.0f : s[gid], comp = step == 0 ? 0.0f : c[gid];
    const float v = x[step * n + gid] - comp;
    const float t = sum + v;
    comp = (t - sum) - v;
    s[gid] = t; c[gid] = comp;
}

// fails: relaxed fast
kernel void newton_until_equal(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float a = x[gid];
    float r = 1.0f;
    for (int it = 0; it < 60; it++) { const float nx = 0.5f * (r + a / r); if (nx == r) { y[gid] = 1.0f + 0.0f * z[gid]; return; } r = nx; }
    y[gid] = 0.0f;
}

// fails: none
kernel void ok_gelu_clamped(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float v = x[gid];
    const float a = clamp(0.7978845608f * (v + 0.044715f * v * v * v), -15.0f, 15.0f);
    y[gid] = 0.5f * v * (1.0f + precise::tanh(a)) + z[gid];
}

// fails: none
kernel void ok_mask_finite(device const half* q [[buffer(0)]], device const half* kk [[buffer(1)]], device const half* v [[buffer(2)]], device half* o [[buffer(3)]],
    constant uint& T [[buffer(4)]], uint t [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float m = -FLT_MAX / 2, l = 0.0f, acc = 0.0f;
    for (uint j = 0; j < T; ++j) {
        float s = simd_sum(float(q[t * 32 + lane]) * float(kk[j * 32 + lane]));
        s = j > t ? -FLT_MAX / 2 : s;
        const float mn = max(m, s);
        const float corr = exp2((m - mn) * M_LOG2E_F), p = exp2((s - mn) * M_LOG2E_F);
        l = l * corr + p; acc = acc * corr + p * float(v[j * 32 + lane]); m = mn;
    }
    o[t * 32 + lane] = half(acc / l);
}

// fails: none
kernel void ok_absmax_int8(device const float* x [[buffer(0)]], device char* q [[buffer(1)]], device float* d [[buffer(2)]], uint b [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    const float v = x[b*32+lane];
    const float a = simd_max(fabs(v));
    const float id = a > 0.0f ? 127.0f / a : 0.0f;
    q[b*32+lane] = char(rint(v * id));
    if (lane == 0) d[b] = a / 127.0f;
}

// fails: none
kernel void ok_nan_by_bits(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { const uint b = as_type<uint>(x[gid]); y[gid] = (b << 1) > 0xff000000u ? 0.0f : x[gid] + z[gid]; }

// fails: none
kernel void ok_floor_between(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) { const float q = floor((x[gid] + 0.5f) / z[gid]); y[gid] = x[gid] - q * z[gid]; }

// fails: none
struct W { float n, mean, m2; };
inline W merge(W a, W b) { const float n = a.n + b.n; if (n == 0.0f) return a; const float d = b.mean - a.mean; return { n, a.mean + d * (b.n / n), a.m2 + b.m2 + d * d * (a.n * b.n / n) }; }
kernel void ok_welford(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    W w{0.0f,0.0f,0.0f};
    for (uint i = lane; i < n; i += 32) { w.n += 1.0f; const float d = x[row*n+i] - w.mean; w.mean += d / w.n; w.m2 += d * (x[row*n+i] - w.mean); }
    for (ushort o = 16; o; o /= 2) { W b{ simd_shuffle_xor(w.n, o), simd_shuffle_xor(w.mean, o), simd_shuffle_xor(w.m2, o) }; w = merge(w, b); }
    if (lane == 0) y[row] = w.m2 / w.n;
}

// fails: none
kernel void ok_rms_norm_half(device const half* x [[buffer(0)]], device const half* w [[buffer(1)]], device half* y [[buffer(2)]], constant uint& n [[buffer(3)]], uint row [[threadgroup_position_in_grid]], uint tid [[thread_index_in_threadgroup]], uint sg [[simdgroup_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {
    threadgroup float part[4];
    float s = 0.0f;
    for (uint i = tid; i < n; i += 128) { const float v = x[row*n+i]; s = fma(v, v, s); }
    s = simd_sum(s);
    if (lane == 0) part[sg] = s;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float inv = rsqrt((part[0] + part[1] + part[2] + part[3]) / n + 1e-5f);
    for (uint i = tid; i < n; i += 128) y[row*n+i] = half(float(x[row*n+i]) * inv * float(w[i]));
}

// fails: none
kernel void ok_lse_finite(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], constant uint& n [[buffer(3)]], uint row [[thread_position_in_grid]]) {
    float m = -3.0e38f;
    for (uint i = 0; i < n; i++) if (z[row*n] > 0.0f) m = max(m, x[row*n+i]);
    if (m <= -1e30f) { y[row] = -1000.0f; return; }
    float s = 0.0f;
    for (uint i = 0; i < n; i++) s += exp(x[row*n+i] - m);
    y[row] = m + log(s);
}

// fails: none
kernel void ok_rope_precise(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant float& theta [[buffer(2)]], constant uint& d [[buffer(3)]], uint2 g [[thread_position_in_grid]]) {
    const float f = precise::pow(theta, -2.0f * float(g.x) / float(2 * d));
    const float a = float(g.y) * f;
    const float c = precise::cos(a), s = precise::sin(a);
    const device float* r = x + g.y * 2 * d;
    y[g.y*2*d + g.x] = r[g.x] * c - r[g.x + d] * s;
    y[g.y*2*d + g.x + d] = r[g.x] * s + r[g.x + d] * c;
}

// fails: none
kernel void ok_hypot(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float a = fabs(x[gid]), b = fabs(z[gid]); const float hi = max(a, b), lo = min(a, b);
    const float r = hi > 0.0f ? lo / hi : 0.0f;
    y[gid] = hi * sqrt(fma(r, r, 1.0f));
}

// fails: none
kernel void ok_softmax_product(device const float* x [[buffer(0)]], device const int* len [[buffer(1)]], device float* y [[buffer(2)]], constant uint& n [[buffer(3)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    const uint L = uint(len[row]);
    float m = -FLT_MAX;
    for (uint i = lane; i < L; i += 32) m = max(m, x[row*n+i]);
    m = simd_max(m);
    float s = 0;
    for (uint i = lane; i < L; i += 32) s += exp(x[row*n+i] - m);
    s = simd_sum(s);
    const float inv = s > 0.0f ? 1.0f / s : 0.0f;
    for (uint i = lane; i < n; i += 32) y[row*n+i] = i < L ? exp(x[row*n+i] - m) * inv : 0.0f;
}

// fails: none
kernel void ok_sigmoid_two_sided(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float e = exp(-fabs(x[gid])); const float d = 1.0f / (1.0f + e);
    y[gid] = (x[gid] >= 0.0f ? d : e * d) * z[gid];
}

// fails: none
kernel void ok_minimum_finite(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float m = FLT_MAX;
    for (uint i = lane; i < n; i += 32) m = min(m, x[row*n+i]);
    m = simd_min(m);
    if (lane == 0) y[row] = m;
}

// fails: none
kernel void ok_topk_flags(device const float* x [[buffer(0)]], device uint* at [[buffer(1)]], device float* v [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    const float mine = x[row*32+lane]; bool used = false;
    for (uint k = 0; k < 4; k++) {
        const float c = used ? -FLT_MAX : mine;
        const float best = simd_max(c);
        const uint who = simd_min(!used && c == best ? lane : 32u);
        if (lane == who) used = true;
        if (lane == 0) { at[row*4+k] = who; v[row*4+k] = best; }
    }
}

// fails: none
inline uint key(float f) { const uint b = as_type<uint>(f); return b ^ ((b >> 31) ? 0xffffffffu : 0x80000000u); }
kernel void ok_sortable_bits(device const float* x [[buffer(0)]], device uint* rank [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    uint r = 0; const uint me = key(x[i]);
    for (uint j = 0; j < n; j++) { const uint o = key(x[j]); r += (o < me || (o == me && j < i)) ? 1u : 0u; }
    rank[i] = r;
}

// fails: none
float kahan(device const float* v, uint n) {
#pragma METAL fp math_mode(safe)
    float s = 0.0f, c = 0.0f;
    for (uint i = 0; i < n; i++) { float w = v[i] - c; float t = s + w; c = (t - s) - w; s = t; }
    return s;
}
kernel void ok_kahan_pragma(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], constant uint& n [[buffer(3)]], uint row [[thread_position_in_grid]]) { y[row] = kahan(x + row*n, n) * z[row*n]; }

// fails: none
kernel void ok_cody_waite_fma(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float kf = rint(x[gid] * 0.15915494f);
    float r = fma(-kf, 6.28125f, x[gid]);
    r = fma(-kf, 1.93500518798828125e-3f, r);
    r = fma(-kf, 3.0199159819074e-7f, r);
    y[gid] = r * z[gid];
}

// fails: none
kernel void ok_double_float_fma_dot(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], constant uint& n [[buffer(3)]], uint row [[thread_position_in_grid]]) {
    float s = 0.0f, c = 0.0f;
    for (uint i = 0; i < n; ++i) { const float a = x[row*n+i], b = z[row*n+i]; const float p = a * b; c += fma(a, b, -p); s += p; }
    y[row] = s + c;
}

// fails: none
kernel void ok_newton_division(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float r = 1.0f / z[gid]; float q = x[gid] * r; const float e = fma(-q, z[gid], x[gid]); q = fma(e, r, q);
    y[gid] = floor(q + 0.001f);
}

// fails: none
kernel void ok_steps_of_literals(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]], uint gid [[thread_position_in_grid]]) {
    const float a = x[gid] * 0.3f + z[gid] / 0.7f;
    y[gid] = a > 0.1f ? rint(a * 12.7f) : fabs(a) * 3.3f;
}
