// Operators, casts, literals and what is ambiguous in C++.
#include <metal_stdlib>
using namespace metal;

struct S {
    float x;
    S(float v) : x(v) {}
    float get() const { return x; }
};
template <typename T> struct Box {
    T value;
    template <typename U> U as() const { return U(value); }
};
template <typename T, int N> T sum(T a, T b) { return a + b * N; }
float f(float x) { return x; }

kernel void expressions(device float *out [[buffer(0)]], constant int &n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float a = 1.5, b = .5f, c = 1.f, d = 1e-3, e = 0x1.8p+3f, g = 2.0h, h = 1.0bf, s = 1'000.5;
    uint k = 0xFFu, o = 017, m = 0b1010, p = 1'000'000u, z = 42UL, ch = 'x', esc = '\n', hex = '\x41', lu = 1lu;
    a = b = c;
    a += b -= c *= d /= e;
    k %= o &= m |= p ^= z <<= 1 >>= 2;
    a = b + c * d - e / g;
    a = (b + c) * (d - e);
    a = i < 3 && k > 4 || !(m <= 5) && o >= 6;
    a = k << 2 >> 1 & 0xf | m ^ p;
    a = i == 1 ? b : k != 2 ? c : d;
    a = i ? b, c : d;
    a = -b + +c - -d;
    k = ~m + !o;
    a = - -b;
    k = i++ + ++i - i-- - --i;
    a = *out + *&a;
    out[i] = out[i + 1], out[0]++;
    a = (float)n + (float)(n) + float(n) + float{b} + static_cast<float>(n);
    a = (float)-n;
    a = (a)-n;
    a = (float(n));
    a = (float(n) + 1) * 2;
    a = (float4(1.0f).x);
    a = (unsigned char)n + unsigned(n) + (int)sizeof(float) + sizeof a + sizeof(a) + alignof(float4);
    device uint *words = (device uint *)out;
    device const uchar *bytes = reinterpret_cast<device const uchar *>(out + n) + 3;
    device float4 *quads = (device float4 *)(out) + 1;
    float4 v = *((device float4 *)out), w = ((device const float4 *)out)[i], u = (float4)1.0f, t = (float4)(1, 2, 3, 4);
    uint bits = as_type<uint>(a), more = as_type<uint>(half2(1, 2)) >> 3;
    v.xy = w.zw;
    v[2] = quads->x;
    a = sum<float, 4>(a, b) < c ? 1 : 0;
    bool less = i<k, greater = i> k, both = (i < k) && (k > i);
    a = sum<float, (3 > 2)>(a, b);
    a = sum<float, sizeof(Box<Box<float>>)>(a, b);
    vec<vec<float, 4>::value_type, 2> nested;
    Box<Box<float>> boxes;
    a = boxes.value.template as<float>() + boxes.value.as<float>();
    a = Box<float>{1}.value + Box<float>{}.value + S(2).get() + S{3}.x;
    a = f(f(a)) + ::f(b) + metal::exp(c) + metal::precise::sqrt(d) + fast::sin(e);
    simdgroup_float8x8 tile(0), other = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    tile.thread_elements()[0] = (&a)[0];
    threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
    simdgroup_barrier(metal::mem_flags(0));
    out[(i >> 2) & 3] = select(a, b, less);
    out[i] = float(bool(k & 1) ? 1 : 0);
    float(array)[2];
    float(initial) = 3;
    float3(1, 2, 3).x + 1;
    const char text = "ab" "\x41\"c"[0];
    (void)words, (void)bytes;
    k = k and not m or (o bitand p);
    S made = {1}, copied = S(1), constructed(1);
    constexpr int size = sizeof(array) / sizeof(array[0]);
    less = a < b == c > d;
    less = (k) & m;
    less = (k) * m + (k)(m) - (int)(m);
    float2 r = {a, b};
    r = {c, d};
    return;
}
