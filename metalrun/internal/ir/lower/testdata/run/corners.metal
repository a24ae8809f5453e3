#include <metal_stdlib>
using namespace metal;

//= 5 7 9 3
kernel void conditional_lvalues(device int *out) {
    int a = 1, b = 2;
    (a < b ? a : b) = 5;
    out[0] = a;
    thread int &r = a < b ? a : b;
    r = 7;
    out[1] = b;
    b = a > b ? a : 9;
    out[2] = b;
    int c[2] = {3, 4};
    out[3] = (a ? c[0] : c[1]);
}

//= 1 4 9 16 3 30
kernel void constant_arrays(device int *out) {
    const int squares[4] = {1, 4, 9, 16};
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        out[i] = squares[i];
        sum += squares[i];
    }
    out[4] = sizeof(squares) / sizeof(int) - 1;
    out[5] = sum;
}

//= 7 4 11 3 -1 8 2
kernel void matrix_parts(device float *out) {
    float3x2 m = float3x2(1, 2, 3, 4, 5, 6);
    int i = 1, j = 0;
    out[0] = m[i][j] + m[0][1] + m[1].y - 2;
    m[i] = float2(7, 8);
    m[2][i] += 5;
    out[1] = m[i].x - 3;
    out[2] = m[2].y;
    float3x2 n = m;
    n *= 2.0f;
    n[0] = n[0].yx - n[0];
    float3x2 d = n - m;
    out[3] = d[0].x + 2;
    out[4] = -d[0].x;
    out[5] = d[1][1];
    half2x2 h = half2x2(2.0h);
    out[6] = (h * half2(1, 0)).x;
}

//= 1 0 1 1 2
kernel void bools(device int *out) {
    bool flags[3] = {true, false};
    bool2 v = bool2(true, false);
    int i = out[0] == 0 ? 0 : 1;
    flags[2] = !flags[i + 1];
    out[0] = flags[i];
    out[1] = flags[i + 1];
    out[2] = flags[2];
    v = !v || bool2(false, false);
    out[3] = v.y && !v.x;
    out[4] = flags[0] + flags[2];
}

enum class Mode : uchar { plain, fast = 5, odd };
enum Flag { low = 1, high = 4 };

int mode(Mode m) {
    switch (m) {
    case Mode::plain: return 10;
    case Mode::odd: return 30;
    default: return 20;
    }
}

//= 10 20 30 5 3
kernel void enums(device int *out) {
    out[0] = mode(Mode::plain);
    out[1] = mode(Mode::fast);
    out[2] = mode(Mode::odd);
    out[3] = low | high;
    ulong wide = 1ul << 40;
    switch (wide) {
    case 1ul << 40: out[4] = 3; break;
    case 0: out[4] = 4;
    }
}

//= 1099511627776 -1 1 4294967295 -3 2
kernel void wide(device long *out) {
    uint n = 40;
    out[0] = 1l << n;
    long m = -8;
    out[1] = m >> 40ul;
    out[2] = (ulong(m) >> 63);
    out[3] = uint(m >> 60);
    out[4] = m / 3 - 1;
    out[5] = (m % 3 + 4);
}

union Word { uint u; struct { ushort lo, hi; } part; uchar bytes[4]; };
struct Tagged { int tag; Word w; };

Tagged tagged(uint u) { Tagged t; t.tag = 1; t.w.u = u; return t; }

//= 513 1027 3 2 1
kernel void unions(device uint *out) {
    out[0] = tagged(0x04030201).w.part.lo;
    Tagged t = tagged(0x04030201);
    out[1] = t.w.part.hi;
    for (int i = 2; i < 3; i++) out[2] = t.w.bytes[i];
    t.w.bytes[0] = 2;
    out[3] = t.w.u & 255;
    out[4] = t.tag;
}

//= 0 9 8 1 7 2 6 3 5 4
kernel void two_counters(device int *out) {
    int k = 0;
    for (int i = 0, j = 9; i <= j; i++, j--) {
        if (k < 10) out[k++] = i;
        if (k < 10) out[k++] = j;
    }
    int t = out[2];
    out[2] = 8;
    for (int i = 3; i < 10; i++) {
        int n = out[i];
        out[i] = i % 2 ? (i - 1) / 2 : 9 - i / 2;
        t += n;
    }
}

void fill(threadgroup float (&x)[4], float v) { for (int i = 0; i < 4; i++) x[i] = v + i; }

float total(threadgroup const float *x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }

//= 10 2.5
kernel void threadgroup_arrays(device float *out) {
    threadgroup float a[4];
    threadgroup float2 b[2][3];
    fill(a, 1);
    out[0] = total(a, 4);
    for (int i = 0; i < 2; i++) b[i][2] = float2(i, 2.5f);
    out[1] = b[1][2].y;
}

struct Matrix4 { float4 rows[20]; };

Matrix4 scaled(Matrix4 m, float s) {
    for (int i = 0; i < 20; i++) m.rows[i] *= s;
    return m;
}

//= 6 3 0
kernel void large_values(device float *out) {
    Matrix4 m = {};
    m.rows[3] = float4(1, 2, 3, 4);
    Matrix4 n = scaled(m, 2);
    out[0] = n.rows[3].z;
    out[1] = m.rows[3].z;
    out[2] = n.rows[19].w;
}

//= 1 2 20 4
kernel void pointer_arrays(device int *out) {
    int a = 1, b = 2;
    thread int *p[2] = {&a, &b};
    thread int *thread *q = &p[1];
    out[0] = *p[0];
    out[1] = **q;
    *q = &a;
    *p[1] = 20;
    out[2] = a;
    thread int *null = nullptr;
    out[3] = null == nullptr && p[0] ? 4 : 5;
}

//= 255 127 -1 32 1 2
kernel void packed_and_narrow(device int *out) {
    uchar4 u = uchar4(255);
    u >>= uchar4(8);
    out[0] = u.x;
    char2 c = char2(-2);
    c = as_type<char2>(uchar2(as_type<uchar2>(c) >> uchar2(1)));
    out[1] = c.y;
    short3 s = short3(-1);
    s = s >> short3(15);
    out[2] = s.z;
    struct P { uchar tag; packed_half3 v; };
    P p = {1, packed_half3(16, 32, 48)};
    p.v.y = 32;
    out[3] = int(p.v.y);
    out[4] = sizeof(P) == 8;
    p.v.xz = half2(1, 2);
    out[5] = int(p.v[2]);
}

//= 3 6 1 4
kernel void aliases(device int *out) {
    int4 v = int4(1, 2, 3, 4);
    thread int4 &r = v;
    r.xy = r.yx + 1;
    out[0] = v.x;
    int old = v.x;
    v.x = 6;
    out[1] = r.x;
    out[2] = old - 2;
    thread const int4 &c = v;
    v = c.wzyx;
    out[3] = v.x;
}

float pick(thread const float4 &v, int i) { return v[i]; }

void put(thread float4 &v, uint i, float x) { v[i] = x; }

float through(thread const float *p) { return *p; }

struct Wrapper {
    float4 v;
    float at(int i) const { return v[i]; }
};

//= 3 9 9 2 8 4 1
kernel void dynamic_references(device float *out) {
    float4 v = float4(1, 2, 3, 4);
    out[0] = pick(v, 2);
    put(v, 1, 9);
    out[1] = v.y;
    float a0 = v.y;
    out[2] = through(&a0);
    bool second = v.x > 0;
    float a[2] = {1, 2};
    out[3] = a[second];
    char k = -1;
    thread float *p = &a[1];
    p[k] = 8;
    out[4] = a[0];
    Wrapper w = {v};
    out[5] = w.at(3);
    out[6] = pick(float4(1, 2, 3, 4) * 1.0f, 0);
}
